import { type DeclarableKind, identityField } from '../../model/kind.ts'
import type { Collection } from './collection.ts'
import { LookupIndex, OrderedIndex, type RowIndex } from './row-index.ts'
import type { ResourceRow, RowId } from './rows.ts'

/** What is special about how the rows of one kind are kept. */
export interface TableSpecials<R extends ResourceRow = ResourceRow> {
  /** What its rows are called where they are written down, when that is not the kind's own name. */
  readonly name?: string
  /** The column that says what a row belongs to, when it is not the one that follows from the kind. */
  readonly container?: string
  /** What rows stand in order by; without it, and among equals, by their ids. */
  rank?(row: R): readonly (number | string)[]
  /** Further indexes over the rows. */
  readonly indexes?: readonly RowIndex<R>[]
}

/** The rows of one kind, and what every kind is asked for: those of one container in order, one by its identity. */
export interface Table<R extends ResourceRow = ResourceRow> {
  readonly kind: DeclarableKind
  readonly rows: Collection<R>
  /** By the container: the project, the organization or the parent that a row belongs to. */
  readonly all: OrderedIndex<R>
  /** The same without what is soft-deleted. */
  readonly live: OrderedIndex<R>
  /** By the name that `inContainer` makes of the container and the identity, where that is unique. */
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
  // That column has nothing but ids.
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

/** The name under which something of a container is looked up. */
export function inContainer(container: RowId, name: string): string {
  return `${container}/${name}`
}

/** Whether a row is kept only so that it can come back. */
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
