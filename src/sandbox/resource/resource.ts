import type { DeclarableKind } from '../../model/kind.ts'
import type { Json, JsonObject } from '../../model/text/json.ts'
import type { Answer, Refusal } from '../http/messages.ts'
import type { Quirks } from '../quirks.ts'
import type { OrganizationRow, ProjectRow, ResourceRow, UserRow } from '../rows.ts'
import type { Store } from '../store.ts'

/** The effect of a request on objects of a kind. */
export type Operation =
  | 'list'
  | 'read'
  | 'create'
  | 'update'
  | 'remove'
  | 'readFiles'
  | 'writeFiles'
  | 'readActivity'

// Hooks are methods, so that one table can hold those of all kinds: each hook only gets rows of its own kind.
type ShowField<R> = { show(call: Call, row: R): Json }['show']
type KeepField<R, C> = { keep(call: C, value: Json, row: R, isNew: boolean): Json | undefined }['keep']

/** The form of a kind's objects in answers. */
export interface Shown<R extends ResourceRow = ResourceRow> {
  readonly kind: DeclarableKind
  /** Fields that are computed, or that differ from their stored form. */
  readonly show?: Readonly<Record<string, ShowField<R>>>
  /** The whole record, if services answer with other members than the document. */
  shape?(call: Call, record: JsonObject, row: R): JsonObject
}

/** A kind with the special rules of its routes. Without hooks, it is served from its literal alone. */
export interface Resource<R extends ResourceRow = ResourceRow, C extends Call = Call> extends Shown<R> {
  /** The fields that the service checks first, in its order; others follow in the literal's order. */
  readonly first?: readonly string[]
  /** The content of a new row beside its fields. */
  readonly columns?: Partial<R>
  /** Whether texts are stored as they are sent: neither trimmed nor measured. */
  readonly keepsTextsAsSent?: true
  readonly listsNewestFirst?: true
  /** Refuses features that the organization's plan does not include, before anything is looked up. */
  admit?(call: C, operation: Operation): void
  /** Whether a row can be found by this path; by default, if it belongs there. */
  sees?(call: C, row: R): boolean
  /** The answer for an id that does not exist. */
  missing?(call: C): Refusal
  /** Refuses actions on an existing object that the caller may not do. */
  allow?(call: C, operation: Operation, row: R): void
  /** The content of a list, if not the whole container; `all` is in the order of the list. */
  listed?(call: C, all: () => readonly R[]): readonly R[] | undefined
  /** The body of a request under the names of the literal, without parts that the service ignores. */
  sent?(call: C, before: R, isNew: boolean): JsonObject
  /** Columns that requests set beside the fields of the literal. */
  keptBeside?(call: C, row: R, isNew: boolean): Partial<R>
  /** Fields with their own check or stored form. `row` has the previous values; undefined: ignored. */
  readonly keep?: Readonly<Record<string, KeepField<R, C>>>
  /** Refuses to create another object with this identity, or returns the existing one. */
  taken?(call: C, holder: R): R
  /** Refuses to destroy a soft-deleted object whose identity is needed. */
  giveWay?(call: C, holder: R): void
  /** A new row as it is stored. */
  created?(call: C, row: R): R
  /** The row before a change, if more than the change happens to it. */
  changing?(call: C, before: R, written: Partial<R>): R
  /** A changed row as it is stored. */
  changed?(call: C, row: R): R
  /** Whether a change without differences counts as one. */
  countsUnchanged?(call: C): boolean
  /** Additional changes by a write of files. */
  filesWritten?(call: C, before: R): Partial<R>
  /** The row as shown in the answer to a write. */
  echoed?(call: C, row: R, isNew: boolean): R
  /** A row of a world in its stored form, with the object's members in the world. */
  seeded?(seeding: ObjectSeeding, row: R, object: JsonObject): R
}

/** The context of every request. */
export interface Surroundings {
  readonly store: Store
  readonly quirks: Quirks
  /** The time of this request, in milliseconds. */
  readonly now: number
  readonly random: () => number
  /** The owner of the key. */
  readonly caller: UserRow
}

/** One admitted request: its key, its organization or project and its body have been checked. */
export interface Call extends Surroundings {
  readonly params: Readonly<Record<string, string>>
  readonly url: URL
  readonly body: JsonObject
  readonly organization: OrganizationRow
  readonly project?: ProjectRow
}

/** A request whose path names a project. */
export interface ProjectCall extends Call {
  readonly project: ProjectRow
}

/**
 * Handlers by endpoint. Each runs as one transaction: if it throws, nothing is changed. Project handlers run
 * only if the path names a project.
 */
export type Handlers = Readonly<Record<string, (call: ProjectCall) => Answer>>

/** The context for creating a world. Its time is that of objects without one. */
export type Seeding = Pick<Surroundings, 'store' | 'now' | 'random'>

/** The context for creating objects of kinds, and their container. */
export interface ObjectSeeding extends Seeding {
  readonly organization: OrganizationRow
  readonly project?: ProjectRow
}
