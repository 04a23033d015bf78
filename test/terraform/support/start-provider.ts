import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { cookie } from '../../../src/terraform/serve/serve.ts'

/** A provider in a process of its own, which has said where it listens. */
export interface StartedProvider {
  readonly child: ChildProcess
  /** The line by which Terraform finds it, in its fields. */
  readonly handshake: readonly string[]
  readonly socket: string
}

/** Starts a provider as Terraform does, and waits for its handshake. */
export async function startProvider(
  [file = '', ...given]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StartedProvider> {
  const child = spawn(file, given, {
    env: { ...process.env, ...cookie, PLUGIN_PROTOCOL_VERSIONS: '5,6', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const handshake = String(line).split('|')
  return { child, handshake, socket: handshake[3] ?? '' }
}
