import { openDirectly } from './direct-connections.ts'
import type { ConnectionOptions, RequestDispatcher } from './request-dispatcher.ts'

/** Kept-alive connections to an origin, as many as requests may be under way; through a proxy if there is one. */
export async function openConnections(options: ConnectionOptions): Promise<RequestDispatcher> {
  const { proxy } = options
  if (!proxy) return openDirectly(options)
  const { openThroughProxy } = await import('./proxy-connections.ts')
  return openThroughProxy(options, proxy)
}
