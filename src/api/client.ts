import { type KindName, type Kinds, kindNamed, kinds } from '../kinds/index.ts'
import type { Endpoint, PathParameter, Query, QueryParameter } from '../model/endpoint.ts'
import type { WriteOf } from '../model/field.ts'
import type { Kind, RecordOf } from '../model/kind.ts'
import { isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import {
  type CallOptions,
  type ClientOptions,
  type ClientTarget,
  Connection,
  changedTarget,
  type ListCallOptions,
  type Recognized,
} from './connection.ts'
import { type Page, type RecordList, readPage, type Ways } from './list.ts'
import type { Answer, Id } from './operation.ts'

/** The basic functions of a client, on which its typed calls are built. */
export interface ClientBase {
  readonly target: ClientTarget
  /** What answers have shown of the service so far. */
  readonly recognized: Recognized
  /** How many requests were sent, including retries. */
  readonly requestCount: number
  /** Which of two forms the service uses for objects, as far as known. */
  readonly routes: Ways
  /** Calls any endpoint by name, for all kinds. Answers keep the field names of the API document. */
  call(kind: string, endpoint: string, options?: CallOptions): Promise<Answer>
  /**
   * Checks whether the key may call an operation, by calling it for an object that cannot exist. The
   * rejection shows the result. A read-only client sends it too.
   */
  probe(kind: string, endpoint: string): Promise<Answer>
  /** All records of a kind, also archived ones. A `limit` in the query is the size of a page. */
  list<K extends string>(kind: K, options?: ListCallOptions): RecordList<RowOf<K>>
  /** Waits for running requests; later requests fail. */
  close(): Promise<void>
}

/** A record of a known kind, or any object. */
type RowOf<K extends string> = K extends KindName ? RecordOf<Kinds[K]> : JsonObject

export type Client = ClientBase & { readonly [K in KindName]: KindCalls<Kinds[K]> }

/** Creates a client. It sends nothing before the first call. */
export function createClient(options: ClientOptions): Client {
  const connection = new Connection(options)
  return withTypedCalls({
    target: connection.target,
    routes: connection.routes,
    recognized: connection.recognized,
    get requestCount() {
      return connection.requestCount
    },
    call: (kind, endpoint, callOptions) => connection.call(kindNamed(kind), endpoint, callOptions),
    probe: (kind, endpoint) => connection.probe(kindNamed(kind), endpoint),
    list: <K extends string>(kind: K, callOptions?: ListCallOptions) =>
      // The rows of a list are assumed to be records of its kind.
      connection.list(kindNamed(kind), callOptions) as RecordList<RowOf<K>>,
    close: () => connection.close(),
  })
}

export function withTypedCalls(base: ClientBase): Client {
  const calls = Object.values<Kind>(kinds).map(kind => [kind.name, kindCalls(kind, base.call)])
  const client = Object.defineProperties(Object.fromEntries(calls), Object.getOwnPropertyDescriptors(base))
  // Calls and types come from the same literals.
  return client as Client
}

type Arguments = Readonly<Record<string, unknown>>

function kindCalls(
  kind: Kind,
  send: ClientBase['call'],
): Record<string, (given?: Arguments) => Promise<unknown>> {
  const calls = Object.entries(kind.endpoints).map(([name, { answer }]) => {
    const call = async (given: Arguments = {}) => {
      const { body } = await send(kind.name, name, sortArguments(given))
      return answer === 'page' ? (readPage(body) ?? body) : body
    }
    return [name, call] as const
  })
  return Object.fromEntries(calls)
}

/** Path parameters are passed together with `query`, `body` and `signal`; none of them has such a name. */
function sortArguments({ query, body, signal, ...params }: Arguments): CallOptions {
  // The types of the calls guarantee each of these.
  return { params, query, body, signal } as CallOptions
}

/** The endpoints of a kind as typed functions. */
type KindCalls<K extends Kind> = {
  readonly [Name in keyof K['endpoints']]: Call<K, Name & string, K['endpoints'][Name]>
}

type Call<K extends Kind, Name extends string, E extends Endpoint> =
  // No arguments if none is required.
  Record<never, never> extends ArgumentsOf<K, Name, E>
    ? (args?: ArgumentsOf<K, Name, E>) => Promise<AnswerFor<K, Name, E>>
    : (args: ArgumentsOf<K, Name, E>) => Promise<AnswerFor<K, Name, E>>

export type ArgumentsOf<K extends Kind, Name extends string, E extends Endpoint> = PathArguments<E['path']> &
  QueryArgument<E> &
  BodyArgument<K, Name, E> & { readonly signal?: AbortSignal }

/** If these are absent, the client's options are used. */
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

/** The type of a body. It is optional for an action. */
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
      ? // Endpoints with the shape of another kind have their own body.
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

/** The endpoints for source files. */
type FilesName<K extends Kind> = K extends {
  readonly lifecycle: { readonly files: { readonly read: infer Read; readonly write: infer Write } }
}
  ? Read | Write
  : never

/** A call on a wrapped client, as its wrapper sees it. */
export interface Asked {
  readonly kind: string
  readonly endpoint: string
  readonly options: CallOptions
}

export interface Wrapping {
  /** Replaces members of the target, if it is another place. */
  readonly target?: Partial<ClientTarget>
  /** Default path parameters. */
  readonly params?: Readonly<Record<string, Id>>
  /** Runs around each call. `send` sends it with all its options. */
  readonly around?: (asked: Asked, send: () => Promise<Answer>) => Promise<Answer>
  /** Changes the spelling of bodies and records. */
  readonly spelling?: Spelling
}

export interface Spelling {
  readonly sent: (kind: string, body: JsonObject) => JsonObject
  readonly received: (kind: string, record: JsonObject) => JsonObject
}

/** A client that does something around each call or list. A wrapper cannot remove options. */
export function wrapClient(client: Client, { target, params, around, spelling }: Wrapping): Client {
  const scoped = <O extends Pick<CallOptions, 'params'>>(options: O): O => ({
    ...options,
    params: { ...params, ...options.params },
  })
  const call: Client['call'] = (kind, endpoint, options = {}) => {
    const send = async () => {
      const { body } = options
      const spelled = body && spelling ? { ...options, body: spelling.sent(kind, body) } : options
      const answer = await client.call(kind, endpoint, scoped(spelled))
      if (!spelling || !isJsonObject(answer.body)) return answer
      return { ...answer, body: spelling.received(kind, answer.body) }
    }
    return around ? around({ kind, endpoint, options }, send) : send()
  }
  return withTypedCalls({
    target: changedTarget(client.target, target ?? {}),
    routes: client.routes,
    recognized: client.recognized,
    get requestCount() {
      return client.requestCount
    },
    call,
    probe: (kind, endpoint) => client.probe(kind, endpoint),
    list: (kind, options = {}) => {
      const list = client.list(kind, scoped(options))
      // The records have the same type after respelling.
      return spelling ? list.map(record => spelling.received(kind, record) as typeof record) : list
    },
    close: () => client.close(),
  })
}
