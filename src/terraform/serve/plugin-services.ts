import type { Calls } from '../rpc/answer-calls.ts'
import { encodeMessage } from '../wire/encode.ts'
import type { GrpcServer, OpenStream } from './grpc-server.ts'
import type { Outlet } from './outlet.ts'

export interface PluginServices {
  /** Ends the streams that are held open, without which the server would never come to rest. */
  endStreams(): void
}

/** The calls of a provider. */
export function addProvider(server: GrpcServer, calls: Calls): void {
  for (const name of calls.names)
    server.unary(`/tfplugin6.Provider/${name}`, request => calls.answer(name, request))
  for (const name of calls.streamNames)
    server.many(`/tfplugin6.Provider/${name}`, (request, gone) => calls.events(name, request, gone))
}

/** What Terraform expects of any plugin, whatever it does: a way to end it, its output, and whether it is well. */
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
