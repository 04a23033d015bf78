import type { JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, managedFields } from '../../model/kind.ts'
import { isSameField } from '../diff.ts'

/**
 * What goes along with a change, so that the service holds it against the live object: the version that the change was
 * made of, and what each of its fields was like. [service-today 3]
 *
 * | version that goes along | live value of a field that is sent | the service                                  |
 * |-------------------------|------------------------------------|----------------------------------------------|
 * | the live one            | any                                | writes it                                    |
 * | an older one            | as it was, or as it is sent        | writes it                                    |
 * | an older one            | anything else                      | refuses (409), or answers without writing it |
 * | none                    | any                                | writes it: the last writer wins              |
 *
 * `basis` is the object as it was seen, at least the fields that are sent. One without a version, or of a kind that has
 * none, adds nothing.
 */
export function heldBody(kind: DeclarableKind, body: JsonObject, basis: JsonObject = {}): JsonObject {
  const { version } = kind.lifecycle
  const seen = version && basis[version.field]
  if (!version || seen === undefined || seen === null) return body
  const before = Object.fromEntries(Object.keys(body).map(name => [name, basis[name] ?? null]))
  return { ...body, [version.field]: seen, [version.before]: before }
}

/**
 * What the answer to a held write shows of somebody else's doing; undefined where nobody came between, or nothing of it
 * matters here.
 *
 * | the answer                        | others came between | so                                                     |
 * |-----------------------------------|---------------------|--------------------------------------------------------|
 * | has the next version, or none     | no, as far as known | what it holds otherwise was not kept by the service    |
 * | has a later one, all as sent      | yes                 | what they changed stays, and so does ours              |
 * | has a later one, a field is not   | yes                 | they changed that field, and ours was not written      |
 * | is deleted, or has another name   | yes                 | it is not the object that was to be changed any more   |
 */
export function movedMeanwhile(
  kind: DeclarableKind,
  { body, basis = {} }: { readonly body: JsonObject; readonly basis?: JsonObject },
  answered: JsonObject,
): string | undefined {
  const { version, softDelete } = kind.lifecycle
  if (!version) return undefined
  const [seen, now] = [basis[version.field], answered[version.field]]
  if (typeof seen !== 'number' || typeof now !== 'number' || now === seen + 1) return undefined
  const deleted = softDelete?.field ?? ''
  const isDeletion = deleted in body
  if (softDelete && !isDeletion && answered[deleted] === softDelete.is && basis[deleted] !== softDelete.is)
    return 'it was deleted after the plan was made'
  const name = identityField(kind)
  const isRenamed = name in basis && !(name in body) && !isSame(kind, name, basis, answered)
  if (isRenamed && !isDeletion) return 'it was renamed after the plan was made'
  const lost = Object.keys(body).filter(field => field in answered && !isSame(kind, field, body, answered))
  return lost.length === 0 ? undefined : `somebody else has changed ${lost.join(', ')} meanwhile`
}

/**
 * The fields that nobody sent and that the answer to a write shows otherwise than they were a moment before: somebody else
 * has changed them in between.
 */
export function changedBeside(
  kind: DeclarableKind,
  { body, basis = {} }: { readonly body: JsonObject; readonly basis?: JsonObject },
  answered: JsonObject,
): string[] {
  return managedFields(kind).filter(
    name => name in basis && name in answered && !(name in body) && !isSame(kind, name, basis, answered),
  )
}

function isSame(kind: DeclarableKind, name: string, left: JsonObject, right: JsonObject): boolean {
  return isSameField(kind, name, left[name] ?? null, right[name] ?? null)
}
