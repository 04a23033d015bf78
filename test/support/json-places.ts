import type { Json } from '../../src/model/text/json.ts'

/** One of every sort of JSON, and nothing. */
export const everySort: readonly (Json | undefined)[] = [
  undefined,
  null,
  true,
  1,
  'other',
  [],
  [null],
  {},
  { a: 1 },
]

/** The ways to every place in a document. */
export function placesIn(json: Json): readonly (readonly string[])[] {
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([name, each]) => [
    [name],
    ...placesIn(each).map(way => [name, ...way]),
  ])
}

/** What stands there. */
export function placeIn(json: Json, way: readonly string[]): Json | undefined {
  return way.reduce<Json | undefined>((inside, name) => (inside as Record<string, Json>)[name], json)
}

/** The document with something else there. */
export function withOther(json: Json, [name, ...way]: readonly string[], other: Json | undefined): Json {
  const copy = structuredClone(json)
  const inside = copy as Record<string, Json>
  if (name === undefined) return copy
  if (way.length > 0) inside[name] = withOther(inside[name] ?? null, way, other)
  else if (other !== undefined) inside[name] = other
  else if (Array.isArray(copy)) copy.splice(Number(name), 1)
  else delete inside[name]
  return copy
}
