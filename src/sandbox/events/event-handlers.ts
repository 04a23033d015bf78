import type { event } from '../../kinds/index.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import { isUuid } from '../../model/text/uuid.ts'
import { type Answer, invalid, jsonAnswer, linkWith, notFound, serverError } from '../http/refusal.ts'
import type { Actions, ProjectCall } from '../resource/resource.ts'
import { envelope, windowOf } from '../resource/serve-kind.ts'
import type { EventRow } from '../store/rows.ts'
import { eventFilters, expressionsIn, parseSelect } from './event-filter.ts'
import { csvAnswer, eventRecord, readableEvent } from './event-record.ts'

const maxEvents = 50_000
const csvEvents = 3500

export const eventHandlers: Actions<typeof event> = {
  list: listEvents,
  read: call => {
    const { params, project, store, quirks } = call
    const format = formatOf(call)
    if (quirks.event_id_checked && !isUuid(params.id)) throw invalid(null, 'Invalid UUID', 'invalid')
    const event = store.events.get(params.id.toLowerCase())
    if (event?.project_id !== project.id) throw notFound()
    const hasPerson =
      quirks.event_person === 'always' || call.url.searchParams.get('include_person') === 'true'
    const record = hasPerson ? eventRecord(call, event) : withoutPerson(eventRecord(call, event))
    return format === 'csv' ? csvAnswer([record]) : jsonAnswer(record)
  },
  values: call => {
    const format = formatOf(call)
    const rows = seenValues(call).map(name => ({ name }))
    return format === 'csv' ? csvAnswer(rows) : jsonAnswer(rows)
  },
}

/** A single event of the public service includes its person only on request. */
function withoutPerson(record: JsonObject): JsonObject {
  return { ...record, person: typeof record.person === 'string' ? '' : null }
}

function isNoNumber(limit: string | null): boolean {
  return limit !== null && !/^\s*[+-]?\d+\s*$/.test(limit)
}

function listEvents(call: ProjectCall): Answer {
  const format = formatOf(call)
  const filters = eventFilters(call)
  const oldestFirst = /^\s*\[\s*"timestamp/.test(call.url.searchParams.get('orderBy') ?? '')
  const all = call.store.eventsByTime.all(call.project.id)
  const found = (oldestFirst ? all : all.reverse()).filter(event => filters.every(accepts => accepts(event)))
  const { quirks, url } = call
  if (quirks.event_limit === 'error' && isNoNumber(url.searchParams.get('limit'))) throw serverError()
  const window = windowOf(call, { max: maxEvents, ...(format === 'csv' ? { default: csvEvents } : {}) })
  const rows = found.slice(window.offset, window.offset + window.limit)
  const select = expressionsIn(call, 'select')
  const isWhole = select.length === 0
  const shown = isWhole ? rows.map(row => eventRecord(call, row)) : asColumns(call, select, rows)
  if (format === 'csv') return csvAnswer(shown)
  const results = isWhole ? shown : shown.map(row => select.map(column => row[String(column)] ?? null))
  const columns: JsonObject = isWhole ? {} : { columns: select }
  if (call.quirks.event_envelope === 'counted')
    return jsonAnswer({ ...envelope(call, window, found.length), ...columns, results })
  const isMore = window.offset + rows.length < found.length
  return jsonAnswer({ next: isMore ? linkAfter(call, rows.at(-1), oldestFirst) : null, ...columns, results })
}

/** The public service pages by time: rows with the same time as the last one are never returned. */
function linkAfter({ url }: ProjectCall, last: EventRow | undefined, oldestFirst: boolean): string | null {
  const bound = oldestFirst ? 'after' : 'before'
  return last ? linkWith(url, { [bound]: last.timestamp, offset: undefined }) : null
}

/** The selected values of events, by their expressions. */
function asColumns(call: ProjectCall, select: readonly Json[], rows: readonly EventRow[]): JsonObject[] {
  const readers = select.map(expression => [String(expression), parseSelect(String(expression))] as const)
  return rows.map(row => {
    const event = readableEvent(call, row)
    return Object.fromEntries(readers.map(([column, read]) => [column, read(event)]))
  })
}

/** The recorded values of a property; without a key there are none. */
function seenValues({ store, project, url }: ProjectCall): readonly string[] {
  const key = url.searchParams.get('key')
  if (!key) return []
  const names = url.searchParams.getAll('event_name')
  const part = (url.searchParams.get('value') ?? '').toLowerCase()
  const events = store.eventsByTime
    .all(project.id)
    .filter(event => names.length === 0 || names.includes(event.event))
  const values = events.flatMap(event => {
    if (key === 'custom_event') return event.event.startsWith('$') ? [] : [event.event]
    return Object.hasOwn(event.properties, key) ? [textOf(event.properties[key] ?? null)] : []
  })
  return [...new Set(values)].filter(value => value.toLowerCase().includes(part)).sort()
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : isJsonObject(value) ? writeJson(value) : String(value)
}

function formatOf({ url }: ProjectCall): 'csv' | 'json' {
  const format = url.searchParams.get('format') ?? 'json'
  if (format === 'csv' || format === 'json') return format
  // An unknown format is a 404, like an unknown resource.
  throw notFound()
}
