import { isJsonObject, type Json, type JsonObject } from '../../../model/json/json.ts'

/** The entries of the form before this one, which had a text of JSON for each, as entries of this form; of an unknown one none. */
export function entriesFromTexts(kept: JsonObject): JsonObject {
  if (kept.format !== '1') return {}
  const base = parse(kept.base)
  return {
    live: parse(kept.fields),
    pending: parse(kept.pending),
    ...(isJsonObject(base) ? { base: base.fields ?? null, at: base.at ?? null } : {}),
    fingerprint: kept.fingerprint ?? null,
    origin: kept.origin ?? null,
    new: kept.new === '1',
  }
}

function parse(text: Json | undefined): Json {
  if (typeof text !== 'string') return null
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}
