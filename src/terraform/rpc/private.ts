import { isJsonObject, type Json } from '../../model/json/json.ts'
import type { Private } from '../provider.ts'

const format = 2

/**
 * What is kept beside the state, as bytes: `[format, entries]` as JSON. Nothing to keep is no bytes at all. Terraform writes
 * the whole state anew after each object that it applies, so that each byte of 1,000 objects is written 500,000 times.
 */
export function encodePrivate(entries: Private): Uint8Array {
  if (Object.keys(entries).length === 0) return new Uint8Array()
  return Buffer.from(JSON.stringify([format, entries]))
}

/** What was kept. Bytes that are not ours, of another provider or of a form to come, count as nothing kept. */
export function decodePrivate(bytes: Uint8Array): Private {
  if (bytes.length === 0) return {}
  const kept = parse(Buffer.from(bytes).toString())
  const entries =
    Array.isArray(kept) && kept.length === 2 && kept[0] === format ? kept[1] : entriesOfOld(kept)
  return isJsonObject(entries ?? null) ? (entries as Private) : {}
}

/** Version 0.1.0 and earlier wrote `{"format": 1, "entries": {…}}`, with a text for each entry. */
function entriesOfOld(kept: Json): Json | undefined {
  return isJsonObject(kept) && kept.format === 1 ? kept.entries : undefined
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
