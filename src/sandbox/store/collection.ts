import { type DeclarableKind, identityField } from '../../model/kind.ts'
import type { ResourceRow, Row, RowId } from './rows.ts'

/** One row before and after: enough to undo a change and to write it. */
export interface RowChange {
  readonly collection: Restorable
  readonly id: RowId
  readonly before: Row | undefined
  readonly after: Row | undefined
}

/** The methods of a collection for undoing and loading: they do not check the type of rows. */
export interface Restorable {
  readonly name: string
  all(): Iterable<Row>
  restore(id: RowId, row: Row | undefined): void
}

/** Rows of one type, by id, with their indexes. */
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
    // Restored rows were recorded by, or written for, this same collection.
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

/** An index that a collection updates with its rows. */
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

  /** Rows of equal rank are sorted by id. */
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

/** Rows by a unique value. */
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

/** The special storage rules for rows of one kind. */
export interface TableSpecials<R extends ResourceRow = ResourceRow> {
  /** The name of its rows on disk, if not the kind's own name. */
  readonly name?: string
  /** The column with the container of a row, if not the default for the kind. */
  readonly container?: string
  /** The sort key of rows; without it, and among equals, the id decides. */
  rank?(row: R): readonly (number | string)[]
  /** Further indexes over the rows. */
  readonly indexes?: readonly RowIndex<R>[]
}

/** The rows of one kind, with the queries for every kind: a container in order, one row by its identity. */
export interface Table<R extends ResourceRow = ResourceRow> {
  readonly kind: DeclarableKind
  readonly rows: Collection<R>
  /** By the container: the project, the organization or the parent that a row belongs to. */
  readonly all: OrderedIndex<R>
  /** The same without soft-deleted rows. */
  readonly live: OrderedIndex<R>
  /** By the name that `inContainer` creates from the container and the identity, if that is unique. */
  readonly byIdentity: LookupIndex<R>
  readonly containerColumn: string
  containerOf(row: R): RowId
}

type MakeCollection<R extends ResourceRow> = (name: string, indexes: readonly RowIndex<R>[]) => Collection<R>

export function makeTable<R extends ResourceRow>(
  kind: DeclarableKind,
  makeCollection: MakeCollection<R>,
  { name = kind.name, container, rank = () => [], indexes = [] }: TableSpecials<R> = {},
): Table<R> {
  const containerColumn = container ?? containerColumnOf(kind)
  // That column has only ids.
  const containerOf = (row: R) => row[containerColumn] as RowId
  const keepsDeleted = kind.lifecycle.softDelete !== undefined
  const all = new OrderedIndex<R>(row => [containerOf(row)], rank)
  const live = keepsDeleted
    ? new OrderedIndex<R>(row => (isDeleted(kind, row) ? [] : [containerOf(row)]), rank)
    : all
  const field = isUnique(kind) ? identityField(kind) : undefined
  const byIdentity = new LookupIndex<R>(row =>
    field === undefined ? [] : [inContainer(containerOf(row), String(row[field]))],
  )
  const rows = makeCollection(name, [all, ...(keepsDeleted ? [live] : []), byIdentity, ...indexes])
  return { kind, rows, all, live, byIdentity, containerColumn, containerOf }
}

/** The lookup name of something in a container. */
export function inContainer(container: RowId, name: string): string {
  return `${container}/${name}`
}

/** Whether a row is kept only for a later restore. */
export function isDeleted({ lifecycle: { softDelete } }: DeclarableKind, row: ResourceRow): boolean {
  return softDelete !== undefined && row[softDelete.field] === softDelete.is
}

/** Whether the service refuses a second object of the same identity. */
export function isUnique({ identity }: DeclarableKind): boolean {
  return identity.by === 'parent' || identity.unique
}

function containerColumnOf({ scope, lifecycle: { parent } }: DeclarableKind): string {
  return parent ? `${parent.kind}_id` : `${scope}_id`
}
