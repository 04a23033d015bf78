import type { Endpoint, PathParameter, Query, QueryParameter } from '../model/endpoint.ts'
import type { WriteOf } from '../model/field.ts'
import type { Json, JsonObject } from '../model/json/json.ts'
import type { Kind, RecordOf } from '../model/kind.ts'
import type { Page } from './list/read-page.ts'
import type { Id } from './request/request.ts'

/** The endpoints of a kind as functions, their arguments and answers inferred from its literal. */
export type KindCalls<K extends Kind> = {
  readonly [Name in keyof K['endpoints']]: Call<K, Name & string, K['endpoints'][Name]>
}

type Call<K extends Kind, Name extends string, E extends Endpoint> =
  // Without arguments when nothing is required.
  Record<never, never> extends ArgumentsOf<K, Name, E>
    ? (args?: ArgumentsOf<K, Name, E>) => Promise<AnswerFor<K, Name, E>>
    : (args: ArgumentsOf<K, Name, E>) => Promise<AnswerFor<K, Name, E>>

export type ArgumentsOf<K extends Kind, Name extends string, E extends Endpoint> = PathArguments<E['path']> &
  QueryArgument<E> &
  BodyArgument<K, Name, E> & { readonly signal?: AbortSignal }

/** These come from the client's options when they are not given. */
type OwnerParameter = 'project_id' | 'parent_lookup_organization_id'

type PathArguments<Path extends string> = {
  readonly [Name in Exclude<PathParameter<Path>, OwnerParameter>]: Id
} & { readonly [Name in Extract<PathParameter<Path>, OwnerParameter>]?: Id }

type QueryArgument<E extends Endpoint> = E extends { readonly query: infer Q extends Query }
  ? { readonly query?: { readonly [Name in keyof Q]?: QueryValueOf<Q[Name]> } }
  : unknown

type QueryValueOf<P extends QueryParameter> = P extends { readonly oneOf: readonly (infer O)[] }
  ? O
  : P extends { readonly type: 'integer' }
    ? number
    : P extends { readonly type: 'array' }
      ? readonly Json[]
      : string

/** A create, an update and what is not described need a body; an action may go without one. */
type BodyArgument<K extends Kind, Name extends string, E extends Endpoint> = E extends {
  readonly body: infer B
}
  ? IsAction<K, Name, E> extends true
    ? { readonly body?: BodyOf<K, Name, E, B> }
    : { readonly body: BodyOf<K, Name, E, B> }
  : unknown

type IsAction<K extends Kind, Name extends string, E extends Endpoint> = E extends {
  readonly body: 'writable'
}
  ? Name extends LifecycleName<K, 'create' | 'update'> | FilesName<K>
    ? false
    : true
  : false

type BodyOf<K extends Kind, Name extends string, E extends Endpoint, B> =
  Name extends FilesName<K>
    ? Readonly<Record<string, string | null>>
    : B extends 'writable'
      ? // What is only "in the shape of" the kind takes something of its own.
        E extends { readonly answer: 'shape' }
        ? WriteOf<K['fields']> | JsonObject
        : WriteOf<K['fields']>
      : B extends readonly (infer Field)[]
        ? Pick<WriteOf<K['fields']>, Field & keyof WriteOf<K['fields']>>
        : JsonObject

type AnswerFor<K extends Kind, Name extends string, E extends Endpoint> =
  Name extends FilesName<K>
    ? JsonObject
    : E extends { readonly answer: 'page' }
      ? Page<RecordOf<K>>
      : E extends { readonly answer: 'record' }
        ? RecordOf<K>
        : Json | null

type LifecycleName<K extends Kind, Verb extends 'create' | 'update'> = NonNullable<K['lifecycle']>[Verb]

/** The endpoints that carry named texts, whatever the document says of their shape. */
type FilesName<K extends Kind> = K extends {
  readonly lifecycle: { readonly files: { readonly read: infer Read; readonly write: infer Write } }
}
  ? Read | Write
  : never
