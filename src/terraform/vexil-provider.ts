import { Secrets } from '../api/index.ts'
import { mapMembers } from '../hcl/values.ts'
import { declarableKinds } from '../kinds/index.ts'
import { version } from '../model/version.ts'
import { callProviderFunction } from '../schema/terraform/call-provider-function.ts'
import { dataSources } from '../schema/terraform/terraform-data-sources.ts'
import {
  type FunctionName,
  type FunctionSignature,
  functionSignatures,
} from '../schema/terraform/terraform-functions.ts'
import { typeName } from '../schema/terraform/terraform-names.ts'
import { providerBlock } from '../schema/terraform/terraform-schema.ts'
import type { Provider, ProviderFunction } from './provider.ts'
import { checkProvider } from './provider-settings.ts'
import { describedSource } from './resources/data-source.ts'
import { kindResource } from './resources/kind-resource.ts'
import type { ProviderContext } from './serve/serve.ts'
import { blockSchema, Session, type SessionOptions } from './session.ts'

export type VexilProviderOptions = SessionOptions

/** The provider of all kinds. Its configuration names the service; nothing is opened before it is needed. */
export function createVexilProvider(options: VexilProviderOptions): Provider & { close(): Promise<void> } {
  const secrets = options.secrets ?? new Secrets()
  const session = new Session({ ...options, secrets })
  return {
    secrets,
    schema: blockSchema(providerBlock),
    resources: Object.fromEntries(
      declarableKinds.map(kind => [typeName(kind.name), kindResource(kind, session)]),
    ),
    dataSources: Object.fromEntries(
      Object.entries(dataSources).map(([name, source]) => [typeName(name), describedSource(source, session)]),
    ),
    functions: providerFunctions(),
    validateProvider: config => {
      session.validated(config)
      return checkProvider(config)
    },
    async configure(config) {
      await session.configure(config)
      return []
    },
    stop() {
      // The answer to a stop does not wait for changes that are still finishing.
      session.stop().catch(() => {})
    },
    close: () => session.close(),
  }
}

/** The provider `vexil`, in the process that it was started in. */
export function defineVexil({ env, runtime, onRequest }: ProviderContext): Provider {
  return createVexilProvider({
    env,
    runtime,
    onRequest,
    directory: '.',
    userAgent: `vexil-terraform/${version}`,
    proxyEnvironment: env,
  })
}

/** The functions of the provider, in the form of the protocol. */
export function providerFunctions(): Readonly<Record<string, ProviderFunction>> {
  return mapMembers<FunctionSignature, ProviderFunction>(
    functionSignatures,
    ({ summary, description, parameters, variadic, returns }, name) => ({
      summary,
      description,
      parameters,
      ...(variadic ? { variadic } : {}),
      result: returns,
      // The names are those of the signatures.
      call: given => callProviderFunction(name as FunctionName, given),
    }),
  )
}
