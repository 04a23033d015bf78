import { join } from 'node:path'
import { type Client, createClient } from '../api/index.ts'
import { type GuardRule, guardRules } from '../core/desired.ts'
import { type Allowance, defaultPolicy, type Policy } from '../core/policy.ts'
import type { Target } from '../core/target.ts'
import { didYouMean } from '../model/did-you-mean.ts'
import { type Connection, type ConnectionFlags, settleConnection } from './connection.ts'
import { CommandError, exitCode } from './exit-code.ts'
import type { Host } from './host.ts'
import type { Repository } from './repository.ts'
import { stateFolder } from './state.ts'
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

/** Opens a connection for the chosen environment; `readOnly` refuses every request that could write. */
export async function openSession(
  host: Host,
  flags: SessionFlags,
  repository: Pick<Repository, 'directory' | 'connection'>,
  { readOnly }: { readonly readOnly: boolean },
): Promise<Session> {
  const stand = flags.sandbox ? await openSandbox(host, repository.directory) : undefined
  const connection = await settleConnection(
    stand ? { ...flags, baseUrl: stand.url } : flags,
    stand ? { ...host.env, VEXIL_API_KEY: stand.apiKey } : host.env,
    stand ? withDefaults(repository.connection, stand) : repository.connection,
    repository.directory,
  )
  const client = createClient({
    ...connection,
    world: host.world,
    readOnly,
    userAgent: `vexil/${version}`,
    proxyEnvironment: host.env,
  })
  const { projectId, organizationId, profile } = connection
  return {
    client,
    connection,
    // A sandbox gets another port each time; a plan made for it stays valid all the same.
    target: { baseUrl: stand ? 'sandbox:' : connection.baseUrl, projectId, organizationId, profile },
    async close() {
      await client.close()
      await stand?.close()
    },
  }
}

/** The policy of a repository with what the command line adds to it. */
export function settlePolicy(settings: Omit<Policy, 'allow'> | undefined, flags: SessionFlags): Policy {
  const policy = { ...defaultPolicy, ...settings, allow: (flags.allow ?? []).map(allowance) }
  if (flags.prune === undefined) return policy
  if (flags.prune !== 'never' && flags.prune !== 'owned' && flags.prune !== 'all') {
    throw new CommandError(`"${flags.prune}" is no way to prune; take never, owned or all`, exitCode.usage)
  }
  return { ...policy, ownership: { ...policy.ownership, prune: flags.prune } }
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
  return { rule: known satisfies GuardRule, ...(address ? { address } : {}) }
}

interface StandIn {
  readonly url: string
  readonly apiKey: string
  readonly project: string
  readonly organization: string
  close(): Promise<void>
}

/** The embedded service, kept beside the repository, so that what one command applies the next one finds. */
async function openSandbox({ world }: Host, directory: string): Promise<StandIn> {
  const { createSandbox, serveSandbox } = await import('../sandbox/index.ts')
  const sandbox = await createSandbox({ world, data: join(directory, stateFolder, 'sandbox') })
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 })
  return {
    url: served.url,
    apiKey: sandbox.summary.api_key,
    project: String(sandbox.summary.project),
    organization: sandbox.summary.organization,
    async close() {
      await served.close()
      await sandbox.close()
    },
  }
}

function withDefaults(settings: Repository['connection'], stand: StandIn): Repository['connection'] {
  const { apiKeyEnv: _apiKeyEnv, ...others } = settings
  return { project: stand.project, organization: stand.organization, ...others }
}
