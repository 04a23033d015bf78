import type { Awaitable } from '../provider.ts'
import type { Draft, Message, RequestName, ResponseName, RpcName } from '../wire/messages.ts'

/** What answers each call. A call that is not here is unimplemented, which Terraform understands. */
export type Handlers = {
  readonly [Rpc in RpcName]?: (request: Message<RequestName<Rpc>>) => Awaitable<Draft<ResponseName<Rpc>>>
}
