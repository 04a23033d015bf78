import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signatureOf } from '../../../src/generate/provider-release/sign-checksums.ts'
import { folderWith } from '../../support/cli.ts'

const run = promisify(execFile)
const key = 'release@example.com'
const checksums = Buffer.from('00  terraform-provider-vexil_1.2.3_linux_amd64.zip\n')

let home: { readonly path: string; remove(): Promise<void> }
let env: Record<string, string | undefined>
beforeAll(async () => {
  home = await folderWith({})
  await chmod(home.path, 0o700)
  env = { PATH: process.env.PATH, GNUPGHOME: home.path }
  const generate = [
    '--batch',
    '--quiet',
    '--passphrase',
    '',
    '--quick-generate-key',
    key,
    'rsa2048',
    'sign',
    'never',
  ]
  await run('gpg', generate, { env })
})
afterAll(async () => {
  // It would outlive the test.
  await run('gpgconf', ['--kill', 'all'], { env })
  await home.remove()
})

async function isVerified(signature: Uint8Array, signed: Uint8Array): Promise<boolean> {
  const [sig, sums] = [join(home.path, 'SHA256SUMS.sig'), join(home.path, 'SHA256SUMS')]
  await writeFile(sig, signature)
  await writeFile(sums, signed)
  return run('gpg', ['--batch', '--verify', sig, sums], { env }).then(
    () => true,
    () => false,
  )
}

describe('the signature of the checksums', () => {
  it('is of them and of nothing else, for gpg', async () => {
    const signature = await signatureOf(checksums, key, env)
    expect(await isVerified(signature, checksums)).toBe(true)
    expect(await isVerified(signature, Buffer.from(`1${checksums.subarray(1)}`))).toBe(false)
  })

  it('is binary, since registries read no armour', async () => {
    const signature = await signatureOf(checksums, key, env)
    expect(Buffer.from(signature).toString('latin1')).not.toContain('-----BEGIN')
    // The first bit of a packet of OpenPGP.
    expect((signature[0] ?? 0) & 0x80).toBe(0x80)
  })

  it('fails for a key that is not there, instead of leaving a release unsigned', async () => {
    await expect(signatureOf(checksums, 'nobody@example.com', env)).rejects.toThrow(
      'gpg signed nothing with "nobody@example.com" and ended with 2',
    )
  })
})
