import { mapMembers, type ObjectValue, typeJson } from '../../hcl/values.ts'
import { messageOf } from '../../model/text/message-of.ts'
import { ArgumentError } from '../../schema/terraform/call-provider-function.ts'
import type { FunctionParameter } from '../../schema/terraform/terraform-schema.ts'
import {
  type Awaitable,
  type CallContext,
  DiagnosticError,
  diagnosticsFrom,
  errorDiagnostic,
  hasError,
  type Provider,
  type ProviderFunction,
  type ResourceList,
  type Schema,
} from '../provider.ts'
import { sharedController } from '../session.ts'
import type { Draft, EventName, Message, RequestName, ResponseName, RpcName, StreamName } from './messages.ts'
import { applyResource, planResource } from './plan-and-apply.ts'
import {
  askedIdentity,
  asRead,
  diagnosticsToWire,
  identityIn,
  identityToWire,
  lookUp,
  moveResource,
  readObject,
  readPresent,
  readValue,
  schemaToWire,
  upgradeIdentity,
  upgradeState,
  writeKnown,
  writeValue,
} from './to-wire.ts'

export function handlersFor(provider: Provider, scope: CallScope): Handlers {
  return {
    ...providerHandlers(provider, scope),
    ...resourceHandlers(provider, scope),
    ...dataSourceHandlers(provider, scope),
    ...listHandlers(provider, scope),
    ...functionHandlers(provider, scope),
  }
}

export function streamHandlersFor(provider: Provider, scope: CallScope): StreamHandlers {
  return listStreams(provider, scope)
}

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

/** The handler of each call. A missing call is answered as unimplemented, which Terraform understands. */
export type Handlers = {
  readonly [Rpc in RpcName]?: (request: Message<RequestName<Rpc>>) => Awaitable<Draft<ResponseName<Rpc>>>
}

/** The handler of each call with a stream of events. Events are created on demand. */
export type StreamHandlers = {
  readonly [Rpc in StreamName]?: (
    request: Message<RequestName<Rpc>>,
    gone: AbortSignal,
  ) => AsyncIterable<Draft<EventName<Rpc>>>
}

function providerHandlers(provider: Provider, scope: CallScope): Handlers {
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
      resources: Object.keys(provider.resources).map(name => ({ type_name: name })),
      data_sources: Object.keys(provider.dataSources).map(name => ({ type_name: name })),
      functions: Object.keys(provider.functions).map(name => ({ name })),
      list_resources: Object.keys(listsOf(provider)).map(name => ({ type_name: name })),
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

/** The calls for resources. The long calls, for planning and writing, have their own files. */
function resourceHandlers(provider: Provider, scope: CallScope): Handlers {
  const resourceOf = (name: string) => lookUp(provider.resources, name, 'resource')
  const canMove = Object.values(provider.resources).some(({ move }) => move !== undefined)
  return {
    async ValidateResourceConfig({ type_name, config }) {
      const resource = resourceOf(type_name)
      const found = await resource.validate?.(readPresent(resource.schema.block, config), scope.context())
      return { diagnostics: diagnosticsToWire(found) }
    },
    UpgradeResourceState({ type_name, version, raw_state }) {
      const resource = resourceOf(type_name)
      const upgraded = upgradeState(resource.schema, Number(version), raw_state)
      if (upgraded) resource.noteState?.(upgraded)
      return { upgraded_state: writeKnown(resource.schema.block, upgraded) }
    },
    GetResourceIdentitySchemas: () => ({
      identity_schemas: Object.fromEntries(
        Object.entries(provider.resources).flatMap(([name, { identity }]) =>
          identity ? [[name, identityToWire(identity)]] : [],
        ),
      ),
    }),
    UpgradeResourceIdentity: ({ type_name, version, raw_identity }) => ({
      upgraded_identity: upgradeIdentity(resourceOf(type_name), Number(version), raw_identity),
    }),
    async ReadResource({ type_name, current_state, private: kept, current_identity: identity }) {
      const asBefore = { new_state: current_state, private: kept, new_identity: identity }
      try {
        const resource = resourceOf(type_name)
        const { block } = resource.schema
        const state = readObject(block, current_state)
        if (!state) return asBefore
        const answer = await resource.read({ state, private: kept }, scope.context())
        const diagnostics = diagnosticsToWire(answer.diagnostics)
        // A failed read never makes an object count as gone.
        if (hasError(answer.diagnostics ?? [])) return { ...asBefore, diagnostics }
        return {
          new_state: asRead(answer.state, state, current_state) ?? writeKnown(block, answer.state),
          private: answer.private ?? kept,
          new_identity: identityIn(resource, answer.state, identity),
          diagnostics,
        }
      } catch (error) {
        const diagnostics = diagnosticsToWire(diagnosticsFrom(error))
        return { ...asBefore, diagnostics }
      }
    },
    PlanResourceChange: request => planResource(resourceOf(request.type_name), request, scope.context()),
    ApplyResourceChange: request => applyResource(provider.resources, request, scope.context()),
    async ImportResourceState({ type_name, id, identity }) {
      const resource = resourceOf(type_name)
      const asked = askedIdentity(resource, identity)
      const found = asked
        ? await resource.importByIdentity?.(asked, scope.context())
        : await resource.import?.(id, scope.context())
      if (!found) throw new DiagnosticError(errorDiagnostic(`a "${type_name}" cannot be imported`))
      const { state, private: kept, diagnostics } = found
      const imported = {
        type_name,
        state: writeKnown(resource.schema.block, state),
        private: kept,
        identity: identityIn(resource, state, identity),
      }
      return {
        imported_resources: hasError(diagnostics ?? []) ? [] : [imported],
        diagnostics: diagnosticsToWire(diagnostics),
      }
    },
    ...(canMove
      ? {
          MoveResourceState: request =>
            moveResource(resourceOf(request.target_type_name), request, scope.context()),
        }
      : {}),
  }
}

/** The calls for functions. Their errors name an argument instead of an attribute. */
function functionHandlers(provider: Provider, scope: CallScope): Handlers {
  return {
    GetFunctions: () => ({ functions: mapMembers(provider.functions, functionToWire) }),
    async CallFunction({ name, arguments: given }) {
      try {
        const called = lookUp(provider.functions, name, 'function')
        const values = given.map((argument, index) => readValue(parameterAt(called, index).type, argument))
        return { result: writeValue(called.result, await called.call(values, scope.context())) }
      } catch (error) {
        const argument = error instanceof ArgumentError ? error.argument : undefined
        return { error: { text: messageOf(error), function_argument: argument } }
      }
    },
  }
}

function functionToWire({
  summary,
  description,
  parameters,
  variadic,
  result,
}: ProviderFunction): Draft<'Function'> {
  return {
    parameters: parameters.map(parameterToWire),
    ...(variadic ? { variadic_parameter: parameterToWire(variadic) } : {}),
    return: { type: Buffer.from(typeJson(result)) },
    summary,
    description,
    description_kind: 'markdown',
  }
}

function parameterAt({ parameters, variadic }: ProviderFunction, index: number): FunctionParameter {
  const parameter = parameters[index] ?? variadic
  if (!parameter) throw new ArgumentError(index, 'too many arguments')
  return parameter
}

function parameterToWire({ name, type, description, allowUnknown }: FunctionParameter): Draft<'Parameter'> {
  return {
    name,
    type: Buffer.from(typeJson(type)),
    // The generator of CDK Terrain cannot compile it before a variadic parameter.
    allow_null_value: false,
    allow_unknown_values: allowUnknown,
    description,
    description_kind: 'markdown',
  }
}

/** The resource types that can be listed, by name. */
function listsOf({ resources }: Provider): Readonly<Record<string, ResourceList>> {
  return Object.fromEntries(
    Object.entries(resources).flatMap(([name, { list }]) => (list ? [[name, list]] : [])),
  )
}

/** The calls for lists that have one answer. */
function listHandlers(provider: Provider, scope: CallScope): Handlers {
  return {
    async ValidateListResourceConfig({ type_name, config }) {
      const list = lookUp(listsOf(provider), type_name, 'list of')
      const found = await list.validate?.(configOf(list, config), scope.context())
      return { diagnostics: diagnosticsToWire(found) }
    },
  }
}

/** Streams a list: an event for each object and, after a failure, one with the error. */
function listStreams(provider: Provider, scope: CallScope): StreamHandlers {
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
    // Without a limit, all objects are listed.
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

/** A list without filters may have no configuration. */
function configOf(
  { schema: { block } }: ResourceList,
  config: Message<'DynamicValue'> | undefined,
): ObjectValue {
  return readObject(block, config) ?? mapMembers(block.attributes, () => null)
}

/** The running calls, which can be stopped together. */
interface CallScope {
  context(): CallContext
  /** Aborts the running calls, and all new calls until the next run begins. */
  stop(): Promise<void>
  /** Begins another run, which the stop of the earlier run does not affect. */
  begin(): void
}

export function createCallScope(provider: Provider): CallScope {
  let stopping = sharedController()
  return {
    context: () => ({ signal: stopping.signal }),
    async stop() {
      stopping.abort(new Error("stopped at Terraform's request"))
      await provider.stop?.()
    },
    begin() {
      if (stopping.signal.aborted) stopping = sharedController()
    },
  }
}
