import { resolve } from 'node:path'
import { checkedKey } from '../model/api-key.ts'
import { variables } from '../model/connection.ts'
import { FileError, readRegularFile, textFrom } from '../model/files.ts'
import { keyLength } from '../model/limits.ts'

export { variables } from '../model/connection.ts'

export type Environment = Readonly<Record<string, string | undefined>>

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
  const key = keySource.endsWith('_FILE') ? await readKeyFile(keySource, given, directory) : given
  return { apiKey: requireKey(key, `the key from ${keySource}`), keySource }
}

/** A key that passes the gate; otherwise a `SettingError` that says what is wrong with it and does not show it. */
export function requireKey(given: string, what: string): string {
  const checked = checkedKey(given)
  if ('key' in checked) return checked.key
  throw new SettingError('apiKey', `${what} ${checked.fault}`)
}

async function readKeyFile(variable: string, path: string, directory: string): Promise<string> {
  try {
    const bytes = await readRegularFile(resolve(directory, path), largestKeyFile)
    // Only so that another encoding is named: what is wrong with a mark before a key is told with the key.
    textFrom(bytes)
    return bytes.toString('utf8')
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    // Sometimes such a variable is given the key itself.
    const file = mayBeKey(path) ? `the file that ${variable} names` : `the key file "${path}"`
    throw new SettingError('apiKey', `${file} ${error.message}`)
  }
}

/** A key and some blank lines. */
const largestKeyFile = 4 * keyLength.most

function mayBeKey(path: string): boolean {
  return !/[/\\.]/.test(path) && 'key' in checkedKey(path)
}

export interface BaseUrl {
  readonly origin: string
  readonly hostname: string
  /** What the paths of the interface are appended to; empty, or without a slash at its end. */
  readonly prefix: string
  readonly isLoopback: boolean
}

/** Reads a base URL; refuses one over which a key must not travel. */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new SettingError('baseUrl', 'the base URL is not a URL; write it like https://flags.example.com')
  }
  if (url.username !== '' || url.password !== '') {
    throw new SettingError('baseUrl', 'the base URL holds a user or a password; take them out')
  }
  if (url.search !== '' || url.hash !== '') {
    throw new SettingError('baseUrl', `the base URL ends in "${url.search ? '?' : '#'}..."; take that off`)
  }
  const path = pathProblem(url)
  if (path) throw new SettingError('baseUrl', `the base URL ${path.join('; ')}`)
  const isLoopback = isLoopbackHost(url.hostname)
  if (url.protocol === 'http:' && !isLoopback) {
    throw new SettingError(
      'baseUrl',
      `the base URL "${url.origin}" is plain http, over which the key could be read; use https`,
    )
  }
  return {
    origin: url.origin,
    hostname: url.hostname,
    prefix: withoutEndSlash(url.pathname),
    isLoopback,
  }
}

/**
 * Why an address is not where a service begins: it goes on into the interface, or is that of a page in the browser. Any
 * other path may be where a gateway has the service, and nothing else would lead there.
 */
export function pathProblem({ origin, pathname }: URL): [message: string, hint: string] | undefined {
  const inside = insideService.exec(pathname)
  if (!inside) return undefined
  const root = `${origin}${pathname.slice(0, inside.index)}`
  return [`must end before "${inside[0]}"`, `it is where the service begins: write ${root}`]
}

const pages =
  'activity|dashboard|events|experiments|feature_flags|home|insights|persons|replay|settings|surveys'

/** Where the service is left: what has an id behind it, or ends there, is hardly the way to one. */
const insideService = new RegExp(
  [
    String.raw`\/api(?=\/*$|\/users\/@me\b|\/(?:projects|organizations|environments)\/(?:\d+|@current|[\da-f-]{36})(?:\/|$))`,
    String.raw`\/project(?=\/(?:\d+|@current)(?:\/*$|\/(?:${pages})(?:\/|$)))`,
    String.raw`\/organization(?=\/(?:billing|members|settings)\/*$)`,
  ].join('|'),
)

/** The names and addresses that never leave this machine. The URL parser has normalised their spelling. */
function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** An address or a path as others are written after it. */
export function withoutEndSlash(text: string): string {
  return text.replace(/\/+$/, '')
}

/** A client cannot be made, or an operation called, with the settings at hand. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
  /** The option of the client that is missing or wrong. */
  readonly setting: string

  constructor(setting: string, message: string) {
    super(message)
    this.setting = setting
  }
}

export function isSettingError(error: unknown): error is SettingError {
  return error instanceof SettingError
}
