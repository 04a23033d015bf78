import { mapMembers } from '../../hcl/values.ts'

import type { Provider, ProviderFunction } from '../provider.ts'
import type { Schema } from '../schema/schema.ts'
import { schemaToWire } from '../schema/to-wire.ts'
import type { Draft } from '../wire/messages.ts'
import type { CallScope } from './call-scope.ts'
import { diagnosticsToWire } from './diagnostic-to-wire.ts'
import { readPresent } from './dynamic-value.ts'
import { functionToWire } from './function-handlers.ts'
import type { Handlers } from './handlers.ts'
import { listsOf } from './list-handlers.ts'

/** The calls about the provider as a whole. */
export function providerHandlers(provider: Provider, scope: CallScope): Handlers {
  const { block } = provider.schema
  const resources = Object.values(provider.resources)
  const capabilities: Draft<'ServerCapabilities'> = {
    plan_destroy: resources.some(({ planRemoval }) => planRemoval !== undefined),
    get_provider_schema_optional: true,
    move_resource_state: resources.some(({ move }) => move !== undefined),
  }
  return {
    GetMetadata: () => ({
      server_capabilities: capabilities,
      resources: namesOf(provider.resources).map(name => ({ type_name: name })),
      data_sources: namesOf(provider.dataSources).map(name => ({ type_name: name })),
      functions: namesOf(provider.functions).map(name => ({ name })),
      list_resources: namesOf(listsOf(provider)).map(name => ({ type_name: name })),
    }),
    GetProviderSchema: () => ({
      provider: schemaToWire(provider.schema),
      resource_schemas: mapMembers(provider.resources, wireSchema),
      data_source_schemas: mapMembers(provider.dataSources, wireSchema),
      functions: mapMembers<ProviderFunction, Draft<'Function'>>(provider.functions, functionToWire),
      list_resource_schemas: mapMembers(listsOf(provider), wireSchema),
      server_capabilities: capabilities,
    }),
    async ValidateProviderConfig({ config }) {
      const found = await provider.validateProvider?.(readPresent(block, config), scope.context())
      return { diagnostics: diagnosticsToWire(found) }
    },
    async ConfigureProvider({ config, terraform_version }) {
      scope.begin()
      const terraform = { version: terraform_version }
      const found = await provider.configure(readPresent(block, config), terraform, scope.context())
      return { diagnostics: diagnosticsToWire(found) }
    },
    async StopProvider() {
      await scope.stop()
      return {}
    },
  }
}

function wireSchema({ schema }: { readonly schema: Schema }): Draft<'Schema'> {
  return schemaToWire(schema)
}

function namesOf(members: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(members)
}
