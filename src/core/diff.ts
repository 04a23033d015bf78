import { membersElsewhere } from '../model/field.ts'
import { canonicalValue, isSameSet, sortedUnique } from '../model/json/canonical.ts'
import {
  formMembers,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../model/json/json.ts'
import { type DeclarableKind, identityField } from '../model/kind.ts'
import { fieldOfFile } from '../model/source-field.ts'
import type { Desired } from './desired.ts'
import { keepIgnored } from './ignored-places.ts'
import type { Live } from './live.ts'
import { sealedMembers } from './sealed.ts'

/** One declared field that is not as declared. Values are as read and as they will be sent. */
export interface FieldChange {
  readonly field: string
  readonly before: Json
  readonly after: Json
}

/**
 * Compares the declared fields of one object with the live ones. A field that was not declared is not managed: it is
 * neither compared nor sent. A declared field is owned whole, but for two things that stay as they are live: paths
 * that the declaration leaves to the service, and members that other parts of the product write.
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

/** The declared fields with the ownership tag, the ignored paths and the members that are managed elsewhere or sealed worked in. */
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
  // Nothing stays as it is live.
  if (!live) return others
  return formMembers(others, (value, name) => {
    const beside = live.record[name] ?? null
    const declared = keepUndeclared(undeclaredMembers(kind, name, fields, live), value, beside)
    return desired.ignore ? keepIgnored(kind, desired, name, { declared, live: beside }) : declared
  })
}

/** The members of a field that stay as they are live unless they are declared: other parts of the product write them. */
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
  // Most objects are as they are declared, letter by letter.
  if (isSameJson(left, right)) return true
  const field = kind.fields[name]
  if (field?.type === 'set' && isSameSet(left, right)) return true
  if (field?.isSurelySame?.(left, right)) return true
  return field !== undefined && isSameJson(canonicalValue(field, left), canonicalValue(field, right))
}

/** A value in the form in which it is sent. Where the service takes no null, nothing is sent as its empty form. */
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

/** The same, each as the field that it is; none where the service does not show them, for then nobody can tell. */
export function fileChanges(desired: Desired, live: Live): FieldChange[] {
  if (live.filesUnreadable !== undefined) return []
  return Object.entries(diffFiles(desired, live) ?? {}).map(([name, after]) => ({
    field: fieldOfFile(name),
    before: live.files?.[name] ?? null,
    after,
  }))
}

/** Adds the ownership tag and what is carried beside it to the tags that were declared or, when none were, that are there. */
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
  // The same value, so that what is equal is seen at once.
  if (kept.length === 0) return declared
  return { ...declared, ...Object.fromEntries(kept.map(member => [member, live[member] ?? null])) }
}
