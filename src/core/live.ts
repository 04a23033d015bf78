import { declarableKind } from '../kinds/index.ts'
import { canonicalValue, compactValue } from '../model/canonical.ts'
import {
  type DeclarableKind,
  fieldOf,
  guardedFields,
  hasTargeting,
  type IdentifiedKind,
  managedFields,
} from '../model/kind.ts'
import { once, oncePer } from '../model/runtime.ts'
import { isEmptyJson, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { type Desired, parentKey } from './desired.ts'

/** One object as the service holds it now. */
export interface Live {
  readonly kind: string
  /** The value of the identity, in its canonical form: a flag's key, a grant's role id. */
  readonly identity: string
  /** The id in paths. */
  readonly id: string
  /** The record as it was read: at least the managed fields, and those that guards read. */
  readonly record: JsonObject
  readonly isSoftDeleted: boolean
  /** For a grant that was read through its flag: that flag. */
  readonly parent?: { readonly key: string; readonly id: string }
  /** Source files, if they are declared. */
  readonly files?: Readonly<Record<string, string>>
  /** Why the source files cannot be compared, if the service does not show them. */
  readonly filesUnreadable?: string
}

/**
 * Reads a record of a kind. A member that answers do not contain (a grant's `role_id`) is taken from the
 * nested object. Undefined if the record has no id or identity. */
export function toLive(kind: IdentifiedKind, record: JsonObject, parent?: Live['parent']): Live | undefined {
  const identity = identityOf(kind, record)
  const id = record.id
  if (identity === undefined || (typeof id !== 'string' && !isJsonNumber(id))) return undefined
  const { softDelete } = kind.lifecycle
  return {
    kind: kind.name,
    identity,
    id: String(id),
    record:
      kind.identity.by === 'parent'
        ? { ...record, [kind.identity.sentAs]: identity }
        : withoutSealed(kind, record),
    isSoftDeleted: softDelete !== undefined && record[softDelete.field] === softDelete.is,
    ...(parent ? { parent } : {}),
  }
}

/** What plans, guards and records use: 100,000 complete records would not fit into memory. */
export function keptRecord(kind: IdentifiedKind, record: JsonObject): JsonObject {
  const kept: Record<string, Json> = {}
  for (const name of keptNames(kind)) if (name in record) kept[name] = record[name] ?? null
  return kept
}

const keptNames = oncePer((kind: IdentifiedKind): readonly string[] => {
  const { softDelete, version } = kind.lifecycle
  return [
    ...managedFields(kind),
    'id',
    ...guardedFields(kind),
    ...(softDelete ? [softDelete.field] : []),
    ...(version ? [version.field] : []),
  ]
})

/** The identity in a record, in the form that is compared. */
function identityOf(kind: IdentifiedKind, record: JsonObject): string | undefined {
  const { identity } = kind
  if (identity.by === 'parent') {
    const structure = record[identity.structure]
    const member = isJsonObject(structure) ? structure[identity.member] : record[identity.sentAs]
    return typeof member === 'string' ? member.toLowerCase() : undefined
  }
  const field = kind.fields[identity.field]
  const value = record[identity.field]
  if (!field || typeof value !== 'string') return undefined
  const canonical = canonicalValue(field, value)
  return typeof canonical === 'string' && canonical !== '' ? canonical : undefined
}

/** The readable name of an object whose identity is an id: for a grant, its role. */
export function labelOf({ kind, record }: Pick<Live, 'kind' | 'record'>): string | undefined {
  const { identity } = declarableKind(kind)
  const structure = identity.by === 'parent' ? record[identity.structure] : undefined
  return isJsonObject(structure) && typeof structure.name === 'string' ? structure.name : undefined
}

/** A written identity in the form that is compared. */
export function canonicalIdentity({ identity }: Pick<IdentifiedKind, 'identity'>, written: string): string {
  return identity.by === 'parent' ? written.toLowerCase() : written.trim()
}

/** An identity without differences in spelling that the service ignores. */
export function identityKey(kind: Pick<IdentifiedKind, 'identity'>, written: string): string {
  const canonical = canonicalIdentity(kind, written)
  return kind.identity.by === 'field' && kind.identity.caseless ? canonical.toLowerCase() : canonical
}

/** The managed fields of a record in canonical form: the input of a plan and of its fingerprint. */
export function canonicalManaged(kind: IdentifiedKind, record: JsonObject): JsonObject {
  const names = managedFields(kind).filter(name => name in record)
  return Object.fromEntries(names.map(name => [name, canonicalField(kind, name, record[name])]))
}

/** The managed fields of a record for display and storage: empty values are removed, the spelling stays. */
export function compactManaged(kind: IdentifiedKind, record: JsonObject): JsonObject {
  return compactedBy(kind)(record)
}

/** Cached, because all steps for one object need it. */
const compactedBy = oncePer((kind: IdentifiedKind) =>
  oncePer((record: JsonObject): JsonObject => {
    const names = managedFields(kind).filter(name => name in record)
    return Object.fromEntries(names.map(name => [name, compactField(kind, name, record[name])]))
  }),
)

export function compactField(kind: IdentifiedKind, name: string, value: Json | undefined): Json {
  return compactValue(fieldOf(kind, name), value)
}

export function canonicalField(kind: IdentifiedKind, name: string, value: Json | undefined): Json {
  return canonicalValue(fieldOf(kind, name), value)
}

/** Whether an object is archived, so that ordinary lists omit it. */
export function isListedApart({ lifecycle: { listedApart } }: IdentifiedKind, { record }: Live): boolean {
  return listedApart !== undefined && record[listedApart.field] === true
}

/** Whether a rename of this kind can be detected by its filters. */
export function isRecognizable(kind: IdentifiedKind): boolean {
  const { identity } = kind
  return hasTargeting(kind) && identity.by === 'field' && identity.unique
}

/** The new name in a write, if a soft-deleted object may have it. */
export function nameTaken({ identity, lifecycle }: DeclarableKind, after: JsonObject): string | undefined {
  const name = identity.by === 'field' && lifecycle.softDelete ? after[identity.field] : undefined
  return typeof name === 'string' ? canonicalIdentity({ identity }, name) : undefined
}

/** A record with null for values that the service keeps encrypted. */
export function withoutSealed(kind: IdentifiedKind, record: JsonObject): JsonObject {
  const hidden = sealedFields(kind, record).flatMap(({ name, members }) => {
    const value = record[name]
    if (!isJsonObject(value)) return []
    return [[name, { ...value, ...Object.fromEntries(members.map(member => [member, null])) }] as const]
  })
  return hidden.length === 0 ? record : { ...record, ...Object.fromEntries(hidden) }
}

/** The members of a field that the service keeps encrypted for an object. */
export function sealedMembers(kind: IdentifiedKind, name: string, object: JsonObject): readonly string[] {
  const sealed = sealable(kind).find(field => field.name === name)
  return sealed && object[sealed.by] === true ? sealed.members : []
}

/** The first declared member that is kept encrypted, as `field/member`. */
export function declaredSealed(
  kind: IdentifiedKind,
  declared: JsonObject,
  live: JsonObject = {},
): string | undefined {
  for (const { name, members, by } of sealable(kind)) {
    const value = declared[name]
    if ((by in declared ? declared[by] : live[by]) !== true || !isJsonObject(value)) continue
    const named = members.find(member => !isEmptyJson(value[member]))
    if (named !== undefined) return `${name}/${named}`
  }
  return undefined
}

function sealedFields(kind: IdentifiedKind, object: JsonObject): readonly SealedField[] {
  return sealable(kind).filter(({ by }) => object[by] === true)
}

interface SealedField {
  readonly name: string
  readonly members: readonly string[]
  readonly by: string
}

const sealable = oncePer(({ fields }: Pick<IdentifiedKind, 'fields'>): readonly SealedField[] =>
  Object.entries(fields).flatMap(([name, { sealed }]) => (sealed ? [{ name, ...sealed }] : [])),
)

/**
 * The declared name of a second object with the same name: `geoip (12)`. Together with `id: 12`, this means
 * the name without the number.
 */
export function nameWithId(identity: string, id: string): string {
  return `${identity} (${id})`
}

/** The name without an added id, if the live objects were not read. */
export function nameWithoutId({ identity, id }: Pick<Desired, 'identity' | 'id'>): string {
  const plain = identity.trim().replace(/\++$/, '')
  const end = id === undefined ? undefined : nameWithId('', id)
  return end !== undefined && plain.endsWith(end) ? plain.slice(0, -end.length) : identity
}

/** The name of a declared object, without an added id. */
export function meantIdentity({ identity, id }: Desired, found: readonly Live[]): string {
  const live = found.find(one => one.id === id)
  // If that name was taken too, an export added `+` signs.
  const isSame = live && identity.trim().replace(/\++$/, '') === nameWithId(live.identity, live.id)
  return isSame ? live.identity : identity
}

/** One live object with everything that can be declared. */
export interface Exportable {
  readonly kind: string
  readonly identity: string
  readonly id: string
  /** The managed fields as read, without the identity. */
  readonly fields: JsonObject
  /** The roles with a grant on it; undefined if the service has no grants or they were not read. */
  readonly grants?: readonly { readonly id: string; readonly name?: string; readonly level?: string }[]
  readonly files?: Readonly<Record<string, string>>
}

/** Live objects by the identifiers that a declaration may give. */
export interface LiveIndex {
  /** By kind, and in it by identity, for objects whose parent has that identity. */
  readonly byName: ReadonlyMap<string, ReadonlyMap<string, readonly Live[]>>
  /** A function, because few declarations have an id. */
  readonly byId: () => ReadonlyMap<string, Live>
  readonly all: readonly Live[]
}

/** An id that is unique among all kinds, whatever the object's name. */
export function idKey(kind: string, id: string): string {
  return `${kind}#${id}`
}

export function indexLive(live: readonly Live[]): LiveIndex {
  const byName = new Map<string, Map<string, Live[]>>()
  for (const one of live) {
    const ofKind = byName.get(one.kind) ?? new Map<string, Live[]>()
    if (ofKind.size === 0) byName.set(one.kind, ofKind)
    const name = nameOf(one.identity, one.parent?.key)
    const same = ofKind.get(name)
    if (same) same.push(one)
    else ofKind.set(name, [one])
  }
  const byId = once(() => new Map(live.map(one => [idKey(one.kind, one.id), one])))
  return { byName, byId, all: live }
}

/**
 * The live objects that match a declaration. A live object hides soft-deleted ones with the same identity. Of
 * several soft-deleted ones, the one with the highest id is restored.
 */
export function findLive(index: LiveIndex, kind: DeclarableKind, desired: Desired): readonly Live[] {
  if (desired.id !== undefined) {
    const live = index.byId().get(idKey(kind.name, desired.id))
    return live ? [live] : []
  }
  const name = nameOf(canonicalIdentity(kind, desired.identity), parentKey(desired))
  const same = index.byName.get(kind.name)?.get(name) ?? []
  const [only] = same
  if (only && same.length === 1 && isLiving(only)) return same
  const living = same.filter(isLiving)
  if (living.length > 0) return living
  return [...same].sort((left, right) => Number(right.id) - Number(left.id)).slice(0, 1)
}

function isLiving({ isSoftDeleted }: Live): boolean {
  return !isSoftDeleted
}

/** The flag of a grant, also if it is soft-deleted. */
export function findParent(index: LiveIndex, parentKind: string, identity: string): Live | undefined {
  const same = index.byName.get(parentKind)?.get(identity) ?? []
  return same.find(live => !live.isSoftDeleted) ?? same[0]
}

/** A key for an identity below a parent. Identities with parents are ids, which contain no slash. */
function nameOf(identity: string, parent: string | undefined): string {
  return parent === undefined ? identity : `${parent}/${identity}`
}

/**
 * Values that the service accepted but did not store: by address and field, the digest of the value. For
 * example, a billing plan without tags drops them silently. Sending them again would change nothing.
 */
export type NotKept = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The changes that wait for approval: by address, the id and a digest of the request in the service. */
export type Pending = Readonly<Record<string, PendingChange | undefined>>

export interface PendingChange {
  readonly changeRequest: string
  readonly askedFor: string
}
