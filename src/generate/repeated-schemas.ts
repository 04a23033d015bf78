import traverse from 'json-schema-traverse'
import type { JsonObject } from '../model/json/json.ts'

/** Shorter ones take less code where they stand than by reference. */
const leastLength = 120

type Schema = Record<string, unknown>

/**
 * A schema that says the same with what it repeats said once, under `$defs`. A validator has code for each place of a
 * schema: the settings, where every environment takes what the file takes, were checked by 290 KB, which each command
 * loads and compiles.
 */
export function withRepeatedOnce(schema: JsonObject): JsonObject {
  // No two places of it are one object.
  const copy: Schema = JSON.parse(JSON.stringify(schema))
  const texts = new Map<Schema, string>()
  traverse(copy, (each: Schema) => void texts.set(each, JSON.stringify(each)))
  const repeated = repeatedAmong([...texts.values()])
  const definitions: Record<string, Schema> = {}
  // Inner ones first, so that what is said once says its own parts once.
  const post = (each: Schema) => {
    const name = repeated.get(texts.get(each) ?? '')
    if (name === undefined || each === copy) return
    definitions[name] ??= { ...each }
    for (const keyword of Object.keys(each)) delete each[keyword]
    each.$ref = `#/$defs/${name}`
  }
  traverse(copy, { cb: { post } })
  const all = { ...(copy.$defs as Schema | undefined), ...definitions }
  return (Object.keys(all).length === 0 ? copy : { ...copy, $defs: all }) as JsonObject
}

/** A name for each text that is long enough and there more than once. */
function repeatedAmong(texts: readonly string[]): ReadonlyMap<string, string> {
  const seen = new Set<string>()
  const names = new Map<string, string>()
  for (const text of texts) {
    if (text.length < leastLength) continue
    if (seen.has(text) && !names.has(text)) names.set(text, `repeated${names.size}`)
    seen.add(text)
  }
  return names
}
