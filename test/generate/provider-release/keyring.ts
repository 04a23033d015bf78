import { execFile } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { promisify } from 'node:util'
import { folderWith } from '../../support/cli.ts'

const run = promisify(execFile)

/** The key of a new keyring. */
export const key = 'release@example.com'

/** A keyring of gpg with one key that asks for no passphrase. */
export interface Keyring {
  readonly path: string
  /** The environment in which gpg takes it. */
  readonly env: Readonly<Record<'PATH' | 'GNUPGHOME', string>>
  remove(): Promise<void>
}

export async function newKeyring(): Promise<Keyring> {
  const { path, remove } = await folderWith({})
  await chmod(path, 0o700)
  const env = { PATH: process.env.PATH ?? '', GNUPGHOME: path }
  const made = ['--quick-generate-key', key, 'ed25519', 'sign', 'never']
  await run('gpg', ['--batch', '--quiet', '--passphrase', '', ...made], { env })
  return {
    path,
    env,
    async remove() {
      // The agent would outlive the test.
      await run('gpgconf', ['--kill', 'all'], { env })
      await remove()
    },
  }
}
