import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { QuirkService } from './repository.ts'

export interface WatchedDoor {
  /** What a command needs to come through this door. */
  readonly env: Readonly<Record<string, string>>
  close(): void
}

/** A door in front of a service at which somebody else may act just before a request goes in. */
export async function watchDoor(
  service: QuirkService,
  before: (requestLine: string) => Promise<void>,
): Promise<WatchedDoor> {
  const server = createServer(async (incoming, outgoing) => {
    const { method, headers, url } = incoming
    await before(`${method} ${url}`)
    const onward = forward(`${service.url}${url}`, { method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    env: { ...service.env, VEXIL_BASE_URL: `http://127.0.0.1:${port}` },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
