import { setMaxListeners } from 'node:events'
import type { RateLimit } from '../model/connection.ts'
import type { Method } from '../model/endpoint.ts'
import { type Runtime, type SpanOptions, within } from '../model/runtime.ts'
import { definedMembers } from '../model/text/defined-members.ts'
import { escapeText } from '../model/text/printable.ts'
import {
  isPassing,
  isServiceError,
  isTransportError,
  isUnexpectedAnswerError,
  TransportError,
} from './errors.ts'
import type { Exchange, Incoming } from './exchange.ts'
import { type Answer, judgeAnswer, type Request } from './operation.ts'
import type { Redact, RedactAnswer } from './redact.ts'

/** One request that was sent, and its result. */
export interface RequestEvent {
  readonly requestLine: string
  readonly method: Method
  /** Without the query and the prefix of the base URL. */
  readonly path: string
  /** The names of its parameters, without values, which may contain personal data. */
  readonly queryNames: readonly string[]
  /** Absent if there was no answer. */
  readonly status?: number
  /** Counts from 1. */
  readonly attempt: number
  readonly elapsedMs: number
  /** The date of the answer, in milliseconds since 1970; absent if it has none. */
  readonly dateMs?: number
  readonly limit?: RateLimit
  /** The length of the received body, in bytes. */
  readonly bytes?: number
  /** The service's id for the request, if it gives one. */
  readonly requestId?: string
  /** Why there is no answer, or no usable one; absent if the service answered, even with an error. */
  readonly failure?: string
  /** In how many milliseconds it is sent again; absent if it is not retried. */
  readonly retryInMs?: number
}

type Reported = Pick<RequestEvent, 'status' | 'dateMs' | 'limit' | 'bytes' | 'requestId'>

export interface Sender {
  /** The origin that requests go to. */
  readonly server: URL
  readonly exchange: Exchange
  readonly limiter: RateLimiter
  readonly retry: RetryPolicy
  readonly runtime: Runtime
  readonly redact: Redact
  readonly redactAnswer: RedactAnswer
  readonly onRequest: (event: RequestEvent) => void
  readonly isClosed: () => boolean
}

/** Sends a request within the shared rate limit, with retries if these are safe and may help. */
export async function send(request: Request, sender: Sender, signal?: AbortSignal): Promise<Answer> {
  const { limiter, retry, runtime, redact, onRequest } = sender
  const { requestLine, method, path, query } = request
  const about = {
    requestLine: redact(requestLine),
    method,
    path: redact(path),
    queryNames: [...new Set(query.keys())].map(redact),
  }
  for (let attempt = 1; ; attempt++) {
    const slot = await enter(request, sender, signal, attempt)
    let waitMs = 0
    let fromAnswer: Reported = {}
    const startedAt = runtime.now()
    const end = (outcome: Pick<RequestEvent, 'failure' | 'retryInMs'> = {}) =>
      onRequest({ ...about, ...fromAnswer, attempt, elapsedMs: runtime.now() - startedAt, ...outcome })
    try {
      const answer = await within(
        runtime,
        spanName(request),
        runtime.tracer ? spanOptions(request, sender, attempt) : {},
        async span => {
          try {
            return await sendOnce(request, sender, signal, incoming => {
              fromAnswer = reportedBy(incoming)
              span.set({
                'http.response.status_code': fromAnswer.status,
                'http.response.body.size': fromAnswer.bytes,
              })
            })
          } catch (error) {
            span.fail(isServiceError(error) ? String(error.status) : failureCode(error))
            throw error
          }
        },
      )
      limiter.succeeded()
      retry.succeeded()
      end()
      return answer
    } catch (error) {
      if (isServiceError(error) && error.status === 429) limiter.throttled(slot)
      const { isReading } = request
      const decision = retry.decide(error, {
        method,
        isReading,
        isPage: request.endpoint.answer === 'page',
        attempt,
      })
      end({
        ...(isServiceError(error) ? {} : { failure: failureCode(error) }),
        ...(decision.is === 'again' ? { retryInMs: decision.waitMs } : {}),
      })
      if (decision.is === 'final') throw error
      if (decision.forAll) limiter.pause(decision.waitMs)
      else waitMs = decision.waitMs
    } finally {
      // Only now, so that the next request notices the pause.
      limiter.leave()
    }
    if (waitMs > 0) await runtime.sleep(waitMs, signal)
  }
}

/** Waits for the rate limiter. If the client is closed meanwhile, nothing is sent. */
async function enter(
  { requestLine }: Request,
  { limiter, isClosed, redact }: Sender,
  signal: AbortSignal | undefined,
  attempt: number,
): Promise<Slot> {
  const slot = await limiter.enter(signal, attempt > 1)
  if (!isClosed()) return slot
  limiter.leave()
  throw new TransportError({ requestLine, sent: 'no', reason: 'the client is closed' }, redact)
}

/** The name of the span of one request: the endpoint, without ids. */
function spanName({ method, endpoint }: Request): string {
  return `${method} ${endpoint.path}`
}

/** The attributes of OpenTelemetry for HTTP clients. Without the query, which may contain personal data. */
function spanOptions(
  { method, path, endpoint }: Request,
  { server, redact }: Sender,
  attempt: number,
): SpanOptions {
  return {
    isClient: true,
    attributes: {
      'http.request.method': method,
      'url.path': redact(path),
      'url.template': endpoint.path,
      'server.address': server.hostname,
      'server.port': server.port === '' ? undefined : Number(server.port),
      'http.request.resend_count': attempt === 1 ? undefined : attempt - 1,
    },
  }
}

async function sendOnce(
  request: Request,
  { exchange, runtime, redact, redactAnswer }: Sender,
  signal: AbortSignal | undefined,
  onAnswer: (incoming: Incoming) => void,
): Promise<Answer> {
  const { requestLine, method, target, body } = request
  const incoming = await exchange({ requestLine, method, target, body, signal })
  onAnswer(incoming)
  return judgeAnswer(request, incoming, runtime.now(), { redact, redactAnswer })
}

/** The code of a failure: a code of the system, or ours for an answer that cannot be used. */
function failureCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'failed'
}

function reportedBy(incoming: Incoming): Reported {
  const requestId = incoming.header('x-request-id')
  const dateMs = Date.parse(incoming.header('date') ?? '')
  const limit = rateLimitIn(incoming)
  return {
    status: incoming.status,
    bytes: incoming.bytes,
    ...(requestId === undefined ? {} : { requestId }),
    ...(Number.isNaN(dateMs) ? {} : { dateMs }),
    ...(Object.keys(limit).length === 0 ? {} : { limit }),
  }
}

/** Reads the usual rate limit headers, with and without `X-`. */
function rateLimitIn({ header }: Pick<Incoming, 'header'>): RateLimit {
  const limit = count(header('ratelimit-limit') ?? header('x-ratelimit-limit'))
  const remaining = count(header('ratelimit-remaining') ?? header('x-ratelimit-remaining'))
  return { ...(limit === undefined ? {} : { limit }), ...(remaining === undefined ? {} : { remaining }) }
}

/** Parses a count with an optional window: `480, 480;w=60`. */
function count(text: string | undefined): number | undefined {
  const [, digits] = /^\s*(\d{1,9})(?:\s*[,;]|\s*$)/.exec(text ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

export interface RetryOptions {
  /** The maximum number of times that one request is sent. */
  readonly attempts?: number
  /** How many retries all requests of a client share; ten successes add one. */
  readonly budget?: number
  /** The mean of the first wait; it doubles each time. */
  readonly baseMs?: number
  readonly maxBackoffMs?: number
  /** If a service requests a longer wait, the request fails at once. */
  readonly maxRetryAfterMs?: number
}

export interface Attempted {
  readonly method: Method
  readonly isReading: boolean
  /** Whether it is for a page of a list. */
  readonly isPage: boolean
  /** How often it was sent, including this time. */
  readonly attempt: number
}

/** What to do after a failure: give up, or retry after a wait of this request or of all requests. */
export type Retry =
  | { readonly is: 'final' }
  | { readonly is: 'again'; readonly waitMs: number; readonly forAll: boolean }

/**
 * Decides which requests are retried.
 *
 * | failure                            | reading | PATCH, PUT, DELETE | POST  |
 * |------------------------------------|---------|--------------------|-------|
 * | 429, or not sent                   | retry   | retry              | retry |
 * | 503                                | retry   | with `Retry-After` | never |
 * | 502, 504, connection lost, cut off | retry   | never              | never |
 * | 500                                | a page  | never              | never |
 * | any other answer                   | never   | never              | never |
 *
 * A 500 for one object is usually permanent, but for a page of a list it may pass. The caller handles unknown
 * results of writes.
 */
export class RetryPolicy {
  readonly #options: Required<RetryOptions>
  readonly #runtime: Runtime
  /** In tenths of a retry. */
  #left: number

  constructor(options: RetryOptions, runtime: Runtime) {
    this.#options = { ...defaults, ...definedMembers(options) }
    this.#runtime = runtime
    this.#left = 10 * this.#options.budget
  }

  decide(failure: unknown, attempted: Attempted): Retry {
    const { attempts, maxRetryAfterMs } = this.#options
    if (attempted.attempt >= attempts || !isWorthwhile(failure, attempted)) return final
    const retryAfterMs = isServiceError(failure) ? failure.retryAfterMs : undefined
    if (retryAfterMs !== undefined && retryAfterMs > 0) {
      // A wait that the service requests does not use the budget.
      return retryAfterMs > maxRetryAfterMs ? final : { is: 'again', waitMs: retryAfterMs, forAll: true }
    }
    if (this.#left < 10) return final
    this.#left -= 10
    const isThrottled = isServiceError(failure) && failure.status === 429
    return { is: 'again', waitMs: this.#backoffMs(attempted.attempt), forAll: isThrottled }
  }

  succeeded(): void {
    this.#left = Math.min(10 * this.#options.budget, this.#left + 1)
  }

  /** Full jitter: from zero to twice the mean, so that simultaneous clients spread out. */
  #backoffMs(attempt: number): number {
    const { baseMs, maxBackoffMs } = this.#options
    return Math.round(this.#runtime.random() * Math.min(maxBackoffMs, 2 * baseMs * 2 ** (attempt - 1)))
  }
}

const defaults: Required<RetryOptions> = {
  attempts: 5,
  budget: 50,
  baseMs: 250,
  maxBackoffMs: 10_000,
  maxRetryAfterMs: 120_000,
}

const final: Retry = { is: 'final' }

function isWorthwhile(failure: unknown, { method, isReading, isPage }: Attempted): boolean {
  if (isTransportError(failure)) return isPassing(failure.code) && (failure.sent === 'no' || isReading)
  if (isUnexpectedAnswerError(failure)) return failure.code === 'truncated' && isReading
  if (!isServiceError(failure)) return false
  if (failure.status === 429) return true
  if (failure.status === 503) return isReading || (method !== 'POST' && failure.retryAfterMs !== undefined)
  return isReading && (failure.status === 502 || failure.status === 504 || (failure.status === 500 && isPage))
}

/** One request that was sent, on one line: `GET /api/projects/1/feature_flags?limit 200 12 ms 3402 bytes`. */
export function requestText(event: RequestEvent): string {
  const { method, path, queryNames, status, failure, elapsedMs, bytes, attempt, retryInMs, requestId } = event
  const query = queryNames.length === 0 ? '' : `?${queryNames.join('&')}`
  return [
    `${method} ${escapeText(path + query)}`,
    ...(status === undefined ? [] : [String(status)]),
    ...(failure === undefined ? [] : [failure]),
    `${Math.round(elapsedMs)} ms`,
    ...(bytes === undefined ? [] : [`${bytes} bytes`]),
    ...(attempt === 1 ? [] : [`attempt ${attempt}`]),
    ...(retryInMs === undefined ? [] : [`again in ${Math.round(retryInMs)} ms`]),
    ...(requestId === undefined ? [] : [`request id ${escapeText(requestId.slice(0, longestId))}`]),
  ].join(' ')
}

/** The same as fields of a log line. */
export function requestFields(event: RequestEvent) {
  const { method, path, queryNames, status, failure, elapsedMs, bytes, attempt, retryInMs, requestId } = event
  return definedMembers({
    method,
    path,
    query: queryNames,
    status,
    error: failure,
    duration_ms: Math.round(elapsedMs),
    bytes,
    attempt,
    retry_in_ms: retryInMs === undefined ? undefined : Math.round(retryInMs),
    request_id: requestId?.slice(0, longestId),
  })
}

/** Longer texts are not the id of a request. */
const longestId = 100

/** The average rate: a number of requests per interval. The first ones may be sent at once. */
export interface Rate {
  readonly requests: number
  readonly perMs: number
}

/** The pace of one key that several processes share. */
export interface Pace {
  /** Resolves when a request may be sent; rejects like the signal. */
  take(signal?: AbortSignal): Promise<void>
  /** Lets no request through for a while, in any process. */
  pause(ms: number): Promise<void>
}

export interface RateLimiterOptions {
  readonly parallelism: number
  readonly rate?: Rate
  readonly pace?: Pace | undefined
  readonly runtime: Runtime
}

/** A request's permission to run. */
interface Slot {
  /** How often the limit had been lowered when the request was sent. */
  readonly reductions: number
}

interface Waiter {
  readonly enter: (slot: Slot) => void
}

/**
 * The rate limiter that all requests of a client share. A request waits until fewer requests than the limit
 * run, the bucket has a token, and there is no pause. A throttled request halves the limit, once for all
 * requests that ran together. Successes raise it: about as many as the limit raise it by one.
 */
export class RateLimiter {
  readonly #runtime: Runtime
  readonly #parallelism: number
  readonly #rate: Rate | undefined
  readonly #pace: Pace | undefined
  readonly #queue = new Set<Waiter>()
  /** Retried requests go first. Otherwise the same ones could be throttled each time. */
  readonly #returning = new Set<Waiter>()
  #limit: number
  #active = 0
  #reductions = 0
  #pausedUntil = Number.NEGATIVE_INFINITY
  #tokens: number
  #filledAt: number
  #alarm: AbortController | undefined

  constructor({ parallelism, rate, pace, runtime }: RateLimiterOptions) {
    this.#runtime = runtime
    this.#parallelism = parallelism
    this.#rate = rate
    this.#pace = pace
    this.#limit = parallelism
    this.#tokens = rate?.requests ?? Number.POSITIVE_INFINITY
    this.#filledAt = runtime.now()
  }

  /** How many requests may run now. */
  get limit(): number {
    return Math.floor(this.#limit)
  }

  /** Resolves when a request may be sent; rejects like the signal. Release each slot with `leave`. */
  async enter(signal?: AbortSignal, isReturning = false): Promise<Slot> {
    const slot = await this.#enter(signal, isReturning)
    if (!this.#pace) return slot
    try {
      await this.#pace.take(signal)
      return slot
    } catch (error) {
      this.leave()
      throw error
    }
  }

  async #enter(signal: AbortSignal | undefined, isReturning: boolean): Promise<Slot> {
    signal?.throwIfAborted()
    const nobodyWaits = this.#queue.size === 0 && this.#returning.size === 0
    if (nobodyWaits && this.#active < this.limit && this.#waitMs() <= 0) return this.#taken()
    const queue = isReturning ? this.#returning : this.#queue
    return new Promise<Slot>((resolve, reject) => {
      const waiter: Waiter = {
        enter: slot => {
          stopListening()
          resolve(slot)
        },
      }
      const stopListening = onAbort(signal, reason => {
        queue.delete(waiter)
        this.#admit()
        reject(reason)
      })
      queue.add(waiter)
      this.#admit()
    })
  }

  leave(): void {
    this.#active -= 1
    this.#admit()
  }

  succeeded(): void {
    this.#limit = Math.min(this.#parallelism, this.#limit + 1 / this.#limit)
  }

  /** Notes that the service has throttled a request. */
  throttled(slot: Slot): void {
    // Of requests that ran together, only the first one lowers the limit.
    if (slot.reductions !== this.#reductions) return
    this.#reductions += 1
    this.#limit = Math.max(1, Math.floor(this.#limit / 2))
  }

  /** Lets no request through for a while. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#runtime.now() + ms)
    void this.#pace?.pause(ms)
  }

  #admit(): void {
    for (const waiter of this.#waiting()) {
      if (this.#active >= this.limit) return
      const waitMs = this.#waitMs()
      if (waitMs > 0) {
        this.#wakeAfter(waitMs)
        return
      }
      this.#returning.delete(waiter)
      this.#queue.delete(waiter)
      waiter.enter(this.#taken())
    }
    // No request waits, so no alarm is needed.
    this.#alarm?.abort()
    this.#alarm = undefined
  }

  #taken(): Slot {
    this.#tokens -= 1
    this.#active += 1
    return { reductions: this.#reductions }
  }

  *#waiting(): Generator<Waiter> {
    yield* this.#returning
    yield* this.#queue
  }

  #waitMs(): number {
    const now = this.#runtime.now()
    return Math.max(this.#pausedUntil - now, this.#waitForTokenMs(now))
  }

  #waitForTokenMs(now: number): number {
    if (!this.#rate) return 0
    const { requests, perMs } = this.#rate
    this.#tokens = Math.min(requests, this.#tokens + ((now - this.#filledAt) * requests) / perMs)
    this.#filledAt = now
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) * perMs) / requests)
  }

  #wakeAfter(ms: number): void {
    if (this.#alarm) return
    const alarm = new AbortController()
    this.#alarm = alarm
    const wake = () => {
      if (this.#alarm !== alarm) return
      this.#alarm = undefined
      this.#admit()
    }
    this.#runtime.sleep(ms, alarm.signal).then(wake, wake)
  }
}

/** Calls back when a signal is aborted; returns a function that stops listening. */
export function onAbort(signal: AbortSignal | undefined, callBack: (reason: unknown) => void): () => void {
  if (!signal) return () => {}
  // A signal may have many requests; Node warns of a leak from eleven listeners on.
  setMaxListeners(0, signal)
  const listener = () => callBack(signal.reason)
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}
