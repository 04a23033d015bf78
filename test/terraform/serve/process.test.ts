import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Certificate, createCertificate } from '../../../src/terraform/serve/certificate.ts'
import { cookie } from '../../../src/terraform/serve/serve.ts'
import { connectTerraform, type TerraformClient } from '../support/client.ts'
import { startProvider } from '../support/start-provider.ts'

const node: string[] = [process.execPath]
let folder: string
// Compiled once: each of the processes would do it again.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vexil-notes-'))
  const outfile = join(folder, 'notes.cjs')
  const entry = join(import.meta.dirname, '../support/notes-main.ts')
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'cjs' })
  node.push(outfile)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** As Terraform's: ECDSA over P-521. */
const clientKeys = generateKeyPairSync('ec', { namedCurve: 'P-521' })
const client = createCertificate(Date.now(), clientKeys)

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Starts the provider as Terraform does, and connects with the certificate of the handshake. */
async function startPlugin(command: readonly string[] = node) {
  const { child, handshake } = await startProvider(command, { PLUGIN_CLIENT_CERT: client.pem })
  children.push(child)
  const [core, version, network, socket = '', protocol, certificate = ''] = handshake
  expect([core, version, network, protocol]).toEqual(['1', '6', 'unix', 'grpc'])
  expect(certificate).not.toContain('=')
  const body = Buffer.from(certificate, 'base64').toString('base64')
  const serverPem = `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`
  const tls = { serverPem, clientPem: client.pem, clientKeyPem: client.keyPem }
  return { child, socket, tls, terraform: connectTerraform(`unix:${socket}`, tls) }
}

/** Whether a connection with that certificate, or with none, is told anything before it ends. */
async function isGreeted(path: string, serverPem: string, shown: Certificate | undefined): Promise<boolean> {
  const own = shown && { cert: shown.pem, key: shown.keyPem }
  const tls = connectTls({ path, servername: 'localhost', ca: serverPem, ALPNProtocols: ['h2'], ...own })
  tls.on('error', () => undefined)
  tls.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  const isGreeting = await Promise.race([
    once(tls, 'data').then(() => true),
    once(tls, 'close').then(() => false),
  ])
  tls.destroy()
  return isGreeting
}

async function shutdown(child: ChildProcess, terraform: TerraformClient): Promise<unknown> {
  const ended = once(child, 'exit')
  await terraform.shutdown()
  terraform.close()
  return (await ended)[0]
}

describe('a provider in a process of its own', () => {
  it('refuses to be started by hand', async () => {
    const [file = '', ...given] = node
    const child = spawn(file, given, {
      env: { ...process.env, TF_PLUGIN_MAGIC_COOKIE: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [[code], out, errors] = await Promise.all([
      once(child, 'exit'),
      text(child.stdout!),
      text(child.stderr!),
    ])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(errors).toContain('is a Terraform provider')
  })

  it('answers over mutual TLS, and at its end leaves nothing behind', async () => {
    const { child, socket, terraform } = await startPlugin()
    const { resource_schemas } = await terraform.call('GetProviderSchema', {})
    expect(Object.keys(resource_schemas)).toEqual(['notes_note'])
    expect(await shutdown(child, terraform)).toBe(0)
    expect(existsSync(socket)).toBe(false)
  })

  it('lets nobody in but who started it', async () => {
    const { child, socket, tls, terraform } = await startPlugin()
    const other = createCertificate(Date.now())
    const stranger = connectTerraform(`unix:${socket}`, {
      ...tls,
      clientPem: other.pem,
      clientKeyPem: other.keyPem,
    })
    await expect(stranger.isHealthy()).rejects.toThrow('UNAVAILABLE')
    const plain = connectTerraform(`unix:${socket}`)
    await expect(plain.isHealthy()).rejects.toThrow('UNAVAILABLE')
    stranger.close()
    plain.close()
    expect(await terraform.isHealthy()).toBe(true)
    await shutdown(child, terraform)
  })

  it.each<readonly [string, () => Certificate | undefined, boolean]>([
    ['the certificate of who started it', () => client, true],
    ['no certificate', () => undefined, false],
    ['another certificate', () => createCertificate(Date.now()), false],
    ['another certificate of the same key', () => createCertificate(Date.now() - 1000, clientKeys), false],
  ])('says to a connection with %s what it has to', async (_, shown, isLetIn) => {
    const { child, socket, tls, terraform } = await startPlugin()
    expect(await isGreeted(socket, tls.serverPem, shown())).toBe(isLetIn)
    await shutdown(child, terraform)
  })

  it('does not start for a client whose certificate is none', async () => {
    const [file = '', ...given] = node
    const env = { ...process.env, ...cookie, PLUGIN_CLIENT_CERT: 'garbage' }
    const child = spawn(file, given, { env })
    const [[code], errors] = await Promise.all([once(child, 'close'), text(child.stderr)])
    expect({ code, errors }).toEqual({
      code: 1,
      errors: 'the provider cannot start: PLUGIN_CLIENT_CERT contains no certificate\n',
    })
  })

  it.skipIf(process.platform === 'win32')('goes on at an interrupt', async () => {
    const { child, terraform } = await startPlugin()
    child.kill('SIGINT')
    expect(await terraform.isHealthy()).toBe(true)
    expect(await shutdown(child, terraform)).toBe(0)
  })

  it.skipIf(process.platform === 'win32')('ends when who started it was killed', async () => {
    const { child, socket, terraform } = await startPlugin(['/bin/sh', '-c', '"$@" & wait', 'sh', ...node])
    expect(await terraform.isHealthy()).toBe(true)
    // The pipe stays open as long as the provider lives.
    const closed = once(child.stderr!.resume(), 'close')
    child.kill('SIGKILL')
    await closed
    expect(existsSync(socket)).toBe(false)
    terraform.close()
  })
})
