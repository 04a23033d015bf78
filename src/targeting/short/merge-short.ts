import { isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { type FilterProblem, filterError, pointerTo } from '../check/filter-problem.ts'
import { hasNull, type ShortForm } from './short-form.ts'

/** Layers of the short form laid over each other. */
export interface MergedShort {
  readonly value: ShortForm
  /** The number of the layer that a place comes from, the first being 0. */
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
 * payload: it is a slip, or stands where it would have widened a release.
 */
export function mergeShort(layers: readonly ShortForm[]): MergedShort {
  const [only] = layers
  // Nearly all flags say the same everywhere.
  if (layers.length === 1 && only && !hasNull(only)) return { value: only, layerOf: () => 0, problems: [] }
  const origins = new Map<string, number>()
  const problems: ShortProblem[] = []
  const merge = (below: Json | undefined, above: Json, pointer: string, layer: number): Json => {
    const over = inKind(below, above, pointer)
    const isMerged = isJsonObject(over) && isJsonObject(below)
    if (!isMerged) replace(origins, pointer, layer)
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
  const value = layers.reduce<Json>((below, above, layer) => merge(below, above, '', layer), {})
  return {
    // Layers are objects, and so is what comes of them.
    value: value as JsonObject,
    layerOf: pointer => nearest(origins, pointer),
    problems,
  }
}

/** A share of a variant that is a number says what it says in an object: its name stays. */
function inKind(below: Json | undefined, above: Json, pointer: string): Json {
  if (!isJsonNumber(above) || !isJsonObject(below)) return above
  const [member, ...inside] = segmentsOf(pointer)
  return member === 'variants' && inside.length === 1 ? { rollout_percentage: above } : above
}

function isInPayload(pointer: string): boolean {
  const [member, , ...inside] = segmentsOf(pointer)
  return member === 'payloads' && inside.length > 0
}

function removesNothing(pointer: string, layer: number): ShortProblem {
  const message = 'null removes what is shared, and there is nothing here to remove'
  const hint = pointer.endsWith('/rollout_percentage')
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
