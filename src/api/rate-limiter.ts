import { setMaxListeners } from 'node:events'
import type { Runtime } from '../model/runtime.ts'

/** At most so many requests in so many milliseconds, on average; the first ones may come all at once. */
export interface Rate {
  readonly requests: number
  readonly perMs: number
}

export interface RateLimiterOptions {
  readonly parallelism: number
  readonly rate?: Rate
  readonly runtime: Runtime
}

/** A request's permission to run. */
export interface Slot {
  /** How often the service had asked for less when the request was sent. */
  readonly reductions: number
}

interface Waiter {
  readonly enter: (slot: Slot) => void
}

/**
 * The pace that all requests of a client share. A request waits for its turn until fewer requests than the
 * limit are running, the bucket holds a token, and no pause is in force. When the service asks for fewer
 * requests the limit is halved, once for all the requests that ran together. Each success raises it by a
 * fraction, so that about as many successes as the limit raise it by one.
 */
export class RateLimiter {
  readonly #runtime: Runtime
  readonly #parallelism: number
  readonly #rate: Rate | undefined
  readonly #queue = new Set<Waiter>()
  /** Requests that were sent back go first. Otherwise the same few could be sent back each time. */
  readonly #returning = new Set<Waiter>()
  #limit: number
  #active = 0
  #reductions = 0
  #pausedUntil = Number.NEGATIVE_INFINITY
  #tokens: number
  #filledAt: number
  #alarm: AbortController | undefined

  constructor({ parallelism, rate, runtime }: RateLimiterOptions) {
    this.#runtime = runtime
    this.#parallelism = parallelism
    this.#rate = rate
    this.#limit = parallelism
    this.#tokens = rate?.requests ?? Number.POSITIVE_INFINITY
    this.#filledAt = runtime.now()
  }

  /** How many requests may run now. */
  get limit(): number {
    return Math.floor(this.#limit)
  }

  /** Resolves when a request may be sent; each slot is given back with `leave`. Rejects with the signal's reason. */
  async enter(signal?: AbortSignal, isReturning = false): Promise<Slot> {
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

  /** The service has asked for fewer requests. */
  throttled(slot: Slot): void {
    // Requests that were sent together meet the same limit; only the first of them lowers it.
    if (slot.reductions !== this.#reductions) return
    this.#reductions += 1
    this.#limit = Math.max(1, Math.floor(this.#limit / 2))
  }

  /** Lets no request through for a while. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#runtime.now() + ms)
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
    // Nobody waits any more, so nobody has to be woken.
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
  // One signal ends any number of requests; Node treats more than ten listeners as a leak and warns on stderr.
  setMaxListeners(0, signal)
  const listener = () => callBack(signal.reason)
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}
