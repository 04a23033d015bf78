import type { Json } from '../../model/json/json.ts'
import { countedTypes, readRelease } from '../release.ts'
import { singleValue } from './single-value.ts'

/** A flag as far as it is declared, or known to be live. */
export interface KnownSwitch {
  readonly active?: boolean
  readonly filters?: Json
}

/**
 * The one value that every person gets of a flag of which something may not be known. Undefined where they may get different
 * ones, and where nobody here can tell.
 *
 * | of the flag                                | gives                                                    |
 * |--------------------------------------------|----------------------------------------------------------|
 * | is known that it is off                    | false                                                    |
 * | its filters are not known                  | not told                                                 |
 * | it is not known whether it is on           | false, where its filters reach nobody; else not told     |
 * | is known that it counts groups             | the same: a person who is in no group gets nothing       |
 * | all is known                               | what `singleValue` says                                  |
 */
export function valueForAll({ active, filters }: KnownSwitch): boolean | string | undefined {
  if (active === false) return false
  if (filters === undefined) return undefined
  const value = singleValue({ filters, active: true })
  const isForPersons = countedTypes(readRelease(filters)).every(type => type === undefined)
  return value === false || (active === true && isForPersons) ? value : undefined
}
