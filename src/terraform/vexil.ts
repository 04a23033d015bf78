import { version } from '../model/version.ts'
import type { Provider } from './provider.ts'
import type { ProviderContext } from './serve/start.ts'
import { createVexilProvider } from './vexil-provider.ts'

/** The provider `vexil`, in the process that it was started in. */
export function defineVexil({ env, world }: ProviderContext): Provider {
  return createVexilProvider({
    env,
    world,
    directory: '.',
    userAgent: `vexil-terraform/${version}`,
    proxyEnvironment: env,
  })
}
