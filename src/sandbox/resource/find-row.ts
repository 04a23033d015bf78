import { declarableKind } from '../../kinds/index.ts'
import { pathParameters } from '../../model/endpoint.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { notFound } from '../http/refusal.ts'
import { integerId } from '../store/row-id.ts'
import type { ResourceRow, RowId } from '../store/rows.ts'
import type { Call } from './call.ts'
import type { Resource } from './resource.ts'

/** The object that a path names. Soft-deleted ones are found too, as everywhere but in lists. */
export function findRow<R extends ResourceRow>(resource: Resource<R>, call: Call): R {
  const { kind } = resource
  const { rows, containerOf } = call.store.tableOf<R>(kind)
  const row = rows.get(idIn(call, kind) ?? -1)
  const isSeen =
    row && (resource.sees ? resource.sees(call, row) : containerOf(row) === containerIn(call, kind))
  if (!isSeen || !isParentHere(call, kind)) throw resource.missing?.(call) ?? notFound()
  return row
}

/** Where a path leads: to a project, an organization, or the object that others hang from. */
export function containerIn(call: Call, { scope, lifecycle }: DeclarableKind): RowId {
  const { parent } = lifecycle
  if (!parent) return scope === 'project' ? (call.project?.id ?? -1) : call.organization.id
  const id = rowId(declarableKind(parent.kind), call.params[parent.parameter] ?? '')
  if (id === undefined) throw notFound()
  return id
}

/** Whether the object that others hang from is there; true of those that hang from none. */
export function isParentHere(call: Call, { lifecycle }: DeclarableKind): boolean {
  if (!lifecycle.parent) return true
  const parent = declarableKind(lifecycle.parent.kind)
  const { rows, containerOf } = call.store.tableOf(parent)
  const row = rows.get(rowId(parent, call.params[lifecycle.parent.parameter] ?? '') ?? -1)
  return row !== undefined && containerOf(row) === containerIn(call, parent)
}

/** The id in the path of one object. */
export function idIn({ params }: Call, kind: DeclarableKind): RowId | undefined {
  const name = pathParameters(kind.endpoints[kind.lifecycle.read]?.path ?? '').at(-1) ?? 'id'
  return rowId(kind, params[name] ?? '')
}

/** Ids are whole numbers or, where the literal does not say so, texts in lower case. */
function rowId({ parameters }: DeclarableKind, text: string): RowId | undefined {
  return parameters?.id === 'integer' ? integerId(text) : text.toLowerCase()
}
