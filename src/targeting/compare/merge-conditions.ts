import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../model/json/json.ts'
import { describeCondition } from '../describe/describe.ts'
import { filterParts } from '../filter-parts.ts'

export type MergedConditions = { readonly is: 'merged'; readonly conditions: readonly Json[] } | Conflict

interface Conflict {
  readonly is: 'conflict'
  readonly reason: string
}

export function conflict(reason: string): Conflict {
  return { is: 'conflict', reason }
}

/**
 * Merges conditions in canonical form that both sides have changed. Two conditions are the same one where they ask for
 * the same, and only then; no condition of the base may be gone from a side, nor be there twice.
 *
 * | a condition                                | comes to                                     |
 * |--------------------------------------------|----------------------------------------------|
 * | of the base, its share changed on one side | that share                                   |
 * | its share changed on both, unlike          | conflict                                     |
 * | its properties changed, or it was removed  | conflict                                     |
 * | new on one side                            | is there                                     |
 * | new on both sides, alike                   | is there once                                |
 * | new on both sides, with unlike shares      | conflict                                     |
 * | their order changed on one side            | that order                                   |
 * | their order changed on both, unlike        | conflict                                     |
 * | any that forces a variant                  | conflict: the first one that matches decides |
 */
export function mergeConditions(base: Json, declared: Json, live: Json): MergedConditions {
  const was = readSide(base)
  const ours = readSide(declared)
  const theirs = readSide(live)
  if (typeof was === 'string') return conflict(was)
  if (typeof ours === 'string') return conflict(ours)
  if (typeof theirs === 'string') return conflict(theirs)
  for (const [key, condition] of was) {
    const where = ours.has(key) ? (theirs.has(key) ? undefined : 'live') : 'in the repository'
    if (where !== undefined)
      return conflict(
        `the condition "${describeCondition(condition)}" was changed or removed ${where}, and others on the other side`,
      )
  }
  const order = mergeOrder([...was.keys()], [...ours.keys()], [...theirs.keys()])
  if (!order) return conflict('the order of the conditions was changed on both sides')
  const conditions: Json[] = []
  for (const key of order) {
    const merged = mergeCondition(was.get(key), ours.get(key), theirs.get(key))
    if ('reason' in merged) return conflict(merged.reason)
    conditions.push(merged.condition)
  }
  return { is: 'merged', conditions }
}

type Side = ReadonlyMap<string, JsonObject>

/** The conditions of one side, each by what it asks for; or why that cannot be told. */
function readSide(groups: Json): Side | string {
  if (!isJsonArray(groups)) return 'the conditions of one side cannot be read'
  const side = new Map<string, JsonObject>()
  for (const condition of groups) {
    const { properties = [] } = isJsonObject(condition) ? condition : {}
    if (!isJsonObject(condition) || !isJsonArray(properties)) return 'a condition of one side cannot be read'
    if (condition.variant !== undefined)
      return 'both sides changed conditions, and where one forces a variant their order decides'
    const key = canonicalText([properties.map(canonicalText).sort(), condition[ownGroups] ?? null])
    if (side.has(key)) return `two conditions ask for "${describeCondition(condition)}"`
    side.set(key, condition)
  }
  return side
}

const ownGroups = 'aggregation_group_type_index'

/** Every key of both sides, each once; undefined where both have brought those of the base into orders of their own. */
function mergeOrder(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly string[] | undefined {
  if (isSameOrder(ours, base)) return theirs
  if (isSameOrder(theirs, base)) return ours
  const known = new Set(base)
  const oursOfBase = ours.filter(key => known.has(key))
  const theirsOfBase = theirs.filter(key => known.has(key))
  const isMovedHere = !isSameOrder(oursOfBase, base)
  const isMovedThere = !isSameOrder(theirsOfBase, base)
  if (isMovedHere && isMovedThere && !isSameOrder(oursOfBase, theirsOfBase)) return undefined
  const [first, second] = isMovedThere && !isMovedHere ? [theirs, ours] : [ours, theirs]
  return [...new Set([...first, ...second])]
}

function isSameOrder(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index])
}

type MergedCondition = { readonly condition: JsonObject } | { readonly reason: string }

function mergeCondition(
  base: JsonObject | undefined,
  declared: JsonObject | undefined,
  live: JsonObject | undefined,
): MergedCondition {
  if (declared === undefined || live === undefined) return { condition: declared ?? live ?? {} }
  if (isSameJson(declared, live)) return { condition: declared }
  const people = describeCondition(declared)
  if (base === undefined)
    return { reason: `both sides added the condition "${people}", and not the same one` }
  if (isSameJson(declared, base)) return { condition: live }
  if (isSameJson(live, base)) return { condition: declared }
  const members: Record<string, Json> = {}
  for (const name of new Set([base, declared, live].flatMap(Object.keys))) {
    const [was, ours, theirs] = [base[name] ?? null, declared[name] ?? null, live[name] ?? null]
    const isOurs = isSameJson(theirs, was) || isSameJson(ours, theirs)
    const isTheirs = isSameJson(ours, was)
    const isUnit = apart.has(name) || (isOurs && isTheirs)
    if (!isUnit || (!isOurs && !isTheirs))
      return { reason: `${spoken(name)} of the condition "${people}" was changed on both sides` }
    const merged = isOurs ? ours : theirs
    if (merged !== null) members[name] = merged
  }
  return { condition: members }
}

/** What of a condition can be changed beside a change of something else: its share, its order of properties, notes. */
const apart: ReadonlySet<string> = new Set([
  'rollout_percentage',
  'properties',
  ...Object.entries(filterParts.condition.members).flatMap(([name, { decides }]) => (decides ? [] : [name])),
])

function spoken(name: string): string {
  return name === 'rollout_percentage' ? 'the share' : `"${name}"`
}
