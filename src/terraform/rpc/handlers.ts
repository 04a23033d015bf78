import type { Awaitable } from '../provider.ts'
import type {
  Draft,
  EventName,
  Message,
  RequestName,
  ResponseName,
  RpcName,
  StreamName,
} from '../wire/messages.ts'

/** What answers each call. A call that is not here is unimplemented, which Terraform understands. */
export type Handlers = {
  readonly [Rpc in RpcName]?: (request: Message<RequestName<Rpc>>) => Awaitable<Draft<ResponseName<Rpc>>>
}

/** What answers each call that any number of events answer. An event is made when it is taken. */
export type StreamHandlers = {
  readonly [Rpc in StreamName]?: (
    request: Message<RequestName<Rpc>>,
    gone: AbortSignal,
  ) => AsyncIterable<Draft<EventName<Rpc>>>
}
