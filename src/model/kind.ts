import type { Endpoint, Endpoints } from './endpoint.ts'
import type { AnswerOf, Field, FieldGuard, Fields } from './field.ts'
import { oncePer } from './runtime.ts'
import type { JsonObject } from './text/json.ts'

/** The scope of a kind: its paths start with the project's or the organization's id. */
export type Scope = 'project' | 'organization'

/** How an object of a kind is found again without knowing its id. */
export type Identity =
  /**
   * By the value of one field, compared in that field's canonical form. `unique`: the service refuses a
   * second one; `caseless`: it ignores letter case in that check, and when it searches.
   */
  | { readonly by: 'field'; readonly field: string; readonly unique: boolean; readonly caseless?: boolean }
  /** By its parent and one member of a nested structure: a grant by (flag, role). */
  | { readonly by: 'parent'; readonly structure: string; readonly member: string; readonly sentAs: string }

/** How an object is removed. */
export type Removal =
  | { readonly by: 'update'; readonly body: JsonObject }
  | { readonly by: 'delete'; readonly endpoint: string }

/** The file that describes its object: the service prefers its values to those of the request. */
export interface Manifest {
  readonly file: string
  /** The members of the file that repeat fields, by the names of the fields. */
  readonly members: Readonly<Record<string, string>>
}

/**
 * How newer services store objects with a level for each: as rows without ids. One answer has all rows of a
 * parent; each row is put by itself. [service-today 5]
 */
export interface Levels {
  /** The behaviour in which services differ, and its value in those that have levels. */
  readonly behaviour: string
  readonly is: string
  /** The endpoint that returns the rows of a parent, and the member of its answer that holds them. */
  readonly list: string
  readonly rows: string
  /** The endpoint that puts one row. */
  readonly put: string
  /** The member of a row that names its subject; a row without it does not belong to the kind. */
  readonly subject: string
  /** The field with the level: null removes the row. */
  readonly field: string
  /** The names in rows for the fields of a record. */
  readonly members: Readonly<Record<string, string>>
}

/** The operations that the reconciler may use for a kind, each naming one of the kind's endpoints. */
export interface Lifecycle {
  readonly list: string
  /** Requested without `limit` and `offset` first: the public service answers 500 to any query there. */
  readonly listTakesNoQuery?: true
  /**
   * Objects whose field is true are missing from the list, unless the query asks for them by the name of the
   * field. This applies to services with one value of a behaviour. Such a query finds nothing else.
   */
  readonly listedApart?: { readonly field: string; readonly behaviour: string; readonly is: string }
  /** The parameter by which the list finds one identity, on services with one value of a behaviour. */
  readonly findBy?: { readonly parameter: string; readonly behaviour: string; readonly is: string }
  /** The behaviour by which services may lack such objects: if uncertain, a 404 to the list means that. */
  readonly mayBeGone?: string
  readonly read: string
  readonly create?: string
  readonly update?: string
  readonly remove?: Removal
  /** The mark of an object that is deleted but still stored, and the body that restores it, sent alone. */
  readonly softDelete?: {
    readonly field: string
    readonly is: boolean
    readonly restore: JsonObject
    /** The endpoint whose rows may name an object that is in no list any more. */
    readonly trail?: string
  }
  /**
   * How the service detects that others changed the object meanwhile: the member of its record that counts
   * changes, and the member of a request with the previous values of its fields. Neither is a field: both are
   * sent with a change and are never declared. Without a version in the record, the service checks nothing.
   */
  readonly version?: { readonly field: string; readonly before: string }
  /** The page of an object in the product. */
  readonly page?: string
  /** The activity log: the name of the kind in its rows, and the endpoints that show it. */
  readonly activity?: { readonly scope: string; readonly all?: string; readonly one?: string }
  /** The field that can carry the ownership tag. */
  readonly ownedBy?: string
  /** The parent kind of the objects of this kind, and the path parameter for the parent. */
  readonly parent?: { readonly kind: string; readonly parameter: string }
  /** How services store those with a level for each. */
  readonly levels?: Levels
  /** True if the answer to an update proves nothing: only a fresh read shows what was stored. */
  readonly verifyByRead?: true
  /** Named texts beside the record: the source files of a plugin. */
  readonly files?: { readonly read: string; readonly write: string; readonly manifest?: Manifest }
  /** The endpoint for the state of a change request, and the path parameter for the id of the request. */
  readonly approval?: { readonly endpoint: string; readonly parameter: string }
  /** The endpoint that counts the people of a condition. A POST that changes nothing. */
  readonly estimate?: string
  /** The reason why a missing object cannot be created, if so. */
  readonly cannotCreate?: string
}

/** A member that only some services have, and the value of a behaviour that it proves. */
export interface Tell {
  readonly member: string
  /** Only if it is of this type. */
  readonly as?: 'array' | 'object'
  readonly behaviour: string
  readonly is: string
}

/** Values that no object may combine: services refuse it, and it cannot be meant. */
export interface Contradiction {
  readonly fields: JsonObject
  /** The reason, in a few words. */
  readonly doc: string
  /** The remedy. */
  readonly remedy: string
}

/** An object of a kind as people would write it first: used in documentation. */
export interface Example {
  /** Its name in the code around it. */
  readonly label: string
  readonly identity: string
  /** Its declared fields, without those that define who gets it. */
  readonly fields?: JsonObject
  readonly files?: Readonly<Record<string, string>>
  /** What readers have to know first. */
  readonly comment?: string
}

export interface Kind {
  readonly name: string
  /** The word for one, in running text. */
  readonly title: string
  /** The same without context, if that is longer. */
  readonly longTitle?: string
  /** The section of a YAML file, and the plural on the wire. */
  readonly section: string
  readonly doc: string
  readonly scope: Scope
  /** The name of its objects in key scopes, if different: `query` in `query:read`. [service-behaviour 8] */
  readonly keyScope?: string
  /** The JSON type of path parameters that are not strings. */
  readonly parameters?: Readonly<Record<string, 'integer'>>
  readonly identity?: Identity
  readonly fields: Fields
  readonly endpoints: Endpoints
  readonly lifecycle?: Lifecycle
  /** Its objects are only looked up by their identity: they are never declared or written. */
  readonly onlyRead?: true
  /** Evidence in a record about its service; the first new fact counts. */
  readonly tells?: readonly Tell[]
  readonly contradictions?: readonly Contradiction[]
  readonly example?: Example
}

/** A kind whose objects are found again: it has an identity and a lifecycle. */
export type IdentifiedKind = Kind & Required<Pick<Kind, 'identity' | 'lifecycle'>>

/** Such a kind that can be declared. */
export type DeclarableKind = IdentifiedKind & { readonly onlyRead?: never }

/** Keeps the literal's own type, so that records, bodies and paths can be inferred from it. */
export function defineKind<const K extends Kind>(kind: K & Known<K>): K {
  return kind
}

/** Refuses members that no literal has: a misspelt trait would have no effect, and nobody would notice. */
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

/** The field whose value finds an object again; for a grant, the member that names its role. */
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

/** Whether a field is a note about an object for colleagues. */
export function isDescription({ fields }: Pick<Kind, 'fields'>, name: string): boolean {
  const field = fields[name]
  return field?.type === 'string' && field.describes === true
}

/** What a declaration may hide: single payloads and all values, only all values together, or nothing. */
export function hidesOf(kind: Pick<Kind, 'fields'>): 'payloads' | 'values' | undefined {
  if (hasTargeting(kind)) return 'payloads'
  return managedFields(kind).some(name => kind.fields[name]?.redactedAs === 'values') ? 'values' : undefined
}

/** The names of a kind's fields that any guard checks, or one guard. */
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

/** The names of the fields that are shown beside the managed ones. */
export function shownFields({ fields }: Pick<Kind, 'fields'>): readonly string[] {
  return shownNames(fields)
}

const shownNames = oncePer((fields: Kind['fields']) =>
  Object.keys(fields).filter(name => fields[name]?.shown),
)

/** A record of a kind in an answer of the service. */
export type RecordOf<K extends Kind> = AnswerOf<K['fields']>

/** An object of a kind for documentation, also of one whose description shows none. */
export function exampleOf({ name, title, example }: Kind): Example {
  return example ?? { label: title.replaceAll(' ', '_'), identity: name }
}

/** The plural, without context. */
export function pluralTitle({ title, longTitle = title }: Kind): string {
  return `${longTitle}s`
}

/** A field of a kind by its name. Throws a RangeError for an unknown name. */
export function fieldOf(kind: Kind, name: string): Field {
  const field = kind.fields[name]
  if (!field) throw new RangeError(`${kind.name} has no field "${name}"`)
  return field
}

/** Whether a field names the object that identifies this one; services return that object in its place. */
export function isSentIdentity({ identity }: DeclarableKind, name: string): boolean {
  return identity.by === 'parent' && name === identity.sentAs
}

/** The names of a kind's fields that people declare. */
export function managedFields({ fields }: Pick<Kind, 'fields'>): readonly string[] {
  return managedNames(fields)
}

const managedNames = oncePer((fields: Kind['fields']) => namesWith(fields, access => access === 'managed'))

/** The names of a kind's fields that a request may carry. */
export function writableFields(kind: Kind): string[] {
  return namesWith(kind.fields, access => access !== 'read')
}

function namesWith(fields: Kind['fields'], accepts: (access: string) => boolean): string[] {
  return Object.keys(fields).filter(name => accepts(fields[name]?.access ?? 'read'))
}

/**
 * The name of an object in plans, records and messages, with its kind: `feature_flag.checkout`. A child
 * object adds the name of its parent: `feature_flag_role_access.checkout:support`.
 */
export function objectAddress(kind: string, name: string, parent?: string): string {
  return parent === undefined ? `${kind}.${name}` : `${kind}.${parent}:${name}`
}

/** The name of an object's parent, in its address; undefined for an address of another kind. */
export function parentInAddress(kind: string, address: string): string | undefined {
  const end = address.indexOf(':')
  return end > 0 && address.startsWith(`${kind}.`) ? address.slice(kind.length + 1, end) : undefined
}
