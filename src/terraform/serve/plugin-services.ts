import type { Server, ServerDuplexStream, ServerWritableStream, sendUnaryData } from '@grpc/grpc-js'
import { encodeMessage } from '../wire/encode.ts'
import type { Outlet } from './outlet.ts'

export interface PluginServices {
  /** Ends the streams that are held open, without which the server would never come to rest. */
  endStreams(): void
}

/** What Terraform expects of any plugin, whatever it does: a way to end it, its output, and whether it is well. */
export function addPluginServices(server: Server, stdout: Outlet, onShutdown: () => void): PluginServices {
  const streams = new Set<{ end(): unknown }>()
  const hold = (stream: { end(): unknown; on(event: 'close', listener: () => void): unknown }) => {
    streams.add(stream)
    stream.on('close', () => streams.delete(stream))
  }
  const add = (path: string, type: 'unary' | 'serverStream' | 'bidi', handler: Answer) =>
    server.register<Buffer, Buffer>(path, handler, asIs, asIs, type)

  add('/plugin.GRPCController/Shutdown', 'unary', (_call: unknown, reply: sendUnaryData<Buffer>) => {
    reply(null, encodeMessage('Empty', {}))
    onShutdown()
  })
  add('/plugin.GRPCStdio/StreamStdio', 'serverStream', (stream: ServerWritableStream<Buffer, Buffer>) => {
    hold(stream)
    stdout.listen(data => stream.write(encodeMessage('StdioData', { channel: 'stdout', data })))
  })
  add('/plugin.GRPCBroker/StartStream', 'bidi', (stream: ServerDuplexStream<Buffer, Buffer>) => {
    // Nothing is brokered; the stream stays open because its end would look like a crash.
    hold(stream)
    stream.resume()
    stream.on('end', () => stream.end())
  })
  add('/grpc.health.v1.Health/Check', 'unary', (_call: unknown, reply: sendUnaryData<Buffer>) => {
    reply(null, encodeMessage('HealthCheckResponse', { status: 'serving' }))
  })
  return {
    endStreams() {
      for (const stream of streams) stream.end()
    },
  }
}

type Answer = Parameters<typeof Server.prototype.register<Buffer, Buffer>>[1]

function asIs(bytes: Buffer): Buffer {
  return bytes
}
