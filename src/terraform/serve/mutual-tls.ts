import { createServer, type Server, type TLSSocket } from 'node:tls'
import type { Certificate } from './certificate.ts'

/** Both sides show a certificate that the other one has been told of beforehand, and trust no other. */
export interface MutualTls {
  readonly certificate: Certificate
  readonly clientPem: string
}

/**
 * A server that hands on the connections of the one client whose certificate is `clientPem`, and ends all others.
 *
 * The handshake proves that a client holds the key to the certificate that it shows; whether that is the expected one is
 * a comparison of bytes. Named as an authority (`ca`) it would be one more beside all that Node brings, which are
 * then read: 24 ms of CPU at each start. Throws where `clientPem` holds no certificate.
 */
export function createTlsServer(
  { certificate, clientPem }: MutualTls,
  onConnection: (socket: TLSSocket) => void,
  onRefused: (error: Error) => void,
): Server {
  const expected = derOf(clientPem)
  const options = {
    cert: certificate.pem,
    key: certificate.keyPem,
    // Without it Node reads its own authorities, which nobody is judged by here.
    ca: [],
    requestCert: true,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  }
  const server = createServer(options, socket => {
    // Absent where the client has shown none, whatever the types say.
    const shown: Buffer | undefined = socket.getPeerCertificate().raw
    if (shown?.equals(expected)) return onConnection(socket)
    socket.on('error', onRefused)
    socket.destroy()
    onRefused(new Error(shown ? 'the client shows another certificate' : 'the client shows no certificate'))
  })
  server.on('tlsClientError', onRefused)
  return server
}

/** The bytes of the first certificate of a text. */
function derOf(pem: string): Buffer {
  const [, body = ''] =
    /-----BEGIN CERTIFICATE-----([\sA-Za-z0-9+/=]+)-----END CERTIFICATE-----/.exec(pem) ?? []
  if (body === '') throw new Error('PLUGIN_CLIENT_CERT holds no certificate')
  return Buffer.from(body, 'base64')
}
