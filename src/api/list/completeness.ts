import { BigNum } from '../../model/json/big-num.ts'
import { isJsonNumber, isJsonObject, type Json } from '../../model/json/json.ts'
import type { Page } from './read-page.ts'

/** What is known of a list after reading it: whether all of it was seen. */
export interface Inventory {
  /** Rows read, each counted once. */
  readonly seen: number
  /** How many there are, as the last page said; null when the service does not say. */
  readonly count: number | null
  /** The count did not change while the list was read, and no row came twice. */
  readonly stable: boolean
  /** Every row was seen. */
  readonly complete: boolean
}

/** Counts the rows of a list as its pages arrive, and lets each row through once. */
export class Completeness {
  readonly #ids = new Set<Json>()
  #seen = 0
  #first: number | null | undefined
  #last: number | null = null
  #repeats = 0
  #ended = false

  /** The rows of a page that were not on a page before. */
  take({ results, count }: Page<Json>): Json[] {
    if (this.#first === undefined) this.#first = count
    this.#last = count
    const fresh = results.filter(row => this.#isFresh(row))
    this.#seen += fresh.length
    return fresh
  }

  /** The last page was read. */
  end(): void {
    this.#ended = true
  }

  get inventory(): Inventory {
    const stable = this.#first === this.#last && this.#repeats === 0
    const holdsAll = this.#last === null || this.#seen === this.#last
    return { seen: this.#seen, count: this.#last, stable, complete: this.#ended && stable && holdsAll }
  }

  /** Rows without an id cannot be told apart, so each of them counts. */
  #isFresh(row: Json): boolean {
    const id = isJsonObject(row) ? row.id : undefined
    if (typeof id !== 'string' && !isJsonNumber(id)) return true
    const key = id instanceof BigNum ? id.text : id
    if (this.#ids.has(key)) {
      this.#repeats += 1
      return false
    }
    this.#ids.add(key)
    return true
  }
}
