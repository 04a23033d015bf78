import { isJsonObject, isSameJson, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { canonicalFilters } from '../filters.ts'
import { keepFilters } from './keep-filters.ts'
import { conflict, mergeConditions } from './merge-conditions.ts'

export interface ThreeFilters {
  readonly base: Json
  readonly declared: Json
  readonly live: Json
}

/** What both sides come to together, spelled as the side that it is from, or as it is declared; or why they contradict each other, in words. */
export type MergedFilters =
  | { readonly is: 'merged'; readonly filters: Json }
  | { readonly is: 'conflict'; readonly reason: string }

/**
 * Merges filters that were changed in the repository and in the product. Where in doubt, it is a conflict: a merge gives
 * everybody what one of both sides gives them, or less, and each condition at most the larger share of both.
 *
 * | changed                          | on the other side                   | comes to                              |
 * |----------------------------------|-------------------------------------|---------------------------------------|
 * | anything                         | nothing, or the same                | the change                            |
 * | conditions alone                 | conditions alone                    | both, condition by condition          |
 * |                                  | the same, where their order decides | conflict                              |
 * | conditions                       | variants, groups, an early exit or  | conflict                              |
 * |                                  | any other member that decides       |                                       |
 * | the payload of one variant       | that of another                     | both                                  |
 * |                                  | the same one                        | conflict                              |
 * | payloads                         | conditions                          | both                                  |
 * |                                  | variants                            | conflict                              |
 *
 * The order of conditions decides where one of them forces a variant, and where there is an early exit.
 */
export function mergeFilters(three: ThreeFilters): MergedFilters {
  const [base, declared, live] = [three.base, three.declared, three.live].map(canonicalFilters)
  if (!isJsonObject(base) || !isJsonObject(declared) || !isJsonObject(live))
    return conflict('the filters of one side cannot be read')
  const ofLive = whoOf(live)
  const who = mergeWho(whoOf(base), whoOf(declared), ofLive)
  if (who.is === 'conflict') return who
  const payloads = mergePayloads(payloadsOf(base), payloadsOf(declared), payloadsOf(live))
  if (payloads.is === 'conflict') return payloads
  const variants = who.members.multivariate ?? null
  const isTorn = [declared, live].some(
    side =>
      isSameJson(side.multivariate ?? null, variants) &&
      !isSameJson(payloadsOf(side), payloads.members) &&
      !isSameJson(declared.multivariate ?? null, live.multivariate ?? null),
  )
  if (isTorn) return conflict('the variants were changed on one side, and payloads on the other')
  const whole: JsonObject = Object.keys(payloads.members).length > 0 ? { payloads: payloads.members } : {}
  // Which groups conditions count is said in ways that older services take for different things.
  const model = who.members === ofLive ? [three.live, live] : [three.declared, declared]
  return {
    is: 'merged',
    filters: keepFilters({ ...who.members, ...whole }, model.find(isJsonObject) ?? declared),
  }
}

type MergedMembers =
  | { readonly is: 'merged'; readonly members: JsonObject }
  | { readonly is: 'conflict'; readonly reason: string }

/** Everything that decides who gets which value: all of the filters but the payloads. */
function mergeWho(base: JsonObject, declared: JsonObject, live: JsonObject): MergedMembers {
  if (isSameJson(live, base) || isSameJson(declared, live)) return { is: 'merged', members: declared }
  if (isSameJson(declared, base)) return { is: 'merged', members: live }
  const besides = new Set([base, declared, live].flatMap(Object.keys))
  besides.delete('groups')
  const changed = [...besides].find(name =>
    [declared, live].some(side => !isSameJson(side[name] ?? null, base[name] ?? null)),
  )
  if (changed !== undefined)
    return conflict(`"${changed}" was changed on one side, and who gets the flag on the other`)
  if (base.early_exit === true)
    return conflict('both sides changed conditions, and with an early exit their order decides')
  const merged = mergeConditions(base.groups ?? null, declared.groups ?? null, live.groups ?? null)
  return merged.is === 'conflict'
    ? merged
    : { is: 'merged', members: { ...declared, groups: merged.conditions } }
}

function mergePayloads(base: JsonObject, declared: JsonObject, live: JsonObject): MergedMembers {
  const members: Record<string, Json> = {}
  for (const name of new Set([base, declared, live].flatMap(Object.keys))) {
    const [was, ours, theirs] = [base, declared, live].map(side =>
      Object.hasOwn(side, name) ? side[name] : undefined,
    )
    const isOurs = isSamePayload(theirs, was) || isSamePayload(ours, theirs)
    if (!isOurs && !isSamePayload(ours, was))
      return conflict(`the payload of "${name}" was changed on both sides`)
    const merged = isOurs ? ours : theirs
    if (merged !== undefined) members[name] = merged
  }
  return { is: 'merged', members }
}

/** A payload may be null, which is another thing than none. */
function isSamePayload(left: Json | undefined, right: Json | undefined): boolean {
  return left === undefined || right === undefined ? left === right : isSameJson(left, right)
}

function whoOf(filters: JsonObject): JsonObject {
  return pickMembers(filters, (_, name) => name !== 'payloads')
}

function payloadsOf({ payloads }: JsonObject): JsonObject {
  return isJsonObject(payloads) ? payloads : {}
}
