import { declarableKind } from '../../kinds/index.ts'
import { sortedUnique } from '../../model/canonical.ts'
import { pathParameters } from '../../model/endpoint.ts'
import type { ArrayField, Field, StringField } from '../../model/field.ts'
import { type DeclarableKind, identityField, writableFields } from '../../model/kind.ts'
import {
  isJsonArray,
  isSameJson,
  type Json,
  type JsonArray,
  type JsonObject,
  pickMembers,
} from '../../model/text/json.ts'
import { type Answer, invalid, jsonAnswer, linkWith, missingField, notFound } from '../http/messages.ts'
import {
  type ActivityRow,
  type FieldChange,
  integerId,
  isoTime,
  normalTime,
  type ResourceRow,
  type Row,
  type RowId,
  uuidFrom,
} from '../rows.ts'
import { inContainer, isDeleted, isUnique, type Store } from '../store.ts'
import type { Call, Resource } from './resource.ts'

/** Creates an object from the request's body or, if the kind does so, returns the existing one. */
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

/** Changes an object by the request's body. */
export function updateRow<R extends ResourceRow>(resource: Resource<R>, call: Call, before: R): R {
  const { kind } = resource
  const written = keptFields(resource, call, before, false)
  const base = resource.changing?.(call, before, written) ?? before
  if (identityField(kind) in written) makeRoom(resource, call, { ...base, ...written }, before)
  return putChanges(resource, call, before, written, { base })
}

interface Change<R> {
  /** The row before the change, if something happened to it earlier. */
  readonly base?: R
  /** The name of the changed thing in the log, if not the object itself. */
  readonly type?: string
}

/** Stores a change and logs it. A change without differences only updates the stamp of the last change. */
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

/** Removes an object for good, with everything that belongs to it. */
export function removeRow(call: Call, kind: DeclarableKind, { id }: ResourceRow): void {
  const { store } = call
  for (const { rows, all } of store.tablesBelow(kind)) for (const row of all.all(id)) rows.remove(row.id)
  store.tableOf(kind).rows.remove(id)
}

/** Destroys a soft-deleted object with the same identity; any other holder is refused, or returned. */
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

/** The values of the stamps in a new object. */
interface Creation {
  readonly now: string
  readonly author: number | null
}

/** An object before any member is set: its stored fields, and its container. It has no id yet. */
export function blankRow<R extends ResourceRow>(
  { kind, show, columns }: Pick<Resource<R>, 'kind' | 'show' | 'columns'>,
  store: Store,
  container: RowId,
  creation: Creation,
): R {
  const kept = Object.entries(kind.fields).filter(
    ([name, field]) => !field.newer && (field.access !== 'read' || !show?.[name]),
  )
  // These are the columns of the kind's rows.
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

/** The empty value of a field that nobody set. */
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

/** The columns that a request body sets, each checked and in its stored form. */
function keptFields<R extends ResourceRow>(
  resource: Resource<R>,
  call: Call,
  before: R,
  isNew: boolean,
): Partial<R> {
  const body = resource.sent?.(call, before, isNew) ?? call.body
  let written: Partial<R> = {}
  for (const name of writtenOrder(resource, isNew)) {
    const [value, field] = [body[name], resource.kind.fields[name]]
    if (value === undefined || !field) continue
    const keep = resource.keep?.[name]
    const kept = keep
      ? keep(call, value, { ...before, ...written }, isNew)
      : keptValue(resource, call, name, field, value, before[name])
    if (kept !== undefined) written = { ...written, [name]: kept }
  }
  return { ...written, ...resource.keptBeside?.(call, { ...before, ...written }, isNew) }
}

/** The identity goes first, since messages about other fields may name it. */
function writtenOrder(
  { kind, first = [] }: Pick<Resource, 'kind' | 'first'>,
  isNew: boolean,
): readonly string[] {
  const { endpoints, lifecycle } = kind
  const { body } = endpoints[(isNew ? lifecycle.create : lifecycle.update) ?? ''] ?? {}
  const documented = writableFields(kind).filter(name => !kind.fields[name]?.newer)
  const taken = typeof body === 'object' ? body : documented
  const early = isUnique(kind) ? [...first, identityField(kind)] : first
  return [...new Set([...early.filter(name => taken.includes(name)), ...taken])]
}

function keptValue(
  { keepsTextsAsSent }: Pick<Resource, 'keepsTextsAsSent'>,
  call: Call,
  name: string,
  field: Field,
  value: Json,
  before: Json | undefined,
): Json {
  switch (field.type) {
    case 'string':
      return keepsTextsAsSent || typeof value !== 'string' ? value : keptText(name, field, value)
    case 'boolean':
      return value ?? (field.nullable ? null : false)
    case 'set':
      // Numbers in a set are ids; texts are tags.
      if (field.of === 'integer' || !isJsonArray(value)) return value
      return keptTags(call, name, field, value, before)
    default:
      return value
  }
}

/** A text in its stored form: a time in the service's own form, an id in lower case, any other trimmed. */
export function keptText(name: string, field: StringField, value: string): string {
  if (field.format === 'date-time') {
    const time = normalTime(value)
    if (time === undefined) throw invalid(name, 'Datetime has wrong format.')
    return time
  }
  const text = value.trim()
  if (text === '' && field.required) throw invalid(name, 'This field may not be blank.', 'blank')
  checkLength(name, text, field.maxLength)
  return field.format === 'uuid' ? text.toLowerCase() : text
}

/** Tags in canonical form. A plan without tagging keeps the previous ones, without an error. */
function keptTags(
  { quirks }: Call,
  name: string,
  { maxLength, canonical = sortedUnique }: ArrayField,
  value: JsonArray,
  before: Json | undefined,
): Json {
  for (const [index, element] of value.entries()) {
    const attr = `${name}__${index}`
    if (typeof element !== 'string') throw invalid(attr, 'Not a valid string.')
    const text = element.trim()
    if (text === '') throw invalid(attr, 'This field may not be blank.', 'blank')
    checkLength(attr, text, maxLength)
  }
  return quirks.tags === 'dropped' ? (before ?? []) : canonical(value)
}

function checkLength(attr: string, text: string, maxLength = Number.POSITIVE_INFINITY): void {
  if ([...text].length > maxLength)
    throw invalid(attr, `Ensure this field has no more than ${maxLength} characters.`, 'max_length')
}

/** The object that a path names. Soft-deleted ones are found too, except in lists. */
export function findRow<R extends ResourceRow>(resource: Resource<R>, call: Call): R {
  const { kind } = resource
  const { rows, containerOf } = call.store.tableOf<R>(kind)
  const row = rows.get(idIn(call, kind) ?? -1)
  const isSeen =
    row && (resource.sees ? resource.sees(call, row) : containerOf(row) === containerIn(call, kind))
  if (!isSeen || !isParentHere(call, kind)) throw resource.missing?.(call) ?? notFound()
  return row
}

/** The target of a path: a project, an organization, or a parent object. */
export function containerIn(call: Call, { scope, lifecycle }: DeclarableKind): RowId {
  const { parent } = lifecycle
  if (!parent) return scope === 'project' ? (call.project?.id ?? -1) : call.organization.id
  const id = rowId(declarableKind(parent.kind), call.params[parent.parameter] ?? '')
  if (id === undefined) throw notFound()
  return id
}

/** Whether the parent exists; true for kinds without a parent. */
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

/** Ids are whole numbers or, if the literal has another type, texts in lower case. */
function rowId({ parameters }: DeclarableKind, text: string): RowId | undefined {
  return parameters?.id === 'integer' ? integerId(text) : text.toLowerCase()
}

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
function noteChanges(
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
function fieldChanges<R extends Row>(type: string, before: R, written: Partial<R>): readonly FieldChange[] {
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
