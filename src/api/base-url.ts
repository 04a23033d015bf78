import { SettingError } from './settings.ts'

export interface BaseUrl {
  readonly origin: string
  readonly hostname: string
  /** The prefix of API paths; empty, or without a slash at its end. */
  readonly prefix: string
  readonly isLoopback: boolean
}

/** Parses a base URL; throws if it would expose the key. */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new SettingError('baseUrl', 'the base URL is not a URL; write it like https://flags.example.com')
  }
  if (url.username !== '' || url.password !== '') {
    throw new SettingError('baseUrl', 'the base URL contains a user or a password; remove them')
  }
  if (url.search !== '' || url.hash !== '') {
    throw new SettingError('baseUrl', `the base URL ends in "${url.search ? '?' : '#'}..."; remove that part`)
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

/** Why a path cannot be a base URL: it is of the API, or of a page. Others may belong to a gateway. */
export function pathProblem({ origin, pathname }: URL): [message: string, hint: string] | undefined {
  const inside = insideService.exec(pathname)
  if (!inside) return undefined
  const root = `${origin}${pathname.slice(0, inside.index)}`
  return [`must end before "${inside[0]}"`, `it is where the service begins: write ${root}`]
}

const pages =
  'activity|dashboard|events|experiments|feature_flags|home|insights|persons|replay|settings|surveys'

/** Matches paths inside the service, which cannot be its base URL. */
const insideService = new RegExp(
  [
    String.raw`\/api(?=\/*$|\/users\/@me\b|\/(?:projects|organizations|environments)\/(?:\d+|@current|[\da-f-]{36})(?:\/|$))`,
    String.raw`\/project(?=\/(?:\d+|@current)(?:\/*$|\/(?:${pages})(?:\/|$)))`,
    String.raw`\/organization(?=\/(?:billing|members|settings)\/*$)`,
  ].join('|'),
)

/** Whether a host is this machine. The URL parser has normalised the spelling. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** An address or a path without the slashes at its end. */
export function withoutEndSlash(text: string): string {
  return text.replace(/\/+$/, '')
}
