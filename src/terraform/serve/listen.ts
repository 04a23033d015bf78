import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { GrpcServer } from './grpc-server.ts'
import type { ProviderHost } from './provider-host.ts'

/** Where a provider is reached, as the handshake says it. */
export interface Address {
  readonly network: 'unix' | 'tcp'
  readonly at: string
}

/** Binds the server to a socket file, or to a port of this machine where there can be none. */
export async function listen(server: GrpcServer, host: ProviderHost): Promise<Address> {
  const folder = host.env.PLUGIN_UNIX_SOCKET_DIR || host.temporaryDirectory
  const path = join(folder, `plugin${host.runtime.uniqueId()}`)
  if (host.platform !== 'win32' && Buffer.byteLength(path) <= longestSocketPath) {
    await server.listen({ path })
    return { network: 'unix', at: path }
  }
  return { network: 'tcp', at: `127.0.0.1:${await bindPort(server, host.env)}` }
}

/** Removes the socket file. Closing would, but not when the process just ends. */
export function removeSocket({ network, at }: Address): void {
  if (network === 'unix') rmSync(at, { force: true })
}

/** macOS takes 103 bytes, Linux a few more. */
const longestSocketPath = 103

/** A port of the range that Terraform allows; any, where it names none. */
async function bindPort(server: GrpcServer, env: ProviderHost['env']): Promise<number> {
  const host = '127.0.0.1'
  const [first, last] = [Number(env.PLUGIN_MIN_PORT), Number(env.PLUGIN_MAX_PORT)]
  if (!(first > 0 && last >= first)) return server.listen({ host, port: 0 })
  for (let port = first; port <= last; port++) {
    const bound = await server.listen({ host, port }).catch(() => undefined)
    if (bound !== undefined) return bound
  }
  throw new Error(`no port from ${first} to ${last} is free for the provider`)
}
