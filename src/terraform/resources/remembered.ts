import { hash } from 'node:crypto'
import { Decoder, Encoder } from '@msgpack/msgpack'
import { shortDigest } from '../../core/diff.ts'
import { canonicalIdentity, type Live, type PendingChange } from '../../core/live.ts'
import type { ReadOne, Shadowed } from '../../core/read/find-soft-deleted.ts'
import { readById } from '../../core/read/read-record.ts'
import { declarableKinds } from '../../kinds/index.ts'
import { managedFields } from '../../model/kind.ts'
import { isJsonObject, type JsonObject } from '../../model/text/json.ts'
import { readJsonIfAny, writeJson } from '../../model/text/json-text.ts'
import type { Private } from '../provider.ts'
import { byKeys, findShadowed, grantsOf, type ResourceContext } from './resource-context.ts'

/** Data stored with an object's state, so that edits can be detected without storing every value twice. */
export interface Remembered {
  /** The fingerprint at the last read. An apply changes the object only if it still has this fingerprint. */
  readonly fingerprint?: string
  /** The canonical live values from when the state last equalled the configuration. */
  readonly fields: Digests
  /** The values of an adopted object before its adoption, to restore them on removal. */
  readonly origin?: JsonObject
  /** A change that waits for approval. It was requested for the object with this `fingerprint`. */
  readonly pending?: PendingChange
  readonly base?: StateBase
  /** The state comes from an import or from another provider, and was not read yet. */
  readonly isNew?: true
}

/**
 * A short digest of each field's configured value, from when the object last equalled its configuration. A
 * short value can be guessed from its digest, but Terraform writes the value itself into the state file
 * anyway.
 *
 * | source                                           | `at`     | reports an edit in the product             |
 * |--------------------------------------------------|----------|--------------------------------------------|
 * | an apply that made the object so                 | its time | always                                     |
 * | the state as it was read: after an import, from  | none     | if the configuration equals what was read; |
 * | another provider, or from a half-failed creation |          | else it may never have been configured so  |
 */
export interface StateBase {
  /** Milliseconds since 1970. */
  readonly at?: number
  readonly fields: Digests
}

export const nothingRemembered: Remembered = { fields: {} }

/**
 * The remembered data as MessagePack of `[format, fingerprint, at, both, live, base, rest]`. Terraform writes
 * the whole state after each object of an apply, so each byte of 1,000 objects is written 500,000 times.
 *
 * | entry         | holds                                                                                       |
 * |---------------|---------------------------------------------------------------------------------------------|
 * | `fingerprint` | its six bytes, or nil                                                                       |
 * | `at`          | when the base was applied, or nil                                                           |
 * | `both`        | the digests that are equal in `fields` and in the base                                      |
 * | `live`        | the digests of `fields` that the base lacks, or has with another value                      |
 * | `base`        | the digests of the base that `fields` lacks, or has with another value; nil without a base  |
 * | `rest`        | members that are seldom set; left out if there are none                                     |
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

/** Unreadable, unknown or missing data counts as empty. */
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

/** Undefined if the bytes are not MessagePack. */
function decodeMessagePack(bytes: Uint8Array): unknown {
  try {
    return new Decoder().decode(bytes)
  } catch {
    return undefined
  }
}

/** Enough for most objects. */
const usualBytes = 256

/** What exists before a creation. */
export type Before =
  /** `shadowed`: an object with the same name that cannot be examined and that a creation may destroy. */
  | { readonly is: 'nothing'; readonly shadowed?: Shadowed }
  | { readonly is: 'soft_deleted'; readonly live: Live }
  | { readonly is: 'living'; readonly all: readonly Live[] }

/**
 * Looks for an existing object. If the service refuses duplicates, this only looks for an object to adopt,
 * because the refusal reports all others. It always looks for a soft-deleted object, because a creation would
 * destroy it; a living object found on the way counts. `read` has the shared reads of a plan.
 */
export async function findBefore(
  context: ResourceContext,
  identity: string,
  isAdopting: boolean,
  read: ReadOne = (kind, id) => readById(kind, id, { client: context.run.client, signal: context.signal }),
): Promise<Before> {
  const { kind, run, signal } = context
  if (kind.lifecycle.parent) {
    const grants = (await grantsOf(context)) ?? []
    return living(grants.filter(grant => grant.identity === canonicalIdentity(kind, identity)))
  }
  const isUnique = kind.identity.by === 'field' && kind.identity.unique
  if (isAdopting || !isUnique || kind.lifecycle.create === undefined) {
    const all = await run.shared.byIdentity(kind, identity, signal)
    const found = living(await Promise.all(all.map(live => byKeys(context, live))))
    if (found.is === 'living') return found
  }
  const met: Live[] = []
  const shadowed = await findShadowed(context, async (named, id) => {
    const live = await read(named, id)
    if (live && !live.isSoftDeleted && live.identity === canonicalIdentity(kind, identity)) met.push(live)
    return live
  })(kind, identity)
  const found = living(await Promise.all(met.map(live => byKeys(context, live))))
  if (found.is === 'living') return found
  if (!shadowed) return { is: 'nothing' }
  if (shadowed.is !== 'deleted') return { is: 'nothing', shadowed }
  return { is: 'soft_deleted', live: await byKeys(context, shadowed.live) }
}

function living(all: readonly Live[]): Before {
  return all.length > 0 ? { is: 'living', all } : { is: 'nothing' }
}

/** Short digests by field. */
export type Digests = Readonly<Record<string, string>>

/** Alternating names and digests of fields, each in its shortest form. */
export type DigestTable = readonly (number | string | Uint8Array)[]

/**
 * The requested digests, in few bytes.
 *
 * | part   | written as                                                         |
 * |--------|--------------------------------------------------------------------|
 * | name   | the code of the field if a kind declares it, else the name         |
 * | digest | its index in `commonDigests` if it is there, else its six bytes    |
 */
function packDigests(digests: Digests, isAsked: (name: string) => boolean): DigestTable {
  return Object.entries(digests)
    .filter(([name]) => isAsked(name))
    .flatMap(([name, digest]) => [
      codeOf.get(name) ?? name,
      commonDigests.includes(digest) ? commonDigests.indexOf(digest) : digestBytes(digest),
    ])
}

/** Reads the digests of a table and skips fields that no longer exist. Invalid data gives no digests. */
function unpackDigests(table: unknown): Digests {
  const digests: Record<string, string> = {}
  if (!Array.isArray(table)) return digests
  for (let at = 0; at + 1 < table.length; at += 2) {
    const name = nameFrom(table[at])
    const digest = digestFrom(table[at + 1])
    if (name !== undefined && digest !== undefined) digests[name] = digest
  }
  return digests
}

function digestBytes(digest: string): Uint8Array {
  return Buffer.from(digest, 'hex')
}

/** The short digest for its bytes; undefined for anything else. */
function digestOfBytes(bytes: unknown): string | undefined {
  return bytes instanceof Uint8Array && bytes.length === 6 ? Buffer.from(bytes).toString('hex') : undefined
}

/**
 * The code of a field, computed from its name, so that no list is needed for states of all versions. Two
 * fields with the same code would be mixed up in a state, so a test checks that all codes differ.
 */
export function fieldCode(name: string): number {
  return Number.parseInt(hash('sha256', name).slice(0, 4), 16)
}

function nameFrom(packed: unknown): string | undefined {
  if (typeof packed === 'number') return nameOf.get(packed)
  return typeof packed === 'string' ? packed : undefined
}

function digestFrom(packed: unknown): string | undefined {
  return typeof packed === 'number' ? commonDigests[packed] : digestOfBytes(packed)
}

/** Common values of fields. States store an index into this list, so no entry may ever move. */
const commonDigests = [null, false, true, '', [], {}].map(shortDigest)

const codeOf = new Map(declarableKinds.flatMap(managedFields).map(name => [name, fieldCode(name)] as const))
const nameOf = new Map([...codeOf].map(([name, code]) => [code, name] as const))
