import { declarableKind } from '../../kinds/index.ts'
import { byFileField, fileOfField } from '../../model/field.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import type { Desired } from '../desired.ts'
import { digestOf, ignoredIn } from '../diff.ts'
import type { Live } from '../live.ts'
import { declaredFieldDigests, declaredFileDigests } from '../live-edits/three-values.ts'
import type { Policy } from '../policy.ts'

/**
 * The declarations of a run, by address: a short digest of each declared field and file, or `absent`. Values
 * are not stored: the commit has them, and the digests show whether they are still the same.
 */
export type DeclaredDigests = Readonly<Record<string, DeclaredObject>>

export type DeclaredObject =
  | { readonly ensure: 'absent' }
  | {
      readonly fields: Readonly<Record<string, string>>
      readonly files?: Readonly<Record<string, string>>
      /** The id by which the object was found; one that a run creates is in its record. */
      readonly id?: string
      /** Paths that the service owns. No digest contains them. */
      readonly ignore?: readonly string[]
      /** The ids of the roles in its list of grants, if the whole list was compared. */
      readonly grants?: readonly string[]
    }

/** The digests of an object's declared fields and source files, by field. */
export function digestsByField(
  declared: Extract<DeclaredObject, { fields: unknown }>,
): Readonly<Record<string, string>> {
  return { ...declared.fields, ...byFileField(declared.files) }
}

/** The digests of compared declarations, with the role ids of completely compared lists of grants. */
export function declaredDigests(
  compared: readonly ComparedDeclaration[],
  grants: ReadonlyMap<string, readonly string[]> = new Map(),
): DeclaredDigests {
  return Object.fromEntries(
    compared.map(one => [one.desired.address, digestsOf(one, grants.get(one.desired.address))]),
  )
}

/** Whether a value is such a table; it may come from anywhere. */
export function isDeclaredDigests(value: Json): boolean {
  return isJsonObject(value) && Object.values(value).every(isDeclaredObject)
}

function isDeclaredObject(value: Json): boolean {
  if (!isJsonObject(value)) return false
  const { ensure, fields, files, id, ignore, grants } = value
  if (ensure !== undefined) return ensure === 'absent'
  return (
    isTexts(fields) &&
    (files === undefined || isTexts(files)) &&
    (id === undefined || typeof id === 'string') &&
    (ignore === undefined || isTextList(ignore)) &&
    (grants === undefined || isTextList(grants))
  )
}

function isTextList(value: Json): boolean {
  return isJsonArray(value) && value.every(text => typeof text === 'string')
}

function isTexts(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.values(value).every(text => typeof text === 'string')
}

interface ComparedDeclaration {
  readonly desired: Desired
  readonly found: readonly Pick<Live, 'id' | 'filesUnreadable'>[]
  readonly policy: Pick<Policy, 'ownership'>
}

/**
 * The name of a table, which is its digest: runs with the same declarations share one, so that a record of a
 * run without changes stays small.
 */
export function declaredName(declared: DeclaredDigests): string {
  // Tables of texts, which JSON keeps unchanged.
  return digestOf(declared as unknown as JsonObject).slice(7, 39)
}

function digestsOf(
  { desired, found, policy }: ComparedDeclaration,
  grants: readonly string[] | undefined,
): DeclaredObject {
  const { kind: name, ensure, fields, files, ignore } = desired
  if (ensure === 'absent') return { ensure }
  const kind = declarableKind(name)
  const ignored = ignore ? Object.keys(fields).flatMap(field => ignoredIn(desired, field)) : []
  const [live, other] = found
  return {
    fields: declaredFieldDigests(kind, desired, policy.ownership.tag),
    ...(files && live?.filesUnreadable === undefined ? { files: filesOf(desired) } : {}),
    ...(live && !other ? { id: live.id } : {}),
    ...(ignored.length > 0 ? { ignore: ignored } : {}),
    ...(grants === undefined ? {} : { grants }),
  }
}

/** Files that the service does not show are not on record, because their state after a run is unknown. */
function filesOf(desired: Desired): Record<string, string> {
  return Object.fromEntries(
    Object.entries(declaredFileDigests(desired)).map(([field, digest]) => [
      fileOfField(field) ?? field,
      digest,
    ]),
  )
}
