import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto'
import { der, derBoolean, derObjectId, derSequence, derSmallInteger, derText, derTime } from './der.ts'

/** A certificate of our own, and the key to it. */
export interface Certificate {
  readonly der: Buffer
  readonly pem: string
  readonly keyPem: string
}

/**
 * Makes a certificate that Terraform takes: it pins it as its only root and checks the name `localhost`, so it signs
 * itself, as an authority, for both sides of a connection. It begins an hour ago, since clocks differ.
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

/** As unique as the key is, and positive: the first bit is the sign. */
function serialOf(publicKey: Uint8Array): Uint8Array {
  const bytes = createHash('sha256').update(publicKey).digest().subarray(0, 16)
  return Uint8Array.of(0x40 | ((bytes[0] ?? 0) & 0x3f), ...bytes.subarray(1))
}

function extensions(): Buffer {
  // Digital signature is the first bit, signing of certificates the sixth; two of the eight are unused.
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
