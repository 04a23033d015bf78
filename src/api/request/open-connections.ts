import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'

export interface ConnectionOptions {
  readonly origin: string
  readonly parallelism: number
  readonly connectTimeoutMs: number
  readonly proxy?: { readonly url: string; readonly exceptFor: string }
}

/** Kept-alive connections to an origin, as many as requests may be under way; through a proxy if there is one. */
export function openConnections({
  origin,
  parallelism,
  connectTimeoutMs,
  proxy,
}: ConnectionOptions): Dispatcher {
  const connect = { timeout: connectTimeoutMs }
  if (!proxy) return new Pool(origin, { connections: parallelism, connect })
  // Every setting is given, even the empty ones, since the agent reads the process's own environment otherwise.
  return new EnvHttpProxyAgent({
    httpProxy: '',
    httpsProxy: proxy.url,
    noProxy: proxy.exceptFor,
    connections: parallelism,
    connect,
    requestTls: connect,
    proxyTls: connect,
  })
}
