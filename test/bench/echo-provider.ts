import { mapMembers } from '../../src/hcl/values/value.ts'
import type { Provider, Resource } from '../../src/terraform/provider.ts'
import { type ProviderContext, processHost, serve } from '../../src/terraform/serve/serve.ts'
import { defineVexil } from '../../src/terraform/vexil-provider.ts'

/**
 * The floor of a provider: the schema of ours and the way in which it is served, and to every question the answer that
 * nothing is to be said and everything is as it was. What ours takes more is what it does.
 */
function defineEcho(context: ProviderContext): Provider {
  const { configure: _, ...provider } = defineVexil(context)
  return { ...provider, resources: mapMembers(provider.resources, echoOf), configure: () => [] }
}

function echoOf({ schema }: Resource): Resource {
  return {
    schema,
    read: ({ state }) => ({ state }),
    plan: ({ proposed }) => ({ planned: proposed }),
    apply: ({ planned }) => ({ state: planned }),
  }
}

void serve(defineEcho, processHost(process))
