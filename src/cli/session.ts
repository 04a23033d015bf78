import { type Client, createClient } from '../api/index.ts'
import { guardRules } from '../core/desired.ts'
import { type Allowance, defaultPolicy, type Policy } from '../core/policy.ts'
import type { Target } from '../core/target.ts'
import { didYouMean } from '../model/did-you-mean.ts'
import { type Connection, type ConnectionFlags, requireFixedPlace, settleConnection } from './connection.ts'
import { CommandError, exitCode } from './exit-code.ts'
import type { Host } from './host.ts'
import type { Repository } from './repository.ts'
import { version } from './version.ts'

export interface SessionFlags extends ConnectionFlags {
  readonly sandbox?: boolean
  readonly allow?: readonly string[]
  readonly prune?: string
}

/** An open connection to one service. */
export interface Session {
  readonly client: Client
  readonly connection: Connection
  readonly target: Target
  close(): Promise<void>
}

type SessionPlace = Pick<Repository, 'directory' | 'connection' | 'environments'>

/** Opens a connection for the chosen environment; `readOnly` refuses every request that could write. */
export async function openSession(
  host: Host,
  flags: SessionFlags,
  repository: SessionPlace,
  { readOnly }: { readonly readOnly: boolean },
): Promise<Session> {
  if (flags.sandbox) return openOnSandbox(host, flags, repository, readOnly)
  const connection = await settleConnection(flags, host.env, repository.connection, repository.directory)
  requireFixedPlace(connection)
  const client = openClient(host, connection, readOnly)
  return {
    client,
    connection,
    target: targetOf(connection, connection.baseUrl),
    close: () => client.close(),
  }
}

/** The policy of a repository with what the command line adds to it. */
export function settlePolicy(settings: Omit<Policy, 'allow'> | undefined, flags: SessionFlags): Policy {
  const policy = { ...defaultPolicy, ...settings, allow: (flags.allow ?? []).map(allowance) }
  const { prune } = flags
  if (prune !== 'never' && prune !== 'owned' && prune !== 'all') return policy
  return { ...policy, ownership: { ...policy.ownership, prune } }
}

/** What the environment says is about the real service, and so is the address in the settings; none of it counts. */
async function openOnSandbox(
  host: Host,
  flags: SessionFlags,
  repository: SessionPlace,
  readOnly: boolean,
): Promise<Session> {
  const { apiKeyEnv: _apiKeyEnv, ...settings } = repository.connection
  const settled = await settleConnection(
    { ...flags, baseUrl: 'http://localhost' },
    { VEXIL_API_KEY: 'sandbox', VEXIL_PARALLELISM: host.env.VEXIL_PARALLELISM },
    settings,
    repository.directory,
  )
  const { openEmbeddedSandbox } = await import('./embedded-sandbox.ts')
  const sandbox = await openEmbeddedSandbox(host, repository, settled)
  const connection = { ...settled, ...sandbox.connection }
  const client = openClient(host, connection, readOnly)
  return {
    client,
    connection,
    // It listens on another port each time; a plan that was made for it stays valid all the same.
    target: targetOf(connection, 'sandbox:'),
    async close() {
      await client.close()
      await sandbox.close()
    },
  }
}

function openClient({ world, env }: Host, connection: Connection, readOnly: boolean): Client {
  return createClient({
    ...connection,
    world,
    readOnly,
    userAgent: `vexil/${version}`,
    proxyEnvironment: env,
  })
}

function targetOf({ projectId, organizationId, profile }: Connection, baseUrl: string): Target {
  return { baseUrl, projectId, organizationId, profile }
}

/** `rollout_step` or `rollout_step=feature_flag.checkout_v2`. */
function allowance(text: string): Allowance {
  const [rule = '', address] = text.split('=', 2)
  const known = guardRules.find(candidate => candidate === rule)
  if (!known) {
    const near = didYouMean(rule, guardRules)
    const hint = near ? `did you mean "${near}"?` : `there are: ${guardRules.join(', ')}`
    throw new CommandError(`"${rule}" is not a guard; ${hint}`, exitCode.usage)
  }
  return { rule: known, ...(address ? { address } : {}) }
}
