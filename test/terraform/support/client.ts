import { type ChannelCredentials, Client, credentials as grpcCredentials } from '@grpc/grpc-js'
import { decodeMessage, encodeMessage } from '../../../src/terraform/serve/codec.ts'
import {
  type Draft,
  type EventName,
  eventName,
  type Message,
  type MessageName,
  type RequestName,
  type ResponseName,
  type RpcName,
  requestName,
  responseName,
  type StreamName,
} from '../../../src/terraform/serve/messages.ts'

/** Plays Terraform: the calling side of the protocol. */
export interface TerraformClient {
  call<Rpc extends RpcName>(rpc: Rpc, request: Draft<RequestName<Rpc>>): Promise<Message<ResponseName<Rpc>>>
  /** A call that events answer, which are read as they are taken; who stops early hangs up. */
  events<Rpc extends StreamName>(
    rpc: Rpc,
    request: Draft<RequestName<Rpc>>,
  ): AsyncGenerator<Message<EventName<Rpc>>>
  /** Any call by its path; rejects with the error of the transport. */
  raw(path: string, request: Uint8Array): Promise<Buffer>
  shutdown(): Promise<void>
  isHealthy(): Promise<boolean>
  /** The first piece of output that the plugin sends. */
  firstOutput(): Promise<string>
  /** Opens the broker's stream, and says whether it is still open after a call went through. */
  holdsBroker(): Promise<boolean>
  close(): void
}

export interface Tls {
  readonly serverPem: string
  readonly clientPem: string
  readonly clientKeyPem: string
}

/** Connects as Terraform does: it trusts the one certificate and expects the name `localhost`. */
export function connectTerraform(address: string, tls?: Tls): TerraformClient {
  const options = {
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
    'grpc.ssl_target_name_override': 'localhost',
    'grpc.default_authority': 'localhost',
    'grpc.enable_channelz': 0,
    // Each Terraform has a connection of its own.
    'grpc.use_local_subchannel_pool': 1,
  }
  const client = new Client(address, tls ? mutual(tls) : grpcCredentials.createInsecure(), options)
  const raw = (path: string, request: Uint8Array) =>
    new Promise<Buffer>((resolve, reject) => {
      client.makeUnaryRequest<Buffer, Buffer>(path, asIs, asIs, Buffer.from(request), (error, answer) =>
        error ? reject(error) : resolve(answer ?? Buffer.alloc(0)),
      )
    })
  const ask = async <Name extends MessageName>(path: string, request: Uint8Array, answer: Name) =>
    decodeMessage(answer, await raw(path, request))
  const isHealthy = async () => {
    const request = encodeMessage('HealthCheckRequest', { service: 'plugin' })
    return (await ask('/grpc.health.v1.Health/Check', request, 'HealthCheckResponse')).status === 'serving'
  }
  return {
    raw,
    isHealthy,
    call: <Rpc extends RpcName>(rpc: Rpc, request: Draft<RequestName<Rpc>>) =>
      ask(`/tfplugin6.Provider/${rpc}`, encodeMessage(requestName(rpc), request), responseName(rpc)),
    async *events<Rpc extends StreamName>(rpc: Rpc, request: Draft<RequestName<Rpc>>) {
      const stream = client.makeServerStreamRequest<Buffer, Buffer>(
        `/tfplugin6.Provider/${rpc}`,
        asIs,
        asIs,
        encodeMessage(requestName(rpc), request),
      )
      // Hanging up is an error to the stream, and not to who does it.
      stream.on('error', () => undefined)
      try {
        for await (const bytes of stream) yield decodeMessage(eventName(rpc), bytes)
      } finally {
        stream.cancel()
      }
    },
    async shutdown() {
      await raw('/plugin.GRPCController/Shutdown', encodeMessage('Empty', {}))
    },
    firstOutput: () =>
      new Promise((resolve, reject) => {
        const empty = encodeMessage('Empty', {})
        const stream = client.makeServerStreamRequest<Buffer, Buffer>(
          '/plugin.GRPCStdio/StreamStdio',
          asIs,
          asIs,
          empty,
        )
        stream.on('data', (bytes: Buffer) => {
          const { channel, data } = decodeMessage('StdioData', bytes)
          resolve(`${channel}: ${Buffer.from(data).toString()}`)
          stream.cancel()
        })
        stream.on('error', reject)
      }),
    async holdsBroker() {
      const stream = client.makeBidiStreamRequest<Buffer, Buffer>(
        '/plugin.GRPCBroker/StartStream',
        asIs,
        asIs,
      )
      let isOpen = true
      stream.on('status', () => {
        isOpen = false
      })
      stream.on('error', () => undefined)
      stream.resume()
      stream.write(encodeMessage('ConnInfo', { service_id: 1 }))
      await isHealthy()
      return isOpen
    },
    close: () => client.close(),
  }
}

function mutual({ serverPem, clientPem, clientKeyPem }: Tls): ChannelCredentials {
  return grpcCredentials.createSsl(Buffer.from(serverPem), Buffer.from(clientKeyPem), Buffer.from(clientPem))
}

function asIs(bytes: Buffer): Buffer {
  return bytes
}
