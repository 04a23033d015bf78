import { withoutEndSlash } from '../../api/base-url.ts'
import {
  type Environment,
  fromEnvironment,
  isSettingError,
  keyFromEnvironment,
  requireKey,
  SettingError,
  variables,
} from '../../api/index.ts'
import { sandboxUrl } from '../../core/target.ts'
import {
  defaultProfile,
  isParallelism,
  isProfileSetting,
  type ProfileSetting,
  parallelismRange,
  profileWords,
  storeExample,
  storeFault,
} from '../../model/connection.ts'
import { escapeText } from '../../model/text/printable.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { KeyHost } from './key-command.ts'

export { variables } from '../../api/index.ts'

/** The address and the credentials of a service. The key never comes from a flag. */
export interface Connection {
  readonly baseUrl: string
  readonly apiKey: string
  /** The source of the key, for messages. */
  readonly keySource: string
  readonly projectId?: string
  readonly organizationId?: string
  readonly profile: ProfileSetting
  readonly parallelism: number
  /** The source of each setting, for messages; a default has none. */
  readonly sources: { readonly [Name in Setting]?: string }
}

/** The connection settings of the selected environment. */
export interface ConnectionSettings {
  readonly baseUrl?: string
  readonly project?: string
  readonly organization?: string
  readonly profile?: string
  readonly parallelism?: number
  /** The environment variable that holds this environment's key. */
  readonly apiKeyEnv?: string
  /** The program that prints this environment's key, and its arguments. */
  readonly apiKeyCommand?: readonly string[]
  /** The settings in the provider block of a stack, which override environment variables. */
  readonly stated?: Omit<ConnectionSettings, 'apiKeyEnv' | 'apiKeyCommand' | 'stated'> & {
    readonly apiKey?: string
  }
}

/** A setting of the connection that is missing or wrong. */
export class ConnectionError extends CommandError {
  readonly setting: Setting | 'apiKey'

  constructor(setting: Setting | 'apiKey', message: string, code: ExitCode = exitCode.error) {
    super(message, code)
    this.setting = setting
  }
}

/** Resolves a connection. Order: flag, provider block of a stack, environment variable, settings file. */
export async function resolveConnection(
  flags: Flags,
  host: KeyHost,
  settings: ConnectionSettings,
  directory: string,
  place: SettingsOrigin = { file: 'vexil.yaml' },
): Promise<Connection> {
  const resolved = withStated(resolveSettings(flags, host.env, settings, place), flags, settings)
  const { baseUrl, project, organization } = resolved
  if (baseUrl === undefined) {
    throw new ConnectionError(
      'baseUrl',
      'no service is given; set `base_url` in vexil.yaml, VEXIL_BASE_URL or --base-url, or try --sandbox',
    )
  }
  const sources = Object.entries(resolved).map(([setting, { source }]) => [setting, source] as const)
  return {
    baseUrl: withoutEndSlash(baseUrl.value),
    ...(await findKey(host, settings, directory)),
    projectId: project?.value,
    organizationId: organization?.value,
    profile: requireProfile(resolved.profile?.value ?? defaultProfile),
    parallelism: parallelism(resolved.parallelism?.value ?? '8'),
    sources: Object.fromEntries(sources),
  }
}

/** A text that identifies a place, for comparison. It contains the key, so never show it. */
export function settledPlace(flags: Flags, env: Environment, settings: ConnectionSettings): string {
  // Provider blocks that disagree are for two places, even if a flag overrides both.
  const resolved = withStated(resolveSettings(flags, env, settings, { file: '' }), {}, settings)
  const { apiKeyEnv, apiKeyCommand, stated = {} } = settings
  const variable = apiKeyEnv === undefined ? fromEnvironment(env, 'apiKey') : env[apiKeyEnv]
  const key = apiKeyCommand ?? variable
  const place = (['baseUrl', 'profile', 'project', 'organization'] as const).map(name => {
    const value = resolved[name]?.value
    return value === undefined ? null : canonicalSetting(name, value)
  })
  return JSON.stringify([stated.apiKey ?? key ?? null, ...place])
}

/** Throws for `@current`, which changes when the key's user opens another project. */
export function requireFixedPlace({ projectId, organizationId }: Connection): void {
  if (projectId !== '@current' && organizationId !== '@current') return
  throw new ConnectionError(
    projectId === '@current' ? 'project' : 'organization',
    `"@current" is whatever the key's user last opened; give the id itself`,
  )
}

const providerBlock = 'the provider block of the stack'

function withStated(
  resolved: ResolvedSettings,
  flags: Flags,
  { stated = {} }: ConnectionSettings,
): ResolvedSettings {
  const { apiKey: _apiKey, ...fields } = stated
  const given = Object.entries(fields).filter(([setting, value]) => {
    const isFlag = Object.entries(flags).some(([name, flag]) => name === setting && flag !== undefined)
    return value !== undefined && !isFlag
  })
  const all = given.map(([setting, value]) => [setting, { value: String(value), source: providerBlock }])
  return { ...resolved, ...Object.fromEntries(all) }
}

async function findKey(
  host: KeyHost,
  { apiKeyEnv, apiKeyCommand, stated }: ConnectionSettings,
  directory: string,
): Promise<Pick<Connection, 'apiKey' | 'keySource'>> {
  const names = apiKeyEnv === undefined ? variables.apiKey : [apiKeyEnv, `${apiKeyEnv}_FILE`]
  try {
    const key = stated?.apiKey
    if (key) return { apiKey: requireKey(key, `the key from ${providerBlock}`), keySource: providerBlock }
    if (apiKeyCommand) return await keyFromCommand(host, apiKeyCommand, directory)
    const found = await keyFromEnvironment(host.env, names, directory)
    if (found) return found
  } catch (error) {
    throw isSettingError(error) ? new ConnectionError('apiKey', error.message) : error
  }
  throw new ConnectionError('apiKey', noKey(apiKeyEnv))
}

/**
 * The key that a program prints. The program comes from a file of the repository, so a pull request could run
 * any code: it runs only where a variable allows it. Its output and its errors are never shown.
 */
async function keyFromCommand(
  host: KeyHost,
  words: readonly string[],
  directory: string,
): Promise<Pick<Connection, 'apiKey' | 'keySource'>> {
  const allowed = host.env[commandVariable]?.toLowerCase()
  if (allowed !== '1' && allowed !== 'true')
    throw new SettingError(
      'apiKey',
      `this environment takes its key from api_key_command, which runs only with ${commandVariable}=1; set it where you trust vexil.yaml`,
    )
  const name = JSON.stringify([directory, ...words])
  const known = host.keysOfCommands.get(name)
  const running =
    known ?? import('./key-command.ts').then(({ runKeyCommand }) => runKeyCommand(host, words, directory))
  host.keysOfCommands.set(name, running)
  try {
    return { apiKey: await running, keySource: 'api_key_command' }
  } catch (error) {
    // A later attempt, as of a long-running command, runs it again.
    if (host.keysOfCommands.get(name) === running) host.keysOfCommands.delete(name)
    throw error
  }
}

const commandVariable = 'VEXIL_ALLOW_KEY_COMMAND'

/** The address of the store; undefined if there is none. */
export function storeAddress(
  env: Environment,
  { store }: { readonly store?: string | undefined },
): string | undefined {
  const given = env.VEXIL_STORE
  if (!given) return store
  const fault = storeFault(given)
  if (fault === undefined) return given
  throw new CommandError(`VEXIL_STORE ${fault}, such as ${storeExample}`)
}

/** The address of the webhook; undefined if there is none. No message shows it from then on. */
export function webhookAddress(
  { env, secrets }: Pick<KeyHost, 'env' | 'secrets'>,
  { notify }: { readonly notify?: { readonly urlEnv: string } | undefined },
): string | undefined {
  if (!notify) return undefined
  const address = env[notify.urlEnv]
  if (!address) throw new CommandError(`"notify" takes its address from ${notify.urlEnv}, which is not set`)
  secrets.add(address)
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address
  throw new CommandError(
    `${notify.urlEnv} must be the address of a webhook, such as https://example.com/hook`,
  )
}

function noKey(apiKeyEnv: string | undefined): string {
  return apiKeyEnv === undefined
    ? 'no key is given; set VEXIL_API_KEY, or VEXIL_API_KEY_FILE to the path of a file that holds it'
    : `this environment takes its key from ${apiKeyEnv}, which is not set (nor is ${apiKeyEnv}_FILE)`
}

/** Parses a profile; throws if it is unknown. */
export function requireProfile(value: string): ProfileSetting {
  if (isProfileSetting(value)) return value
  const message = `"${value}" is not a profile; use ${profileWords}`
  throw new ConnectionError('profile', message, exitCode.usage)
}

function parallelism(value: string): number {
  const parsed = Number(value)
  if (isParallelism(parsed)) return parsed
  const { from, to } = parallelismRange
  const message = `parallelism is a whole number from ${from} to ${to}, not "${value}"`
  throw new ConnectionError('parallelism', message, exitCode.usage)
}

/** The name of a setting that flags, environment variables and the settings file can contain. */
type Setting = Exclude<keyof typeof variables, 'apiKey'>

export interface Resolved {
  readonly value: string
  /** Its source, for messages: `--project`, `VEXIL_PROJECT_ID`, `vexil.yaml`. */
  readonly source: string
  /** The value in the settings file, if a variable overrides a different one. */
  readonly over?: string | undefined
}

/** Every setting that has a value. */
export type ResolvedSettings = { readonly [Name in Setting]?: Resolved }

export type WrittenSettings = { readonly [Name in Setting]?: string | number }

/** The source of these settings, for messages. */
export interface SettingsOrigin {
  /** `vexil.yaml`. */
  readonly file: string
  readonly environment?: string
  /** The sources of other settings: `the record`. */
  readonly others?: { readonly [Name in Setting]?: string }
}

/** Resolves all settings, with their sources. */
export function resolveSettings(
  flags: { readonly [Name in Setting]?: string },
  env: Environment,
  written: WrittenSettings,
  { file: settingsFile, others }: SettingsOrigin,
): ResolvedSettings {
  const all = settings.flatMap(setting => {
    const file = others?.[setting] ?? settingsFile
    const settled = resolveOne(setting, flags[setting], env, { value: written[setting], file })
    return settled ? [[setting, settled]] : []
  })
  return Object.fromEntries(all)
}

export interface Disagreement {
  readonly setting: Setting
  /** The value that is used. */
  readonly value: string
  /** The variable: `VEXIL_PROJECT_ID`. */
  readonly source: string
  /** Variable and value, for messages: `VEXIL_PROJECT_ID=2`. */
  readonly variable: string
  /** `project "1" of environment production in vexil.yaml`. */
  readonly written: string
}

/** The variables that override a different value in the settings. */
export function disagreementsIn(resolved: ResolvedSettings, place: SettingsOrigin): Disagreement[] {
  return settings.flatMap(setting => {
    const { over, source, value } = resolved[setting] ?? {}
    if (over === undefined || source === undefined || value === undefined) return []
    const written = `${settingMembers[setting]} "${shownValue(setting, over)}" ${placeText(setting, place)}`
    return [{ setting, value, source, variable: `${source}=${shownValue(setting, value)}`, written }]
  })
}

/** Whether two values of a setting are equal, regardless of the spelling of URLs and UUIDs. */
export function isSameSetting(setting: Setting, left: string, right: string): boolean {
  return canonicalSetting(setting, left) === canonicalSetting(setting, right)
}

/** A value for messages: a URL is shown without passwords. */
export function shownValue(setting: Setting, value: string): string {
  if (setting !== 'baseUrl' || value === sandboxUrl) return escapeText(value)
  const url = URL.canParse(value) ? new URL(value) : undefined
  // A text that is not a URL may be a password.
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return '(no URL)'
  for (const part of ['username', 'password', 'search', 'hash'] as const) url[part] = ''
  return escapeText(withoutEndSlash(url.href))
}

/** The names of settings in the settings file. */
export const settingMembers: Readonly<Record<Setting, string>> = {
  baseUrl: 'base_url',
  project: 'project',
  organization: 'organization',
  profile: 'profile',
  parallelism: 'parallelism',
}

// The table has exactly these keys.
const settings = Object.keys(settingMembers) as readonly Setting[]

export function flagOf(setting: Setting): string {
  return `--${settingMembers[setting].replace('_', '-')}`
}

function resolveOne(
  setting: Setting,
  flag: string | undefined,
  env: Environment,
  written: { readonly value: string | number | undefined; readonly file: string },
): Resolved | undefined {
  if (flag !== undefined) return { value: flag, source: flagOf(setting) }
  const inSettings = written.value === undefined ? undefined : String(written.value)
  const variable = variables[setting].find(name => env[name])
  const value = variable && env[variable]
  if (!variable || !value) {
    return inSettings === undefined ? undefined : { value: inSettings, source: written.file }
  }
  const isOverruling = inSettings !== undefined && !isSameSetting(setting, value, inSettings)
  return { value, source: variable, over: isOverruling ? inSettings : undefined }
}

function canonicalSetting(setting: Setting, value: string): string {
  const text = value.trim()
  if (setting === 'organization') return text.toLowerCase()
  if (setting !== 'baseUrl') return text
  return withoutEndSlash(URL.canParse(text) ? new URL(text).href : text)
}

function placeText(setting: Setting, { file, environment, others }: SettingsOrigin): string {
  const other = others?.[setting]
  if (other !== undefined) return `in ${other}`
  return environment === undefined ? `in ${file}` : `of environment ${escapeText(environment)} in ${file}`
}
