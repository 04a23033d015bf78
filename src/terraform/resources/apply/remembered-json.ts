import { isJsonObject, type Json, type JsonObject } from '../../../model/json/json.ts'
import type { Digests } from './digest-table.ts'

/** What is kept beside a state, in whichever form, with its digests in hex. */
export interface KeptEntries {
  readonly fingerprint?: string | undefined
  readonly at?: unknown
  /** By field: what is both in `fields` and in the base, what is in `fields` alone, and what is in the base alone. */
  readonly both?: Digests
  readonly live?: Digests
  readonly base?: Digests | undefined
  readonly origin?: unknown
  readonly pending?: unknown
  readonly new?: unknown
}

/**
 * What earlier versions kept as JSON; of anything else nothing. Their fingerprints are whole: a short one is how it begins.
 *
 * | form                                   | had                                          |
 * |----------------------------------------|----------------------------------------------|
 * | `[2, entries]`                         | digests in base64url                         |
 * | `{"format": 1, "entries": entries}`    | a text of JSON for each entry, digests in hex |
 */
export function entriesOfJson(bytes: Uint8Array): KeptEntries {
  const kept = parse(Buffer.from(bytes).toString())
  if (Array.isArray(kept) && kept.length === 2 && kept[0] === 2) return ofSecond(objectIn(kept[1]))
  const entries = isJsonObject(kept) && kept.format === 1 ? objectIn(kept.entries) : {}
  return entries.format === '1' ? ofFirst(entries) : {}
}

function ofSecond({ fingerprint, both, live, base, ...rest }: JsonObject): KeptEntries {
  const inHex = (digest: string) => Buffer.from(digest, 'base64url').toString('hex')
  const digests = (table: Json | undefined) => digestsIn(table, inHex)
  return {
    ...rest,
    fingerprint: typeof fingerprint === 'string' ? shortened(inHex(fingerprint)) : undefined,
    both: digests(both),
    live: digests(live),
    base: isJsonObject(base) ? digests(base) : undefined,
  }
}

function ofFirst({
  fingerprint,
  fields,
  base: baseText,
  pending,
  origin,
  new: isNew,
}: JsonObject): KeptEntries {
  const base = parse(baseText)
  return {
    fingerprint: typeof fingerprint === 'string' ? shortened(fingerprint.replace(/^sha256:/, '')) : undefined,
    live: digestsIn(parse(fields)),
    ...(isJsonObject(base) ? { at: base.at, base: digestsIn(base.fields) } : {}),
    pending: parse(pending),
    origin,
    new: isNew === '1',
  }
}

function digestsIn(table: Json | undefined, inHex = (digest: string) => digest): Digests {
  const texts = Object.entries(objectIn(table)).flatMap(([name, digest]) =>
    typeof digest === 'string' ? [[name, inHex(digest)] as const] : [],
  )
  return Object.fromEntries(texts.filter(([, digest]) => shortHex.test(digest)))
}

function shortened(digest: string): string | undefined {
  const short = digest.slice(0, 12)
  return shortHex.test(short) ? short : undefined
}

const shortHex = /^[0-9a-f]{12}$/

function objectIn(json: Json | undefined): JsonObject {
  return isJsonObject(json) ? json : {}
}

function parse(text: Json | undefined): Json {
  if (typeof text !== 'string') return null
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}
