import type { Profile, ProfileProof, ProfileSetting } from '../model/connection/profile.ts'
import type { Runtime } from '../model/runtime/runtime.ts'
import { withoutEndSlash } from './base-url.ts'
import { requireKey } from './environment.ts'
import type { RedactAnswer } from './errors/redact.ts'
import { SettingError } from './errors/setting-error.ts'
import type { Recognition } from './recognition.ts'
import type { ProxyEnvironment } from './request/dispatcher.ts'
import type { Rate } from './request/rate-limiter.ts'
import type { CallArguments, Id } from './request/request.ts'
import type { RequestDispatcher } from './request/request-dispatcher.ts'
import type { RetryOptions } from './request/retry.ts'
import type { RequestEvent } from './request/send.ts'

export interface ClientOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly projectId?: Id
  readonly organizationId?: Id
  /** With `auto`, as when absent, the first answers tell. */
  readonly profile?: ProfileSetting
  /** How many requests may be under way at once; 8 when absent. */
  readonly parallelism?: number
  /** How long the service may stay silent; a minute when absent. A whole answer may take ten times as long. */
  readonly timeoutMs?: number
  readonly retry?: RetryOptions
  readonly rate?: Rate
  readonly runtime: Runtime
  /** Carries the requests instead of connections of the client's own; it is not closed with the client. */
  readonly dispatcher?: Pick<RequestDispatcher, 'request'>
  /** Where `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` are looked up; no proxy when absent. */
  readonly proxyEnvironment?: ProxyEnvironment
  /** Refuses every request that could change something. */
  readonly readOnly?: boolean
  readonly userAgent?: string
  /**
   * What errors may show of a text that the service answered with: why it refused something, which may quote what was
   * sent, or a body that is not what was promised.
   */
  readonly redactAnswer?: RedactAnswer
  /** Told of each request that was sent, repeats included. */
  readonly onRequest?: (event: RequestEvent) => void
}

/** Which service, project and organization a client talks to. */
export interface ClientTarget {
  readonly baseUrl: string
  readonly projectId?: string
  readonly organizationId?: string
  /** Which service it is, as far as its answers have shown. */
  readonly profile: Profile
  /** How that is known; what is assumed may yet turn out to be another. */
  readonly known: ProfileProof
}

export interface CallOptions extends CallArguments {
  readonly signal?: AbortSignal
}

/** What a list is asked for. */
export interface ListCallOptions extends Omit<CallOptions, 'body'> {
  /** Only what the service answers to just this: what it keeps apart is not asked for as well. */
  readonly asAnswered?: true
}

/** Refuses options with which no request could be sent; the others are refused where they are read. */
export function checkOptions({ apiKey, parallelism = 1, timeoutMs = 1, rate }: ClientOptions): void {
  // What surrounds a key is taken off by whoever knows where it is from; here it has to be the key alone.
  if (requireKey(apiKey, 'the key') !== apiKey) {
    throw new SettingError('apiKey', 'the key has blanks or line ends around it')
  }
  if (!Number.isInteger(parallelism) || parallelism < 1) {
    throw new SettingError('parallelism', `parallelism is a whole number from 1, not "${parallelism}"`)
  }
  if (!(timeoutMs > 0))
    throw new SettingError('timeoutMs', `the timeout is more than 0 ms, not "${timeoutMs}"`)
  if (rate && !(rate.requests >= 1 && rate.perMs > 0)) {
    throw new SettingError('rate', 'the rate is at least 1 request in more than 0 ms')
  }
}

export function targetOf(
  { baseUrl, projectId, organizationId }: ClientOptions,
  recognition: Recognition,
): ClientTarget {
  return {
    baseUrl: withoutEndSlash(baseUrl),
    ...(projectId === undefined ? {} : { projectId: String(projectId) }),
    ...(organizationId === undefined ? {} : { organizationId: String(organizationId) }),
    get profile() {
      return recognition.profile
    },
    get known() {
      return recognition.known
    },
  }
}

/** A target with other members, which still learns which service it is. */
export function changedTarget(target: ClientTarget, changes: Partial<ClientTarget>): ClientTarget {
  const own = Object.getOwnPropertyDescriptors(target)
  // They are the members of the two.
  return Object.defineProperties({}, { ...own, ...Object.getOwnPropertyDescriptors(changes) }) as ClientTarget
}
