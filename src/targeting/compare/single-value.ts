import {
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/json/json.ts'
import { withConditions } from '../old-form.ts'
import { countedTypes, isReaching, type Release, type ReleaseCondition, readRelease } from '../release.ts'
import type { ReleasedFlag } from './exposure.ts'

/**
 * The one value that a flag gives to everybody: false, true or the key of a variant. Undefined where people get different
 * values, and where the filters alone do not tell. Of a flag that counts groups, everybody is every group of that type.
 *
 * | the flag                                                            | gives                       |
 * |---------------------------------------------------------------------|-----------------------------|
 * | is off, or no condition reaches anybody                             | false                       |
 * | has a condition for everybody at 100%, and all of its conditions that | that                      |
 * | reach anybody give the same: true, or one variant                   |                             |
 * | leaves people out by an early exit                                  | not told                    |
 * | has members by which other parts of the product decide              | not told                    |
 *
 * The order of conditions takes no part, since services try them in different ones.
 */
export function singleValue({ filters, active }: ReleasedFlag): boolean | string | undefined {
  if (!active) return false
  const release = readRelease(filters)
  if (release.others.some(name => name !== 'early_exit') || release.holdout) return undefined
  const reaching = release.conditions.filter(isReaching)
  if (reaching.length === 0) return false
  const leavesOut = release.stopsEarly && release.conditions.some(({ percent }) => percent < 100)
  if (leavesOut || countedTypes(release).length > 1 || !reaching.some(isForEverybody)) return undefined
  const [value, ...others] = new Set(reaching.map(condition => givenBy(release, condition)))
  return others.length === 0 ? value : undefined
}

/** The same filters with one condition for everybody in place of all that they have; with one variant for all, where it is named. */
export function filtersForEverybody(filters: Json, variant?: string): Json {
  const members = isJsonObject(filters) ? withConditions(filters) : {}
  const others = pickMembers(members, (_, name) => name !== 'groups' && name !== 'early_exit')
  const counted = countedByAll(members)
  const condition = {
    properties: [],
    rollout_percentage: 100,
    ...(variant === undefined ? {} : { variant }),
    ...(counted === undefined ? {} : { aggregation_group_type_index: counted }),
  }
  return { ...others, groups: [condition] }
}

/** The type of groups that each condition says for itself, where all say the same. */
function countedByAll({ groups = null }: JsonObject): Json | undefined {
  const types = isJsonArray(groups)
    ? groups.map(group => (isJsonObject(group) ? (group.aggregation_group_type_index ?? null) : null))
    : []
  const [first = null, ...others] = types
  return first !== null && others.every(type => isSameJson(type, first)) ? first : undefined
}

function isForEverybody({ properties, percent }: ReleaseCondition): boolean {
  return properties?.length === 0 && percent === 100
}

/** What everybody gets whom a condition reaches; undefined where that depends on who it is. */
function givenBy({ variants }: Release, { variant }: ReleaseCondition): true | string | undefined {
  if (variants.length === 0) return true
  if (variants.some(({ key }) => key === variant)) return variant
  const [first] = variants.filter(({ percent }) => percent > 0)
  return first && first.percent >= 100 ? first.key : undefined
}
