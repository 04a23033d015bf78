import { createServer, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Sandbox, SandboxSummary } from '../sandbox.ts'
import type { Answer, Connection } from './answer.ts'
import { isAllowedHost } from './app.ts'

export interface ServeOptions {
  readonly host?: string
  /** 0 picks a free port. */
  readonly port?: number
  /** Whether the process may end while it listens, if it has nothing else to do. */
  readonly mayEnd?: boolean
  /** Names of this machine that are also allowed. */
  readonly allowedHosts?: readonly string[]
}

export interface ServedSandbox {
  readonly url: string
  readonly summary: SandboxSummary & { readonly base_url: string }
  /** Stops listening and breaks every connection. The sandbox itself stays open. */
  close(): Promise<void>
}

/** Idle connections survive pauses between commands, so a client never meets one that was just closed. */
const keepAliveMs = 60_000

/** Listens for callers in other processes. */
export async function serveSandbox(sandbox: Sandbox, options: ServeOptions = {}): Promise<ServedSandbox> {
  const { host = '127.0.0.1', port = 0, allowedHosts = [], mayEnd = false } = options
  const listener = getRequestListener(
    (request, { outgoing }) => {
      if (!(outgoing instanceof ServerResponse)) throw new TypeError('the sandbox speaks HTTP/1.1 only')
      return sandbox.fetch(request, overSocket(outgoing))
    },
    // The process may use its own fetch, so its globals must not change.
    { hostname: host, overrideGlobalObjects: false },
  )
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (incoming, outgoing) => {
    if (isAllowedHost(incoming.headers.host, host, allowedHosts)) return void listener(incoming, outgoing)
    outgoing.writeHead(421, { 'Content-Type': 'application/json', Connection: 'close' })
    outgoing.end(
      JSON.stringify({ error: 'the sandbox does not answer to this host; allow it with --allow-host' }),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(new Error(whyNotListening(host, port, error), { cause: error })))
    server.listen(port, host, resolve)
  })
  if (mayEnd) {
    server.unref()
    // An unused connection would keep the process alive until its timeout.
    server.on('connection', socket => socket.unref())
  }
  const address = server.address()
  const url = `http://${reachable(host)}:${typeof address === 'object' && address ? address.port : port}`
  return {
    url,
    summary: { base_url: url, ...sandbox.summary },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Writes directly to the socket, which can also be broken. */
function overSocket(outgoing: ServerResponse): Connection {
  const reset = (): Response => {
    outgoing.req.socket.resetAndDestroy()
    return RESPONSE_ALREADY_SENT
  }
  return {
    send: answer => {
      outgoing.writeHead(answer.status, headersOf(answer))
      outgoing.end(answer.text)
      return RESPONSE_ALREADY_SENT
    },
    reset,
    truncate: answer => {
      const bytes = Buffer.from(answer.text ?? '')
      if (bytes.length === 0) return reset()
      outgoing.writeHead(answer.status, headersOf(answer))
      outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => outgoing.req.socket.destroy())
      return RESPONSE_ALREADY_SENT
    },
  }
}

function headersOf({ status, headers, text }: Answer): Readonly<Record<string, string | number>> {
  if (text === undefined && status === 204) return headers
  return { ...headers, 'Content-Length': Buffer.byteLength(text ?? '') }
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function whyNotListening(host: string, port: number, error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE')
    return `port ${port} of "${host}" is in use; choose another one, or 0 for any`
  if (error.code === 'EACCES') return `port ${port} of "${host}" is not allowed; choose one above 1023`
  return `cannot listen on port ${port} of "${host}": ${error.message}`
}
