import { isJsonObject, type JsonObject } from '../model/json/json.ts'
import { type Client, withTypedCalls } from './client.ts'
import { type CallOptions, type ClientTarget, changedTarget } from './client-options.ts'
import { type RecordList, recordsOf } from './list/list.ts'
import type { Answer } from './request/judge-answer.ts'
import type { Id } from './request/request.ts'

/** A call that a wrapped client was asked for, to look at. What is sent of it is not for a wrapper to choose. */
export interface Asked {
  readonly kind: string
  readonly endpoint: string
  readonly options: CallOptions
}

export interface Wrapping {
  /** What the wrapped client says that it talks to, where that is another place. */
  readonly target?: Partial<ClientTarget>
  /** Path parameters of every call and every list that does not give its own. */
  readonly params?: Readonly<Record<string, Id>>
  /** What happens around every call. `send` sends it as it was asked for, with all of its options. */
  readonly around?: (asked: Asked, send: () => Promise<Answer>) => Promise<Answer>
  /** How a kind's bodies are spelled for the service, and its records for whoever asks. */
  readonly spelling?: Spelling
}

export interface Spelling {
  readonly sent: (kind: string, body: JsonObject) => JsonObject
  readonly told: (kind: string, record: JsonObject) => JsonObject
}

/**
 * A client that does something around each call, by whichever door the call comes in: by name, by type, or as a list.
 * A wrapper adds to a call, or spells it otherwise, and cannot take anything from it, so no option is lost on the way.
 */
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
      return { ...answer, body: spelling.told(kind, answer.body) }
    }
    return around ? around({ kind, endpoint, options }, send) : send()
  }
  return withTypedCalls({
    target: changedTarget(client.target, target ?? {}),
    ways: client.ways,
    recognized: client.recognized,
    get requestCount() {
      return client.requestCount
    },
    call,
    probe: (kind, endpoint) => client.probe(kind, endpoint),
    list: (kind, options = {}) => {
      const list = client.list(kind, scoped(options))
      return spelling ? toldList(list, record => spelling.told(kind, record)) : list
    },
    close: () => client.close(),
  })
}

function toldList<R extends JsonObject>(
  list: RecordList<R>,
  told: (record: JsonObject) => JsonObject,
): RecordList<R> {
  async function* pages() {
    // The same records, with texts in them that are other texts.
    for await (const page of list.pages()) yield page.map(record => told(record) as R)
  }
  return {
    get inventory() {
      return list.inventory
    },
    pages,
    [Symbol.asyncIterator]: () => recordsOf(pages()),
  }
}
