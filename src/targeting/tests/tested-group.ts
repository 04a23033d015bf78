import type { Json } from '../../model/json/json.ts'
import { canonicalFilters } from '../filters.ts'
import { countedTypes, readRelease } from '../release.ts'
import type { FlagTest } from './flag-test.ts'

/** The group that a test is about, where the filters count groups and it names one of that type: its key. */
export function testedGroup({ subject: { groups = {} } }: Pick<FlagTest, 'subject'>, filters: Json) {
  const types = countedTypes(readRelease(canonicalFilters(filters)))
  return types.flatMap(type => (type === undefined ? [] : (groups[type] ?? []))).at(0)
}
