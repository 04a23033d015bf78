import {
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../../model/json/json.ts'
import { filterParts } from '../../../targeting/filter-parts.ts'
import { canonicalFilters } from '../../../targeting/index.ts'

/**
 * What live filters say that the typed attributes beside them cannot: a part of the live ones, in their own
 * shape. Both are compared in canonical form.
 *
 * | in the live filters                           | here                          |
 * |-----------------------------------------------|-------------------------------|
 * | the same in the same place                    | nothing, `{}` in a list       |
 * | other, or only there                          | that                          |
 * | only in the attributes                        | null, nothing in a list       |
 * | a text that the attributes hold anywhere      | nothing                       |
 *
 * The last row is for values that are given as sensitive: no provider is told which those are, and `filters` is shown.
 */
export function unsaidFilters(live: JsonObject, said: JsonObject): JsonObject {
  const canonical = canonicalFilters(said)
  const difference = differenceOf(canonicalFilters(live), canonical, new Set(textsIn(canonical)))
  return isJsonObject(difference) ? difference : {}
}

/** Undefined where nothing differs that is to be shown. */
function differenceOf(live: Json, said: Json, texts: ReadonlySet<string>): Json | undefined {
  if (isSameJson(live, said)) return undefined
  if (isJsonArray(live)) return listDifference(live, isJsonArray(said) ? said : [], texts)
  if (isJsonObject(live)) return objectDifference(live, isJsonObject(said) ? said : {}, texts)
  return typeof live === 'string' && texts.has(live) ? undefined : live
}

function objectDifference(live: JsonObject, said: JsonObject, texts: ReadonlySet<string>): JsonObject {
  const names = [...new Set([...Object.keys(live), ...Object.keys(said)])]
  return Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      // Of a payload the key of its variant is the name.
      if (texts.has(name) && !memberNames.has(name)) return []
      const difference = differenceOf(live[name] ?? null, said[name] ?? null, texts)
      return difference === undefined ? [] : [[name, difference]]
    }),
  )
}

function listDifference(live: readonly Json[], said: readonly Json[], texts: ReadonlySet<string>): Json {
  return live.flatMap((element, index): Json[] => {
    const difference = differenceOf(element, said[index] ?? null, texts)
    if (difference !== undefined) return [difference]
    return isJsonObject(element) ? [{}] : []
  })
}

function textsIn(json: Json): string[] {
  if (isJsonArray(json)) return json.flatMap(textsIn)
  if (isJsonObject(json)) return Object.values(json).flatMap(textsIn)
  return typeof json === 'string' && json !== '' ? [json] : []
}

const memberNames = new Set(Object.values(filterParts).flatMap(({ members }) => Object.keys(members)))
