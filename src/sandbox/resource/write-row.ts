import { type DeclarableKind, identityField } from '../../model/kind.ts'
import { uuidFrom } from '../draw-uuid.ts'
import { invalid, missingField } from '../http/refusal.ts'
import type { ResourceRow } from '../store/rows.ts'
import { inContainer, isDeleted, isUnique } from '../store/table.ts'
import { isoTime } from '../time.ts'
import { fieldChanges, noteActivity, noteChanges } from './activity.ts'
import { blankRow } from './blank-row.ts'
import type { Call } from './call.ts'
import { containerIn } from './find-row.ts'
import { keptFields } from './kept-fields.ts'
import type { Resource } from './resource.ts'

/** A new object from the request's body or, where the kind has it so, the one that is there already. */
export function createRow<R extends ResourceRow>(resource: Resource<R>, call: Call): R {
  const { kind } = resource
  const { store, body, now, caller } = call
  const { rows } = store.tableOf<R>(kind)
  for (const [name, field] of Object.entries(kind.fields))
    if (field.required && !field.nullable && body[name] === undefined) throw missingField(name)
  const blank = blankRow(resource, store, containerIn(call, kind), { now: isoTime(now), author: caller.id })
  const written = { ...blank, ...keptFields(resource, call, blank, true) }
  const holder = makeRoom(resource, call, written)
  if (holder) return holder
  const id = kind.parameters?.id === 'integer' ? store.nextId(rows) : uuidFrom(call.random)
  const row = { ...written, id }
  const created = rows.put(resource.created?.(call, row) ?? row)
  noteActivity(call, kind, created, 'created')
  return created
}

/** Changes an object as the request's body says. */
export function updateRow<R extends ResourceRow>(resource: Resource<R>, call: Call, before: R): R {
  const { kind } = resource
  const written = keptFields(resource, call, before, false)
  const base = resource.changing?.(call, before, written) ?? before
  if (identityField(kind) in written) makeRoom(resource, call, { ...base, ...written }, before)
  return putChanges(resource, call, before, written, { base })
}

interface Change<R> {
  /** The row that it is made to, where something happened to that before. */
  readonly base?: R
  /** What the log calls the thing that changed, where it is not the object itself. */
  readonly type?: string
}

/** Stores a change and writes it down. One that changes nothing leaves no trace but in the stamp of the last change. */
export function putChanges<R extends ResourceRow>(
  { kind, changed, countsUnchanged }: Pick<Resource<R>, 'kind' | 'changed' | 'countsUnchanged'>,
  call: Call,
  before: R,
  written: Partial<R>,
  { base = before, type = kind.lifecycle.activity?.scope ?? kind.name }: Change<R> = {},
): R {
  const stamps = Object.entries(kind.fields).filter(([, { stamp }]) => stamp === 'changed')
  const changes = fieldChanges(type, before, written)
  const isUnchanged = changes.length === 0 && base === before && stamps.length === 0
  if (isUnchanged && !countsUnchanged?.(call)) return before
  const stamped = Object.fromEntries(stamps.map(([name]) => [name, isoTime(call.now)]))
  const row = { ...base, ...written, ...stamped }
  const after = call.store.tableOf<R>(kind).rows.put(changed?.(call, row) ?? row)
  noteChanges(call, kind, after, before, changes)
  return after
}

/** Removes an object for good, with all that hangs from it. */
export function removeRow(call: Call, kind: DeclarableKind, { id }: ResourceRow): void {
  const { store } = call
  for (const { rows, all } of store.tablesBelow(kind)) for (const row of all.all(id)) rows.remove(row.id)
  store.tableOf(kind).rows.remove(id)
}

/** Destroys a soft-deleted object that holds the identity of another; any other holder is refused, or answered. */
function makeRoom<R extends ResourceRow>(
  resource: Resource<R>,
  call: Call,
  row: R,
  before?: R,
): R | undefined {
  const { kind, taken, giveWay } = resource
  if (!isUnique(kind)) return undefined
  const { byIdentity, containerOf } = call.store.tableOf<R>(kind)
  const field = identityField(kind)
  const holder = byIdentity.get(inContainer(containerOf(row), String(row[field])))
  if (!holder || holder.id === before?.id) return undefined
  if (taken) return taken(call, holder)
  if (!isDeleted(kind, holder))
    throw invalid(field, `There is already a ${kind.name.replaceAll('_', ' ')} with this ${field}.`, 'unique')
  giveWay?.(call, holder)
  removeRow(call, kind, holder)
  return undefined
}
