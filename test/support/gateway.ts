import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Service } from './service.ts'

/** A request that came to a place on loopback. */
export interface Arrived {
  /** Which connection of those that were opened, and which request on it, both counted from 1. */
  readonly connection: number
  readonly nth: number
  readonly method: string
  /** With its query. */
  readonly target: string
  readonly headers: IncomingMessage['headers']
}

export interface Passed {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Gateway {
  readonly url: string
  readonly arrived: readonly Arrived[]
}

/** A server on loopback that takes note of every request, and of the connection that it came by. Ends with the test. */
export async function aPlace(answer: (request: Arrived, body: string) => Promise<Passed>): Promise<Gateway> {
  const arrived: Arrived[] = []
  const connections = new Map<Socket, { connection: number; count: number }>()
  const server: Server = createServer(async (incoming, outgoing) => {
    const seen = connections.get(incoming.socket) ?? { connection: connections.size + 1, count: 0 }
    connections.set(incoming.socket, seen)
    seen.count++
    const { method = '', url: target = '', headers } = incoming
    const request = { connection: seen.connection, nth: seen.count, method, target, headers }
    arrived.push(request)
    const answered = await text(incoming)
      .then(body => answer(request, body))
      .catch(() => undefined)
    // A service that breaks off breaks off here as well.
    if (answered === undefined) return void incoming.socket.destroy()
    const { status, body, headers: own } = answered
    outgoing.writeHead(status, { 'x-request-id': nameOf(request), ...own }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived }
}

/** How an answer names its request: `2-1` is the first one of the second connection. */
export const nameOf = ({ connection, nth }: Pick<Arrived, 'connection' | 'nth'>) => `${connection}-${nth}`

/** Stands before a service; `change` may answer something else, or in another way. */
export async function aGateway(
  { sandbox }: Service,
  change: (answered: Passed, request: Arrived) => Passed | Promise<Passed> = answered => answered,
): Promise<Gateway> {
  const gateway: Gateway = await aPlace(async (request, body) => {
    const { method, target, headers } = request
    const answer = await sandbox.fetch(
      new Request(`${gateway.url}${target}`, {
        method,
        headers: {
          authorization: headers.authorization ?? '',
          'content-type': headers['content-type'] ?? '',
        },
        ...(body === '' ? {} : { body }),
      }),
    )
    const passed = {
      status: answer.status,
      body: await answer.text(),
      headers: { 'content-type': answer.headers.get('content-type') ?? '' },
    }
    return change(passed, request)
  })
  return gateway
}
