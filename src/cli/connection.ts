import {
  type Environment,
  fromEnvironment,
  isSettingError,
  keyFromEnvironment,
  variables,
} from '../api/index.ts'
import { CommandError, exitCode } from './exit-code.ts'

export { variables } from '../api/index.ts'

/** Where to talk to and as whom. The key is here and nowhere else; it never comes from a flag. */
export interface Connection {
  readonly baseUrl: string
  readonly apiKey: string
  /** What the key was taken from, for people. */
  readonly keySource: string
  readonly projectId?: string
  readonly organizationId?: string
  readonly profile: 'documented' | 'posthog'
  readonly parallelism: number
}

/** What can be given as a flag. */
export interface ConnectionFlags {
  readonly baseUrl?: string
  readonly project?: string
  readonly organization?: string
  readonly profile?: string
  readonly parallelism?: string
}

/** What the settings file says of the chosen environment. */
export interface ConnectionSettings {
  readonly baseUrl?: string
  readonly project?: string
  readonly organization?: string
  readonly profile?: string
  readonly parallelism?: number
  /** The environment variable that holds this environment's key. */
  readonly apiKeyEnv?: string
}

/** Settles a connection: flag before environment before settings file. */
export async function settleConnection(
  flags: ConnectionFlags,
  env: Environment,
  settings: ConnectionSettings,
  directory: string,
): Promise<Connection> {
  const baseUrl = flags.baseUrl ?? fromEnvironment(env, 'baseUrl') ?? settings.baseUrl
  if (baseUrl === undefined) {
    throw new CommandError(
      'no service is given; set `base_url` in vexil.yaml, VEXIL_BASE_URL or --base-url, or try --sandbox',
    )
  }
  const projectId = flags.project ?? fromEnvironment(env, 'project') ?? settings.project
  const organizationId = flags.organization ?? fromEnvironment(env, 'organization') ?? settings.organization
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ...(await findKey(env, settings, directory)),
    ...(projectId === undefined ? {} : { projectId }),
    ...(organizationId === undefined ? {} : { organizationId }),
    profile: profile(flags.profile ?? fromEnvironment(env, 'profile') ?? settings.profile ?? 'documented'),
    parallelism: parallelism(
      flags.parallelism ?? fromEnvironment(env, 'parallelism') ?? settings.parallelism ?? 8,
    ),
  }
}

/** Such a word means another place as soon as the key's user opens one: a plan would be for nowhere in particular. */
export function requireFixedPlace({ projectId, organizationId }: Connection): void {
  if (projectId !== '@current' && organizationId !== '@current') return
  throw new CommandError(`"@current" is whatever the key's user last opened; give the id itself`)
}

async function findKey(
  env: Environment,
  { apiKeyEnv }: ConnectionSettings,
  directory: string,
): Promise<Pick<Connection, 'apiKey' | 'keySource'>> {
  const names = apiKeyEnv === undefined ? variables.apiKey : [apiKeyEnv, `${apiKeyEnv}_FILE`]
  try {
    const found = await keyFromEnvironment(env, names, directory)
    if (found) return found
  } catch (error) {
    throw isSettingError(error) ? new CommandError(error.message) : error
  }
  throw new CommandError(noKey(apiKeyEnv))
}

function noKey(apiKeyEnv: string | undefined): string {
  return apiKeyEnv === undefined
    ? 'no key is given; set VEXIL_API_KEY, or VEXIL_API_KEY_FILE to the path of a file that holds it'
    : `this environment takes its key from ${apiKeyEnv}, which is not set (nor is ${apiKeyEnv}_FILE)`
}

function profile(value: string): Connection['profile'] {
  if (value === 'documented' || value === 'posthog') return value
  throw new CommandError(`"${value}" is not a profile; take "documented" or "posthog"`, exitCode.usage)
}

function parallelism(value: string | number): number {
  const parsed = Number(value)
  if (Number.isInteger(parsed) && parsed >= 1 && parsed <= 64) return parsed
  throw new CommandError(`parallelism is a whole number from 1 to 64, not "${value}"`, exitCode.usage)
}
