import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer, text } from 'node:stream/consumers'
import { codeOf } from '../../model/files.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Throws a `PackagingError` if there is no gpg, or no such key in its keyring. It asks for no passphrase. */
export async function requireSigningKey(key: string, env: Environment): Promise<void> {
  if (key.trim() === '')
    throw new PackagingError('--sign names no key; give its e-mail address or fingerprint')
  const { code, reason } = await gpg(['--batch', '--list-secret-keys', '--', key], new Uint8Array(), env)
  if (code !== 0)
    throw new PackagingError(
      `gpg has no secret key "${key}"${reason}; list those that it has with: gpg --list-secret-keys`,
    )
}

/**
 * The signature that registries want beside the checksums: separate, and binary. `gpg` makes it with a key of
 * its keyring, and asks for the passphrase as usual. Terraform's registry accepts only RSA and DSA keys.
 */
export async function signatureOf(checksums: Uint8Array, key: string, env: Environment): Promise<Uint8Array> {
  const { code, output, reason } = await gpg(
    ['--local-user', key, '--detach-sign', '--output', '-'],
    checksums,
    env,
  )
  if (code !== 0 || output.length === 0)
    throw new PackagingError(`gpg signed nothing with "${key}" and ended with ${code}${reason}`)
  return output
}

async function gpg(args: readonly string[], input: Uint8Array, env: Environment) {
  const child = spawn('gpg', args, { stdio: 'pipe', env })
  const ended = once(child, 'close')
  // Without a key it ends before it has read anything; its exit code shows that.
  child.stdin.once('error', () => undefined)
  child.stdin.end(input)
  try {
    const [output, errors, [code]] = await Promise.all([buffer(child.stdout), text(child.stderr), ended])
    const lines = errors.split('\n').filter(line => line.trim() !== '')
    return { code, output, reason: lines.length === 0 ? '' : ` (${lines.join('; ')})` }
  } catch (error) {
    const why = codeOf(error, 'unknown reason')
    throw new PackagingError(
      why === 'ENOENT'
        ? 'there is no gpg on the PATH to sign with; install GnuPG'
        : `gpg cannot be started (${why})`,
      { cause: error },
    )
  }
}

/** What prevents a release or its signature; its message is for the person who makes the release. */
export class PackagingError extends Error {
  override readonly name = 'PackagingError'
}
