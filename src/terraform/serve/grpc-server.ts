import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, setLogger } from '@grpc/grpc-js'
import type { Calls } from '../rpc/answer-calls.ts'
import type { Certificate } from './certificate.ts'
import type { Logger } from './logger.ts'

/** A server that takes messages of any size that Terraform's own SDK takes. */
export function createGrpcServer(calls: Calls, logger: Logger): Server {
  // The library would write to stderr, where Terraform expects lines of ours.
  setLogger({ error: (...words: readonly unknown[]) => logger.debug(words.map(String).join(' ')) })
  const server = new Server({
    'grpc.max_receive_message_length': largestMessageBytes,
    'grpc.max_send_message_length': largestMessageBytes,
    'grpc.enable_channelz': 0,
  })
  for (const name of calls.names) {
    const answer = (call: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>) =>
      void calls.answer(name, call.request).then(response => reply(null, response), reply)
    server.register<Buffer, Buffer>(`/tfplugin6.Provider/${name}`, answer, asIs, asIs, 'unary')
  }
  return server
}

/** Both sides show a certificate that the other one has been told of beforehand, and trust no other. */
export function mutualTls(certificate: Certificate, clientPem: string): ServerCredentials {
  const { pem, keyPem } = certificate
  const ours = [{ private_key: Buffer.from(keyPem), cert_chain: Buffer.from(pem) }]
  return ServerCredentials.createSsl(Buffer.from(clientPem), ours, true)
}

export function noTls(): ServerCredentials {
  return ServerCredentials.createInsecure()
}

const largestMessageBytes = 256 * 1024 * 1024

function asIs(bytes: Buffer): Buffer {
  return bytes
}
