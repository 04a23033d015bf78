import { hash } from 'node:crypto'
import { Decoder, Encoder } from '@msgpack/msgpack'
import { shortDigest } from '../../core/diff.ts'
import { canonicalIdentity, type Live } from '../../core/live.ts'
import type { PendingChange } from '../../core/plan/live-index.ts'
import { readById } from '../../core/read/read-record.ts'
import type { ReadOne, Shadowed } from '../../core/read/shadowed.ts'
import { declarableKinds } from '../../kinds/index.ts'
import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { readJsonIfAny, writeJson } from '../../model/json/json-text.ts'
import { managedFields } from '../../model/kind.ts'
import type { Private } from '../provider.ts'
import { byKeys, findShadowed, grantsOf, type ResourceContext } from '../resources/resource-context.ts'

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

/** What stands where something is to be created. */
export type Before =
  /** `shadowed`: what nobody can tell of, and what creating it may destroy. */
  | { readonly is: 'nothing'; readonly shadowed?: Shadowed }
  | { readonly is: 'soft_deleted'; readonly live: Live }
  | { readonly is: 'living'; readonly all: readonly Live[] }

/**
 * Looks whether an object is there already. What the service refuses to create twice is not looked for, unless it is
 * to be adopted: the refusal will tell. A soft-deleted one always is, because creating over it would destroy it; a living
 * one that is met by that is there. `read` has what a plan reads of it in common.
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

/** Short digests, by field. */
export type Digests = Readonly<Record<string, string>>

/** Name and digest of each field in turn, each in the shortest form that it has. */
export type DigestTable = readonly (number | string | Uint8Array)[]

/**
 * Those digests that are asked for, in few bytes.
 *
 * | of a field  | is                                       | else            |
 * |-------------|------------------------------------------|-----------------|
 * | its name    | the code of a field that a kind declares | the name        |
 * | its digest  | the place of a value that many have      | its six bytes   |
 */
function packDigests(digests: Digests, isAsked: (name: string) => boolean): DigestTable {
  return Object.entries(digests)
    .filter(([name]) => isAsked(name))
    .flatMap(([name, digest]) => [
      codeOf.get(name) ?? name,
      commonDigests.includes(digest) ? commonDigests.indexOf(digest) : digestBytes(digest),
    ])
}

/** The digests of a table; of anything else, and of fields that there are no more, none. */
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

/** The six bytes of a short digest. */
function digestBytes(digest: string): Uint8Array {
  return Buffer.from(digest, 'hex')
}

/** The short digest of its bytes; undefined for anything else. */
function digestOfBytes(bytes: unknown): string | undefined {
  return bytes instanceof Uint8Array && bytes.length === 6 ? Buffer.from(bytes).toString('hex') : undefined
}

/**
 * A number for a field, made from its name: nobody has to write a list that states of all versions rely on. Two fields
 * with one code would be one in a state, so a test shows that all have their own.
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

/** What many fields have for a value. States hold its place here, so that none may ever move. */
const commonDigests = [null, false, true, '', [], {}].map(shortDigest)

const codeOf = new Map(declarableKinds.flatMap(managedFields).map(name => [name, fieldCode(name)] as const))
const nameOf = new Map([...codeOf].map(([name, code]) => [code, name] as const))
