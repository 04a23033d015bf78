import {
  canonicalText,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/json/json.ts'
import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { type FilterProblem, filterError, pointerTo } from '../check/filter-problem.ts'
import { elementsOf, everybodyOrNobody, hasNull, releaseMembersIn, type ShortForm } from './short-form.ts'

/** Layers of the short form laid over each other. */
export interface MergedShort {
  readonly value: ShortForm
  /** The number of the layer that a place comes from, the first being 0; of what several made together, the last of them. */
  readonly layerOf: (pointer: string) => number
  readonly problems: readonly ShortProblem[]
}

/** A problem in the short form. The pointer leads to it inside of its layer: `/release/staff/variant`. */
export interface ShortProblem extends FilterProblem {
  readonly layer: number
}

/**
 * Lays each layer over the ones before it: maps are merged member by member, lists and single values replace, and null
 * removes. What a layer adds goes last, in its order. A null that removes nothing is a problem, but for one inside of a
 * payload: it is a slip, or stands where it would have widened a release. So is a release in one way over one in the other.
 */
export function mergeShort(layers: readonly ShortForm[]): MergedShort {
  const [only] = layers
  // Nearly all flags say the same everywhere.
  if (layers.length === 1 && only && !hasNull(only)) return { value: only, layerOf: () => 0, problems: [] }
  const origins = new Map<string, number>()
  const completed = new Map<string, number>()
  const problems: ShortProblem[] = []
  const merge = (below: Json | undefined, above: Json, pointer: string, layer: number): Json => {
    const over = inKind(below, above, pointer)
    const isMerged = isJsonObject(over) && isJsonObject(below)
    if (isMerged) completed.set(pointer, layer)
    else replace(origins, pointer, layer)
    if (!isJsonObject(over)) return over
    const members = new Map(Object.entries(isMerged ? below : {}))
    for (const [name, member] of Object.entries(over)) {
      const at = pointerTo(pointer, name)
      if (member !== null) {
        members.set(name, merge(members.get(name), member, at, layer))
        continue
      }
      if (members.delete(name)) {
        replace(origins, at, layer)
        continue
      }
      // A payload may hold a null; nothing else may.
      if (isInPayload(at)) members.set(name, member)
      else problems.push(removesNothing(at, layer))
    }
    return Object.fromEntries(members)
  }
  const value = layers.reduce<ShortForm>((below, above, layer) => {
    // Layers are objects, and so is what comes of them.
    const merged = merge(below, above, '', layer) as JsonObject
    const [shared] = releaseMembersIn(below)
    if (shared !== undefined && releaseMembersIn(merged).length === 0) {
      problems.push({ ...takesAll(shared), layer })
      return { ...merged, [shared]: below[shared] ?? null }
    }
    const beside = besideShared(merged, above)
    if (!beside) return merged
    problems.push({ ...beside.problem, layer })
    return pickMembers(merged, (_, name) => name !== beside.shared)
  }, {})
  return {
    value,
    layerOf: pointer => completed.get(pointer) ?? nearest(origins, pointer),
    problems,
  }
}

/** A share of a variant that is a number says what it says in an object: its name stays. */
function inKind(below: Json | undefined, above: Json, pointer: string): Json {
  if (!isJsonNumber(above) || !isJsonObject(below)) return above
  const [member, ...inside] = segmentsOf(pointer)
  return member === 'variants' && inside.length === 1 ? { rollout_percentage: above } : above
}

function takesAll(shared: string): FilterProblem {
  const message = 'nothing is left here that says who gets the flag, which would mean everybody'
  return filterError(pointerTo('', shared), 'missing-release', message, everybodyOrNobody)
}

/** What is said in one way over what is shared in the other: which of them is meant is not to be guessed. */
function besideShared(
  merged: ShortForm,
  above: ShortForm,
): { readonly shared: string; readonly problem: FilterProblem } | undefined {
  const shared = releaseMembersIn(merged).find(name => above[name] === undefined)
  const [said] = releaseMembersIn(above).filter(name => above[name] !== null)
  if (shared === undefined || said === undefined) return undefined
  const message = `"${said}" and the shared "${shared}" both say who gets the flag`
  const [last] = elementsOf(merged[shared] ?? null).slice(-1)
  const percent = isJsonNumber(above[said]) ? canonicalText(above[said]) : '...'
  const ofCondition =
    typeof last?.[0] === 'string' && said !== 'release'
      ? `override a condition, "${shared}: { ${last[0]}: { ${said}: ${percent} } }", or `
      : ''
  const hint = `${ofCondition}write "${shared}: null" beside it to replace that`
  return { shared, problem: filterError(pointerTo('', said), 'both-forms-member', message, hint) }
}

function isInPayload(pointer: string): boolean {
  const [member, , ...inside] = segmentsOf(pointer)
  return member === 'payloads' && inside.length > 0
}

function removesNothing(pointer: string, layer: number): ShortProblem {
  const message = 'null removes what is shared, and there is nothing here to remove'
  const hint =
    pointer === '/rollout_percentage'
      ? 'leave it out, or write 100 to mean everybody'
      : pointer.endsWith('/rollout_percentage')
        ? 'leave it out, or write 100, to mean everybody'
        : 'leave it out'
  return { ...filterError(pointer, 'removes-nothing', message, hint), layer }
}

/** What is not said to come from another layer comes from the first. */
function replace(origins: Map<string, number>, pointer: string, layer: number): void {
  if (layer === 0) return
  for (const known of origins.keys()) if (known.startsWith(`${pointer}/`)) origins.delete(known)
  origins.set(pointer, layer)
}

function nearest(origins: ReadonlyMap<string, number>, pointer: string): number {
  const segments = segmentsOf(pointer)
  for (let depth = segments.length; depth > 0; depth -= 1) {
    const layer = origins.get(pointerOf(...segments.slice(0, depth)))
    if (layer !== undefined) return layer
  }
  return 0
}
