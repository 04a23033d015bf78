import type { Provider } from '../provider.ts'
import type { CallScope } from './call-scope.ts'
import { diagnosticsToWire } from './diagnostic-to-wire.ts'
import { readPresent, writeKnown } from './dynamic-value.ts'
import type { Handlers } from './handlers.ts'
import { lookUp } from './look-up.ts'

/** The calls about data sources. */
export function dataSourceHandlers(provider: Provider, scope: CallScope): Handlers {
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
