import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A way to a service on which one request can be kept waiting for as long as a test needs it to. */
export interface Door {
  readonly url: string
  /** Resolves when the request that is kept waiting has come. */
  readonly held: Promise<void>
  /** Lets it through. */
  release(): void
  close(): void
}

export async function openDoor(to: string, isHeld: (request: IncomingMessage) => boolean): Promise<Door> {
  let arrive = () => {}
  let release = () => {}
  const held = new Promise<void>(resolve => {
    arrive = resolve
  })
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const server = createServer(async (incoming, outgoing) => {
    if (isHeld(incoming)) {
      arrive()
      await released
    }
    const { method, headers, url } = incoming
    const onward = forward(`${to}${url}`, { method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    // Whoever asked may be gone by now, and the service with the test.
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held,
    release,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
