import { type DeclarableKind, identityField } from '../../model/kind.ts'
import type { StoredRow } from './disk.ts'
import type { ResourceRow, Row, RowId } from './rows.ts'

/** Called with each change, in its stored form, and with what undoes it. */
export type RecordChange = (stored: StoredRow, undo: () => void) => void

/** Rows of one type, by id, with their indexes. */
export class Collection<R extends Row> {
  readonly name: string
  readonly #rows = new Map<RowId, R>()
  readonly #indexes: readonly RowIndex<R>[]
  readonly #record: RecordChange

  constructor(name: string, record: RecordChange, indexes: readonly RowIndex<R>[]) {
    this.name = name
    this.#record = record
    this.#indexes = indexes
  }

  get(id: RowId): R | undefined {
    return this.#rows.get(id)
  }

  all(): IterableIterator<R> {
    return this.#rows.values()
  }

  put(row: R): R {
    this.#change(row.id, row)
    return row
  }

  remove(id: RowId): void {
    if (this.#rows.has(id)) this.#change(id, undefined)
  }

  #change(id: RowId, row: R | undefined): void {
    const before = this.#rows.get(id)
    this.#record({ collection: this.name, id, row }, () => this.restore(id, before))
    this.restore(id, row)
  }

  /** Replaces a row without a record of it: the row was recorded by, or written for, this same collection. */
  restore(id: RowId, row: R | undefined): void {
    const before = this.#rows.get(id)
    if (before) for (const index of this.#indexes) index.remove(before)
    if (row) {
      this.#rows.set(id, row)
      for (const index of this.#indexes) index.add(row)
    } else this.#rows.delete(id)
  }
}

/** The values that sort rows; among equals, the id decides. */
export type Rank = readonly (number | string)[]

/**
 * Rows in order, in any number of partitions. A page is a slice of an array, however many rows there are; rows
 * that arrive in order are appended, so seeding is linear.
 */
export class RowIndex<R extends Row> {
  readonly #partitions = new Map<RowId, R[]>()
  readonly #partitionsOf: (row: R) => readonly RowId[]
  readonly #rankOf: (row: R) => Rank

  constructor(partitionsOf: (row: R) => readonly RowId[], rankOf: (row: R) => Rank = () => []) {
    this.#partitionsOf = partitionsOf
    this.#rankOf = rankOf
  }

  add(row: R): void {
    for (const name of this.#partitionsOf(row)) {
      const rows = this.#partitions.get(name)
      if (rows) rows.splice(this.#position(rows, row), 0, row)
      else this.#partitions.set(name, [row])
    }
  }

  remove(row: R): void {
    for (const name of this.#partitionsOf(row)) {
      const rows = this.#partitions.get(name)
      rows?.splice(this.#position(rows, row), 1)
    }
  }

  /** The first row of a partition: the only one, if the partition is a unique value. */
  get(partition: RowId): R | undefined {
    return this.#partitions.get(partition)?.[0]
  }

  count(partition: RowId): number {
    return this.#partitions.get(partition)?.length ?? 0
  }

  /** Every row of a partition, lowest rank first. */
  all(partition: RowId): R[] {
    return [...(this.#partitions.get(partition) ?? [])]
  }

  /** Some rows, lowest rank first, or highest rank first. */
  page(partition: RowId, offset: number, limit: number, isReversed = false): R[] {
    const rows = this.#partitions.get(partition) ?? []
    if (!isReversed) return rows.slice(offset, offset + limit)
    const end = Math.max(rows.length - offset, 0)
    return rows.slice(Math.max(end - limit, 0), end).reverse()
  }

  /** The first place whose rank is not below that of a row. */
  #position(rows: readonly R[], row: R): number {
    const rank = this.#rankOf(row)
    const isBefore = (other: R | undefined) => other && this.#compare(other, row, rank) < 0
    if (isBefore(rows.at(-1))) return rows.length
    let [low, high] = [0, rows.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(rows[middle])) low = middle + 1
      else high = middle
    }
    return low
  }

  #compare(left: R, right: R, rightRank: Rank): number {
    for (const [at, value] of [...this.#rankOf(left), left.id].entries()) {
      const other = rightRank[at] ?? right.id
      if (value !== other) return value < other ? -1 : 1
    }
    return 0
  }
}

/** The rows of one kind, with the queries for every kind: a container in order, one row by its identity. */
export interface Table<R extends ResourceRow = ResourceRow> {
  readonly kind: DeclarableKind
  readonly rows: Collection<R>
  /** By the container: the project, the organization or the parent that a row belongs to. */
  readonly all: RowIndex<R>
  /** The same without soft-deleted rows. */
  readonly live: RowIndex<R>
  /** By `inContainer` of the container and the identity, if that is unique. */
  readonly byIdentity: RowIndex<R>
  readonly containerColumn: string
  containerOf(row: R): RowId
}

/** The special storage rules for rows of one kind. */
export interface TableSpecials<R extends ResourceRow> {
  /** The name of its rows on disk, if not the kind's own name. */
  readonly name?: string
  /** The column with the container of a row, if not the default for the kind. */
  readonly container?: string
  readonly rank?: (row: R) => Rank
  /** Further indexes over the rows. */
  readonly indexes?: readonly RowIndex<R>[]
}

export function makeTable<R extends ResourceRow>(
  kind: DeclarableKind,
  makeCollection: (name: string, indexes: readonly RowIndex<R>[]) => Collection<R>,
  { name = kind.name, container, rank, indexes = [] }: TableSpecials<R> = {},
): Table<R> {
  const { parent, softDelete } = kind.lifecycle
  const containerColumn = container ?? `${parent?.kind ?? kind.scope}_id`
  // That column has only ids.
  const containerOf = (row: R) => row[containerColumn] as RowId
  const all = new RowIndex<R>(row => [containerOf(row)], rank)
  const liveRows = new RowIndex<R>(row => (isDeleted(kind, row) ? [] : [containerOf(row)]), rank)
  const live = softDelete ? liveRows : all
  const field = isUnique(kind) ? identityField(kind) : undefined
  const byIdentity = new RowIndex<R>(row =>
    field === undefined ? [] : [inContainer(containerOf(row), String(row[field]))],
  )
  const rows = makeCollection(name, [...new Set([all, live, byIdentity, ...indexes])])
  return { kind, rows, all, live, byIdentity, containerColumn, containerOf }
}

/** The lookup name of something in a container. */
export function inContainer(container: RowId, ...names: readonly RowId[]): string {
  return [container, ...names].join('/')
}

/** Whether a row is kept only for a later restore. */
export function isDeleted({ lifecycle: { softDelete } }: DeclarableKind, row: ResourceRow): boolean {
  return softDelete !== undefined && row[softDelete.field] === softDelete.is
}

/** Whether the service refuses a second object of the same identity. */
export function isUnique({ identity }: DeclarableKind): boolean {
  return identity.by === 'parent' || identity.unique
}
