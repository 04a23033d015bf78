import { once } from 'node:events'
import { createServer } from 'node:http'

/** A webhook on loopback, with the messages that it got. */
export interface Webhook {
  readonly url: string
  readonly received: Message[]
  close(): void
}

/** A message of `notification.schema.json`. */
interface Message {
  readonly environment: string
  readonly state: string
  readonly is: string
  readonly reason?: string
}

export async function startWebhook(): Promise<Webhook> {
  const received: Message[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => (text += chunk))
    request.on('end', () => {
      received.push(JSON.parse(text))
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/hook`, received, close: () => void server.close() }
}
