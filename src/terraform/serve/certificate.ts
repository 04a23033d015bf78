import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto'
import { createServer, type Server, type TLSSocket } from 'node:tls'

/** A generated certificate and its private key. */
export interface Certificate {
  readonly der: Buffer
  readonly pem: string
  readonly keyPem: string
}

/**
 * Creates a certificate that Terraform accepts: self-signed, its only root, for the name `localhost`, and for
 * both sides of a connection. It is valid from an hour ago, because clocks differ.
 */
export function createCertificate(nowMs: number, keys: KeyPairKeyObjectResult = p256Keys()): Certificate {
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'der' })
  const name = derSequence(der(0x31, derSequence(derObjectId(id.commonName), derText('localhost'))))
  const signature = derSequence(derObjectId(id.ecdsaWithSha256))
  const body = derSequence(
    der(0xa0, derSmallInteger(2)),
    der(0x02, serialOf(publicKey)),
    signature,
    name,
    derSequence(derTime(nowMs - hourMs), derTime(nowMs + yearMs)),
    name,
    publicKey,
    der(0xa3, extensions()),
  )
  const signed = sign('sha256', body, keys.privateKey)
  const certificate = derSequence(body, signature, der(0x03, Uint8Array.of(0), signed))
  return {
    der: certificate,
    pem: pemOf(certificate),
    keyPem: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const hourMs = 3_600_000
const yearMs = 365 * 24 * hourMs

const id = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  clientAuthentication: '1.3.6.1.5.5.7.3.2',
} as const

function p256Keys(): KeyPairKeyObjectResult {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** As unique as the key, and positive: the first bit is the sign. */
function serialOf(publicKey: Uint8Array): Uint8Array {
  const bytes = createHash('sha256').update(publicKey).digest().subarray(0, 16)
  return Uint8Array.of(0x40 | ((bytes[0] ?? 0) & 0x3f), ...bytes.subarray(1))
}

function extensions(): Buffer {
  // Digital signature is the first bit, certificate signing the sixth. Two of the eight bits are unused.
  const usage = der(0x03, Uint8Array.of(2, 0x84))
  const purposes = derSequence(derObjectId(id.serverAuthentication), derObjectId(id.clientAuthentication))
  const names = derSequence(der(0x82, Buffer.from('localhost')))
  return derSequence(
    extension(id.basicConstraints, derSequence(derBoolean(true)), true),
    extension(id.keyUsage, usage, true),
    extension(id.extendedKeyUsage, purposes),
    extension(id.subjectAlternativeName, names),
  )
}

function extension(objectId: string, value: Uint8Array, isCritical = false): Buffer {
  return derSequence(derObjectId(objectId), ...(isCritical ? [derBoolean(true)] : []), der(0x04, value))
}

function pemOf(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** An element of DER, the binary form of certificates: tag, length and content. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Uint8Array.of(tag), lengthOf(content.length), content])
}

function derSequence(...contents: readonly Uint8Array[]): Buffer {
  return der(0x30, ...contents)
}

/** A non-negative whole number in one byte. */
function derSmallInteger(value: number): Buffer {
  return der(0x02, Uint8Array.of(value))
}

function derBoolean(value: boolean): Buffer {
  return der(0x01, Uint8Array.of(value ? 0xff : 0x00))
}

/** An object identifier, from its dotted form. */
export function derObjectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Uint8Array.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function derText(text: string): Buffer {
  return der(0x0c, Buffer.from(text))
}

/** A time in whole seconds. Years from 2050 need the form with four digits. */
export function derTime(atMs: number): Buffer {
  const at = new Date(atMs)
  const digits = `${at.toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

function lengthOf(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff)
  return Uint8Array.of(0x80 | bytes.length, ...bytes)
}

function base128(part: number): number[] {
  const bytes = [part & 0x7f]
  for (let rest = part >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

/** Each side presents a certificate that the other side already knows, and trusts no other certificate. */
export interface MutualTls {
  readonly certificate: Certificate
  readonly clientPem: string
}

/**
 * A server that accepts only clients with the certificate `clientPem`.
 *
 * The handshake proves that a client has the key to its certificate. Then a comparison of bytes checks that
 * it is the expected certificate. With a `ca` option, Node would read all its own authorities too, which
 * costs 24 ms of CPU at each start. Throws if `clientPem` contains no certificate.
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
    // Without this, Node reads its own authorities, which are not needed here.
    ca: [],
    requestCert: true,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  }
  const server = createServer(options, socket => {
    // Undefined if the client has presented no certificate, despite the type.
    const shown: Buffer | undefined = socket.getPeerCertificate().raw
    if (shown?.equals(expected)) return onConnection(socket)
    socket.on('error', onRefused)
    socket.destroy()
    onRefused(
      new Error(shown ? 'the client presented another certificate' : 'the client presented no certificate'),
    )
  })
  server.on('tlsClientError', onRefused)
  return server
}

/** The bytes of the first certificate in a text. */
function derOf(pem: string): Buffer {
  const [, body = ''] =
    /-----BEGIN CERTIFICATE-----([\sA-Za-z0-9+/=]+)-----END CERTIFICATE-----/.exec(pem) ?? []
  if (body === '') throw new Error('PLUGIN_CLIENT_CERT contains no certificate')
  return Buffer.from(body, 'base64')
}
