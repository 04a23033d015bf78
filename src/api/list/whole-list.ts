import type { Json, JsonObject } from '../../model/json/json.ts'
import type { Inventory } from './completeness.ts'
import { type RecordList, recordsOf } from './list.ts'

interface WholeListOptions {
  readonly list: RecordList<JsonObject>
  /** The list of what the first one leaves out, asked for once that was read; undefined where it leaves out nothing. */
  readonly apart: () => RecordList<JsonObject> | undefined
  /** Whether a record is one of those: a service that does not know the question answers with its list once more. */
  readonly isApart: (record: JsonObject) => boolean
}

/**
 * A list and what it leaves out, one after the other, each object once. One that comes in both was put apart while they
 * were read, so that another one may have come back and be in neither: then the whole is not known to be complete.
 */
export class WholeList implements RecordList<JsonObject> {
  readonly #options: WholeListOptions
  #apart: RecordList<JsonObject> | undefined
  #fresh = 0
  #repeats = 0
  #others = 0

  constructor(options: WholeListOptions) {
    this.#options = options
  }

  get inventory(): Inventory {
    const { inventory: first } = this.#options.list
    if (!this.#apart) return first
    const { inventory: apart } = this.#apart
    const isOnce = this.#repeats === 0
    const left = this.#repeats + this.#others
    return {
      seen: first.seen + this.#fresh,
      count: first.count === null || apart.count === null ? null : first.count + apart.count - left,
      stable: first.stable && apart.stable && isOnce,
      complete: first.complete && apart.complete && isOnce,
    }
  }

  [Symbol.asyncIterator](): AsyncGenerator<JsonObject, void> {
    return recordsOf(this.pages())
  }

  async *pages(): AsyncGenerator<readonly JsonObject[], void> {
    const { list, apart } = this.#options
    this.#apart = undefined
    this.#fresh = 0
    this.#repeats = 0
    this.#others = 0
    const ids: (Json | undefined)[] = []
    for await (const page of list.pages()) {
      for (const { id } of page) ids.push(id)
      yield page
    }
    this.#apart = apart()
    if (!this.#apart) return
    const seen = new Set(ids)
    for await (const page of this.#apart.pages()) yield page.filter(record => this.#isFresh(record, seen))
  }

  #isFresh(record: JsonObject, seen: ReadonlySet<Json | undefined>): boolean {
    const isApart = this.#options.isApart(record)
    const isFresh = isApart && !seen.has(record.id)
    if (!isApart) this.#others += 1
    else if (isFresh) this.#fresh += 1
    else this.#repeats += 1
    return isFresh
  }
}
