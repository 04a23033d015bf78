import { type Environment, variables } from '../../api/index.ts'
import { withoutEndSlash } from '../../api/settings.ts'
import { sandboxUrl } from '../../core/target.ts'
import { escapeText } from '../../model/text/escape-text.ts'

/** What is settled by a flag, an environment variable or the settings, in this order. */
export type Setting = Exclude<keyof typeof variables, 'apiKey'>

/** One setting as it was settled. */
export interface Resolved {
  readonly value: string
  /** Where it is from, for people: `--project`, `VEXIL_PROJECT_ID`, `vexil.yaml`. */
  readonly source: string
  /** What the settings say, where a variable has won over something else. */
  readonly over?: string
}

/** Every setting, as far as anything says what it is. */
export type ResolvedSettings = { readonly [Name in Setting]?: Resolved }

/** What the settings say. */
export type WrittenSettings = { readonly [Name in Setting]?: string | number }

/** Whose settings these are, for people. */
export interface SettingsOrigin {
  /** `vexil.yaml`. */
  readonly file: string
  readonly environment?: string
  /** Settings that are from somewhere else: `the record`. */
  readonly others?: { readonly [Name in Setting]?: string }
}

/** Settles every setting, and remembers where each is from: nothing is overruled without a word. */
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
  /** What has won. */
  readonly value: string
  /** The variable that it is from: `VEXIL_PROJECT_ID`. */
  readonly source: string
  /** Both, as people are shown them: `VEXIL_PROJECT_ID=2`. */
  readonly variable: string
  /** `project "1" of environment production in vexil.yaml`. */
  readonly written: string
}

/** Each variable that has won over something else in the settings. */
export function disagreementsIn(resolved: ResolvedSettings, place: SettingsOrigin): Disagreement[] {
  return settings.flatMap(setting => {
    const { over, source, value } = resolved[setting] ?? {}
    if (over === undefined || source === undefined || value === undefined) return []
    const written = `${members[setting]} "${shownValue(setting, over)}" ${placeText(setting, place)}`
    return [{ setting, value, source, variable: `${source}=${shownValue(setting, value)}`, written }]
  })
}

/** Whether two spellings of a setting mean the same: those of a URL and of a UUID differ in what means nothing. */
export function isSameSetting(setting: Setting, left: string, right: string): boolean {
  return canonicalSetting(setting, left) === canonicalSetting(setting, right)
}

/** A value as it may be shown: an address keeps what could be a password to itself. */
export function shownValue(setting: Setting, value: string): string {
  if (setting !== 'baseUrl' || value === sandboxUrl) return escapeText(value)
  const url = URL.canParse(value) ? new URL(value) : undefined
  // What only looks like an address may be anything, a password among them.
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return '(no URL)'
  for (const part of ['username', 'password', 'search', 'hash'] as const) url[part] = ''
  return escapeText(withoutEndSlash(url.href))
}

/** How a setting is given on the command line. */
export const flagNames: Readonly<Record<Setting, string>> = {
  baseUrl: '--base-url',
  project: '--project',
  organization: '--organization',
  profile: '--profile',
  parallelism: '--parallelism',
}

/** How a setting is spelled in the settings file. */
export const members: Readonly<Record<Setting, string>> = {
  baseUrl: 'base_url',
  project: 'project',
  organization: 'organization',
  profile: 'profile',
  parallelism: 'parallelism',
}

// The table has these keys and no others.
const settings = Object.keys(members) as readonly Setting[]

function resolveOne(
  setting: Setting,
  flag: string | undefined,
  env: Environment,
  written: { readonly value: string | number | undefined; readonly file: string },
): Resolved | undefined {
  if (flag !== undefined) return { value: flag, source: flagNames[setting] }
  const inSettings = written.value === undefined ? undefined : String(written.value)
  const variable = variables[setting].find(name => env[name])
  const value = variable && env[variable]
  if (!variable || !value) {
    return inSettings === undefined ? undefined : { value: inSettings, source: written.file }
  }
  const isOverruling = inSettings !== undefined && !isSameSetting(setting, value, inSettings)
  return { value, source: variable, ...(isOverruling ? { over: inSettings } : {}) }
}

/** The one spelling of all that mean the same. */
export function canonicalSetting(setting: Setting, value: string): string {
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
