import type { Quirks } from '../behaviour/quirks.ts'
import { throttled } from './answer.ts'

/** The requests that arrived, for tests and benches. */
export interface RequestCounts {
  readonly total: number
  /** By method and path template: `GET /api/projects/{project_id}/feature_flags`. */
  readonly templates: Readonly<Record<string, number>>
  /** By method and path: `GET /api/projects/1/feature_flags`. */
  readonly paths: Readonly<Record<string, number>>
  /** The latest request lines, oldest first. */
  readonly recent: readonly string[]
  /**
   * The number of full answers that today's service bills as local evaluation: each page of a list of flags,
   * and the definitions for SDKs, but no 304. They are counted in every profile.
   * [service-today 1, 6]
   */
  readonly billed: number
}

const remembered = 1000

/** Counts requests on arrival, whatever happens to them; billed ones after their answer. */
export class RequestCounter {
  #total = 0
  readonly #templates = new Map<string, number>()
  readonly #paths = new Map<string, number>()
  #recent: string[] = []
  #billed = 0

  count(method: string, path: string, template: string | undefined): void {
    this.#total += 1
    addOne(this.#paths, `${method} ${path}`)
    if (template !== undefined) addOne(this.#templates, `${method} ${template}`)
    this.#recent.push(`${method} ${path}`)
    if (this.#recent.length >= 2 * remembered) this.#recent = this.#recent.slice(-remembered)
  }

  bill(): void {
    this.#billed += 1
  }

  reset(): void {
    this.#total = 0
    this.#billed = 0
    this.#templates.clear()
    this.#paths.clear()
    this.#recent = []
  }

  counts(): RequestCounts {
    return {
      total: this.#total,
      templates: Object.fromEntries(this.#templates),
      paths: Object.fromEntries(this.#paths),
      recent: this.#recent.slice(-remembered),
      billed: this.#billed,
    }
  }
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Allows a number of requests in each window of time and refuses the rest until it is over. */
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
