import { mapMembers, type ObjectValue } from '../../hcl/values.ts'

import { diagnosticsFrom } from '../diagnostic.ts'
import type { Provider, ResourceList } from '../provider.ts'
import type { Draft, Message } from '../wire/messages.ts'
import type { CallScope } from './call-scope.ts'
import { diagnosticsToWire } from './diagnostic-to-wire.ts'
import { readObject, writeKnown } from './dynamic-value.ts'
import type { Handlers, StreamHandlers } from './handlers.ts'
import { lookUp } from './look-up.ts'
import { identityIn } from './resource/identity.ts'

/** The types whose objects can be listed, by name. */
export function listsOf({ resources }: Provider): Readonly<Record<string, ResourceList>> {
  return Object.fromEntries(
    Object.entries(resources).flatMap(([name, { list }]) => (list ? [[name, list]] : [])),
  )
}

/** The calls about lists of resources that are answered once. */
export function listHandlers(provider: Provider, scope: CallScope): Handlers {
  return {
    async ValidateListResourceConfig({ type_name, config }) {
      const list = lookUp(listsOf(provider), type_name, 'list of')
      const found = await list.validate?.(configOf(list, config), scope.context())
      return { diagnostics: diagnosticsToWire(found) }
    },
  }
}

/** The list itself: an event for each object and, where it breaks off, one that says why. */
export function listStreams(provider: Provider, scope: CallScope): StreamHandlers {
  return {
    ListResource: (request, gone) =>
      objectsIn(provider, request, AbortSignal.any([scope.context().signal, gone])),
  }
}

async function* objectsIn(
  provider: Provider,
  { type_name, config, include_resource_object: isWhole, limit }: Message<'ListResourceRequest'>,
  signal: AbortSignal,
): AsyncGenerator<Draft<'ListResourceEvent'>> {
  try {
    const list = lookUp(listsOf(provider), type_name, 'list of')
    const resource = lookUp(provider.resources, type_name, 'resource')
    // Without a limit there are as many as there are.
    let left = limit > 0 ? Number(limit) : Number.POSITIVE_INFINITY
    for await (const { name, state } of list.objects(configOf(list, config), { isWhole }, { signal })) {
      yield {
        display_name: name,
        identity: identityIn(resource, state),
        ...(isWhole ? { resource_object: writeKnown(resource.schema.block, state) } : {}),
      }
      left -= 1
      if (left <= 0) return
    }
  } catch (error) {
    yield { diagnostic: diagnosticsToWire(diagnosticsFrom(error)) }
  }
}

/** A list that is asked for nothing in particular may come without a configuration. */
function configOf(
  { schema: { block } }: ResourceList,
  config: Message<'DynamicValue'> | undefined,
): ObjectValue {
  return readObject(block, config) ?? mapMembers(block.attributes, () => null)
}
