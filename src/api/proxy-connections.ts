import type { Dispatcher } from 'undici'
import connectTunnel from 'undici/lib/api/api-connect.js'
import request from 'undici/lib/api/api-request.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import type { ConnectionOptions, RequestDispatcher } from './exchange.ts'

/** Keep-alive connections through a proxy, except for hosts that need no proxy. */
export function openThroughProxy(
  { parallelism, connectTimeoutMs }: ConnectionOptions,
  { url, exceptFor }: NonNullable<ConnectionOptions['proxy']>,
): RequestDispatcher {
  const connect = { timeout: connectTimeoutMs }
  // All settings are given, even empty ones. Otherwise the agent would read the environment of the process.
  const agent = new EnvHttpProxyAgent({
    httpProxy: '',
    httpsProxy: url,
    noProxy: exceptFor,
    connections: parallelism,
    connect,
    requestTls: connect,
    proxyTls: connect,
    clientFactory: openTunnels,
  })
  return { request: options => request.call(agent, options), close: () => agent.close() }
}

/** Connections to a proxy, for opening tunnels. */
function openTunnels(proxyOrigin: URL, options: object): Dispatcher {
  return Object.assign(new Pool(proxyOrigin, options), { connect: connectTunnel })
}
