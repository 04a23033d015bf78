import { Secrets } from '../api/index.ts'
import { declarableKinds } from '../kinds/index.ts'
import { version } from '../model/version.ts'
import { dataSources } from '../schema/terraform/terraform-data-sources.ts'
import { typeName } from '../schema/terraform/terraform-names.ts'
import { providerBlock } from '../schema/terraform/terraform-schema.ts'
import { describedSource } from './data-sources/data-source.ts'
import { providerFunctions } from './functions/functions.ts'
import type { Provider } from './provider.ts'
import { kindResource } from './resources/kind-resource.ts'
import type { ProviderContext } from './serve/start.ts'
import { blockSchema } from './session/block-schema.ts'
import { checkProvider } from './session/provider-settings.ts'
import { Session, type SessionOptions } from './session/session.ts'

export type VexilProviderOptions = SessionOptions

/** The provider of all kinds. What it is configured with decides where, and nothing is opened before it is needed. */
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
      // The answer to a stop does not wait for what is still being finished.
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
