import type { Quirks } from '../behaviour/quirks.ts'
import { throttled } from './refusal.ts'

/** Lets so many requests through in each window of time and refuses the rest until it is over. */
export class Throttle {
  readonly #quirks: Quirks
  #windowEnd = 0
  #admitted = 0

  constructor(quirks: Quirks) {
    this.#quirks = quirks
  }

  admit(now: number): void {
    const { throttle: limit, throttle_seconds: seconds } = this.#quirks
    if (limit === 0) return
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + seconds * 1000
      this.#admitted = 0
    }
    this.#admitted += 1
    if (this.#admitted <= limit) return
    const waitSeconds = Math.max(Math.ceil((this.#windowEnd - now) / 1000), 1)
    throw throttled(waitSeconds)
  }
}
