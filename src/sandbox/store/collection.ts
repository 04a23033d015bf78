import type { RowIndex } from './row-index.ts'
import type { Row, RowId } from './rows.ts'

/** One row before and after: enough to undo it and to write it down. */
export interface RowChange {
  readonly collection: Restorable
  readonly id: RowId
  readonly before: Row | undefined
  readonly after: Row | undefined
}

/** The side of a collection that undoing and loading use: it does not ask which rows it is given. */
export interface Restorable {
  readonly name: string
  all(): Iterable<Row>
  restore(id: RowId, row: Row | undefined): void
}

/** Rows of one sort, by id, with the indexes over them. */
export class Collection<R extends Row> implements Restorable {
  readonly name: string
  readonly #rows = new Map<RowId, R>()
  readonly #indexes: readonly RowIndex<R>[]
  readonly #record: (change: RowChange) => void

  constructor(name: string, record: (change: RowChange) => void, indexes: readonly RowIndex<R>[] = []) {
    this.name = name
    this.#record = record
    this.#indexes = indexes
  }

  get size(): number {
    return this.#rows.size
  }

  get(id: RowId): R | undefined {
    return this.#rows.get(id)
  }

  all(): IterableIterator<R> {
    return this.#rows.values()
  }

  put(row: R): R {
    this.#record({ collection: this, id: row.id, before: this.#rows.get(row.id), after: row })
    this.#replace(row.id, row)
    return row
  }

  remove(id: RowId): void {
    const before = this.#rows.get(id)
    if (!before) return
    this.#record({ collection: this, id, before, after: undefined })
    this.#replace(id, undefined)
  }

  restore(id: RowId, row: Row | undefined): void {
    // What is restored was recorded by, or written for, this same collection.
    this.#replace(id, row as R | undefined)
  }

  #replace(id: RowId, row: R | undefined): void {
    const before = this.#rows.get(id)
    if (before) for (const index of this.#indexes) index.remove(before)
    if (row) {
      this.#rows.set(id, row)
      for (const index of this.#indexes) index.add(row)
    } else this.#rows.delete(id)
  }
}
