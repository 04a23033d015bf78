import type { Endpoint, Endpoints } from './endpoint.ts'
import type { AnswerOf, Field, FieldGuard, Fields } from './field.ts'
import { oncePer } from './runtime.ts'
import type { JsonObject } from './text/json.ts'

/** The scope of a kind. Its paths start with the id of the project or of the organization. */
export type Scope = 'project' | 'organization'

/** How to find an object of a kind without its id. */
export type Identity =
  /**
   * By one field, in canonical form. `unique`: the service refuses a second object with the same value.
   * `caseless`: the service ignores letter case in that check and in searches.
   */
  | { readonly by: 'field'; readonly field: string; readonly unique: boolean; readonly caseless?: boolean }
  /** By its parent and one member of a nested structure: a grant by (flag, role). */
  | { readonly by: 'parent'; readonly structure: string; readonly member: string; readonly sentAs: string }

/** How to remove an object. */
export type Removal =
  | { readonly by: 'update'; readonly body: JsonObject }
  | { readonly by: 'delete'; readonly endpoint: string }

/** A file that describes the plugin. The service prefers the file's values to those in the request. */
export interface Manifest {
  readonly file: string
  /** The members of the file that repeat fields, by field name. */
  readonly members: Readonly<Record<string, string>>
}

/**
 * How newer services store a level for each object: as rows without ids. One answer has all rows of a parent,
 * and each row is written separately. [service-today 5]
 */
export interface Levels {
  /** The behaviour in which services differ, and its value in services with levels. */
  readonly behaviour: string
  readonly is: string
  /** The endpoint that returns the rows of a parent, and the member of its answer with the rows. */
  readonly list: string
  readonly rows: string
  /** The endpoint that writes one row. */
  readonly put: string
  /** The member with the subject of a row. A row without this member does not belong to the kind. */
  readonly subject: string
  /** The field with the level. Null removes the row. */
  readonly field: string
  /** The names of record fields in rows. */
  readonly members: Readonly<Record<string, string>>
}

/** The operations that the reconciler may use for a kind. Each names an endpoint of the kind. */
export interface Lifecycle {
  readonly list: string
  /** The first request has no `limit` and `offset`: the public service answers 500 to any query there. */
  readonly listTakesNoQuery?: true
  /**
   * Objects whose field is true are missing from the list, unless the query asks for them by the field's
   * name. Then the list contains only such objects. This applies to services with one value of a behaviour.
   */
  readonly listedApart?: { readonly field: string; readonly behaviour: string; readonly is: string }
  /** The query parameter that finds one identity, on services with one value of a behaviour. */
  readonly findBy?: { readonly parameter: string; readonly behaviour: string; readonly is: string }
  /** By this behaviour services may lack the objects. If it is uncertain, a 404 for the list proves it. */
  readonly mayBeGone?: string
  readonly read: string
  readonly create?: string
  readonly update?: string
  readonly remove?: Removal
  /** The mark of a soft-deleted object, and the body that restores it, which is sent alone. */
  readonly softDelete?: {
    readonly field: string
    readonly is: boolean
    readonly restore: JsonObject
    /** The endpoint whose rows may name objects that no list contains any more. */
    readonly trail?: string
  }
  /**
   * How the service detects concurrent changes: the record's member that counts changes, and the request's
   * member with the earlier field values. Neither is a field: both are sent with a change and never declared.
   * Without a version in the record, the service checks nothing.
   */
  readonly version?: { readonly field: string; readonly before: string }
  /** The page of an object in the product. */
  readonly page?: string
  /** The activity log: the name of the kind in its rows, and the endpoints that return it. */
  readonly activity?: { readonly scope: string; readonly all?: string; readonly one?: string }
  /** The field for the ownership tag. */
  readonly ownedBy?: string
  /** The parent kind, and the path parameter for the parent. */
  readonly parent?: { readonly kind: string; readonly parameter: string }
  readonly levels?: Levels
  /** The answer to an update proves nothing, so only another read shows what was stored. */
  readonly verifyByRead?: true
  /** Named texts outside the record: the source files of a plugin. */
  readonly files?: { readonly read: string; readonly write: string; readonly manifest?: Manifest }
  /** The endpoint with the state of a change request, and the path parameter for the request's id. */
  readonly approval?: { readonly endpoint: string; readonly parameter: string }
  /** The endpoint that counts the people of a condition. It is a POST that changes nothing. */
  readonly estimate?: string
  /** Why a missing object cannot be created, if that is so. */
  readonly cannotCreate?: string
}

/** A member that only some services have, and the value of a behaviour that it proves. */
export interface Tell {
  readonly member: string
  /** Counts only if the member has this type. */
  readonly as?: 'array' | 'object'
  readonly behaviour: string
  readonly is: string
}

/** Values that no object may combine, because services refuse the combination. */
export interface Contradiction {
  readonly fields: JsonObject
  /** The reason, in a few words. */
  readonly doc: string
  readonly remedy: string
}

/** A typical object of a kind, for documentation. */
export interface Example {
  /** The label of its block or variable. */
  readonly label: string
  readonly identity: string
  /** Its declared fields, except those that define who gets it. */
  readonly fields?: JsonObject
  readonly files?: Readonly<Record<string, string>>
  /** What readers must know first. */
  readonly comment?: string
}

export interface Kind {
  readonly name: string
  /** The singular name in running text. */
  readonly title: string
  /** The singular name where the context does not make it clear, if different. */
  readonly longTitle?: string
  /** The section of a YAML file, and the plural in paths. */
  readonly section: string
  readonly doc: string
  readonly scope: Scope
  /** The name of its objects in key scopes, if different: `query` in `query:read`. [service-behaviour 8] */
  readonly keyScope?: string
  /** The JSON types of path parameters that are not strings. */
  readonly parameters?: Readonly<Record<string, 'integer'>>
  readonly identity?: Identity
  readonly fields: Fields
  readonly endpoints: Endpoints
  readonly lifecycle?: Lifecycle
  /** Objects are only looked up by their identity. They are never declared or written. */
  readonly onlyRead?: true
  /** Evidence in a record for its profile. The first new fact counts. */
  readonly tells?: readonly Tell[]
  readonly contradictions?: readonly Contradiction[]
  readonly example?: Example
}

/** A kind with an identity and a lifecycle, so that its objects can be found again. */
export type IdentifiedKind = Kind & Required<Pick<Kind, 'identity' | 'lifecycle'>>

/** An identified kind that can be declared. */
export type DeclarableKind = IdentifiedKind & { readonly onlyRead?: never }

/** Keeps the literal's own type, so that types of records, bodies and paths can be inferred. */
export function defineKind<const K extends Kind>(kind: K & Known<K>): K {
  return kind
}

/** Rejects unknown members at compile time: a misspelt trait would silently have no effect. */
type Known<K extends Kind> = [Stray<K>] extends [never] ? unknown : { readonly unknownMember: Stray<K> }

type Stray<K extends Kind> =
  | Exclude<keyof K, keyof Kind>
  | Exclude<keyof NonNullable<K['lifecycle']>, KeysOf<NonNullable<Kind['lifecycle']>>>
  | StrayInside<K['fields'], Field>
  | StrayInside<K['endpoints'], Endpoint>

type StrayInside<Members, Shape> = {
  [Name in keyof Members]: Exclude<keyof Members[Name], KeysOf<Shape>>
}[keyof Members]

/** The members of any of several shapes. */
type KeysOf<Shape> = Shape extends unknown ? keyof Shape : never

export function isIdentified(kind: Kind): kind is IdentifiedKind {
  return kind.identity !== undefined && kind.lifecycle !== undefined
}

export function isDeclarable(kind: Kind): kind is DeclarableKind {
  return isIdentified(kind) && kind.onlyRead === undefined
}

/** The field that identifies an object. For a grant: the member that names its role. */
export function identityField({ identity }: Pick<IdentifiedKind, 'identity'>): string {
  return identity.by === 'field' ? identity.field : identity.sentAs
}

/** Whether a service accepts several objects with one name. */
export function isOneOfMany({ identity }: Pick<IdentifiedKind, 'identity'>): boolean {
  return identity.by === 'field' && !identity.unique
}

/** Whether a field of a kind defines who gets an object. The mere name of a flag's field does not count. */
export function hasTargeting(kind: Pick<Kind, 'fields'>): boolean {
  return targetingField(kind) !== undefined
}

export function isTargeting({ fields }: Pick<Kind, 'fields'>, name: string): boolean {
  const field = fields[name]
  return field?.type === 'json' && field.targeting === true
}

/** The field that defines who gets an object. */
export const targetingField = oncePer((kind: Pick<Kind, 'fields'>): string | undefined =>
  Object.keys(kind.fields).find(name => isTargeting(kind, name)),
)

/** The field that turns an object off. */
export const switchField = oncePer(({ fields }: Pick<Kind, 'fields'>): string | undefined =>
  Object.keys(fields).find(name => {
    const field = fields[name]
    return field?.type === 'boolean' && field.switch === true
  }),
)

/** Whether a field is a note for colleagues. */
export function isDescription({ fields }: Pick<Kind, 'fields'>, name: string): boolean {
  const field = fields[name]
  return field?.type === 'string' && field.describes === true
}

/** What a declaration can hide: single payloads and all values, only all values together, or nothing. */
export function hidesOf(kind: Pick<Kind, 'fields'>): 'payloads' | 'values' | undefined {
  if (hasTargeting(kind)) return 'payloads'
  return managedFields(kind).some(name => kind.fields[name]?.redactedAs === 'values') ? 'values' : undefined
}

/** The names of a kind's fields that any guard, or one given guard, checks. */
export function guardedFields({ fields }: Pick<Kind, 'fields'>, guard?: FieldGuard): readonly string[] {
  return guardedNames(fields).get(guard) ?? []
}

/** The names for each guard, and for all of them. */
const guardedNames = oncePer((fields: Kind['fields']) => {
  const names = new Map<FieldGuard | undefined, string[]>()
  for (const [name, { guard }] of Object.entries(fields)) {
    if (guard === undefined) continue
    for (const key of [guard, undefined]) names.set(key, [...(names.get(key) ?? []), name])
  }
  return names
})

/** The names of the read-only fields that are shown. */
export function shownFields({ fields }: Pick<Kind, 'fields'>): readonly string[] {
  return shownNames(fields)
}

const shownNames = oncePer((fields: Kind['fields']) =>
  Object.keys(fields).filter(name => fields[name]?.shown),
)

export type RecordOf<K extends Kind> = AnswerOf<K['fields']>

/** An example object of a kind, also for a kind without its own example. */
export function exampleOf({ name, title, example }: Kind): Example {
  return example ?? { label: title.replaceAll(' ', '_'), identity: name }
}

/** The plural, where the context does not make it clear. */
export function pluralTitle({ title, longTitle = title }: Kind): string {
  return `${longTitle}s`
}

/** A field of a kind by its name. Throws a RangeError for an unknown name. */
export function fieldOf(kind: Kind, name: string): Field {
  const field = kind.fields[name]
  if (!field) throw new RangeError(`${kind.name} has no field "${name}"`)
  return field
}

/** Whether a field contains the id of the identifying object. Services return the object itself instead. */
export function isSentIdentity({ identity }: DeclarableKind, name: string): boolean {
  return identity.by === 'parent' && name === identity.sentAs
}

export function managedFields({ fields }: Pick<Kind, 'fields'>): readonly string[] {
  return managedNames(fields)
}

const managedNames = oncePer((fields: Kind['fields']) => namesWith(fields, access => access === 'managed'))

export function writableFields(kind: Kind): string[] {
  return namesWith(kind.fields, access => access !== 'read')
}

function namesWith(fields: Kind['fields'], accepts: (access: string) => boolean): string[] {
  return Object.keys(fields).filter(name => accepts(fields[name]?.access ?? 'read'))
}

/**
 * The address of an object in plans, records and messages: `feature_flag.checkout`. A child object includes
 * the name of its parent: `feature_flag_role_access.checkout:support`.
 */
export function objectAddress(kind: string, name: string, parent?: string): string {
  return parent === undefined ? `${kind}.${name}` : `${kind}.${parent}:${name}`
}

/** The name of the parent in an object's address; undefined for an address of another kind. */
export function parentInAddress(kind: string, address: string): string | undefined {
  const end = address.indexOf(':')
  return end > 0 && address.startsWith(`${kind}.`) ? address.slice(kind.length + 1, end) : undefined
}
