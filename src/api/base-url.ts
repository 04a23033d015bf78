import { SettingError } from './errors/setting-error.ts'

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
  if (/\/api\/*$/.test(url.pathname)) {
    throw new SettingError(
      'baseUrl',
      'the base URL must end before "/api"; every path of the interface begins with it',
    )
  }
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

/** The names and addresses that never leave this machine. The URL parser has normalised their spelling. */
function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** An address or a path as others are written after it. */
export function withoutEndSlash(text: string): string {
  return text.replace(/\/+$/, '')
}
