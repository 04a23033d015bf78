import { type KindName, type Kinds, kindNamed, kinds } from '../kinds/index.ts'
import type { JsonObject } from '../model/json/json.ts'
import type { Kind, RecordOf } from '../model/kind.ts'
import type { CallOptions, ClientOptions, ClientTarget, ListCallOptions } from './client-options.ts'
import { Connection } from './connection.ts'
import type { RecordList } from './list/list.ts'
import { readPage } from './list/read-page.ts'
import type { Ways } from './list/ways.ts'
import type { Recognized } from './recognition.ts'
import type { Answer } from './request/judge-answer.ts'
import type { KindCalls } from './typed-calls.ts'

/** What every client does by itself; its typed calls follow from it. */
export interface ClientBase {
  readonly target: ClientTarget
  /** What answers have shown of the service so far. */
  readonly recognized: Recognized
  /** How many requests were sent, repeats included. */
  readonly requestCount: number
  /** How the service holds objects that there are two ways for, as far as it has shown. */
  readonly ways: Ways
  /** Any endpoint by name, for code that works over kinds. Its answer is in the interface's own spelling. */
  call(kind: string, endpoint: string, options?: CallOptions): Promise<Answer>
  /**
   * Asks whether the key is let in to an operation, without doing it: on an object that cannot be. What it rejects with is
   * the answer; a client that only reads sends it too.
   */
  probe(kind: string, endpoint: string): Promise<Answer>
  /**
   * All records of a kind's list, whichever way the service has it, and those that it keeps apart. A `limit` in the query is the size of a page, not of
   * the list.
   */
  list<K extends string>(kind: K, options?: ListCallOptions): RecordList<RowOf<K>>
  /** Waits for the requests under way; later ones fail. */
  close(): Promise<void>
}

/** A row of a kind that is named in the code, or of any kind. */
type RowOf<K extends string> = K extends KindName ? RecordOf<Kinds[K]> : JsonObject

export type Client = ClientBase & { readonly [K in KindName]: KindCalls<Kinds[K]> }

/** Opens a client. Nothing is sent before the first call. */
export function createClient(options: ClientOptions): Client {
  const connection = new Connection(options)
  return withTypedCalls({
    target: connection.target,
    ways: connection.ways,
    recognized: connection.recognized,
    get requestCount() {
      return connection.requestCount
    },
    call: (kind, endpoint, callOptions) => connection.call(kindNamed(kind), endpoint, callOptions),
    probe: (kind, endpoint) => connection.probe(kindNamed(kind), endpoint),
    list: <K extends string>(kind: K, callOptions?: ListCallOptions) =>
      // Rows of a list are records of its kind, as far as anybody can promise.
      connection.list(kindNamed(kind), callOptions) as RecordList<RowOf<K>>,
    close: () => connection.close(),
  })
}

/** A client whose typed calls go the way of its calls by name. */
export function withTypedCalls(base: ClientBase): Client {
  const calls = Object.values<Kind>(kinds).map(kind => [kind.name, kindCalls(kind, base.call)])
  const client = Object.defineProperties(Object.fromEntries(calls), Object.getOwnPropertyDescriptors(base))
  // The calls are made from the same literals that their types are inferred from.
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

/** Path parameters stand beside `query`, `body` and `signal`, and none of them has such a name. */
function sortArguments({ query, body, signal, ...params }: Arguments): CallOptions {
  // The types of the calls have made sure of each.
  return { params, query, body, signal } as CallOptions
}
