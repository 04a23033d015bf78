import type { PathParameter } from '../../model/endpoint.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { Kind } from '../../model/kind.ts'
import type { Quirks } from '../behaviour/quirks.ts'
import type { Answer } from '../http/answer.ts'
import type { OrganizationRow, ProjectRow, UserRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

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
