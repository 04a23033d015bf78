import type { Json } from '../../model/json/json.ts'
import { onAbort } from '../request/on-abort.ts'
import { Completeness, type Inventory } from './completeness.ts'
import { type PageSource, readPages } from './pages.ts'

/** The records of a list, read as they are asked for. Reading it again asks again. */
export interface RecordList<R> extends AsyncIterable<R> {
  /** What the latest reading has proved; `complete` only once it came to the end. */
  readonly inventory: Inventory
  /** The same by pages as they come: to hand on each of many records by itself takes longer than to look at it. */
  pages(): AsyncIterable<readonly R[]>
}

/** The records of pages, one by one. */
export async function* recordsOf<R>(pages: AsyncIterable<readonly R[]>): AsyncGenerator<R, void> {
  for await (const page of pages) for (const record of page) yield record
}

export interface ListOptions<R> {
  /** Where the pages come from, given the signal of one reading. */
  readonly source: (signal: AbortSignal) => Omit<PageSource, 'completeness'>
  readonly toRecord: (row: Json) => R
  readonly signal?: AbortSignal
}

export class PagedList<R> implements RecordList<R> {
  readonly #options: ListOptions<R>
  #completeness = new Completeness()

  constructor(options: ListOptions<R>) {
    this.#options = options
  }

  get inventory(): Inventory {
    return this.#completeness.inventory
  }

  [Symbol.asyncIterator](): AsyncGenerator<R, void> {
    return recordsOf(this.pages())
  }

  async *pages(): AsyncGenerator<readonly R[], void> {
    const { source, toRecord, signal } = this.#options
    signal?.throwIfAborted()
    const completeness = new Completeness()
    this.#completeness = completeness
    // Whoever stops early, or fails, leaves no page under way.
    const reading = new AbortController()
    const stopListening = onAbort(signal, reason => reading.abort(reason))
    try {
      for await (const rows of readPages({ ...source(reading.signal), completeness })) {
        yield rows.map(row => toRecord(row))
      }
    } finally {
      stopListening()
      reading.abort()
    }
  }
}
