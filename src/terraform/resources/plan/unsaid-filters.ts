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
 * | what goes without saying, other than there    | as the service shows it       |
 * | a text that the attributes hold anywhere      | nothing                       |
 *
 * The last row is for values that are given as sensitive: no provider is told which those are, and `filters` is shown.
 */
export function unsaidFilters(live: JsonObject, said: JsonObject): JsonObject {
  const canonical = canonicalFilters(said)
  const texts = new Set(textsIn(canonical))
  const difference = differenceOf({ live: canonicalFilters(live), said: canonical, shown: live }, texts)
  return isJsonObject(difference) ? difference : {}
}

/** Both in canonical form, and the live one as the service shows it. */
interface Compared {
  readonly live: Json
  readonly said: Json
  readonly shown: Json | undefined
}

/** Undefined where nothing differs that is to be shown. */
function differenceOf(compared: Compared, texts: ReadonlySet<string>): Json | undefined {
  const { live, said, shown = null } = compared
  if (isSameJson(live, said)) return undefined
  if (isJsonArray(live)) return listDifference(live, compared, texts)
  if (isJsonObject(live)) return objectDifference(live, compared, texts)
  // In canonical form a live value that goes without saying is left out: 100 %, or the operator `exact`.
  if (live === null) return isAmong(texts, shown) ? null : shown
  return isAmong(texts, live) ? undefined : live
}

function objectDifference(
  live: JsonObject,
  { said, shown }: Compared,
  texts: ReadonlySet<string>,
): JsonObject {
  const [whole, ours] = [isJsonObject(shown) ? shown : {}, isJsonObject(said) ? said : {}]
  const names = [...new Set([...Object.keys(live), ...Object.keys(ours)])]
  return Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      // Of a payload the key of its variant is the name.
      if (texts.has(name) && !memberNames.has(name)) return []
      const members = { live: live[name] ?? null, said: ours[name] ?? null, shown: whole[name] }
      const difference = differenceOf(members, texts)
      return difference === undefined ? [] : [[name, difference]]
    }),
  )
}

function listDifference(live: readonly Json[], { said, shown }: Compared, texts: ReadonlySet<string>): Json {
  const ours = isJsonArray(said) ? said : []
  const whole = isJsonArray(shown) && shown.length === live.length ? shown : []
  return live.flatMap((element, index): Json[] => {
    const elements = { live: element, said: ours[index] ?? null, shown: whole[index] }
    const difference = differenceOf(elements, texts)
    if (difference !== undefined) return [difference]
    return isJsonObject(element) ? [{}] : []
  })
}

function isAmong(texts: ReadonlySet<string>, value: Json): boolean {
  return typeof value === 'string' && texts.has(value)
}

function textsIn(json: Json): string[] {
  if (isJsonArray(json)) return json.flatMap(textsIn)
  if (isJsonObject(json)) return Object.values(json).flatMap(textsIn)
  return typeof json === 'string' && json !== '' ? [json] : []
}

const memberNames = new Set(Object.values(filterParts).flatMap(({ members }) => Object.keys(members)))
