import { proxyVariables } from '../model/connection.ts'
import type { BaseUrl } from './base-url.ts'
import type { ConnectionOptions, RequestDispatcher } from './exchange.ts'
import { SettingError } from './settings.ts'

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>

export interface DispatcherOptions {
  readonly parallelism: number
  readonly connectTimeoutMs: number
  readonly proxyEnvironment?: ProxyEnvironment
}

/**
 * Carries requests over connections that are opened for the first of them. The connection code is loaded then
 * too: many processes that have a client send nothing.
 */
export function openDispatcher(baseUrl: BaseUrl, options: DispatcherOptions): RequestDispatcher {
  const connections = connectionsTo(baseUrl, options)
  let opened: Promise<RequestDispatcher> | undefined
  const open = async () => (await loadConnections()).openConnections(connections)
  return {
    async request(request) {
      opened ??= open()
      return (await opened).request(request)
    },
    async close() {
      await (await opened)?.close()
    },
  }
}

/** Loads the connection code early, if requests are certain. Nothing is sent. */
const loadConnections = () => import('./open-connections.ts')

function connectionsTo(
  { origin, isLoopback }: BaseUrl,
  { parallelism, connectTimeoutMs, proxyEnvironment = {} }: DispatcherOptions,
): ConnectionOptions {
  const connections = { origin, parallelism, connectTimeoutMs }
  const url = proxyIn(proxyEnvironment)
  // Requests to this machine stay on it: over plain http, a proxy would read the key.
  if (url === '' || isLoopback) return connections
  if (!URL.canParse(url) || !/^(https?|socks5?):$/.test(new URL(url).protocol)) {
    throw new SettingError('proxyEnvironment', 'the proxy in HTTPS_PROXY is not a URL')
  }
  return { ...connections, proxy: { url, exceptFor: variable(proxyEnvironment, proxyVariables.except) } }
}

/** Only https requests go to other machines, so only its proxy counts. `ALL_PROXY` replaces it, as in curl. */
function proxyIn(environment: ProxyEnvironment): string {
  return variable(environment, proxyVariables.https) || variable(environment, proxyVariables.all)
}

function variable(environment: ProxyEnvironment, name: string): string {
  return environment[name.toLowerCase()] ?? environment[name] ?? ''
}
