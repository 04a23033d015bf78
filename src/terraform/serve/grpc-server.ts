import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { messageOf } from '../../model/text/message-of.ts'
import type { Calls } from './answer-calls.ts'
import { createTlsServer, type MutualTls } from './certificate.ts'
import { encodeMessage } from './codec.ts'
import type { Logger, Outlet } from './logger.ts'

/** A stream of messages to the caller that stays open until one side ends it. */
export interface OpenStream {
  write(message: Uint8Array): void
  end(): void
  /** Called when the caller has sent everything; it may still receive. */
  onCallerDone(listener: () => void): void
  onClose(listener: () => void): void
}

/**
 * The part of gRPC that a plugin host uses, over Node's HTTP/2: calls with one message in each direction, and
 * open streams. A complete gRPC library takes 50 % more time for each call.
 */
export interface GrpcServer {
  /** A call with one message in each direction. If `answer` fails, the caller gets an internal error. */
  unary(path: string, answer: AnswerOne): void
  /** Any number of answers to one request, each requested when the caller can receive it. */
  many(path: string, answer: AnswerMany): void
  /** A call with any number of answers. Messages from the caller are ignored. */
  stream(path: string, open: (stream: OpenStream) => void): void
  /** Resolves with the port, or with 0 for a socket file. */
  listen(at: { readonly path: string } | { readonly host: string; readonly port: number }): Promise<number>
  /** Accepts no more calls, and resolves when the running calls have ended. */
  close(): Promise<void>
  /** Ends everything at once. */
  destroy(): void
}

/** The same object in all calls of one connection. */
export type Connection = Pick<ServerHttp2Session, 'once'>

type AnswerOne = (request: Buffer, connection: Connection) => Uint8Array | Promise<Uint8Array>
type AnswerMany = (request: Buffer, connection: Connection, gone: AbortSignal) => AsyncIterable<Uint8Array>

type Route = (stream: ServerHttp2Stream, connection: Connection) => void

/** A server without any calls yet. Without `tls` the connection is not encrypted. */
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
    session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      // A caller that gave up needs no answer, and a broken connection is reported separately.
      stream.on('error', noted('a call broke'))
      const route = routes.get(headers[':path'] ?? '')
      if (route) route(stream, session)
      else fail(stream, new GrpcError(grpcStatus.unimplemented, `there is no call ${headers[':path']}`))
    })
  })
  door.on('error', noted('the server has failed'))
  return {
    unary: (path, answer) =>
      void routes.set(path, (stream, connection) => answerOne(stream, connection, answer)),
    many: (path, answer) =>
      void routes.set(path, (stream, connection) => answerMany(stream, connection, answer)),
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

/** How much data a stream or connection may have in transit before the sender must wait. */
const windowBytes = 4 * 1024 * 1024

const options = {
  settings: { initialWindowSize: windowBytes },
  // Each call has its own limit, and Terraform limits the number of calls.
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

function answerOne(stream: ServerHttp2Stream, connection: Connection, answer: AnswerOne): void {
  onRequest(stream, async request => send(stream, await answer(request, connection)))
}

function answerMany(stream: ServerHttp2Stream, connection: Connection, answer: AnswerMany): void {
  const gone = new AbortController()
  stream.on('close', () => gone.abort())
  onRequest(stream, async request => {
    if (!begin(stream)) return
    for await (const message of answer(request, connection, gone.signal)) {
      if (gone.signal.aborted) return
      if (!stream.write(framed(message))) await roomIn(stream, gone.signal)
    }
    stream.end()
  })
}

/** Calls back with the single message of a call when it has arrived. */
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

/** Waits until the caller has read the sent data, or has stopped reading. */
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

/** Sends the headers of a stream and prepares its end; false if the caller is gone. */
function begin(stream: ServerHttp2Stream): boolean {
  if (stream.destroyed || stream.headersSent) return false
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': String(grpcStatus.ok) }))
  stream.respond(head, beforeTrailers)
  return true
}

function fail(stream: ServerHttp2Stream, error: unknown): void {
  if (stream.destroyed || stream.headersSent) return
  const status = error instanceof GrpcError ? error.status : grpcStatus.internal
  const message = messageOf(error)
  const trailer = { ...head, 'grpc-status': String(status), 'grpc-message': statusText(message) }
  stream.respond(trailer, { endStream: true })
  stream.resume()
}

const grpcStatus = { ok: 0, resourceExhausted: 8, unimplemented: 12, internal: 13 } as const
export type GrpcStatus = (typeof grpcStatus)[keyof typeof grpcStatus]

/** The limit in Terraform's own SDK. */
const largestMessageBytes = 256 * 1024 * 1024

/** A call that cannot be answered. The message is for the caller. */
class GrpcError extends Error {
  override readonly name = 'GrpcError'
  readonly status: GrpcStatus

  constructor(status: GrpcStatus, message: string) {
    super(message)
    this.status = status
  }
}

/** A message in gRPC framing: compression flag, length and bytes. */
function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(prefixBytes + message.length)
  frame[0] = 0
  frame.writeUInt32BE(message.length, 1)
  frame.set(message, prefixBytes)
  return frame
}

/** The single message of a call. */
function unframed(chunks: readonly Buffer[]): Buffer {
  const frame = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  if (frame.length < prefixBytes) throw new GrpcError(grpcStatus.internal, 'the call has no message')
  if (frame[0] !== 0) throw new GrpcError(grpcStatus.unimplemented, 'compressed messages are not supported')
  if (frame.length !== prefixBytes + frame.readUInt32BE(1))
    throw new GrpcError(grpcStatus.internal, 'the length of the message differs from its header')
  return frame.subarray(prefixBytes)
}

/** The status text for its header: everything except plain ASCII, and the percent sign, becomes hex bytes. */
export function statusText(message: string): string {
  return Array.from(Buffer.from(message), byte =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x25
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('')
}

const prefixBytes = 5

export interface PluginServices {
  /** Ends the open streams, because the server cannot close before that. */
  endStreams(): void
}

/** The calls of a provider. `callsOf` finds the provider of a connection; all have the same calls. */
export function addProvider(
  server: GrpcServer,
  { names, streamNames }: Pick<Calls, 'names' | 'streamNames'>,
  callsOf: (connection: Connection) => Calls,
): void {
  for (const name of names)
    server.unary(`/tfplugin6.Provider/${name}`, (request, connection) =>
      callsOf(connection).answer(name, request),
    )
  for (const name of streamNames)
    server.many(`/tfplugin6.Provider/${name}`, (request, connection, gone) =>
      callsOf(connection).events(name, request, gone),
    )
}

/** The services that Terraform expects of any plugin: shutdown, output and health. */
export function addPluginServices(
  server: GrpcServer,
  stdout: Outlet,
  onShutdown: () => void,
): PluginServices {
  const streams = new Set<OpenStream>()
  const hold = (stream: OpenStream) => {
    streams.add(stream)
    stream.onClose(() => streams.delete(stream))
  }
  server.unary('/plugin.GRPCController/Shutdown', () => {
    onShutdown()
    return encodeMessage('Empty', {})
  })
  server.stream('/plugin.GRPCStdio/StreamStdio', stream => {
    hold(stream)
    stdout.listen(data => stream.write(encodeMessage('StdioData', { channel: 'stdout', data })))
  })
  server.stream('/plugin.GRPCBroker/StartStream', stream => {
    // No connection is brokered. The stream stays open, because closing it would look like a crash.
    hold(stream)
    stream.onCallerDone(() => stream.end())
  })
  server.unary('/grpc.health.v1.Health/Check', () =>
    encodeMessage('HealthCheckResponse', { status: 'serving' }),
  )
  return {
    endStreams() {
      for (const stream of streams) stream.end()
    },
  }
}
