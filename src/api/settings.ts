import { resolve } from 'node:path'
import { variables } from '../model/connection.ts'
import { FileError, readRegularFile, textFrom } from '../model/files.ts'
import { checkedKey, keyLength } from '../model/limits.ts'

export { variables } from '../model/connection.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The first of a setting's variables that is set and not empty. */
export function fromEnvironment(
  environment: Environment,
  setting: keyof typeof variables,
): string | undefined {
  return variables[setting].map(name => environment[name]).find(value => value !== undefined && value !== '')
}

/** The key from the first of these variables that is set, and the name of that variable. */
export async function keyFromEnvironment(
  environment: Environment,
  names: readonly string[],
  directory: string,
): Promise<{ readonly apiKey: string; readonly keySource: string } | undefined> {
  const keySource = names.find(name => environment[name])
  if (keySource === undefined) return undefined
  const given = environment[keySource] ?? ''
  const key = keySource.endsWith('_FILE') ? await readKeyFile(keySource, given, directory) : given
  return { apiKey: requireKey(key, `the key from ${keySource}`), keySource }
}

/** Checks a key. Throws a `SettingError` that does not contain the key. */
export function requireKey(given: string, what: string): string {
  const checked = checkedKey(given)
  if ('key' in checked) return checked.key
  throw new SettingError('apiKey', `${what} ${checked.fault}`)
}

async function readKeyFile(variable: string, path: string, directory: string): Promise<string> {
  try {
    const bytes = await readRegularFile(resolve(directory, path), largestKeyFile)
    // Throws for another encoding. A byte order mark is reported with the key.
    textFrom(bytes)
    return bytes.toString('utf8')
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    // The variable may contain the key by mistake.
    const file = mayBeKey(path) ? `the file that ${variable} names` : `the key file "${path}"`
    throw new SettingError('apiKey', `${file} ${error.message}`)
  }
}

/** Enough for a key and some blank lines. */
const largestKeyFile = 4 * keyLength.most

function mayBeKey(path: string): boolean {
  return !/[/\\.]/.test(path) && 'key' in checkedKey(path)
}

/** Thrown if a client cannot be created, or an operation cannot be called, with the given settings. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
  /** The missing or wrong option of the client. */
  readonly setting: string

  constructor(setting: string, message: string) {
    super(message)
    this.setting = setting
  }
}

export function isSettingError(error: unknown): error is SettingError {
  return error instanceof SettingError
}
