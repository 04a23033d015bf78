import { declarableKind, type userSummary } from '../../kinds/index.ts'
import type { Field } from '../../model/field.ts'
import { type DeclarableKind, isSentIdentity } from '../../model/kind.ts'
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonArray,
  type JsonObject,
} from '../../model/text/json.ts'
import { type Answer, emptyAnswer, invalid, jsonAnswer, linkWith, notFound } from '../http/messages.ts'
import type { ResourceRow, UserRow } from '../rows.ts'
import type { Store } from '../store.ts'
import type { Call, Operation, Resource, Shown } from './resource.ts'
import {
  activityAnswer,
  containerIn,
  createRow,
  emptyValue,
  findRow,
  idIn,
  isParentHere,
  noteActivity,
  putChanges,
  removeRow,
  updateRow,
} from './write-row.ts'

type Handler = (call: Call) => Answer

/** Answers the endpoints in a kind's lifecycle, and those that the document always refuses. */
export function serveKind(resource: Resource): Readonly<Record<string, Handler>> {
  const { lifecycle } = resource.kind
  const { remove, files, activity } = lifecycle
  const served: readonly (readonly [string | undefined, Handler])[] = [
    [lifecycle.list, call => listAnswer(resource, call)],
    [lifecycle.read, call => recordAnswer(resource, call, findToDo(resource, call, 'read'))],
    [lifecycle.create, call => createAnswer(resource, call)],
    [lifecycle.update, call => updateAnswer(resource, call)],
    [remove?.by === 'delete' ? remove.endpoint : undefined, call => removeAnswer(resource, call)],
    [files?.read, call => jsonAnswer(filesOf(findToDo(resource, call, 'readFiles')))],
    [files?.write, call => jsonAnswer(filesOf(writeFiles(resource, call)))],
    [activity?.all, call => allActivity(resource, call)],
    [activity?.one, call => activityOfOne(resource, call)],
    ...refusals(resource.kind),
  ]
  return Object.fromEntries(
    served.flatMap(([name, handler]) => (name === undefined ? [] : [[name, handler]])),
  )
}

/** The object that a path names, for an allowed operation. */
export function findToDo<R extends ResourceRow>(resource: Resource<R>, call: Call, operation: Operation): R {
  resource.admit?.(call, operation)
  const row = findRow(resource, call)
  resource.allow?.(call, operation, row)
  return row
}

export function recordAnswer<R extends ResourceRow>(
  resource: Pick<Resource<R>, 'kind' | 'show' | 'shape'>,
  call: Call,
  row: R,
  status = 200,
): Answer {
  return jsonAnswer(showRecord(resource, call, row), status)
}

function listAnswer(resource: Resource, call: Call): Answer {
  resource.admit?.(call, 'list')
  const { kind, listsNewestFirst = false } = resource
  const index = call.store.tableOf(kind).live
  // The parent need not exist: nobody looks it up.
  const container = containerIn(call, kind)
  const total = isParentHere(call, kind) ? index.count(container) : 0
  const part = (offset: number, limit: number) =>
    total === 0 ? [] : index.page(container, offset, limit, listsNewestFirst)
  const window = windowOf(call)
  const { limit, offset } = window
  const listed = resource.listed?.(call, () => part(0, total))
  // A page is a slice of the whole container, unless some rows are omitted.
  const rows = listed ? listed.slice(offset, offset + limit) : part(offset, limit)
  return pageAnswer(
    call,
    window,
    listed?.length ?? total,
    rows.map(row => showRecord(resource, call, row)),
  )
}

function createAnswer(resource: Resource, call: Call): Answer {
  if (!isParentHere(call, resource.kind)) throw notFound()
  resource.admit?.(call, 'create')
  const row = createRow(resource, call)
  return recordAnswer(
    resource,
    call,
    resource.echoed?.(call, row, true) ?? row,
    statusOf(resource.kind, 'create', 201),
  )
}

function updateAnswer(resource: Resource, call: Call): Answer {
  const row = updateRow(resource, call, findToDo(resource, call, 'update'))
  return recordAnswer(resource, call, resource.echoed?.(call, row, false) ?? row)
}

function removeAnswer(resource: Resource, call: Call): Answer {
  const { kind } = resource
  const row = findToDo(resource, call, 'remove')
  removeRow(call, kind, row)
  noteActivity(call, kind, row, 'deleted')
  return emptyAnswer(statusOf(kind, 'remove', 204))
}

/** The status of an operation in the literal, if it has one. */
function statusOf(
  { endpoints, lifecycle }: DeclarableKind,
  operation: 'create' | 'remove',
  otherwise: number,
): number {
  const { create, remove } = lifecycle
  const name = operation === 'create' ? create : remove?.by === 'delete' ? remove.endpoint : undefined
  const { status } = endpoints[name ?? ''] ?? {}
  return typeof status === 'number' ? status : otherwise
}

/** Changes the files in the body: null deletes one, and files that it does not name stay. */
function writeFiles(resource: Resource, call: Call): ResourceRow {
  const before = findToDo(resource, call, 'writeFiles')
  const files = new Map(Object.entries(filesOf(before)))
  for (const [name, content] of Object.entries(call.body)) {
    if (content === null) files.delete(name)
    else if (typeof content === 'string') files.set(name, content)
    else throw invalid(name, 'Not a valid string.')
  }
  const written = { source: Object.fromEntries(files), ...resource.filesWritten?.(call, before) }
  return putChanges(resource, call, before, written, {
    type: `${resource.kind.lifecycle.activity?.scope ?? resource.kind.name}SourceFile`,
  })
}

function filesOf({ source }: ResourceRow): JsonObject {
  return isJsonObject(source) ? source : {}
}

function allActivity(resource: Resource, call: Call): Answer {
  const { kind, admit } = resource
  admit?.(call, 'readActivity')
  return activityAnswer(call, kind.lifecycle.activity?.scope ?? '', containerIn(call, kind))
}

function activityOfOne(resource: Resource, call: Call): Answer {
  const { kind, admit } = resource
  admit?.(call, 'readActivity')
  const [id, container] = [idIn(call, kind), containerIn(call, kind)]
  const { rows, containerOf } = call.store.tableOf(kind)
  const row = rows.get(id ?? -1)
  // The only 404 of this interface that is not an object.
  if (!row || containerOf(row) !== container) return jsonAnswer('', 404)
  return activityAnswer(call, kind.lifecycle.activity?.scope ?? '', container, id)
}

/** The refusals of the document list the methods that their path accepts. */
function refusals({ endpoints }: DeclarableKind): readonly (readonly [string, () => Answer])[] {
  const all = Object.entries(endpoints)
  return all.flatMap(([name, { status, path }]) => {
    if (status !== 405) return []
    const methods = all.filter(([, other]) => other.path === path).map(([, { method }]) => method)
    const headers = { Allow: [...methods, 'HEAD', 'OPTIONS'].join(', ') }
    return [[name, () => emptyAnswer(405, headers)] as const]
  })
}

/** The requested part of a list. */
export interface Window {
  readonly limit: number
  readonly offset: number
}

/** Reads limit and offset; 100 is the default of the public service. An invalid value counts as absent. */
export function windowOf(
  { url, quirks }: Call,
  sizes: { readonly default?: number; readonly max?: number } = {},
): Window {
  const wanted = count(url.searchParams.get('limit')) || (sizes.default ?? 100)
  const caps = [quirks.page_size_cap, sizes.max ?? 0].filter(cap => cap > 0)
  return { limit: Math.min(wanted, ...caps), offset: count(url.searchParams.get('offset')) }
}

/** One page, in the documented envelope. */
export function pageAnswer(call: Call, window: Window, total: number, results: readonly Json[]): Answer {
  return jsonAnswer({ ...envelope(call, window, total), results })
}

/** `count`, `next` and `previous` of a page. The links are absolute, on the requested host. */
export function envelope({ url }: Call, { limit, offset }: Window, total: number): JsonObject {
  const linkTo = (to: number) => linkWith(url, { limit, offset: to > 0 ? to : undefined })
  const next = offset + limit < total ? linkTo(offset + limit) : null
  const previous = offset > 0 ? linkTo(offset - limit) : null
  return { count: total, next, previous }
}

/** A whole number from 0, or 0 for anything else. */
function count(text: string | null): number {
  return text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0
}

/** An object in an answer: every field of the document, in the order of the literal. */
export function showRecord<R extends ResourceRow>(resource: Shown<R>, call: Call, row: R): JsonObject {
  const { kind, show, shape } = resource
  const record = Object.fromEntries(
    Object.entries(kind.fields)
      .filter(([name, { newer }]) => !newer && !isSentIdentity(kind, name))
      .map(([name, field]) => {
        const hook = show?.[name]
        return [name, hook ? hook(call, row) : shownValue(call, kind, row, name, field)]
      }),
  )
  return shape ? shape(call, record, row) : record
}

function shownValue(call: Call, kind: DeclarableKind, row: ResourceRow, name: string, field: Field): Json {
  const kept = row[name]
  // Rows that are older than the field have no such column.
  if (kept === undefined && field.type !== 'structure') return emptyValue(field)
  switch (field.type) {
    case 'set':
      return field.of === 'integer' || !isJsonArray(kept) ? (kept ?? []) : shownTags(call, kept)
    case 'structure': {
      // The column of a stamp holds the id of a user.
      if (field.stamp === 'author') return userRecord(call.store, (kept ?? null) as number | null)
      const { parent } = kind.lifecycle
      return parent?.kind === field.of.name ? parentRecord(call, kind, row) : (kept ?? null)
    }
    default:
      return kept ?? null
  }
}

/** The columns of the parent object. */
function parentRecord({ store }: Call, kind: DeclarableKind, row: ResourceRow): Json {
  const parentKind = declarableKind(kind.lifecycle.parent?.kind ?? '')
  const parent = store.tableOf(parentKind).rows.get(store.tableOf(kind).containerOf(row))
  return parent
    ? Object.fromEntries(Object.keys(parentKind.fields).map(name => [name, parent[name] ?? null]))
    : null
}

/** Tags in no reliable order; a plan without tagging shows none. */
function shownTags({ quirks, random }: Call, tags: JsonArray): JsonArray {
  if (quirks.tags === 'dropped') return []
  return quirks.tag_order === 'sorted' ? tags : shuffled(tags, random)
}

function shuffled(tags: JsonArray, random: () => number): JsonArray {
  const result = [...tags]
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [result[last], result[other]]
    if (a !== undefined && b !== undefined) [result[last], result[other]] = [b, a]
  }
  return result
}

/** The summary of the person in a `created_by`; null if the person does not exist any more. */
export function userRecord(store: Store, id: number | null): JsonObject | null {
  const user = id === null ? undefined : store.users.get(id)
  return user ? summaryOf(user) : null
}

function summaryOf(user: UserRow): JsonObject {
  return {
    id: user.id,
    uuid: user.uuid,
    distinct_id: user.distinct_id,
    first_name: user.first_name,
    email: user.email,
    is_email_verified: user.is_email_verified,
  } satisfies Readonly<Record<keyof typeof userSummary.fields, Json>>
}
