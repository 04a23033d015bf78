import type { Provider } from '../provider.ts'
import type { CallScope } from './call-scope.ts'
import { dataSourceHandlers } from './data-source-handlers.ts'
import { functionHandlers } from './function-handlers.ts'
import type { Handlers, StreamHandlers } from './handlers.ts'
import { listHandlers, listStreams } from './list-handlers.ts'
import { providerHandlers } from './provider-handlers.ts'
import { resourceHandlers } from './resource-handlers.ts'

/** What answers Terraform's calls for a provider. */
export function handlersFor(provider: Provider, scope: CallScope): Handlers {
  return {
    ...providerHandlers(provider, scope),
    ...resourceHandlers(provider, scope),
    ...dataSourceHandlers(provider, scope),
    ...listHandlers(provider, scope),
    ...functionHandlers(provider, scope),
  }
}

/** The same of the calls that are answered with streams. */
export function streamHandlersFor(provider: Provider, scope: CallScope): StreamHandlers {
  return listStreams(provider, scope)
}
