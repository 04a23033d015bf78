import { createHash } from 'node:crypto'
import type { Pace } from '../api/index.ts'
import type { Database } from './open-store.ts'

/** How many requests all runners may send with one key. */
export interface PaceLimits {
  readonly perMinute?: number | undefined
  readonly perHour?: number | undefined
}

/** So many requests are taken at once, since each question to the store takes time too. */
const mostAhead = 8

/**
 * The pace of one key, which all runners share. Requests wait in the order in which they came. The service
 * counts each key by itself, so the same key in two environments has one pace.
 */
export class StorePace implements Pace {
  readonly #database: Database
  readonly #key: string
  readonly #limits: PaceLimits
  readonly #onFailure: (error: unknown) => void
  #free = 0
  #queue: Promise<void> = Promise.resolve()
  #waiting = 0

  /** `onFailure`: the store failed, so requests go on at the pace of this process. */
  constructor(database: Database, key: string, limits: PaceLimits, onFailure: (error: unknown) => void) {
    this.#database = database
    this.#key = key
    this.#limits = limits
    this.#onFailure = onFailure
  }

  take(signal?: AbortSignal): Promise<void> {
    this.#waiting += 1
    const mine = this.#queue
      .then(() => this.#takeNext(signal))
      .finally(() => {
        this.#waiting -= 1
      })
    // One that is stopped does not stop the next.
    this.#queue = mine.catch(() => {})
    return mine
  }

  /** The service wants no request for a while. */
  async pause(ms: number): Promise<void> {
    this.#free = 0
    await this.#database
      .query('select vexil.pause_requests($1, $2)', [this.#key, Math.ceil(Math.min(ms, longestPause))])
      .catch(this.#onFailure)
  }

  async #takeNext(signal?: AbortSignal): Promise<void> {
    const { perMinute = null, perHour = null } = this.#limits
    while (this.#free === 0) {
      signal?.throwIfAborted()
      const wanted = Math.min(this.#waiting, mostAhead)
      const asked = this.#database.query<{ granted: number; wait_ms: number }>(
        'select granted, wait_ms from vexil.take_requests($1, $2, $3, $4)',
        [this.#key, wanted, perMinute, perHour],
      )
      const rows = await asked.catch(this.#onFailure)
      if (!rows) return
      this.#free = rows[0]?.granted ?? 0
      if (this.#free === 0) await this.#database.runtime.sleep(rows[0]?.wait_ms || 1_000, signal)
    }
    this.#free -= 1
  }
}

const longestPause = 600_000

/** The name of a key in the store. The key cannot be computed from it: keys are long and random. */
export function paceKey(baseUrl: string, apiKey: string): string {
  return createHash('sha256')
    .update(JSON.stringify([baseUrl, apiKey]))
    .digest('hex')
    .slice(0, 32)
}
