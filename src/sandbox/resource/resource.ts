import type { PathParameter } from '../../model/endpoint.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import type { DeclarableKind, Kind } from '../../model/kind.ts'
import type { Quirks } from '../behaviour/quirks.ts'
import type { Answer, Refusal } from '../http/refusal.ts'
import type { OrganizationRow, ProjectRow, ResourceRow, UserRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** What a request does to objects of a kind. */
export type Operation =
  | 'list'
  | 'read'
  | 'create'
  | 'update'
  | 'remove'
  | 'readFiles'
  | 'writeFiles'
  | 'readActivity'

// Hooks are methods, so that those of one kind stand beside those of others: each is given rows of its own kind alone.
type ShowField<R> = { show(call: Call, row: R): Json }['show']
type KeepField<R, C> = { keep(call: C, value: Json, row: R, isNew: boolean): Json | undefined }['keep']

/** How objects of a kind are answered. */
export interface Shown<R extends ResourceRow = ResourceRow> {
  readonly kind: DeclarableKind
  /** Fields that are worked out, or shown otherwise than they are kept. */
  readonly show?: Readonly<Record<string, ShowField<R>>>
  /** The whole record, where services answer with other members than those of the document. */
  shape?(call: Call, record: JsonObject, row: R): JsonObject
}

/**
 * A kind as it is served, with what is special about it. Every hook may be missing: a kind without any is served from
 * its literal alone.
 */
export interface Resource<R extends ResourceRow = ResourceRow, C extends Call = Call> extends Shown<R> {
  /** The fields that the service looks at first, in its order; the others follow as they stand in the literal. */
  readonly first?: readonly string[]
  /** What a new row holds beside its fields. */
  readonly columns?: Partial<R>
  /** Whether texts are kept as they are sent: neither trimmed nor measured. */
  readonly keepsTextsAsSent?: true
  readonly listsNewestFirst?: true
  /** Refuses what the organization's plan does not have, before anything is looked up. */
  admit?(call: C, operation: Operation): void
  /** Whether a row is found from where the path leads; without it, where it belongs there. */
  sees?(call: C, row: R): boolean
  /** What an id that names nothing gives. */
  missing?(call: C): Refusal
  /** Refuses what the caller may not do to an object that was found. */
  allow?(call: C, operation: Operation, row: R): void
  /** What a list holds where that is not all of the container; `all` is in the order of the list. */
  listed?(call: C, all: () => readonly R[]): readonly R[] | undefined
  /** The body of a request under the names of the literal, without what the service ignores. */
  sent?(call: C, before: R, isNew: boolean): JsonObject
  /** Columns that requests set beside the fields of the literal. */
  keptBeside?(call: C, row: R, isNew: boolean): Partial<R>
  /** Fields that are checked or kept in a way of their own. `row` has what was kept before; undefined: ignored. */
  readonly keep?: Readonly<Record<string, KeepField<R, C>>>
  /** Refuses to create another object with the identity of this one, or answers with this one. */
  taken?(call: C, holder: R): R
  /** Refuses to destroy a soft-deleted object whose identity is needed. */
  giveWay?(call: C, holder: R): void
  /** A new row as it is stored. */
  created?(call: C, row: R): R
  /** The row that a change is made to, where more happens to it than the change itself. */
  changing?(call: C, before: R, written: Partial<R>): R
  /** A changed row as it is stored. */
  changed?(call: C, row: R): R
  /** Whether a change that changes nothing counts as one. */
  countsUnchanged?(call: C): boolean
  /** What else a write of files changes. */
  filesWritten?(call: C, before: R): Partial<R>
  /** The row as the answer to a write shows it. */
  echoed?(call: C, row: R, isNew: boolean): R
  /** A row of a world as it is stored, with what the world says of the object. */
  seeded?(seeding: ObjectSeeding, row: R, object: JsonObject): R
  /** Problems of what a world says of an object, which no schema sees. */
  worldProblems?(object: JsonObject, pointer: string, checks: WorldChecks): void
}

/** What every request is answered from. */
export interface Surroundings {
  readonly store: Store
  readonly quirks: Quirks
  /** The time of this request, in milliseconds. */
  readonly now: number
  readonly random: () => number
  /** The person whose key it is. */
  readonly caller: UserRow
}

/** One request that has been let in: its key, its organization or project and its body have been checked. */
export interface Call<Parameter extends string = string> extends Surroundings {
  readonly params: Readonly<Record<Parameter, string>>
  readonly url: URL
  readonly body: JsonObject
  readonly organization: OrganizationRow
  readonly project?: ProjectRow
}

/** A request whose path names a project. */
export interface ProjectCall<Parameter extends string = string> extends Call<Parameter> {
  readonly project: ProjectRow
}

type CallOf<Parameter extends string> = 'project_id' extends Parameter
  ? ProjectCall<Parameter>
  : Call<Parameter>

/** Answers one endpoint. Runs as one transaction: when it throws, nothing has happened. */
export type Handler<Parameter extends string> = (call: CallOf<Parameter>) => Answer

/** Handlers by endpoint. A project is there whenever the path names one, and only such handlers ask for it. */
export type Handlers = Readonly<Record<string, (call: ProjectCall) => Answer>>

/** A handler for each endpoint of a kind that its lifecycle does not name: one that is missing does not compile. */
export type Actions<K extends Kind> = {
  readonly [Endpoint in Exclude<keyof K['endpoints'], ServedByLifecycle<K>>]: Handler<
    ParametersOf<K['endpoints'][Endpoint]>
  >
}

/** What follows from the literal: the endpoints that its lifecycle names, and those that are always refused. */
type ServedByLifecycle<K extends Kind> =
  | NamedIn<K['lifecycle'], 'list' | 'read' | 'create' | 'update'>
  | NamedIn<NamedIn<K['lifecycle'], 'remove'>, 'endpoint'>
  | NamedIn<NamedIn<K['lifecycle'], 'files'>, 'read' | 'write'>
  | NamedIn<NamedIn<K['lifecycle'], 'activity'>, 'all' | 'one'>
  | {
      [Name in keyof K['endpoints']]: K['endpoints'][Name]['status'] extends 405 ? Name : never
    }[keyof K['endpoints']]

/** The types of some members, of an object that need not have them. */
type NamedIn<T, Names extends string> = T extends object ? T[Extract<keyof T, Names>] : never

type ParametersOf<Endpoint> = Endpoint extends { readonly path: infer Path extends string }
  ? PathParameter<Path>
  : never

/** What a world is made with. */
export interface Seeding {
  readonly store: Store
  /** The time of the creation, for what brings none of its own. */
  readonly now: string
  readonly uuid: () => string
}

/** What objects of kinds are made with, and where they belong. */
export interface ObjectSeeding extends Seeding {
  readonly organization: OrganizationRow
  readonly project?: ProjectRow
}

/** How problems of a world are told that its schema does not see. */
export interface WorldChecks {
  readonly report: (code: string, message: string, pointer: string) => void
  /** Reports the second of two things of one name in one place. */
  readonly once: (place: string, what: string, name: Json | undefined, pointer: string) => void
  /** The e-mail addresses of those who can have made something. */
  readonly users: ReadonlySet<Json>
  /** The names of the roles that can be granted. */
  readonly roles: ReadonlySet<Json>
}
