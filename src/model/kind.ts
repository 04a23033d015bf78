import type { Endpoint, Endpoints } from './endpoint.ts'
import type { AnswerOf, Field, FieldGuard, Fields } from './field.ts'
import type { JsonObject } from './json/json.ts'
import { oncePer } from './runtime.ts'

/** Where a kind lives: its paths start with the project's or the organization's id. */
export type Scope = 'project' | 'organization'

/** How an object of a kind is found again without remembering its id. */
export type Identity =
  /**
   * By the value of one field, compared in that field's canonical form. `unique`: the service refuses a second one;
   * `caseless`: also one in other letters, and finds it by any.
   */
  | { readonly by: 'field'; readonly field: string; readonly unique: boolean; readonly caseless?: boolean }
  /** By its parent and one member of a nested structure: a grant by (flag, role). */
  | { readonly by: 'parent'; readonly structure: string; readonly member: string; readonly sentAs: string }

/** How an object goes away. */
export type Removal =
  | { readonly by: 'update'; readonly body: JsonObject }
  | { readonly by: 'delete'; readonly endpoint: string }

/** The one of an object's files that describes it: of what it says too, the service takes what it says. */
export interface Manifest {
  readonly file: string
  /** The members of the file that say what fields say, by the names of these. */
  readonly members: Readonly<Record<string, string>>
}

/**
 * How services hold objects that have come to give each of them a level: as rows without ids, all of one parent in one
 * answer, each put by itself. [service-today 5]
 */
export interface Levels {
  /** The behaviour in which services differ, and what those do that have levels. */
  readonly behaviour: string
  readonly is: string
  /** The endpoint that answers the rows of a parent, and the member of its answer that holds them. */
  readonly list: string
  readonly rows: string
  /** The endpoint that puts one row. */
  readonly put: string
  /** The member of a row that says whom it is about; a row without it is none of the kind. */
  readonly subject: string
  /** The field that holds the level: put as null, the row is gone. */
  readonly field: string
  /** What rows call the fields of a record. */
  readonly members: Readonly<Record<string, string>>
}

/** What the reconciler may do with a kind, each verb naming one of the kind's endpoints. */
export interface Lifecycle {
  readonly list: string
  /** Asked for without `limit` and `offset` first: the public service answers 500 to any query there. */
  readonly listTakesNoQuery?: true
  /**
   * What the list leaves out unless its query asks for it by the name of the field, on services that do so in a
   * behaviour: the objects of which the field is true. The query finds nothing else.
   */
  readonly listedApart?: { readonly field: string; readonly behaviour: string; readonly is: string }
  /** The name by which the list finds the objects of one identity, on services that do so in a behaviour. */
  readonly findBy?: { readonly parameter: string; readonly behaviour: string; readonly is: string }
  /** The behaviour by which services may have no such objects: where that is open, a 404 to the list means just that. */
  readonly mayBeGone?: string
  readonly read: string
  readonly create?: string
  readonly update?: string
  readonly remove?: Removal
  /** The mark of an object that is gone but still held, and the body that brings it back, sent alone. */
  readonly softDelete?: {
    readonly field: string
    readonly is: boolean
    readonly restore: JsonObject
    /** The endpoint whose rows may name an object that no list shows any more. */
    readonly trail?: string
  }
  /**
   * How the service holds a change against what others have made of the object: the member of its record that counts
   * changes, and the member of a request that says what the fields in it were like. Neither is a field: both go along
   * with a change and are never declared. A record that shows no version is one whose changes are not held.
   */
  readonly version?: { readonly field: string; readonly before: string }
  /**
   * How to find what has the name of an object and is in no list: the endpoint that answers it by name, the parameter
   * that takes the name, and the members of a row that hold the id and the project.
   */
  readonly holder?: {
    readonly endpoint: string
    readonly parameter: string
    readonly id: string
    readonly project: string
  }
  /** Where the product shows an object to people. */
  readonly page?: string
  /** The log of what happened: the name that its rows have for the kind, and the endpoints that show it. */
  readonly activity?: { readonly scope: string; readonly all?: string; readonly one?: string }
  /** The field that can carry the ownership tag. */
  readonly ownedBy?: string
  /** The kind whose objects an object of this kind hangs from, and the path parameter that names it. */
  readonly parent?: { readonly kind: string; readonly parameter: string }
  /** How services hold them that give each a level. */
  readonly levels?: Levels
  /** True when the answer to an update is no proof: only a fresh read tells what was kept. */
  readonly verifyByRead?: true
  /** Named texts kept beside the record: the source files of a plugin. */
  readonly files?: { readonly read: string; readonly write: string; readonly manifest?: Manifest }
  /** The endpoint that tells how far a change is that somebody has to approve, and what of its path is the id of the request. */
  readonly approval?: { readonly endpoint: string; readonly parameter: string }
  /** The endpoint that tells how many a condition reaches. A POST, and yet it changes nothing. */
  readonly estimate?: string
  /** Why an object that does not exist cannot be created, when it cannot. */
  readonly cannotCreate?: string
}

/** A member that only some services have, and what they do by that: one value of a behaviour in which services differ. */
export interface Tell {
  readonly member: string
  /** Only where it is of this type. */
  readonly as?: 'array' | 'object'
  readonly behaviour: string
  readonly is: string
}

/** Values that no object may have together: services refuse it, and nothing else could be meant. */
export interface Contradiction {
  readonly fields: JsonObject
  /** Why not, in a few words. */
  readonly doc: string
  /** What to do about it. */
  readonly remedy: string
}

/** An object of a kind as people would write it first: what documentation shows. */
export interface Example {
  /** What the code around it calls it. */
  readonly label: string
  readonly identity: string
  /** Its declared fields, without what says who gets it. */
  readonly fields?: JsonObject
  readonly files?: Readonly<Record<string, string>>
  /** What has to be said of it first. */
  readonly comment?: string
}

export interface Kind {
  readonly name: string
  /** What people call one, in running text. */
  readonly title: string
  /** The same where nothing around says more, when that is longer. */
  readonly longTitle?: string
  /** The section of a YAML file, and what several are called on the wire. */
  readonly section: string
  readonly doc: string
  readonly scope: Scope
  /** What scopes of keys call its objects, where that is not its name: `query` in `query:read`. [service-behaviour 8] */
  readonly keyScope?: string
  /** The JSON type of path parameters that are not strings. */
  readonly parameters?: Readonly<Record<string, 'integer'>>
  readonly identity?: Identity
  readonly fields: Fields
  readonly endpoints: Endpoints
  readonly lifecycle?: Lifecycle
  /** Its objects are looked up by their identity; nobody declares one, and nothing here writes any. */
  readonly onlyRead?: true
  /** What a record shows of the service that it is from; the first that says something new counts. */
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

/** Refuses members that no literal has: a trait that is misspelt would say nothing, and nobody would miss it. */
type Known<K extends Kind> = [Stray<K>] extends [never] ? unknown : { readonly unknownMember: Stray<K> }

type Stray<K extends Kind> =
  | Exclude<keyof K, keyof Kind>
  | Exclude<keyof NonNullable<K['lifecycle']>, KeysOf<NonNullable<Kind['lifecycle']>>>
  | StrayInside<K['fields'], Field>
  | StrayInside<K['endpoints'], Endpoint>

type StrayInside<Members, Shape> = {
  [Name in keyof Members]: Exclude<keyof Members[Name], KeysOf<Shape>>
}[keyof Members]

/** The members of any of some shapes. */
type KeysOf<Shape> = Shape extends unknown ? keyof Shape : never

export function isIdentified(kind: Kind): kind is IdentifiedKind {
  return kind.identity !== undefined && kind.lifecycle !== undefined
}

export function isDeclarable(kind: Kind): kind is DeclarableKind {
  return isIdentified(kind) && kind.onlyRead === undefined
}

/** The field whose value finds an object again: of a grant, the member that names its role. */
export function identityField({ identity }: Pick<IdentifiedKind, 'identity'>): string {
  return identity.by === 'field' ? identity.field : identity.sentAs
}

/** Whether a service takes any number of objects of one name. */
export function isOneOfMany({ identity }: Pick<IdentifiedKind, 'identity'>): boolean {
  return identity.by === 'field' && !identity.unique
}

/** Whether a kind has a field that says who gets an object. One that is only called as that of a flag says nothing. */
export function hasTargeting(kind: Pick<Kind, 'fields'>): boolean {
  return targetingField(kind) !== undefined
}

export function isTargeting({ fields }: Pick<Kind, 'fields'>, name: string): boolean {
  const field = fields[name]
  return field?.type === 'json' && field.targeting === true
}

/** The field that says who gets an object. */
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

/** Whether a field holds what people say of an object to each other. */
export function isDescription({ fields }: Pick<Kind, 'fields'>, name: string): boolean {
  const field = fields[name]
  return field?.type === 'string' && field.describes === true
}

/** What a declaration may hide of an object: its values, among them single payloads, all of them together, or nothing. */
export function hidesOf(kind: Pick<Kind, 'fields'>): 'payloads' | 'values' | undefined {
  if (hasTargeting(kind)) return 'payloads'
  return managedFields(kind).some(name => kind.fields[name]?.redactedAs === 'values') ? 'values' : undefined
}

/** The names of a kind's fields that a guard looks at, or that one guard does. */
export function guardedFields({ fields }: Pick<Kind, 'fields'>, guard?: FieldGuard): readonly string[] {
  return guardedNames(fields).get(guard) ?? []
}

/** Those of each guard, and of all of them. */
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

/** A record of a kind as the service answers it. */
export type RecordOf<K extends Kind> = AnswerOf<K['fields']>

/** An object of a kind for documentation, also of one whose description shows none. */
export function exampleOf({ name, title, example }: Kind): Example {
  return example ?? { label: title.replaceAll(' ', '_'), identity: name }
}

/** What people call several, where nothing around says more. */
export function pluralTitle({ title, longTitle = title }: Kind): string {
  return `${longTitle}s`
}

/** A field of a kind by its name. Throws a RangeError on a name that it does not have. */
export function fieldOf(kind: Kind, name: string): Field {
  const field = kind.fields[name]
  if (!field) throw new RangeError(`${kind.name} has no field "${name}"`)
  return field
}

/** Whether a field names the other object that identifies this one; a service takes it and shows that object in its place. */
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
 * How plans, records and people name an object by its kind, `feature_flag.checkout`, and one that hangs from another one
 * with the name of that, `feature_flag_role_access.checkout:support`.
 */
export function objectAddress(kind: string, name: string, parent?: string): string {
  return parent === undefined ? `${kind}.${name}` : `${kind}.${parent}:${name}`
}

/** The name of what an object of a kind hangs from, in its address; undefined where it is another kind's. */
export function parentInAddress(kind: string, address: string): string | undefined {
  const end = address.indexOf(':')
  return end > 0 && address.startsWith(`${kind}.`) ? address.slice(kind.length + 1, end) : undefined
}
