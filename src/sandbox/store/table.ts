import { type DeclarableKind, identityField } from '../../model/kind.ts'
import type { Collection } from '../collection.ts'
import { LookupIndex, OrderedIndex, type RowIndex } from '../row-index.ts'
import type { ResourceRow, RowId } from '../rows.ts'

/** What is special about how the rows of one kind are kept. */
export interface TableSpecials<R extends ResourceRow = ResourceRow> {
  /** What its rows are called where they are written down, when that is not the kind's own name. */
  readonly name?: string
  /** The column that says where a row belongs, when it is not the one that follows from the kind. */
  readonly place?: string
  /** What rows stand in order by; without it, and among equals, by their ids. */
  rank?(row: R): readonly (number | string)[]
  /** Further indexes over the rows. */
  readonly indexes?: readonly RowIndex<R>[]
}

/** The rows of one kind, and what every kind is asked for: those of a place in order, and one by its identity. */
export interface Table<R extends ResourceRow = ResourceRow> {
  readonly kind: DeclarableKind
  readonly rows: Collection<R>
  /** By project, organization or parent. */
  readonly all: OrderedIndex<R>
  /** The same without what is soft-deleted. */
  readonly live: OrderedIndex<R>
  /** By the name that `inPlace` makes of the place and the identity, where that is unique. */
  readonly byIdentity: LookupIndex<R>
  readonly placeColumn: string
  placeOf(row: R): RowId
}

type MakeCollection<R extends ResourceRow> = (name: string, indexes: readonly RowIndex<R>[]) => Collection<R>

export function makeTable<R extends ResourceRow>(
  kind: DeclarableKind,
  makeCollection: MakeCollection<R>,
  { name = kind.name, place, rank = () => [], indexes = [] }: TableSpecials<R> = {},
): Table<R> {
  const placeColumn = place ?? placeColumnOf(kind)
  // That column has nothing but ids.
  const placeOf = (row: R) => row[placeColumn] as RowId
  const hasTombstone = kind.lifecycle.tombstone !== undefined
  const all = new OrderedIndex<R>(row => [placeOf(row)], rank)
  const live = hasTombstone
    ? new OrderedIndex<R>(row => (isDeleted(kind, row) ? [] : [placeOf(row)]), rank)
    : all
  const field = isUnique(kind) ? identityField(kind) : undefined
  const byIdentity = new LookupIndex<R>(row =>
    field === undefined ? [] : [inPlace(placeOf(row), String(row[field]))],
  )
  const rows = makeCollection(name, [all, ...(hasTombstone ? [live] : []), byIdentity, ...indexes])
  return { kind, rows, all, live, byIdentity, placeColumn, placeOf }
}

/** The name under which something of a place is looked up. */
export function inPlace(place: RowId, name: string): string {
  return `${place}/${name}`
}

/** Whether a row is kept only so that it can come back. */
export function isDeleted({ lifecycle: { tombstone } }: DeclarableKind, row: ResourceRow): boolean {
  return tombstone !== undefined && row[tombstone.field] === tombstone.is
}

/** Whether the service refuses a second object of the same identity. */
export function isUnique({ identity }: DeclarableKind): boolean {
  return identity.by === 'parent' || identity.unique
}

function placeColumnOf({ scope, lifecycle: { parent } }: DeclarableKind): string {
  return parent ? `${parent.kind}_id` : `${scope}_id`
}
