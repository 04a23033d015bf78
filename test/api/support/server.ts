import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly method: string
  /** Path and query, as they came. */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface TestServer {
  readonly url: string
  readonly received: readonly Received[]
  /** The most requests that were under way at once. */
  readonly mostAtOnce: number
}

type Respond = (request: Received, response: ServerResponse, index: number) => void | Promise<void>

/** A real server on loopback for one test. */
export async function aServer(respond: Respond): Promise<TestServer> {
  const received: Received[] = []
  let atOnce = 0
  let mostAtOnce = 0
  const server = createServer(async (request, response) => {
    atOnce += 1
    mostAtOnce = Math.max(mostAtOnce, atOnce)
    response.on('close', () => {
      atOnce -= 1
    })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one: Received = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    }
    received.push(one)
    await respond(one, response, received.length - 1)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    get mostAtOnce() {
      return mostAtOnce
    },
  }
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Answers the first requests with each of the answers in turn, and the later ones with the last. */
export function answers(...list: readonly ((response: ServerResponse) => void)[]): Respond {
  return (_, response, index) => list[Math.min(index, list.length - 1)]?.(response)
}
