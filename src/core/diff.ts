import { hash } from 'node:crypto'
import { canonicalValue, isSameSet, sortedUnique } from '../model/canonical.ts'
import { byFileField, fieldOfFile, membersElsewhere } from '../model/field.ts'
import { type DeclarableKind, identityField, isTargeting } from '../model/kind.ts'
import {
  canonicalText,
  formMembers,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../model/text/json.ts'
import { compareTexts } from '../model/text/names.ts'
import { getAt, pointerOf, segmentsOf, setAt } from '../model/text/pointer.ts'
import { type FoundPlace, findPlaces, placedFilters } from '../targeting/compare/ignored-places.ts'
import { variantKeys } from '../targeting/release.ts'
import type { Change } from './change.ts'
import type { Desired } from './desired.ts'
import { canonicalField, canonicalManaged, type Live, sealedMembers } from './live.ts'

/** One declared field that differs: its live value as read, and the new value as it will be sent. */
export interface FieldChange {
  readonly field: string
  readonly before: Json
  readonly after: Json
}

/**
 * Compares the declared fields of one object with the live ones. An undeclared field is neither compared nor
 * sent. A declared field is compared as a whole, except for ignored paths and for undeclared members that
 * other parts of the product write: these keep their live values.
 */
export function diffFields(
  kind: DeclarableKind,
  desired: Desired,
  live: Live,
  ownershipTag?: string,
): FieldChange[] {
  const declared = { ...declaredFields(kind, desired, live, ownershipTag), ...newName(kind, desired) }
  const changes: FieldChange[] = []
  for (const name of Object.keys(declared)) {
    const [before, after] = [live.record[name] ?? null, declared[name] ?? null]
    if (isSameField(kind, name, before, after)) continue
    changes.push({ field: name, before, after: wireValue(kind, name, after) })
  }
  return changes
}

/** The declared fields, with the ownership tag and the live values of ignored, sealed and foreign members. */
export function declaredFields(
  kind: DeclarableKind,
  desired: Desired,
  live: Live | undefined,
  ownershipTag?: string,
): JsonObject {
  const fields: JsonObject = withTags(kind, desired, live, ownershipTag)
  // The object was found by its identity, so that field never differs; a flag is never sent its own key.
  const identity = identityField(kind)
  const others = pickMembers(fields, (_, name) => name !== identity)
  if (!live) return others
  return formMembers(others, (value, name) => {
    const beside = live.record[name] ?? null
    const declared = keepUndeclared(undeclaredMembers(kind, name, fields, live), value, beside)
    return desired.ignore ? keepIgnored(kind, desired, name, { declared, live: beside }) : declared
  })
}

/** The undeclared members of a field that keep their live values: other parts of the product write them. */
export function undeclaredMembers(
  kind: DeclarableKind,
  name: string,
  fields: JsonObject,
  live: Live,
): readonly string[] {
  return [...membersElsewhere(kind.fields[name], live.record[name]), ...sealedMembers(kind, name, fields)]
}

/** Whether two values of a field are the same in their canonical form. */
export function isSameField(kind: DeclarableKind, name: string, left: Json, right: Json): boolean {
  // Fast path: most objects are exactly as declared.
  if (isSameJson(left, right)) return true
  const field = kind.fields[name]
  if (field?.type === 'set' && isSameSet(left, right)) return true
  if (field?.isSurelySame?.(left, right)) return true
  return field !== undefined && isSameJson(canonicalValue(field, left), canonicalValue(field, right))
}

/** A value as it is sent. If the service does not accept null, the empty value is sent. */
export function wireValue(kind: DeclarableKind, name: string, value: Json): Json {
  const field = kind.fields[name]
  if (!field) return value
  const sent = field.wire?.(value) ?? value
  return sent === null && !field.nullable ? canonicalValue(field, null) : sent
}

/** Source files that differ from the live ones; null removes one. */
export function diffFiles(
  desired: Desired,
  live: Live | undefined,
): Record<string, string | null> | undefined {
  if (!desired.files) return undefined
  const changed = Object.entries(desired.files).filter(
    ([name, text]) => (live?.files?.[name] ?? null) !== text,
  )
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

/** The same as field changes, one for each file; none if the service does not show the files. */
export function fileChanges(desired: Desired, live: Live): FieldChange[] {
  if (live.filesUnreadable !== undefined) return []
  return Object.entries(diffFiles(desired, live) ?? {}).map(([name, after]) => ({
    field: fieldOfFile(name),
    before: live.files?.[name] ?? null,
    after,
  }))
}

/** Adds the ownership tag and the default tags to the declared tags or, if none are declared, to the live ones. */
function withTags(
  kind: DeclarableKind,
  { fields, tags: carried = [], prefixedTags = [] }: Desired,
  live: Live | undefined,
  ownershipTag: string | undefined,
): JsonObject {
  const { ownedBy } = kind.lifecycle
  const added = [...carried, ...prefixedTags, ...(ownershipTag === undefined ? [] : [ownershipTag])]
  if (!ownedBy || added.length === 0) return fields
  const prefixes = prefixedTags.map(prefixOf)
  const own = fields[ownedBy] ?? live?.record[ownedBy] ?? []
  const kept = (isJsonArray(own) ? own : []).filter(
    tag => typeof tag !== 'string' || !prefixes.includes(prefixOf(tag.trim().toLowerCase())),
  )
  return { ...fields, [ownedBy]: sortedUnique([...kept, ...added]) }
}

/** `owner:` of `owner:payments`. */
function prefixOf(tag: string): string {
  return tag.slice(0, tag.indexOf(':') + 1)
}

function newName(
  { identity: of }: DeclarableKind,
  { identity, renamedFrom, renamedTo }: Desired,
): JsonObject {
  const name = renamedTo ?? (renamedFrom === undefined ? undefined : identity)
  return of.by === 'field' && name !== undefined ? { [of.field]: name } : {}
}

function keepUndeclared(members: readonly string[], declared: Json, live: Json): Json {
  if (members.length === 0 || !isJsonObject(declared) || !isJsonObject(live)) return declared
  const kept = members.filter(member => !(member in declared) && member in live)
  // Returns the same object, so that the comparison is fast.
  if (kept.length === 0) return declared
  return { ...declared, ...Object.fromEntries(kept.map(member => [member, live[member] ?? null])) }
}

/** `sha256:` and the hash of a value's canonical text, in hex. */
export function digestOf(value: Json): string {
  return `sha256:${hash('sha256', canonicalText(value))}`
}

/**
 * A digest of an object's managed fields, files and soft-deleted state. Fields that the service computes are
 * not included, or no plan would stay valid.
 */
export function fingerprintOf(kind: DeclarableKind, live: Live): string {
  const seen: JsonObject = {
    fields: canonicalManaged(kind, live.record),
    // Do not rename: earlier plans and runs have digests with this name.
    isTombstone: live.isSoftDeleted,
    ...(live.files ? { files: live.files } : {}),
  }
  return digestOf(seen)
}

/** A short digest of a value, long enough to detect a change. */
export function shortDigest(value: Json): string {
  return digestOf(value).slice(7, 19)
}

/** Short digests of each managed field. They later show which field changed, without storing values. */
export function fieldDigests(fields: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shortDigest(value)]))
}

/** Short digests of the fields of a body, in the form used for comparison. */
export function sentDigests(kind: DeclarableKind, body: JsonObject): Record<string, string> {
  const fields = Object.entries(body).filter(([name]) => name in kind.fields)
  return fieldDigests(
    Object.fromEntries(fields.map(([name, value]) => [name, canonicalField(kind, name, value)])),
  )
}

/** Short digests of everything that a change writes, including source files as fields. */
export function writtenDigests(
  kind: DeclarableKind,
  { after, files, digests }: Pick<Change, 'after' | 'files' | 'digests'>,
): Record<string, string> {
  return { ...sentDigests(kind, after), ...fieldDigests(byFileField(files)), ...digests }
}

/** A digest that identifies a change of an object. */
export function askedDigest(
  kind: DeclarableKind,
  { action, fingerprint, after }: Pick<Change, 'action' | 'fingerprint' | 'after'>,
): string {
  return shortDigest({ action, fingerprint, fields: sentDigests(kind, after) })
}

export interface Ignoring {
  readonly ignore?: Desired['ignore'] | undefined
  readonly fields: Desired['fields']
}

/** An ignored place in a declared field, and the same in the live value; relative to the field. */
export interface IgnoredPlace {
  readonly pointer: string
  readonly found: FoundPlace
}

/** The ignored places in a field, in a fixed order. */
export function ignoredIn({ ignore = [] }: Omit<Ignoring, 'fields'>, field: string): string[] {
  const inside = ignore.filter(pointer => pointer.split('/')[1] === field)
  const isWithin = (pointer: string) => inside.some(other => pointer.startsWith(`${other}/`))
  return [...new Set(inside)].filter(pointer => !isWithin(pointer)).sort(compareTexts)
}

/** The same, each with its place in a live value. */
export function ignoredPlaces(
  kind: DeclarableKind,
  desired: Ignoring,
  field: string,
  live: Json,
): readonly IgnoredPlace[] {
  const ignored = ignoredIn(desired, field).map(pointer => pointer.slice(pointerOf(field).length))
  if (ignored.length === 0) return []
  const areFilters = isTargeting(kind, field)
  const found = findPlaces({ declared: desired.fields[field] ?? null, live, ignored, areFilters })
  return found.map((place, index) => ({ pointer: ignored[index] ?? '', found: place }))
}

/** A declared field with the live values at the ignored places. */
function keepIgnored(
  kind: DeclarableKind,
  desired: Ignoring,
  field: string,
  { declared, live }: { readonly declared: Json; readonly live: Json },
): Json {
  const shown = placedIn(kind, field, live)
  return ignoredPlaces(kind, desired, field, live).reduce(
    // A part without a live value keeps the declared one: without a percentage it would reach everybody.
    (kept, { pointer, found }) =>
      found.is === 'there' ? setAt(kept, pointer, getAt(shown, found.pointer)) : kept,
    declared,
  )
}

/** A value with null at the ignored places, so that list positions stay. */
export function withoutIgnored(kind: DeclarableKind, desired: Ignoring, field: string, value: Json): Json {
  return ignoredPlaces(kind, desired, field, value).reduce(
    (rest, { found }) =>
      found.is === 'there' && getAt(rest, found.pointer) !== undefined
        ? setAt(rest, found.pointer, null)
        : rest,
    placedIn(kind, field, value),
  )
}

/** A declared field as an engine compares it: with the live values at the same list positions. */
export function keepByPosition(
  kind: DeclarableKind,
  desired: Ignoring,
  field: string,
  { declared, live }: { readonly declared: Json; readonly live: Json },
): Json {
  const shown = placedIn(kind, field, live)
  const [ours, theirs] = [declared, shown].map(filters => (isJsonObject(filters) ? variantKeys(filters) : []))
  return ignoredPlaces(kind, desired, field, live).reduce((kept, { pointer }) => {
    const [member, key = '', ...rest] = segmentsOf(pointer)
    // Engines store payloads inside their variants.
    const other = member === 'payloads' ? theirs?.[ours?.indexOf(key) ?? -1] : undefined
    const there = other === undefined ? pointer : pointerOf('payloads', other, ...rest)
    return isThere(shown, there) ? setAt(kept, pointer, getAt(shown, there)) : kept
  }, declared)
}

/** Whether a value has the parent of a place. */
export function isThere(value: Json, pointer: string): boolean {
  return (getAt(value, pointer.slice(0, pointer.lastIndexOf('/'))) ?? null) !== null
}

/** A live value in the form that places refer to. */
export function placedIn(kind: DeclarableKind, field: string, value: Json): Json {
  return isTargeting(kind, field) ? placedFilters(value) : value
}
