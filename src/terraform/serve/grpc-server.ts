import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Server } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Calls } from './answer-calls.ts'
import { createTlsServer, type MutualTls } from './certificate.ts'
import { encodeMessage } from './codec.ts'
import type { Logger, Outlet } from './logger.ts'

/** A stream of messages to the caller that stays open until one side ends it. */
export interface OpenStream {
  write(message: Uint8Array): void
  end(): void
  /** Called when the caller has no more to send; it may still listen. */
  onCallerDone(listener: () => void): void
  onClose(listener: () => void): void
}

/**
 * The part of gRPC that a plugin host uses, over Node's HTTP/2: calls of one message in each direction, and
 * streams that stay open. A library with all of gRPC needs half as much time again for each call.
 */
export interface GrpcServer {
  /** A call of one message in each direction. An error of `answer` is reported to the caller as internal. */
  unary(path: string, answer: (request: Buffer) => Uint8Array | Promise<Uint8Array>): void
  /** A call of one message with any number of answers, each taken when the caller has room for it. */
  many(path: string, answer: (request: Buffer, gone: AbortSignal) => AsyncIterable<Uint8Array>): void
  /** A call with any number of answers; what it sends is ignored. */
  stream(path: string, open: (stream: OpenStream) => void): void
  /** Resolves with the port; with 0 for a socket file. */
  listen(at: { readonly path: string } | { readonly host: string; readonly port: number }): Promise<number>
  /** Accepts no more calls, and resolves when those under way have ended. */
  close(): Promise<void>
  /** Ends everything at once. */
  destroy(): void
}

type Route = (stream: ServerHttp2Stream) => void

/** A server without calls so far. Without `tls` nothing is encrypted. */
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
    // A caller that gives up needs no answer, and a broken connection is reported separately.
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

/** The amount that a stream or a connection may have under way before the other side has to wait. */
const windowBytes = 4 * 1024 * 1024

const options = {
  settings: { initialWindowSize: windowBytes },
  // Each call has its own limit; Terraform limits how many there are.
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

/** Calls back with the one message of a call after it has arrived. */
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

/** Waits until the caller has read what was sent, or has stopped reading. */
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
  const message = error instanceof Error ? error.message : String(error)
  const trailer = { ...head, 'grpc-status': String(status), 'grpc-message': statusText(message) }
  stream.respond(trailer, { endStream: true })
  stream.resume()
}

/** The status codes that this server ends calls with. */
const grpcStatus = { ok: 0, resourceExhausted: 8, unimplemented: 12, internal: 13 } as const
export type GrpcStatus = (typeof grpcStatus)[keyof typeof grpcStatus]

/** The limit of Terraform's own SDK. */
const largestMessageBytes = 256 * 1024 * 1024

/** A call that cannot be answered, with the message for its caller. */
class GrpcError extends Error {
  override readonly name = 'GrpcError'
  readonly status: GrpcStatus

  constructor(status: GrpcStatus, message: string) {
    super(message)
    this.status = status
  }
}

/** A message in the form of a stream: a compression flag, the length, and the bytes. */
function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(prefixBytes + message.length)
  frame[0] = 0
  frame.writeUInt32BE(message.length, 1)
  frame.set(message, prefixBytes)
  return frame
}

/** The one message of a call. */
function unframed(chunks: readonly Buffer[]): Buffer {
  const frame = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  if (frame.length < prefixBytes) throw new GrpcError(grpcStatus.internal, 'the call came without a message')
  if (frame[0] !== 0) throw new GrpcError(grpcStatus.unimplemented, 'compressed messages are not read')
  if (frame.length !== prefixBytes + frame.readUInt32BE(1))
    throw new GrpcError(grpcStatus.internal, 'the message has another length than its header')
  return frame.subarray(prefixBytes)
}

/** The text of a status for its header: everything but plain ASCII, and the percent sign, is hex bytes. */
export function statusText(message: string): string {
  return Array.from(Buffer.from(message), byte =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x25
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('')
}

const prefixBytes = 5

export interface PluginServices {
  /** Ends the open streams; the server could not close before that. */
  endStreams(): void
}

/** The calls of a provider. */
export function addProvider(server: GrpcServer, calls: Calls): void {
  for (const name of calls.names)
    server.unary(`/tfplugin6.Provider/${name}`, request => calls.answer(name, request))
  for (const name of calls.streamNames)
    server.many(`/tfplugin6.Provider/${name}`, (request, gone) => calls.events(name, request, gone))
}

/** What Terraform expects of any plugin: how to end it, its output, and its health. */
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
    // Nothing is brokered; the stream stays open because its end would look like a crash.
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
