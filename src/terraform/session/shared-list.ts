import type { RecordList } from '../../api/index.ts'
import type { JsonObject } from '../../model/json/json.ts'

/** What a list says of one id so far. */
export type Listed =
  | { readonly is: 'listed'; readonly record: JsonObject }
  | { readonly is: 'missing' | 'unread' }

/**
 * One reading of a list that everybody shares who wants an object of it. Pages are read as they are wanted, and only
 * while that is cheaper than asking for the objects one by one: a list goes on once the objects that wait for it and
 * those that were asked for alone are as many as the pages that are left. So a thousand reads cost one page, and
 * one read in a large project costs no thousand.
 */
export class SharedList {
  readonly #list: RecordList<JsonObject>
  readonly #rows: AsyncIterator<JsonObject>
  readonly #byId = new Map<string, JsonObject>()
  #taken = 0
  #pageSize = 0
  #ended = false
  #waiting = 0
  #askedAlone = 0
  #reading: Promise<void> | undefined

  constructor(list: RecordList<JsonObject>) {
    this.#list = list
    this.#rows = list[Symbol.asyncIterator]()
  }

  /** Looks for one id; `unread` tells to ask for it alone. */
  async find(id: string): Promise<Listed> {
    this.#waiting += 1
    try {
      for (;;) {
        const record = this.#byId.get(id)
        if (record) return { is: 'listed', record }
        if (this.#ended) return { is: 'missing' }
        if (this.#isTooFar()) {
          this.#askedAlone += 1
          return { is: 'unread' }
        }
        await this.#nextPage()
      }
    } finally {
      this.#waiting -= 1
    }
  }

  /** Every row. */
  async all(): Promise<readonly JsonObject[]> {
    while (!this.#ended) await this.#nextPage()
    return [...this.#byId.values()]
  }

  #isTooFar(): boolean {
    const { count, seen } = this.#list.inventory
    if (this.#pageSize === 0 || count === null || this.#reading) return false
    return Math.ceil((count - seen) / this.#pageSize) > this.#waiting + this.#askedAlone
  }

  #nextPage(): Promise<void> {
    this.#reading ??= this.#readPage().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readPage(): Promise<void> {
    do {
      const row = await this.#rows.next()
      if (row.done) {
        this.#ended = true
        return
      }
      this.#taken += 1
      this.#byId.set(String(row.value.id), row.value)
    } while (this.#taken < this.#list.inventory.seen)
    this.#pageSize ||= this.#taken
  }
}
