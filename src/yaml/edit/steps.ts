import {
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonArray,
  type JsonObject,
} from '../../model/json/json.ts'

/** One place at which a text does not say yet what it is to say. */
export type Step =
  | { readonly does: 'set'; readonly path: readonly string[]; readonly value: Json }
  | { readonly does: 'add'; readonly path: readonly string[]; readonly value: Json; readonly index: number }
  | { readonly does: 'remove'; readonly path: readonly string[] }

/** Maps whose order says something: who matches first, and who gets which part of all people. */
const ordered: ReadonlySet<string> = new Set(['release', 'variants'])

/**
 * What has to be done to one value to make it another, as close to the leaves as possible. Steps in one list or map hold for
 * what was there before the others of them.
 */
export function stepsBetween(old: Json, wanted: Json, path: readonly string[] = []): Step[] {
  if (isJsonObject(old) && isJsonObject(wanted)) return stepsInMap(old, wanted, path)
  if (isJsonArray(old) && isJsonArray(wanted)) return stepsInList(old, wanted, path)
  return isSameJson(old, wanted) ? [] : [{ does: 'set', path, value: wanted }]
}

function stepsInMap(old: JsonObject, wanted: JsonObject, path: readonly string[]): Step[] {
  const [before, after] = [Object.keys(old), Object.keys(wanted)]
  if (before.length > 0 && after.length === 0) return [{ does: 'set', path, value: wanted }]
  const kept = before.filter(name => Object.hasOwn(wanted, name))
  const inOrder = after.filter(name => Object.hasOwn(old, name))
  if (ordered.has(path.at(-1) ?? '') && kept.some((name, index) => inOrder[index] !== name))
    return [{ does: 'set', path, value: wanted }]
  return after
    .flatMap((name, index): Step[] => {
      const inside = [...path, name]
      const member = wanted[name] ?? null
      if (Object.hasOwn(old, name)) return stepsBetween(old[name] ?? null, member, inside)
      const above = after[index - 1]
      const place = above === undefined ? 0 : before.indexOf(above) + 1
      // Behind one that is added as well: once that is there, its place is known.
      if (above !== undefined && place === 0) return []
      return [{ does: 'add', path: inside, value: member, index: place }]
    })
    .concat(
      before.flatMap((name): Step[] =>
        Object.hasOwn(wanted, name) ? [] : [{ does: 'remove', path: [...path, name] }],
      ),
    )
}

function stepsInList(old: JsonArray, wanted: JsonArray, path: readonly string[]): Step[] {
  if (isSameJson(old, wanted)) return []
  if (old.length > 0 && wanted.length === 0) return [{ does: 'set', path, value: wanted }]
  if (old.length === wanted.length)
    return old.flatMap((element, index) =>
      stepsBetween(element, wanted[index] ?? null, [...path, String(index)]),
    )
  const [start, end] = commonEnds(old, wanted)
  const [from, to] = [old.slice(start, old.length - end), wanted.slice(start, wanted.length - end)]
  const [added] = to
  // One at a time: what follows has another number then.
  if (from.length < to.length && added !== undefined)
    return [{ does: 'add', path: [...path, String(start)], value: added, index: start }]
  return [{ does: 'remove', path: [...path, String(start)] }]
}

/** How many elements are the same at the start, and how many of the others at the end. */
function commonEnds(old: JsonArray, wanted: JsonArray): [start: number, end: number] {
  const most = Math.min(old.length, wanted.length)
  let start = 0
  while (start < most && isSameJson(old[start] ?? null, wanted[start] ?? null)) start += 1
  let end = 0
  while (end < most - start && isSameJson(old.at(-1 - end) ?? null, wanted.at(-1 - end) ?? null)) end += 1
  return [start, end]
}
