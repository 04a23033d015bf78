import type { Provider } from '../provider.ts'
import type { CallScope } from './call-scope.ts'
import { diagnosticsToWire } from './diagnostic-to-wire.ts'
import { readPresent, writeKnown } from './dynamic-value.ts'
import { functionHandlers } from './function-handlers.ts'
import type { Handlers, StreamHandlers } from './handlers.ts'
import { listHandlers, listStreams } from './list-handlers.ts'
import { lookUp } from './look-up.ts'
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

/** The calls about data sources. */
function dataSourceHandlers(provider: Provider, scope: CallScope): Handlers {
  const sourceOf = (name: string) => lookUp(provider.dataSources, name, 'data source')
  return {
    async ValidateDataResourceConfig({ type_name, config }) {
      const source = sourceOf(type_name)
      const found = await source.validate?.(readPresent(source.schema.block, config), scope.context())
      return { diagnostics: diagnosticsToWire(found) }
    },
    async ReadDataSource({ type_name, config }) {
      const source = sourceOf(type_name)
      const { block } = source.schema
      const { state, diagnostics } = await source.read(readPresent(block, config), scope.context())
      return { state: writeKnown(block, state), diagnostics: diagnosticsToWire(diagnostics) }
    },
  }
}
