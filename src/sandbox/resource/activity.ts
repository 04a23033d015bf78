import { isSameJson, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import { type Answer, jsonAnswer, linkWith } from '../http/refusal.ts'
import { inContainer } from '../store/collection.ts'
import type { ActivityRow, FieldChange, ResourceRow, Row, RowId } from '../store/rows.ts'
import { isoTime } from '../time.ts'
import type { Call } from './resource.ts'

/** Logs an event of an object, if its kind has a log. */
export function noteActivity(
  { store, caller, now }: Pick<Call, 'store' | 'caller' | 'now'>,
  kind: DeclarableKind,
  row: ResourceRow,
  activity: ActivityRow['activity'],
  changes: readonly FieldChange[] = [],
): void {
  const { activity: log } = kind.lifecycle
  if (!log) return
  store.activity.put({
    id: store.nextId(store.activity),
    scope: log.scope,
    owner: store.tableOf(kind).containerOf(row),
    item_id: row.id,
    user_id: caller.id,
    activity,
    name: String(row[identityField(kind)] ?? ''),
    changes: changes.length > 0 ? changes : null,
    created_at: isoTime(now),
  })
}

/** Logs a change of an object in the form of this profile's service, or not at all if it logs none. */
export function noteChanges(
  call: Pick<Call, 'store' | 'caller' | 'now' | 'quirks'>,
  kind: DeclarableKind,
  row: ResourceRow,
  before: ResourceRow,
  changes: readonly FieldChange[],
): void {
  const { lifecycle } = kind
  if (call.quirks.trail_rows === 'fields' || lifecycle.softDelete === undefined) {
    if (changes.length > 0) noteActivity(call, kind, row, 'updated', changes)
    return
  }
  const { field, is } = lifecycle.softDelete
  const columns = [
    // They depend on the row, and are written after it.
    ...changes.filter(change => change.field !== lifecycle.ownedBy),
    ...fieldChanges(
      lifecycle.activity?.scope ?? kind.name,
      before,
      pickMembers(row, (_, name) => name === 'version'),
    ),
  ]
  const deletion = columns.find(change => change.field === field)
  const activity = !deletion ? 'updated' : isSameJson(deletion.after, is) ? 'deleted' : 'restored'
  if (columns.length > 0) noteActivity(call, kind, row, activity, columns)
}

/** The differences between two states of a row, among the members that requests can set. */
export function fieldChanges<R extends Row>(
  type: string,
  before: R,
  written: Partial<R>,
): readonly FieldChange[] {
  return Object.entries(written).flatMap(([field, value]) => {
    // Rows hold only JSON.
    const [was, is] = [(before as unknown as JsonObject)[field] ?? null, (value ?? null) as Json]
    return isSameJson(was, is) ? [] : [{ type, action: actionOf(was, is), field, before: was, after: is }]
  })
}

function actionOf(before: Json, after: Json): FieldChange['action'] {
  if (isEmpty(before)) return isEmpty(after) ? 'changed' : 'created'
  return isEmpty(after) ? 'deleted' : 'changed'
}

/** The values that the service treats as no value. */
function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true
  return typeof value === 'object' && (Array.isArray(value) ? value : Object.keys(value)).length === 0
}

/** The log of one object, or of all of a scope, newest first. It pages by number, unlike every other list. */
export function activityAnswer(call: Call, scope: ActivityRow['scope'], owner: RowId, id?: RowId): Answer {
  const { store, url } = call
  const [limit, page] = [numberOf(url, 'limit', 10), numberOf(url, 'page', 1)]
  const partition = inContainer(scope, owner, ...(id === undefined ? [] : [id]))
  const total = store.activityOf.count(partition)
  const rows = store.activityOf.page(partition, (page - 1) * limit, limit, true)
  return jsonAnswer({
    results: rows.map(row => activityRecord(call, row)),
    next: page * limit < total ? linkWith(url, { limit, page: page + 1 }) : null,
    previous: page > 1 ? linkWith(url, { limit, page: page - 1 }) : null,
    total_count: total,
  })
}

function activityRecord({ store }: Call, row: ActivityRow): JsonObject {
  const user = store.users.get(row.user_id)
  return {
    user: { first_name: user?.first_name ?? '', email: user?.email ?? '' },
    activity: row.activity,
    scope: row.scope,
    item_id: String(row.item_id),
    detail: {
      name: row.name,
      changes: row.changes?.map(change => ({ ...change })) ?? null,
      trigger: null,
      type: null,
      short_id: null,
    },
    created_at: row.created_at,
  }
}

function numberOf(url: URL, name: string, otherwise: number): number {
  const text = url.searchParams.get(name)
  return text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : otherwise
}
