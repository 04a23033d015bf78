import { hash } from 'node:crypto'
import { canonicalText, type Json, type JsonObject } from '../model/json/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import { byFileField } from '../model/source-field.ts'
import type { Change } from './change.ts'
import { canonicalField, canonicalManaged, type Live } from './live.ts'

/** `sha256:` and the hash of a value's canonical text, in hex. */
export function digestOf(value: Json): string {
  return `sha256:${hash('sha256', canonicalText(value))}`
}

/**
 * What a plan remembers of the object it was made on: its managed fields, its files and whether it is soft-deleted.
 * A field that the service computes by itself is not part of it, or no plan would stay valid.
 */
export function fingerprintOf(kind: DeclarableKind, live: Live): string {
  const seen: JsonObject = {
    fields: canonicalManaged(kind, live.record),
    // Under this name it is part of what earlier plans and runs have digested.
    isTombstone: live.isSoftDeleted,
    ...(live.files ? { files: live.files } : {}),
  }
  return digestOf(seen)
}

/** Enough of a value's digest to tell that another one is another. */
export function shortDigest(value: Json): string {
  return digestOf(value).slice(7, 19)
}

/** Short digests of each managed field: enough to tell later which one changed, without keeping its value. */
export function fieldDigests(fields: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shortDigest(value)]))
}

/** Short digests of the fields of a body, in the form in which they are compared. */
export function sentDigests(kind: DeclarableKind, body: JsonObject): Record<string, string> {
  const fields = Object.entries(body).filter(([name]) => name in kind.fields)
  return fieldDigests(
    Object.fromEntries(fields.map(([name, value]) => [name, canonicalField(kind, name, value)])),
  )
}

/** Short digests of all that a change writes, of its source files as well: each is a field there. */
export function writtenDigests(
  kind: DeclarableKind,
  { after, files, digests }: Pick<Change, 'after' | 'files' | 'digests'>,
): Record<string, string> {
  return { ...sentDigests(kind, after), ...fieldDigests(byFileField(files)), ...digests }
}

/** A digest of what a change makes of which object: of the same object, the same change has the same one. */
export function askedDigest(
  kind: DeclarableKind,
  { action, fingerprint, after }: Pick<Change, 'action' | 'fingerprint' | 'after'>,
): string {
  return shortDigest({ action, fingerprint, fields: sentDigests(kind, after) })
}
