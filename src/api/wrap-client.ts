import { type Client, withTypedCalls } from './client.ts'
import { type CallOptions, type ClientTarget, changedTarget } from './client-options.ts'
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
}

/**
 * A client that does something around each call, by whichever door the call comes in: by name, by type, or as a list.
 * A wrapper adds to a call and cannot take anything from it, so no option is lost on the way.
 */
export function wrapClient(client: Client, { target, params, around }: Wrapping): Client {
  const scoped = <O extends Pick<CallOptions, 'params'>>(options: O): O => ({
    ...options,
    params: { ...params, ...options.params },
  })
  const call: Client['call'] = (kind, endpoint, options = {}) => {
    const send = () => client.call(kind, endpoint, scoped(options))
    return around ? around({ kind, endpoint, options }, send) : send()
  }
  return withTypedCalls({
    target: changedTarget(client.target, target ?? {}),
    ways: client.ways,
    get requestCount() {
      return client.requestCount
    },
    call,
    list: (kind, options = {}) => client.list(kind, scoped(options)),
    close: () => client.close(),
  })
}
