import type { Row, RowId } from './rows.ts'

/** Something that a collection keeps up to date with its rows. */
export interface RowIndex<R extends Row> {
  add(row: R): void
  remove(row: R): void
}

type Rank = readonly (number | string)[]

interface Entry<R> {
  readonly rank: Rank
  readonly row: R
}

/**
 * Rows in order, in any number of partitions. A page is a slice of an array, however many rows there are; rows
 * that arrive in order are appended, so seeding is linear.
 */
export class OrderedIndex<R extends Row> implements RowIndex<R> {
  readonly #partitions = new Map<RowId, Entry<R>[]>()
  readonly #partitionsOf: (row: R) => readonly RowId[]
  readonly #rankOf: (row: R) => Rank

  /** Rows of equal rank stand in the order of their ids. */
  constructor(partitionsOf: (row: R) => readonly RowId[], rankOf: (row: R) => Rank = () => []) {
    this.#partitionsOf = partitionsOf
    this.#rankOf = rankOf
  }

  add(row: R): void {
    const entry = this.#entry(row)
    for (const name of this.#partitionsOf(row)) {
      const partition = this.#partitions.get(name)
      if (partition) insert(partition, entry)
      else this.#partitions.set(name, [entry])
    }
  }

  remove(row: R): void {
    const entry = this.#entry(row)
    for (const name of this.#partitionsOf(row)) {
      const partition = this.#partitions.get(name)
      if (partition) partition.splice(position(partition, entry), 1)
    }
  }

  count(partition: RowId): number {
    return this.#partitions.get(partition)?.length ?? 0
  }

  /** Every row of a partition, lowest rank first. */
  all(partition: RowId): R[] {
    return (this.#partitions.get(partition) ?? []).map(entry => entry.row)
  }

  /** Some rows, lowest rank first. */
  first(partition: RowId, offset: number, limit: number): R[] {
    const entries = this.#partitions.get(partition) ?? []
    return entries.slice(offset, offset + limit).map(entry => entry.row)
  }

  /** Some rows, highest rank first. */
  last(partition: RowId, offset: number, limit: number): R[] {
    const entries = this.#partitions.get(partition) ?? []
    const end = Math.max(entries.length - offset, 0)
    return entries
      .slice(Math.max(end - limit, 0), end)
      .map(entry => entry.row)
      .reverse()
  }

  #entry(row: R): Entry<R> {
    return { rank: [...this.#rankOf(row), row.id], row }
  }
}

/** Rows by something that only one of them has. */
export class LookupIndex<R extends Row> implements RowIndex<R> {
  readonly #rows = new Map<string, R>()
  readonly #namesOf: (row: R) => readonly string[]

  constructor(namesOf: (row: R) => readonly string[]) {
    this.#namesOf = namesOf
  }

  add(row: R): void {
    for (const name of this.#namesOf(row)) this.#rows.set(name, row)
  }

  remove(row: R): void {
    for (const name of this.#namesOf(row)) this.#rows.delete(name)
  }

  get(name: string): R | undefined {
    return this.#rows.get(name)
  }
}

function insert<R>(entries: Entry<R>[], entry: Entry<R>): void {
  const last = entries.at(-1)
  if (!last || compare(last.rank, entry.rank) < 0) entries.push(entry)
  else entries.splice(position(entries, entry), 0, entry)
}

/** The first place whose rank is not below the entry's. */
function position<R>(entries: readonly Entry<R>[], { rank }: Entry<R>): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const entry = entries[middle]
    if (entry && compare(entry.rank, rank) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function compare(left: Rank, right: Rank): number {
  for (const [index, value] of left.entries()) {
    const other = right[index]
    if (other === undefined || value === other) continue
    return value < other ? -1 : 1
  }
  return 0
}
