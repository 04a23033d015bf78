import type { Method } from '../../model/endpoint.ts'
import { definedMembers } from '../../model/json/defined-members.ts'
import type { Runtime } from '../../model/runtime/runtime.ts'
import { isServiceError } from '../errors/service-error.ts'
import { isTransportError } from '../errors/transport-error.ts'
import { isPassing } from '../errors/transport-failure.ts'
import { isUnexpectedAnswerError } from '../errors/unexpected-answer-error.ts'

export interface RetryOptions {
  /** How often one request is sent at the most. */
  readonly attempts?: number
  /** How many retries all requests of a client may use up; ten successes give one back. */
  readonly budget?: number
  /** The mean wait grows from this by doubling. */
  readonly baseMs?: number
  readonly maxBackoffMs?: number
  /** A service that asks for a longer wait gets none: the failure is reported at once. */
  readonly maxRetryAfterMs?: number
}

export interface Attempted {
  readonly method: Method
  /** Whether sending the request twice is no more than asking twice. */
  readonly isReading: boolean
  /** Whether it is for a page of a list. */
  readonly isPage: boolean
  /** How often it was sent, this time included. */
  readonly attempt: number
}

/** What to do after a failure: send again after a wait that is the request's own, or everybody's. */
export type Retry =
  | { readonly is: 'final' }
  | { readonly is: 'again'; readonly waitMs: number; readonly forAll: boolean }

/**
 * Decides what is sent again.
 *
 * | failure                            | reading | PATCH, PUT, DELETE  | POST  |
 * |------------------------------------|---------|---------------------|-------|
 * | 429, or certainly not sent         | again   | again               | again |
 * | 503                                | again   | with `Retry-After`  | never |
 * | 502, 504, connection lost, cut off | again   | never               | never |
 * | 500                                | a page  | never               | never |
 * | every other answer                 | never   | never               | never |
 *
 * A 500 about one object is the same each time, one in place of a page of a list is not; a write whose outcome is open is for the caller to look into.
 */
export class RetryPolicy {
  readonly #options: Required<RetryOptions>
  readonly #runtime: Runtime
  /** In tenths, which add up exactly. */
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
      // The service has said when; keeping to it costs nothing of the budget.
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

  /** Full jitter: anything from nothing to twice the mean, so that clients that failed together part. */
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
