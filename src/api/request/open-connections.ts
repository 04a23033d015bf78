import type { Dispatcher } from 'undici'
import request from 'undici/lib/api/api-request.js'
import Pool from 'undici/lib/dispatcher/pool.js'

/** What carries requests: one of the library's, or one that is opened when it is first needed. */
export interface RequestDispatcher {
  request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>
  close(): Promise<void>
}

export interface ConnectionOptions {
  readonly origin: string
  readonly parallelism: number
  readonly connectTimeoutMs: number
  readonly proxy?: { readonly url: string; readonly exceptFor: string }
}

/** Kept-alive connections to an origin, as many as requests may be under way; through a proxy if there is one. */
export async function openConnections({
  origin,
  parallelism,
  connectTimeoutMs,
  proxy,
}: ConnectionOptions): Promise<RequestDispatcher> {
  const connect = { timeout: connectTimeoutMs }
  if (!proxy) {
    const pool = new Pool(origin, { connections: parallelism, connect })
    return { request: options => request.call(pool, options), close: () => pool.close() }
  }
  const { EnvHttpProxyAgent } = await import('undici')
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
