import { isJsonObject, type Json } from '../../model/json/json.ts'
import type { Private } from '../provider.ts'

const format = 1

/** What is kept beside the state, as bytes. Nothing to keep is no bytes at all. */
export function encodePrivate(entries: Private): Uint8Array {
  if (Object.keys(entries).length === 0) return new Uint8Array()
  return Buffer.from(JSON.stringify({ format, entries }))
}

/** What was kept. Bytes that are not ours, of another provider or of a form to come, count as nothing kept. */
export function decodePrivate(bytes: Uint8Array): Private {
  if (bytes.length === 0) return {}
  const kept = parse(Buffer.from(bytes).toString())
  if (!isJsonObject(kept) || kept.format !== format || !isJsonObject(kept.entries ?? null)) return {}
  const entries = Object.entries(kept.entries ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return Object.fromEntries(entries)
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
