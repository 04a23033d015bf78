import type { Json } from '../../model/json/json.ts'
import type { AnySubject, EvaluationReason } from '../evaluate/evaluate-flag.ts'
import { canonicalFilters } from '../filters.ts'
import { countedTypes, readRelease } from '../release.ts'

/** What somebody has to get of a flag. */
export interface FlagTest {
  /** What messages call who asks: a name, or a distinct id; undefined for nobody in particular. */
  readonly person: string | undefined
  /** Who asks; types of groups go by their numbers. */
  readonly subject: AnySubject
  /** False, true, or the key of a variant. */
  readonly value: boolean | string
  /** What code has to receive beside it, null for nothing; absent where that does not matter. */
  readonly payload?: Json
  /** What some SDKs give in place of it, by their names. */
  readonly sdks?: Readonly<Record<string, boolean | string>>
  /** Why it has to be so; absent where that does not matter. */
  readonly because?: TestReason
}

/** The condition that has to decide, from 0, with what it is called where that is no number; or another reason. */
export type TestReason =
  | { readonly condition: number; readonly name?: string }
  | { readonly reason: EvaluationReason }

/** The group that a test is about, where the filters count groups and it names one of that type: its key. */
export function testedGroup({ subject: { groups = {} } }: Pick<FlagTest, 'subject'>, filters: Json) {
  const types = countedTypes(readRelease(canonicalFilters(filters)))
  return types.flatMap(type => (type === undefined ? [] : (groups[type] ?? []))).at(0)
}
