import type { Dispatcher } from 'undici'
import connectTunnel from 'undici/lib/api/api-connect.js'
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
  const { default: EnvHttpProxyAgent } = await import('undici/lib/dispatcher/env-http-proxy-agent.js')
  // Every setting is given, even the empty ones, since the agent reads the process's own environment otherwise.
  const agent = new EnvHttpProxyAgent({
    httpProxy: '',
    httpsProxy: proxy.url,
    noProxy: proxy.exceptFor,
    connections: parallelism,
    connect,
    requestTls: connect,
    proxyTls: connect,
    clientFactory: openTunnels,
  })
  return { request: options => request.call(agent, options), close: () => agent.close() }
}

/** Connections to a proxy, which are asked for tunnels. */
function openTunnels(proxyOrigin: URL, options: object): Dispatcher {
  return Object.assign(new Pool(proxyOrigin, options), { connect: connectTunnel })
}
