import { Secrets } from '../../src/api/redact.ts'
import type { KeyHost } from '../../src/cli/repository/key-command.ts'

/** What the search for a key needs of a process with these variables. */
export function keyHost(env: KeyHost['env']): KeyHost {
  return { env, secrets: new Secrets(), keysOfCommands: new Map() }
}
