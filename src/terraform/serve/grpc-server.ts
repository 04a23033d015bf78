import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { framed, GrpcError, grpcStatus, largestMessageBytes, statusText, unframed } from './grpc-message.ts'
import type { Logger } from './logger.ts'
import { createTlsServer, type MutualTls } from './mutual-tls.ts'

/** A stream of messages to the caller that stays open until somebody ends it. */
export interface OpenStream {
  write(message: Uint8Array): void
  end(): void
  /** Called when the caller has no more to send; it may still listen. */
  onCallerDone(listener: () => void): void
  onClose(listener: () => void): void
}

/**
 * The part of gRPC that a plugin host uses, over the HTTP/2 of Node: calls of one message each way, and streams that
 * stay open. A library that has all of it takes half as much time again for each call.
 */
export interface GrpcServer {
  /** A call of one message each way. What `answer` fails with, its caller is told as an internal error. */
  unary(path: string, answer: (request: Buffer) => Uint8Array | Promise<Uint8Array>): void
  /** A call of one message that any number of messages answer, each taken when the caller has room for it. */
  many(path: string, answer: (request: Buffer, gone: AbortSignal) => AsyncIterable<Uint8Array>): void
  /** A call that is answered with any number of messages; nothing that it sends is looked at. */
  stream(path: string, open: (stream: OpenStream) => void): void
  /** Answers with the port; with 0 for a socket file. */
  listen(at: { readonly path: string } | { readonly host: string; readonly port: number }): Promise<number>
  /** Takes no more calls, and resolves when those under way have ended. */
  close(): Promise<void>
  /** Ends everything at once. */
  destroy(): void
}

type Route = (stream: ServerHttp2Stream) => void

/** A server that has nothing to answer yet. Without `tls` nothing is encrypted. */
export function createGrpcServer(logger: Logger, tls?: MutualTls): GrpcServer {
  const routes = new Map<string, Route>()
  const sessions = new Set<ServerHttp2Session>()
  const server = createServer(options)
  const noted = (what: string) => (error: Error) => logger.debug(`${what}: ${error.message}`)
  const door = tls ? createTlsServer(tls, handOn, noted('a connection was refused')) : server
  function handOn(socket: Duplex): void {
    server.emit('connection', socket)
  }
  server.on('session', session => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    session.on('error', noted('a connection broke'))
    session.setLocalWindowSize(windowBytes)
  })
  door.on('error', noted('the server has failed'))
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    // A caller that gives up needs no answer, and a connection that breaks is told by itself.
    stream.on('error', noted('a call broke'))
    const route = routes.get(headers[':path'] ?? '')
    if (route) route(stream)
    else fail(stream, new GrpcError(grpcStatus.unimplemented, `there is no call ${headers[':path']}`))
  })
  return {
    unary: (path, answer) => void routes.set(path, stream => answerOne(stream, answer)),
    many: (path, answer) => void routes.set(path, stream => answerMany(stream, answer)),
    stream: (path, open) => void routes.set(path, stream => open(openStream(stream))),
    listen: at => listening(door, at),
    close: () =>
      new Promise(resolve => {
        door.close(() => resolve())
        for (const session of sessions) session.close()
      }),
    destroy() {
      door.close()
      for (const session of sessions) session.destroy()
    },
  }
}

/** What a stream and a connection may have under way before the other side has to wait for us. */
const windowBytes = 4 * 1024 * 1024

const options = {
  settings: { initialWindowSize: windowBytes },
  // How much a call may take is limited by itself; what many take together, by how many Terraform makes.
  maxSessionMemory: Number.MAX_SAFE_INTEGER,
}

function listening(
  server: Server,
  at: { readonly path: string } | { readonly host: string; readonly port: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

const head = { ':status': 200, 'content-type': 'application/grpc' } as const
const beforeTrailers = { waitForTrailers: true } as const

function answerOne(
  stream: ServerHttp2Stream,
  answer: (request: Buffer) => Uint8Array | Promise<Uint8Array>,
): void {
  onRequest(stream, async request => send(stream, await answer(request)))
}

function answerMany(
  stream: ServerHttp2Stream,
  answer: (request: Buffer, gone: AbortSignal) => AsyncIterable<Uint8Array>,
): void {
  const gone = new AbortController()
  stream.on('close', () => gone.abort())
  onRequest(stream, async request => {
    if (!begin(stream)) return
    for await (const message of answer(request, gone.signal)) {
      if (gone.signal.aborted) return
      if (!stream.write(framed(message))) await roomIn(stream, gone.signal)
    }
    stream.end()
  })
}

/** Calls back with the one message of a call once it is here. */
function onRequest(stream: ServerHttp2Stream, use: (request: Buffer) => Promise<void>): void {
  const chunks: Buffer[] = []
  let length = 0
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= largestMessageBytes) chunks.push(chunk)
    else fail(stream, new GrpcError(grpcStatus.resourceExhausted, 'the message is larger than 256 MiB'))
  })
  stream.on('end', async () => {
    if (stream.headersSent) return
    try {
      await use(unframed(chunks))
    } catch (error) {
      fail(stream, error)
    }
  })
}

/** Waits until the caller has taken what was sent, or takes nothing any more. */
function roomIn(stream: ServerHttp2Stream, gone: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      stream.off('drain', done)
      gone.removeEventListener('abort', done)
      resolve()
    }
    stream.on('drain', done)
    gone.addEventListener('abort', done)
    if (gone.aborted) done()
  })
}

function send(stream: ServerHttp2Stream, message: Uint8Array): void {
  if (!begin(stream)) return
  stream.end(framed(message))
}

function openStream(stream: ServerHttp2Stream): OpenStream {
  const isOpen = begin(stream)
  stream.resume()
  return {
    write: message => void (isOpen && stream.writable && stream.write(framed(message))),
    end: () => void stream.end(),
    onCallerDone: listener => void stream.on('end', listener),
    onClose: listener => void stream.on('close', listener),
  }
}

/** Sends what comes before messages, and sees to what comes after them; false where the caller is gone. */
function begin(stream: ServerHttp2Stream): boolean {
  if (stream.destroyed || stream.headersSent) return false
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': String(grpcStatus.ok) }))
  stream.respond(head, beforeTrailers)
  return true
}

function fail(stream: ServerHttp2Stream, error: unknown): void {
  if (stream.destroyed || stream.headersSent) return
  const status = error instanceof GrpcError ? error.status : grpcStatus.internal
  const message = error instanceof Error ? error.message : String(error)
  const told = { ...head, 'grpc-status': String(status), 'grpc-message': statusText(message) }
  stream.respond(told, { endStream: true })
  stream.resume()
}
