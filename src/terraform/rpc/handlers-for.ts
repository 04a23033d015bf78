import type { Provider } from '../provider.ts'
import type { CallScope } from './call-scope.ts'
import { dataSourceHandlers } from './data-source-handlers.ts'
import { functionHandlers } from './function-handlers.ts'
import type { Handlers } from './handlers.ts'
import { providerHandlers } from './provider-handlers.ts'
import { resourceHandlers } from './resource-handlers.ts'

/** What answers Terraform's calls for a provider. */
export function handlersFor(provider: Provider, scope: CallScope): Handlers {
  return {
    ...providerHandlers(provider, scope),
    ...resourceHandlers(provider, scope),
    ...dataSourceHandlers(provider, scope),
    ...functionHandlers(provider, scope),
  }
}
