import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/text/json.ts'
import { canonicalFilters } from '../canonical-filters.ts'
import { brokenTogether } from '../check/filter-mistakes.ts'
import { describeCondition } from '../describe.ts'
import { filterParts } from '../filter-parts.ts'
import { keepFilters } from './align.ts'

/** The three values of something that both sides may have changed. */
export interface Three<Value> {
  readonly base: Value
  readonly declared: Value
  readonly live: Value
}

export type Merged<Value> = { readonly is: 'merged'; readonly value: Value } | Conflict

export interface Conflict {
  readonly is: 'conflict'
  readonly reason: string
}

export function conflict(reason: string): Conflict {
  return { is: 'conflict', reason }
}

/** The rule of every merge: the value of the side that changed it. Undefined if both did, and not to the same. */
function mergeThree<Value>(
  { base, declared, live }: Three<Value>,
  isSame: (left: Value, right: Value) => boolean,
): { readonly value: Value } | undefined {
  if (isSame(live, base) || isSame(declared, live)) return { value: declared }
  return isSame(declared, base) ? { value: live } : undefined
}

/**
 * Merges filters that were changed in the repository and in the product; if in doubt, it is a conflict.
 * Everybody gets what one of both sides gives, or less, and each condition at most the larger share.
 *
 * | changed                          | on the other side                   | result                                |
 * |----------------------------------|-------------------------------------|---------------------------------------|
 * | anything                         | nothing, or the same                | the change                            |
 * | conditions alone                 | conditions alone                    | both, condition by condition          |
 * |                                  | the same, if their order decides    | conflict                              |
 * | conditions                       | variants, groups, an early exit or  | conflict                              |
 * |                                  | any other member that decides       |                                       |
 * | the payload of one variant       | that of another                     | both                                  |
 * |                                  | the same one                        | conflict                              |
 * | payloads                         | conditions                          | both                                  |
 * |                                  | variants                            | conflict                              |
 *
 * The order of conditions decides if one of them forces a variant, or if there is an early exit. The result
 * has the spelling of the side that it is from, or the declared one.
 */
export function mergeFilters(three: Three<Json>): Merged<Json> {
  const [base, declared, live] = [three.base, three.declared, three.live].map(canonicalFilters)
  if (!isJsonObject(base) || !isJsonObject(declared) || !isJsonObject(live))
    return conflict('the filters of one side cannot be read')
  const ofLive = whoOf(live)
  const who = mergeWho({ base: whoOf(base), declared: whoOf(declared), live: ofLive })
  if (who.is === 'conflict') return who
  const payloads = mergePayloads({
    base: payloadsOf(base),
    declared: payloadsOf(declared),
    live: payloadsOf(live),
  })
  if (payloads.is === 'conflict') return payloads
  const variants = who.value.multivariate ?? null
  const isTorn = [declared, live].some(
    side =>
      isSameJson(side.multivariate ?? null, variants) &&
      !isSameJson(payloadsOf(side), payloads.value) &&
      !isSameJson(declared.multivariate ?? null, live.multivariate ?? null),
  )
  if (isTorn) return conflict('one side changed the variants, the other side changed payloads')
  const whole: JsonObject = Object.keys(payloads.value).length > 0 ? { payloads: payloads.value } : {}
  // Older services treat different spellings of group types as different values.
  const model = who.value === ofLive ? [three.live, live] : [three.declared, declared]
  const value = keepFilters({ ...who.value, ...whole }, model.find(isJsonObject) ?? declared)
  const [broken] = brokenTogether(value, [three.declared, three.live])
  return broken
    ? conflict(`the merge of both sides breaks a rule: ${broken.message}`)
    : { is: 'merged', value }
}

/** Merges everything that decides who gets which value: all members except payloads. */
function mergeWho(three: Three<JsonObject>): Merged<JsonObject> {
  const whole = mergeThree(three, isSameJson)
  if (whole) return { is: 'merged', value: whole.value }
  const { base, declared, live } = three
  const besides = new Set([base, declared, live].flatMap(Object.keys))
  besides.delete('groups')
  const changed = [...besides].find(name =>
    [declared, live].some(side => !isSameJson(side[name] ?? null, base[name] ?? null)),
  )
  if (changed !== undefined)
    return conflict(`one side changed "${changed}", the other side changed who gets the flag`)
  if (base.early_exit === true)
    return conflict('both sides changed conditions, and "early_exit" makes their order decide')
  const merged = mergeConditions(base.groups ?? null, declared.groups ?? null, live.groups ?? null)
  return merged.is === 'conflict' ? merged : { is: 'merged', value: { ...declared, groups: merged.value } }
}

function mergePayloads({ base, declared, live }: Three<JsonObject>): Merged<JsonObject> {
  const members: Record<string, Json> = {}
  const of = (side: JsonObject, name: string) => (Object.hasOwn(side, name) ? side[name] : undefined)
  for (const name of new Set([base, declared, live].flatMap(Object.keys))) {
    const three = { base: of(base, name), declared: of(declared, name), live: of(live, name) }
    const merged = mergeThree(three, isSamePayload)
    if (!merged) return conflict(`both sides changed the payload of "${name}"`)
    if (merged.value !== undefined) members[name] = merged.value
  }
  return { is: 'merged', value: members }
}

/** A payload may be null, which is different from a missing payload. */
function isSamePayload(left: Json | undefined, right: Json | undefined): boolean {
  return left === undefined || right === undefined ? left === right : isSameJson(left, right)
}

function whoOf(filters: JsonObject): JsonObject {
  return pickMembers(filters, (_, name) => name !== 'payloads')
}

function payloadsOf({ payloads }: JsonObject): JsonObject {
  return isJsonObject(payloads) ? payloads : {}
}

/**
 * Merges conditions in canonical form that both sides have changed. Two conditions are the same one only if
 * they mean the same people. No condition of the base may be removed from one side only, nor be there twice.
 *
 * | a condition                                | result                                       |
 * |--------------------------------------------|----------------------------------------------|
 * | of the base, its share changed on one side | that share                                   |
 * | its share changed on both, differently     | conflict                                     |
 * | of the base, removed on both sides         | is gone                                      |
 * | its properties changed, or it was removed  | conflict                                     |
 * | on one side alone                          |                                              |
 * | new on one side                            | is there                                     |
 * | new on both sides, equal                   | is there once                                |
 * | new on both sides, with different shares   | conflict                                     |
 * | their order changed on one side            | that order                                   |
 * | their order changed on both, differently   | conflict                                     |
 * | any that forces a variant                  | conflict: the first one that matches decides |
 */
function mergeConditions(base: Json, declared: Json, live: Json): Merged<readonly Json[]> {
  const whole = readSide(base)
  const ours = readSide(declared)
  const theirs = readSide(live)
  if (typeof whole === 'string') return conflict(whole)
  if (typeof ours === 'string') return conflict(ours)
  if (typeof theirs === 'string') return conflict(theirs)
  const was = new Map([...whole].filter(([key]) => ours.has(key) || theirs.has(key)))
  for (const [key, condition] of was) {
    const where = ours.has(key) ? (theirs.has(key) ? undefined : 'live') : 'in the repository'
    if (where !== undefined)
      return conflict(
        `the condition "${describeCondition(condition)}" was changed or removed ${where}, and other conditions on the other side`,
      )
  }
  const order = mergeOrder([...was.keys()], [...ours.keys()], [...theirs.keys()])
  if (!order) return conflict('both sides changed the order of the conditions')
  const conditions: Json[] = []
  for (const key of order) {
    const merged = mergeCondition(was.get(key), ours.get(key), theirs.get(key))
    if (merged.is === 'conflict') return merged
    conditions.push(merged.value)
  }
  return { is: 'merged', value: conditions }
}

type Side = ReadonlyMap<string, JsonObject>

/** The conditions of one side, each by the people it matches; or the reason why they cannot be identified. */
function readSide(groups: Json): Side | string {
  if (!isJsonArray(groups)) return 'the conditions of one side cannot be read'
  const side = new Map<string, JsonObject>()
  for (const condition of groups) {
    const { properties = [] } = isJsonObject(condition) ? condition : {}
    if (!isJsonObject(condition) || !isJsonArray(properties)) return 'a condition of one side cannot be read'
    if (condition.variant !== undefined)
      return 'both sides changed conditions, and the order decides because a condition forces a variant'
    const key = canonicalText([properties.map(canonicalText).sort(), condition[ownGroups] ?? null])
    if (side.has(key)) return `two conditions mean the same people: "${describeCondition(condition)}"`
    side.set(key, condition)
  }
  return side
}

const ownGroups = 'aggregation_group_type_index'

/** The keys of both sides, each once; undefined if both sides reordered the base differently. */
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

function mergeCondition(
  base: JsonObject | undefined,
  declared: JsonObject | undefined,
  live: JsonObject | undefined,
): Merged<JsonObject> {
  if (declared === undefined || live === undefined) return { is: 'merged', value: declared ?? live ?? {} }
  const people = describeCondition(declared)
  if (base === undefined)
    return isSameJson(declared, live)
      ? { is: 'merged', value: declared }
      : conflict(`both sides added the condition "${people}", but with different content`)
  const whole = mergeThree({ base, declared, live }, isSameJson)
  if (whole) return { is: 'merged', value: whole.value }
  const members: Record<string, Json> = {}
  for (const name of new Set([base, declared, live].flatMap(Object.keys))) {
    const three = { base: base[name] ?? null, declared: declared[name] ?? null, live: live[name] ?? null }
    const isUnchanged = isSameJson(three.declared, three.base) && isSameJson(three.live, three.base)
    const merged = apart.has(name) || isUnchanged ? mergeThree(three, isSameJson) : undefined
    if (!merged) return conflict(`both sides changed ${spoken(name)} of the condition "${people}"`)
    if (merged.value !== null) members[name] = merged.value
  }
  return { is: 'merged', value: members }
}

/** Parts of a condition that can be merged with other changes. */
const apart: ReadonlySet<string> = new Set([
  'rollout_percentage',
  'properties',
  ...Object.entries(filterParts.condition.members).flatMap(([name, { decides }]) => (decides ? [] : [name])),
])

function spoken(name: string): string {
  return name === 'rollout_percentage' ? 'the percentage' : `"${name}"`
}
