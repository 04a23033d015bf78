import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { codeOf } from '../model/error-code.ts'
import { SettingError } from './setting-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Each setting's environment variables: ours, then the public service's own spelling. `_FILE` names a file. */
export const variables = {
  apiKey: ['VEXIL_API_KEY', 'VEXIL_API_KEY_FILE', 'POSTHOG_API_KEY', 'POSTHOG_API_KEY_FILE'],
  baseUrl: ['VEXIL_BASE_URL', 'POSTHOG_HOST'],
  project: ['VEXIL_PROJECT_ID', 'POSTHOG_PROJECT_ID'],
  organization: ['VEXIL_ORGANIZATION_ID', 'POSTHOG_ORGANIZATION_ID'],
  profile: ['VEXIL_PROFILE'],
  parallelism: ['VEXIL_PARALLELISM'],
} as const

/** The first of a setting's variables that is set and not empty. */
export function fromEnvironment(
  environment: Environment,
  setting: keyof typeof variables,
): string | undefined {
  return variables[setting].map(name => environment[name]).find(value => value !== undefined && value !== '')
}

/** The key from the first of these variables that is set, and which one that was. */
export async function keyFromEnvironment(
  environment: Environment,
  names: readonly string[],
  directory: string,
): Promise<{ readonly apiKey: string; readonly keySource: string } | undefined> {
  const keySource = names.find(name => environment[name])
  if (keySource === undefined) return undefined
  const given = environment[keySource] ?? ''
  const key = keySource.endsWith('_FILE') ? await readKeyFile(given, directory) : given
  const apiKey = key.trim()
  // A line break inside a header would be a second header.
  if (/^[\x21-\x7e]+$/.test(apiKey)) return { apiKey, keySource }
  const what = apiKey === '' ? 'is empty' : 'has characters that no key has; was it cut or wrapped?'
  throw new SettingError('apiKey', `the key from ${keySource} ${what}`)
}

async function readKeyFile(path: string, directory: string): Promise<string> {
  try {
    return await readFile(resolve(directory, path), 'utf8')
  } catch (error) {
    const why = codeOf(error, 'unreadable')
    throw new SettingError('apiKey', `the key file "${path}" cannot be read (${why})`)
  }
}
