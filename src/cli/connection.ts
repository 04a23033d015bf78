import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandError, exitCode } from './exit-code.ts'

/** Where to talk to and as whom. The key is here and nowhere else; it never comes from a flag. */
export interface Connection {
  readonly baseUrl: string
  readonly apiKey: string
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

type Env = Readonly<Record<string, string | undefined>>

/** Each setting's environment variables: ours, then the public service's own spelling. */
export const variables = {
  apiKey: ['VEXIL_API_KEY', 'POSTHOG_API_KEY'],
  apiKeyFile: ['VEXIL_API_KEY_FILE', 'POSTHOG_API_KEY_FILE'],
  baseUrl: ['VEXIL_BASE_URL', 'POSTHOG_HOST'],
  project: ['VEXIL_PROJECT_ID', 'POSTHOG_PROJECT_ID'],
  organization: ['VEXIL_ORGANIZATION_ID', 'POSTHOG_ORGANIZATION_ID'],
  profile: ['VEXIL_PROFILE'],
  parallelism: ['VEXIL_PARALLELISM'],
} as const

/** Settles a connection: flag before environment before settings file. */
export async function settleConnection(
  flags: ConnectionFlags,
  env: Env,
  settings: ConnectionSettings,
  directory: string,
): Promise<Connection> {
  const baseUrl = flags.baseUrl ?? fromEnv(env, 'baseUrl') ?? settings.baseUrl
  if (baseUrl === undefined) {
    throw new CommandError(
      'no service is given; set `base_url` in vexil.yaml, VEXIL_BASE_URL or --base-url, or try --sandbox',
    )
  }
  const projectId = flags.project ?? fromEnv(env, 'project') ?? settings.project
  const organizationId = flags.organization ?? fromEnv(env, 'organization') ?? settings.organization
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey: await apiKey(env, settings, directory),
    ...(projectId === undefined ? {} : { projectId }),
    ...(organizationId === undefined ? {} : { organizationId }),
    profile: profile(flags.profile ?? fromEnv(env, 'profile') ?? settings.profile ?? 'documented'),
    parallelism: parallelism(flags.parallelism ?? fromEnv(env, 'parallelism') ?? settings.parallelism ?? 8),
  }
}

function fromEnv(env: Env, setting: keyof typeof variables): string | undefined {
  return variables[setting].map(name => env[name]).find(value => value !== undefined && value !== '')
}

async function apiKey(env: Env, { apiKeyEnv }: ConnectionSettings, directory: string): Promise<string> {
  const named = apiKeyEnv === undefined ? undefined : env[apiKeyEnv]
  if (apiKeyEnv !== undefined && !named) {
    throw new CommandError(`this environment takes its key from ${apiKeyEnv}, which is not set`)
  }
  const key = named ?? fromEnv(env, 'apiKey') ?? (await keyFromFile(env, directory))
  if (key === undefined) {
    throw new CommandError(
      'no key is given; set VEXIL_API_KEY, or VEXIL_API_KEY_FILE to the path of a file that holds it',
    )
  }
  const trimmed = key.trim()
  // A line break inside a header would be a second header.
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    throw new CommandError('the key has characters that no key has; was it cut or wrapped?')
  return trimmed
}

async function keyFromFile(env: Env, directory: string): Promise<string | undefined> {
  const path = fromEnv(env, 'apiKeyFile')
  if (path === undefined) return undefined
  try {
    return await readFile(resolve(directory, path), 'utf8')
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new CommandError(`the key file "${path}" cannot be read (${why})`)
  }
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
