import type { Field } from '../../model/field.ts'
import type { Json } from '../../model/json/json.ts'
import type { ResourceRow, RowId } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Resource } from './resource.ts'

/** What the service writes into the stamps of a new object. */
interface Creation {
  readonly now: string
  readonly author: number | null
}

/** An object before anything is said of it: each field that is kept, and where it belongs. It has no id yet. */
export function blankRow<R extends ResourceRow>(
  { kind, show, columns }: Pick<Resource<R>, 'kind' | 'show' | 'columns'>,
  store: Store,
  container: RowId,
  creation: Creation,
): R {
  const kept = Object.entries(kind.fields).filter(
    ([name, field]) => !field.newer && (field.access !== 'read' || !show?.[name]),
  )
  // These are the columns that rows of the kind have.
  return {
    ...Object.fromEntries(kept.map(([name, field]) => [name, initialValue(field, creation)])),
    ...(kind.lifecycle.files ? { source: {} } : {}),
    ...columns,
    [store.tableOf(kind).containerColumn]: container,
    id: 0,
  } as unknown as R
}

function initialValue(field: Field, { now, author }: Creation): Json {
  if (field.initial !== undefined) return field.initial
  if (field.stamp === 'author') return author
  return field.stamp ? now : emptyValue(field)
}

/** What says nothing, of a field that nobody wrote. */
export function emptyValue(field: Field): Json {
  switch (field.type) {
    case 'string':
      return field.access === 'read' || field.nullable || field.format || field.oneOf ? null : ''
    case 'boolean':
      return false
    case 'json':
      return field.access === 'read' ? null : {}
    case 'list':
    case 'set':
      return []
    case 'integer':
    case 'structure':
      return null
  }
}
