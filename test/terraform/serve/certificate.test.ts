import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import {
  type Certificate,
  createCertificate,
  der,
  derObjectId,
  derTime,
} from '../../../src/terraform/serve/certificate.ts'

const nowMs = Date.UTC(2026, 6, 1, 12)
const ours = createCertificate(nowMs)
const parsed = new X509Certificate(ours.pem)

/** Connects as Terraform does, and answers with what was agreed on. */
async function handshake(server: Certificate, client: Certificate, known: Certificate = client) {
  const listener = createServer(
    {
      cert: server.pem,
      key: server.keyPem,
      ca: known.pem,
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    },
    socket => socket.end('well met'),
  )
  listener.on('tlsClientError', () => undefined)
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const socket: TLSSocket = connect({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca: server.pem,
    cert: client.pem,
    key: client.keyPem,
    ALPNProtocols: ['h2'],
  })
  try {
    // A client learns only after its own side of the handshake that it was refused.
    const refused = once(socket, 'close').then(() => Promise.reject(new Error('refused')))
    const [words] = await Promise.race([once(socket, 'data'), refused])
    return { words: String(words), protocol: socket.getProtocol(), alpn: socket.alpnProtocol }
  } finally {
    socket.destroy()
    listener.close()
  }
}

describe('the certificate of the provider', () => {
  it('is for localhost, as an authority, for both sides', () => {
    expect({
      subject: parsed.subject,
      issuer: parsed.issuer,
      names: parsed.subjectAltName,
      isAuthority: parsed.ca,
      purposes: parsed.keyUsage,
      isOurKey: parsed.checkPrivateKey(createPrivateKey(ours.keyPem)),
      isSignedByItself: parsed.verify(parsed.publicKey) && parsed.checkIssued(parsed),
      isForLocalhost: parsed.checkHost('localhost'),
      isForOthers: parsed.checkHost('example.com'),
      curve: parsed.publicKey.asymmetricKeyDetails,
    }).toEqual({
      subject: 'CN=localhost',
      issuer: 'CN=localhost',
      names: 'DNS:localhost',
      isAuthority: true,
      purposes: ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'],
      isOurKey: true,
      isSignedByItself: true,
      isForLocalhost: 'localhost',
      isForOthers: undefined,
      curve: { namedCurve: 'prime256v1' },
    })
  })

  it('may sign data and certificates, and nothing else', () => {
    const usage = der(0x04, der(0x03, Uint8Array.of(2, 0x84)))
    const critical = Buffer.concat([derObjectId('2.5.29.15'), Buffer.from('0101ff', 'hex'), usage])
    expect(ours.der.includes(critical)).toBe(true)
  })

  it('began an hour ago and lasts a year', () => {
    expect([parsed.validFrom, parsed.validTo]).toEqual([
      'Jul  1 11:00:00 2026 GMT',
      'Jul  1 12:00:00 2027 GMT',
    ])
  })

  it('has a positive number of its own', () => {
    const other = new X509Certificate(createCertificate(nowMs).pem)
    expect([parsed, other].map(({ serialNumber }) => /^[4-7][0-9A-F]{31}$/.test(serialNumber))).toEqual([
      true,
      true,
    ])
    expect(other.serialNumber).not.toBe(parsed.serialNumber)
  })

  it('says in its text what it is in bytes', () => {
    expect(parsed.raw).toEqual(ours.der)
  })

  it.each(['P-256', 'P-384', 'P-521'])('speaks TLS 1.3 with a client of %s', async namedCurve => {
    const present = Date.now()
    const client = createCertificate(present, generateKeyPairSync('ec', { namedCurve }))
    expect(await handshake(createCertificate(present), client)).toEqual({
      words: 'well met',
      protocol: 'TLSv1.3',
      alpn: 'h2',
    })
  })

  it('refuses a client that is another than was announced', async () => {
    const [server, client, other] = [1, 2, 3].map(() => createCertificate(Date.now()))
    await expect(handshake(server!, client!, other!)).rejects.toThrow(/refused|alert|reset/i)
  })
})

describe('DER', () => {
  it.each([
    ['2.5.29.15', '0603551d0f'],
    ['1.2.840.10045.4.3.2', '06082a8648ce3d040302'],
    ['1.3.6.1.5.5.7.3.1', '06082b06010505070301'],
  ])('writes the identifier %s', (dotted, hex) => {
    expect(derObjectId(dotted).toString('hex')).toBe(hex)
  })

  it.each([
    [127, '047f'],
    [128, '048180'],
    [300, '0482012c'],
    [70_000, '0483011170'],
  ])('writes a length of %i', (length, hex) => {
    expect(der(0x04, Buffer.alloc(length)).subarray(0, -length).toString('hex')).toBe(hex)
  })

  it.each([
    [Date.UTC(2049, 11, 31, 23, 59, 59), 0x17, '491231235959Z'],
    [Date.UTC(2050, 0, 1), 0x18, '20500101000000Z'],
  ])('writes the moment %i', (atMs, tag, text) => {
    expect(derTime(atMs)).toEqual(der(tag, Buffer.from(text)))
  })
})
