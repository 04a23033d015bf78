import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import type { BaseUrl } from './base-url.ts'
import { SettingError } from './setting-error.ts'

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>

export interface DispatcherOptions {
  readonly parallelism: number
  readonly connectTimeoutMs: number
  readonly proxyEnvironment?: ProxyEnvironment
}

/** Kept-alive connections to the base URL's origin, as many as requests may be under way; through a proxy if one is set. */
export function openDispatcher(
  { origin, isLoopback }: BaseUrl,
  { parallelism, connectTimeoutMs, proxyEnvironment = {} }: DispatcherOptions,
): Dispatcher {
  const connect = { timeout: connectTimeoutMs }
  const proxy = proxyIn(proxyEnvironment)
  // Requests to this machine stay on it: over plain http, a proxy would read the key.
  if (proxy === '' || isLoopback) return new Pool(origin, { connections: parallelism, connect })
  try {
    // Every setting is given, even the empty ones, since the agent reads the process's own environment otherwise.
    return new EnvHttpProxyAgent({
      httpProxy: '',
      httpsProxy: proxy,
      noProxy: variable(proxyEnvironment, 'no_proxy'),
      connections: parallelism,
      connect,
      requestTls: connect,
      proxyTls: connect,
    })
  } catch {
    throw new SettingError('proxyEnvironment', 'the proxy in HTTPS_PROXY is not a URL')
  }
}

/** Only https leaves this machine, so only its proxy counts; `ALL_PROXY` stands in for it, as it does for curl. */
function proxyIn(environment: ProxyEnvironment): string {
  return variable(environment, 'https_proxy') || variable(environment, 'all_proxy')
}

function variable(environment: ProxyEnvironment, name: string): string {
  return environment[name] ?? environment[name.toUpperCase()] ?? ''
}
