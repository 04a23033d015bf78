import { type RequestEvent, requestFields, requestText, Secrets } from '../../api/index.ts'
import type { Runtime } from '../../model/runtime.ts'
import type { Provider } from '../provider.ts'
import { answerCalls } from '../rpc/answer-calls.ts'
import { createCallScope } from '../rpc/call-scope.ts'
import { handlersFor, streamHandlersFor } from '../rpc/handlers-for.ts'
import { createGrpcServer } from './grpc-server.ts'
import { type Address, listen, removeSocket } from './listen.ts'
import { createLogger } from './logger.ts'
import type { MutualTls } from './mutual-tls.ts'
import { createOutlet, type Outlet } from './outlet.ts'
import { addPluginServices, addProvider } from './plugin-services.ts'
import type { ProviderHost } from './provider-host.ts'

/** What a provider is made with. */
export interface ProviderContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly runtime: Runtime
  /** Told of each request that is sent to the service. */
  readonly onRequest?: (event: RequestEvent) => void
}
export type DefineProvider = (context: ProviderContext) => Provider

export interface StartedProvider {
  readonly address: Address
  readonly stdout: Outlet
  /** Stops the calls under way, lets them answer, and closes. The second time it does nothing. */
  close(): Promise<void>
}

/** Starts to listen. `onShutdown` is called when Terraform has no more use for the provider. */
export async function startProvider(
  define: DefineProvider,
  host: ProviderHost,
  onShutdown: () => void,
  tls?: MutualTls,
): Promise<StartedProvider> {
  const { env, runtime } = host
  const provider = define({
    env,
    runtime,
    // No request is sent before everything here is made.
    onRequest: event => logger.debug(requestText(event), requestFields(event)),
  })
  const { secrets = new Secrets() } = provider
  const logger = createLogger({ env, runtime, write: line => host.writeError(secrets.hide(line)) })
  const scope = createCallScope(provider)
  const calls = answerCalls(
    handlersFor(provider, scope),
    { logger, runtime, secrets },
    streamHandlersFor(provider, scope),
  )
  const server = createGrpcServer(logger, tls)
  addProvider(server, calls)
  const stdout = createOutlet()
  const services = addPluginServices(server, stdout, onShutdown)
  const address = await listen(server, host)
  host.onExit(() => removeSocket(address))
  let closing: Promise<void> | undefined
  const close = async () => {
    const waited = new AbortController()
    const patience = runtime.sleep(patienceMs, waited.signal).catch(() => undefined)
    const atRest = (async () => {
      await scope.stop().catch(() => undefined)
      await calls.settled()
      services.endStreams()
      await server.close()
    })()
    await Promise.race([atRest, patience])
    waited.abort()
    server.destroy()
    removeSocket(address)
  }
  return {
    address,
    stdout,
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** Terraform kills what has not ended two seconds after it was told to. */
const patienceMs = 1_500
