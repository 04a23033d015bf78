import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIPv6, type Socket } from 'node:net'

export interface HealthOptions {
  /** `host:port`, `[IPv6]:port`, or `:port` for all addresses of the machine. Port 0 is any free port. */
  readonly listen: string
  readonly health: () => Health
  readonly metrics: () => Promise<Metrics>
}

export interface Health {
  readonly ok: boolean
  /** Further members of the answer. Everybody who can reach the port can read them. */
  readonly body: object
}

interface Metrics {
  readonly text: string
  readonly contentType: string
}

export interface HealthServer {
  readonly url: string
  /** Waits for running answers. Other connections end at once. */
  close(): Promise<void>
}

interface ListenAddress {
  /** Undefined for all addresses of the machine. */
  readonly host: string | undefined
  readonly port: number
}

/**
 * Answers probes and Prometheus. Throws an Error if it cannot listen.
 *
 * | request              | answer                                                      |
 * |----------------------|-------------------------------------------------------------|
 * | GET, HEAD `/healthz` | 200 or 503, with `{ "status": "ok" }` or `"failing"`        |
 * | GET, HEAD `/metrics` | 200; 500 if the text cannot be computed                     |
 * | another method       | 405                                                         |
 * | another path         | 404; no answer quotes the request                           |
 */
export async function serveHealth({ listen, health, metrics }: HealthOptions): Promise<HealthServer> {
  const { host, port } = parseListen(listen)
  const answers: Readonly<Record<string, () => Promise<Answer>>> = {
    '/healthz': async () => healthAnswer(health()),
    '/metrics': async () => {
      const { text, contentType } = await metrics()
      return { status: 200, type: contentType, text }
    },
  }
  const sockets = new Set<Socket>()
  const answering = new Set<Socket>()
  let closing: Promise<unknown> | undefined
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    const { socket } = request
    answering.add(socket)
    response.once('close', () => {
      answering.delete(socket)
      if (closing) socket.end()
    })
    void respond(request, response, answers)
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(listenError(listen, error)))
    server.listen({ host, port }, resolve)
  })
  // Without a listener, a failure to accept a connection would end the program.
  server.on('error', () => {})
  return {
    url: addressOf(host, server.address()),
    async close() {
      closing ??= once(server.close(), 'close')
      // Node counts a connection without any request as busy.
      for (const socket of sockets) if (!answering.has(socket)) socket.destroy()
      await closing
    },
  }
}

/** Reads an address to listen at. Throws an Error that shows how to write one. */
export function parseListen(text: string): ListenAddress {
  const [, inBrackets, name, digits] = /^(?:\[([^\]]+)\]|([\w.-]*)):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535 || (inBrackets !== undefined && !isIPv6(inBrackets)))
    throw new Error(`"${text}" is not an address to listen at; write host:port, [IPv6]:port or :port`)
  return { host: inBrackets ?? (name || undefined), port }
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

const plain = 'text/plain; charset=utf-8'

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answers: Readonly<Record<string, () => Promise<Answer>>>,
): Promise<void> {
  const { status, type, text, headers } = await answerTo(request, answers)
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  // Node leaves the text out of an answer to HEAD.
  response.end(text)
}

async function answerTo(
  { method = '', url = '' }: IncomingMessage,
  answers: Readonly<Record<string, () => Promise<Answer>>>,
): Promise<Answer> {
  const path = url.split('?', 1)[0] ?? ''
  const answer = Object.hasOwn(answers, path) ? answers[path] : undefined
  if (!answer) return { status: 404, type: plain, text: 'not found\n' }
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, type: plain, text: 'use GET\n', headers: { allow: 'GET, HEAD' } }
  try {
    return await answer()
  } catch {
    return { status: 500, type: plain, text: 'the answer cannot be computed\n' }
  }
}

function healthAnswer({ ok, body }: Health): Answer {
  const text = JSON.stringify({ status: ok ? 'ok' : 'failing', ...body })
  return { status: ok ? 200 : 503, type: 'application/json', text: `${text}\n` }
}

function addressOf(
  host: string | undefined,
  address: ReturnType<ReturnType<typeof createServer>['address']>,
) {
  const port = typeof address === 'object' ? address?.port : undefined
  const name = host ?? '127.0.0.1'
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`
}

const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses the port',
  EACCES: 'the port needs more permissions',
  EADDRNOTAVAIL: 'the machine does not have the address',
  ENOTFOUND: 'the name of the host is unknown',
}

function listenError(listen: string, error: NodeJS.ErrnoException): Error {
  const code = error.code ?? 'unknown reason'
  return new Error(`cannot listen at "${listen}": ${listenProblems[code] ?? code}`, { cause: error })
}
