import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A way to a service on which the answers to one method never come back, though its requests arrive. */
export interface SilentDoor {
  readonly url: string
  /** Resolves when the service has answered the first of them. */
  readonly swallowed: Promise<void>
  close(): void
}

export async function openSilentDoor(to: string, silenced: string): Promise<SilentDoor> {
  let swallow = () => {}
  const swallowed = new Promise<void>(resolve => {
    swallow = resolve
  })
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming
    const onward = forward(`${to}${url}`, { method, headers }, answer => {
      if (method === silenced) {
        answer.resume().on('end', swallow)
        return
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallowed,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
