import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'

/**
 * The signature that registries want beside the checksums: of its own, and binary. `gpg` makes it, with a key of its
 * keyring, and asks for the passphrase as it always does. Terraform's registry takes keys of RSA and DSA only.
 */
export async function signatureOf(
  checksums: Uint8Array,
  key: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Uint8Array> {
  const child = spawn('gpg', ['--local-user', key, '--detach-sign', '--output', '-'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  })
  const ended = once(child, 'close')
  // Where it finds no key it ends before it has read anything; its exit code says so.
  child.stdin.once('error', () => undefined)
  child.stdin.end(checksums)
  const [signature, [code]] = await Promise.all([buffer(child.stdout), ended])
  if (code !== 0 || signature.length === 0)
    throw new Error(`gpg signed nothing with "${key}" and ended with ${code}`)
  return signature
}
