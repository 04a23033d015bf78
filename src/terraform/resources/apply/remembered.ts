import { Decoder, Encoder } from '@msgpack/msgpack'
import type { PendingChange } from '../../../core/plan/live-index.ts'
import { isJsonObject, type JsonObject } from '../../../model/json/json.ts'
import { readJsonIfAny, writeJson } from '../../../model/json/json-text.ts'
import type { Private } from '../../provider.ts'
import { type Digests, digestBytes, digestOfBytes, packDigests, unpackDigests } from './digest-table.ts'

/** What is kept of an object beside its state, so that what it was like can be told without keeping it twice. */
export interface Remembered {
  /** Of the whole object as it was last read. An apply is bound to it: it changes nothing of an object that has another one. */
  readonly fingerprint?: string
  /** The canonical values that the service held when the state was last as configured. */
  readonly fields: Digests
  /** What an adopted object was like before, for when it is let go. */
  readonly origin?: JsonObject
  /** What waits for approval, and was asked for of the object as `fingerprint` has it. */
  readonly pending?: PendingChange
  /** What live edits are measured from. */
  readonly base?: StateBase
  /** The state comes from an import, or another provider's, and was not read yet. */
  readonly isNew?: true
}

/**
 * By field, a short digest of what was configured of an object when it was last as configured. A digest can be guessed
 * from when a value is short; it stands in the state file beside the value itself, as Terraform writes it in clear.
 *
 * | it comes from                                          | `at`    | and tells of an edit in the product             |
 * |--------------------------------------------------------|---------|-------------------------------------------------|
 * | an apply that made the object so                       | of that | whatever is configured by now                   |
 * | the state as it was read: of an import, of another     | none    | where what is configured is what was read: else |
 * | provider, of a creation that failed half-way           |         | nobody knows whether it was ever configured so  |
 */
export interface StateBase {
  /** Milliseconds since 1970. */
  readonly at?: number
  readonly fields: Digests
}

export const nothingRemembered: Remembered = { fields: {} }

/**
 * What is remembered, as MessagePack of `[format, fingerprint, at, both, live, base, rest]`. Terraform writes the whole state anew after
 * each object that it applies, so that each byte of 1,000 objects is written 500,000 times.
 *
 * | entry         | holds                                                                                       |
 * |---------------|---------------------------------------------------------------------------------------------|
 * | `fingerprint` | its six bytes, or nil                                                                       |
 * | `at`          | when the base was applied, or nil                                                           |
 * | `both`        | the digests that are in `fields` and in the base, and the same                              |
 * | `live`        | those of `fields` that are not in the base, or other than there                             |
 * | `base`        | those of the base that are not in `fields`, or other than there; nil where there is no base |
 * | `rest`        | what an object seldom has; left out where it has nothing of it                              |
 */
export function remember({ fingerprint, fields, origin, pending, base, isNew }: Remembered): Private {
  const declared = base?.fields ?? {}
  const rest = {
    // As text, so that no number loses digits.
    ...(origin ? { origin: writeJson(origin) } : {}),
    ...(pending ? { pending: { ...pending } } : {}),
    ...(isNew ? { new: true } : {}),
  }
  const isSame = (name: string) => declared[name] === fields[name]
  const isOther = (name: string) => !isSame(name)
  return encodeMessagePack([
    format,
    fingerprint === undefined ? null : digestBytes(fingerprint),
    base?.at ?? null,
    packDigests(fields, isSame),
    packDigests(fields, isOther),
    base ? packDigests(declared, isOther) : null,
    ...(Object.keys(rest).length > 0 ? [rest] : []),
  ])
}

const format = 1

/** What is in another form, or nobody kept, is as good as nothing. */
export function recall(kept: Private): Remembered {
  const entries = decodeMessagePack(kept)
  if (!Array.isArray(entries) || entries[0] !== format) return nothingRemembered
  const [, digest, at, bothTable, live, base, rest] = entries
  const { origin, pending, new: isNew }: JsonObject = isJsonObject(rest) ? rest : {}
  const both = unpackDigests(bothTable)
  const fingerprint = digestOfBytes(digest)
  const before = typeof origin === 'string' ? readJsonIfAny(origin) : undefined
  const waiting = pendingIn(pending)
  const declared = Array.isArray(base) ? { ...both, ...unpackDigests(base) } : undefined
  return {
    fields: { ...both, ...unpackDigests(live) },
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(isJsonObject(before) ? { origin: before } : {}),
    ...(waiting ? { pending: waiting } : {}),
    ...(declared ? { base: { ...(typeof at === 'number' ? { at } : {}), fields: declared } } : {}),
    ...(isNew === true ? { isNew: true } : {}),
  }
}

function pendingIn(kept: unknown): PendingChange | undefined {
  if (!isJsonObject(kept)) return undefined
  const { changeRequest, askedFor } = kept
  return typeof changeRequest === 'string' && typeof askedFor === 'string'
    ? { changeRequest, askedFor }
    : undefined
}

function encodeMessagePack(value: unknown): Uint8Array {
  return new Encoder({ initialBufferSize: usualBytes }).encode(value)
}

/** Undefined for bytes that are none. */
function decodeMessagePack(bytes: Uint8Array): unknown {
  try {
    return new Decoder().decode(bytes)
  } catch {
    return undefined
  }
}

/** More than most objects take. */
const usualBytes = 256
