import { version } from '../model/version.ts'
import type { Provider } from './provider.ts'
import type { ProviderContext } from './serve/start.ts'
import { createVexilProvider } from './vexil-provider.ts'

/** The provider `vexil`, in the process that it was started in. */
export function defineVexil({ env, runtime }: ProviderContext): Provider {
  return createVexilProvider({
    env,
    runtime,
    directory: '.',
    userAgent: `vexil-terraform/${version}`,
    proxyEnvironment: env,
  })
}
