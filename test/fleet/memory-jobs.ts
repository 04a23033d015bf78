import type { Job } from '../../src/fleet/jobs.ts'
import { EarliestFirst } from './virtual-clock.ts'

interface Row extends Job {
  readonly createdMs: number
  /** Its place among those of the same moment. The database takes them in the order of their random names. */
  readonly order: number
  readonly tries: number
}

interface MemoryJobsOptions {
  readonly everySeconds: number
  now(): number
  random(): number
  onAdded?(environment: string): void
}

/**
 * The law of `Jobs` without a database: one waiting job for each environment, one in each interval, the oldest
 * first, postponed and failed ones later. A test compares both.
 */
export class MemoryJobs {
  readonly failure = undefined
  /** How many statements the database would have had. */
  readonly statements = { add: 0, next: 0, ended: 0, postponed: 0, other: 0 }
  readonly #everyMs: number
  readonly #now: () => number
  readonly #random: () => number
  readonly #onAdded: (environment: string) => void
  readonly #ready = new EarliestFirst<Row>()
  readonly #later = new EarliestFirst<Row>()
  /** By environment, the job that waits for its first try. */
  readonly #waiting = new Map<string, Row>()
  /** By key, those that were put off until it is free. */
  readonly #waitingFor = new Map<string, Set<Row>>()
  /** Those of `#later` that are ready already. */
  readonly #woken = new Set<string>()
  /** Those that another one has replaced. */
  readonly #gone = new Set<string>()
  readonly #lastInterval = new Map<string, number>()
  readonly #active = new Map<string, Row>()
  /** Those that wait for another try. */
  #retrying = 0
  #made = 0

  /** `onAdded`: called when an environment gets its job of an interval. */
  constructor(options: MemoryJobsOptions) {
    this.#everyMs = options.everySeconds * 1000
    this.#now = options.now
    this.#random = options.random
    this.#onAdded = options.onAdded ?? (() => {})
  }

  async add(environments: readonly string[]): Promise<void> {
    this.statements.add += 1
    const interval = Math.floor(this.#now() / this.#everyMs)
    for (const environment of environments) {
      if (this.#lastInterval.get(environment) === interval || this.#waiting.has(environment)) continue
      this.#lastInterval.set(environment, interval)
      this.#insert(environment, 0, 0)
      this.#onAdded(environment)
    }
  }

  async next(): Promise<Job | undefined> {
    this.statements.next += 1
    for (let first = this.#later.first; first && first.at <= this.#now(); first = this.#later.first) {
      const { value } = this.#later.take()!
      if (!this.#woken.delete(value.id)) this.#ready.add(value.createdMs, value, value.order)
    }
    let row = this.#ready.take()?.value
    while (row && this.#gone.has(row.id)) row = this.#ready.take()?.value
    if (!row) return undefined
    if (row.key !== undefined) this.#waitingFor.get(row.key)?.delete(row)
    if (row.tries === 0) this.#waiting.delete(row.environment)
    else this.#retrying -= 1
    this.#active.set(row.id, row)
    const { id, environment, postponed, key, since } = row
    return { id, environment, postponed, ...(key !== undefined && { key, since }) }
  }

  async done({ id }: Job): Promise<void> {
    this.statements.ended += 1
    this.#active.delete(id)
  }

  async failed({ id }: Job): Promise<void> {
    this.statements.ended += 1
    const row = this.#active.get(id)
    this.#active.delete(id)
    if (!row || row.tries === retryLimit) return
    this.#retrying += 1
    const tries = row.tries + 1
    const pauseMs = 1000 * (retrySeconds * 2 ** tries) * (0.5 + 0.5 * this.#random())
    this.#later.add(this.#now() + pauseMs, { ...row, tries }, row.order)
  }

  async postpone({ id, environment, postponed, since }: Job, key?: string): Promise<void> {
    this.statements.postponed += 2
    const pauseMs =
      1000 * (key === undefined ? Math.min(10, 1 + postponed) : Math.min(300, this.#everyMs / 1000))
    const waits = key === undefined ? {} : { key, since: since ?? new Date(this.#now()).toISOString() }
    const there = this.#waiting.get(environment)
    if (!there) this.#insert(environment, postponed + 1, pauseMs, waits)
    else if (key !== undefined) {
      // It keeps its place in the order of creation.
      this.#gone.add(there.id)
      if (there.key !== undefined) this.#waitingFor.get(there.key)?.delete(there)
      this.#insert(environment, postponed + 1, pauseMs, waits, there)
    }
    this.#active.delete(id)
  }

  async wake(key: string): Promise<void> {
    this.statements.other += 1
    let first: Row | undefined
    for (const row of this.#waitingFor.get(key) ?? [])
      if (!first || (row.since ?? '') < (first.since ?? '')) first = row
    if (!first || this.#woken.has(first.id)) return
    this.#woken.add(first.id)
    this.#ready.add(first.createdMs, first, first.order)
  }

  async waiting(): Promise<number> {
    this.statements.other += 1
    return this.#waiting.size + this.#retrying
  }

  #insert(
    environment: string,
    postponed: number,
    pauseMs: number,
    waits: Pick<Job, 'key' | 'since'> = {},
    { createdMs, order }: Pick<Row, 'createdMs' | 'order'> = {
      createdMs: this.#now(),
      order: this.#random(),
    },
  ): void {
    const row = { id: String(this.#made++), environment, postponed, ...waits, createdMs, order, tries: 0 }
    this.#waiting.set(environment, row)
    this.#later.add(this.#now() + pauseMs, row, order)
    if (waits.key === undefined) return
    const others = this.#waitingFor.get(waits.key) ?? new Set()
    this.#waitingFor.set(waits.key, others.add(row))
  }
}

const [retryLimit, retrySeconds] = [3, 5]
