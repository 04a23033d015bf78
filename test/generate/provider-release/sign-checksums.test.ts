import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireSigningKey, signatureOf } from '../../../src/generate/provider-release/registry-files.ts'
import { type Keyring, key, newKeyring } from './keyring.ts'

const run = promisify(execFile)
const checksums = Buffer.from('00  terraform-provider-vexil_1.2.3_linux_amd64.zip\n')

let home: Keyring
let env: Keyring['env']
beforeAll(async () => {
  home = await newKeyring()
  env = home.env
})
afterAll(() => home.remove())

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

  it('fails with the words of gpg for a passphrase that it does not get', async () => {
    const locked = 'locked@example.com'
    const generate = ['--batch', '--quiet', '--pinentry-mode', 'loopback', '--passphrase', 'hunter2']
    await run('gpg', [...generate, '--quick-generate-key', locked, 'ed25519', 'sign', 'never'], { env })
    // The agent would remember the passphrase, and ask on a terminal for it.
    await writeFile(join(home.path, 'gpg-agent.conf'), 'pinentry-program /bin/false\n')
    await run('gpgconf', ['--kill', 'all'], { env })
    await requireSigningKey(locked, env)
    await expect(signatureOf(checksums, locked, env)).rejects.toThrow(
      /^gpg signed nothing with "locked@example\.com" and ended with 2 \(gpg: signing failed: .*\)$/,
    )
  })
})

describe('npm run package:provider -- --sign', () => {
  const script = join(import.meta.dirname, '../../../src/generate/provider-release/package-provider.ts')
  const packaged = (args: readonly string[], over: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, ['--import', 'tsx', script, ...args], { env: { ...env, ...over } }).then(
      () => undefined,
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )

  it.each([
    [
      'a key that is not there',
      ['--sign', 'nobody@example.com'],
      {},
      /^package:provider: gpg has no secret key "nobody@example\.com" \(.+\); list its keys with: gpg --list-secret-keys; nothing was written\n$/,
    ],
    ['no key', ['--sign', ''], {}, /^package:provider: --sign needs a key: .+; nothing was written\n$/],
    [
      'nothing behind it',
      ['--sign'],
      {},
      /^package:provider: Option '--sign <value>' argument missing; .+\n$/,
    ],
    [
      'no gpg',
      ['--sign', key],
      { PATH: '/nowhere' },
      /^package:provider: gpg is not on the PATH; install GnuPG to sign; nothing was written\n$/,
    ],
  ])('ends in one line for %s, before it makes anything', async (_, args, over, words) => {
    expect(await packaged(args, over)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(words) })
  })
})
