import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { isUuid } from '../../model/text/json-shape.ts'
import { readJsonIfAny, writeJson } from '../../model/text/json-text.ts'
import {
  compilePattern,
  isLocalOperator,
  matchCondition,
  matchProperty,
  operatorOf,
  readDate,
} from '../../targeting/index.ts'
import { type Answer, invalid, jsonAnswer, linkWith, notFound, serverError } from '../http/messages.ts'
import { type EventRow, type PersonRow, parseTime } from '../rows.ts'
import { groupTypesOf, inContainer } from '../store.ts'
import { contextFor, subjectOf } from './evaluation.ts'
import { knownFlags } from './refuse-filters.ts'
import type { Handlers, ProjectCall } from './resource.ts'
import { envelope, windowOf } from './serve-kind.ts'

const maxEvents = 50_000
const csvEvents = 3500

export const eventHandlers: Handlers = {
  list: listEvents,
  read: call => {
    const { project, store, quirks } = call
    const { id = '' } = call.params
    const format = formatOf(call)
    if (quirks.event_id_checked && !isUuid(id)) throw invalid(null, 'Invalid UUID', 'invalid')
    const event = store.events.get(id.toLowerCase())
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
  const found = (oldestFirst ? all : all.toReversed()).filter(event =>
    filters.every(accepts => accepts(event)),
  )
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

function eventFilters(call: ProjectCall): readonly Accepts[] {
  const query = call.url.searchParams
  const filters: Accepts[] = []
  const after = timeIn(call, 'after')
  if (after !== undefined) filters.push(event => Date.parse(event.timestamp) > after)
  const before = timeIn(call, 'before')
  if (before !== undefined) filters.push(event => Date.parse(event.timestamp) < before)
  const distinctId = query.get('distinct_id')
  if (distinctId) filters.push(event => event.distinct_id === distinctId)
  const name = query.get('event')
  if (name) filters.push(event => event.event === name)
  const personId = query.get('person_id')
  if (personId) filters.push(ofPerson(call, personId))
  for (const property of jsonListIn(call, 'properties')) filters.push(propertyFilter(call, property))
  for (const expression of expressionsIn(call, 'where')) {
    if (typeof expression !== 'string') throw invalid('where', 'Expected a list of texts.')
    filters.push(whereFilter(call, expression, 'where'))
  }
  return filters
}

/** The expressions in a query parameter, if the service supports them. */
function expressionsIn(call: ProjectCall, name: 'select' | 'where'): readonly Json[] {
  return call.quirks.event_expressions === 'honoured' ? jsonListIn(call, name) : []
}

/** A query parameter with a JSON list, repeated, or both. */
function jsonListIn({ url }: ProjectCall, name: string): readonly Json[] {
  return url.searchParams
    .getAll(name)
    .filter(text => text !== '')
    .flatMap(text => {
      const value = readJsonIfAny(text)
      // A bare word is a value of a repeated parameter.
      if (value === undefined && name !== 'properties') return [text]
      if (value === undefined) throw invalid(name, 'Properties are unparsable!')
      return isJsonArray(value) ? value : [value]
    })
}

function timeIn({ url, now }: ProjectCall, name: string): number | undefined {
  const text = url.searchParams.get(name)
  if (!text) return undefined
  const time = parseTime(text, now)
  if (time === undefined) throw invalid(name, `"${text}" is not a time.`)
  return time
}

function ofPerson({ store, project }: ProjectCall, id: string): Accepts {
  const wanted = (person: PersonRow): boolean => String(person.id) === id || person.uuid === id.toLowerCase()
  const person = store.personsOfProject.all(project.id).find(wanted)
  return event => person?.distinct_ids.includes(event.distinct_id) ?? false
}

export type Reader = (event: JsonObject) => Json

/**
 * The simple forms of the query language: a path such as `event` or `properties.$browser`, and a comparison
 * of a path with a text, a number, true, false or null. Everything else is refused.
 */
function parseSelect(text: string): Reader {
  const path = /^\s*(\S+)\s*$/.exec(text)?.[1]
  return readPath(path ?? text, text, 'select')
}

function whereFilter(call: ProjectCall, text: string, attr: 'where' | 'properties'): Accepts {
  const match = /^\s*([\w.$]+)\s*(==|=|!=|<=|>=|<|>)\s*(.+?)\s*$/s.exec(text)
  if (!match) throw unreadable(text, attr)
  const [, path = '', operator = '', literal = ''] = match
  const read = readPath(path, text, attr)
  const wanted = parseLiteral(literal, text, attr)
  return event => compare(read(readableEvent(call, event)), operator, wanted)
}

function unreadable(text: string, attr: string): Error {
  return invalid(attr, `Unable to parse the expression ${JSON.stringify(text)}.`)
}

function readPath(path: string, text: string, attr: string): Reader {
  const [root = '', ...rest] = path.split('.')
  const known = ['id', 'uuid', 'event', 'distinct_id', 'timestamp', 'properties', 'person', 'elements_chain']
  if (!known.includes(root) || !/^[\w$]+(\.[\w$-]+)*$/.test(path)) throw unreadable(text, attr)
  const steps = [root === 'uuid' ? 'id' : root, ...rest]
  return event => {
    let value: Json = event
    for (const step of steps)
      value = isJsonObject(value) && Object.hasOwn(value, step) ? (value[step] ?? null) : null
    return value
  }
}

function parseLiteral(literal: string, text: string, attr: string): Json {
  const quoted = /^'((?:[^'\\]|\\.)*)'$|^"((?:[^"\\]|\\.)*)"$/s.exec(literal)
  if (quoted) return (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/gs, '$1')
  if (/^-?\d+(\.\d+)?$/.test(literal)) return Number(literal)
  if (/^(true|false|null)$/i.test(literal)) return JSON.parse(literal.toLowerCase())
  throw unreadable(text, attr)
}

function compare(value: Json, operator: string, wanted: Json): boolean {
  if (operator === '=' || operator === '==') return value === wanted
  if (operator === '!=') return value !== wanted
  const areNumbers = typeof value === 'number' && typeof wanted === 'number'
  const areTexts = typeof value === 'string' && typeof wanted === 'string'
  if (!areNumbers && !areTexts) return false
  const order = value < wanted ? '<' : value > wanted ? '>' : '='
  return operator.includes(order)
}

type Accepts = (event: EventRow) => boolean

/**
 * One condition on events, or a group of them: `{ "type": "OR", "values": [...] }`. [service-behaviour 6]
 *
 * | type     | checks                                                                     |
 * |----------|----------------------------------------------------------------------------|
 * | `event`  | the properties of the event; the default type                              |
 * | `person` | those of the person                                                        |
 * | `group`  | those of the event's group of the type at `group_type_index`               |
 * | `cohort` | whether the person is in it                                                |
 * | `hogql`  | the event, by the expression in the key, in the forms that `where` accepts |
 *
 * Unsupported conditions are refused: otherwise missing rows would look like no rows.
 */
function propertyFilter(call: ProjectCall, property: Json): Accepts {
  if (!isJsonObject(property)) throw invalid('properties', 'Expected a list of dictionaries.')
  const { type = 'event', values } = property
  if (isJsonArray(values) && (type === 'AND' || type === 'OR')) {
    const filters = values.map(value => propertyFilter(call, value))
    return type === 'AND'
      ? event => filters.every(accepts => accepts(event))
      : event => filters.some(accepts => accepts(event))
  }
  if (type === 'hogql') return expressionFilter(call, property)
  if (type === 'cohort' || type === 'static-cohort') return cohortFilter(call, property)
  checkOperator(property)
  switch (type) {
    case 'event':
      return event => isMet(call, property, event.properties)
    case 'person':
      return event => isMet(call, property, personOf(call, event)?.properties ?? {})
    case 'group':
      return groupFilter(call, property)
    default:
      throw invalid('properties', `Cannot filter events by properties of type "${String(type)}".`)
  }
}

function checkOperator(property: JsonObject): void {
  const operator = operatorOf(property)
  if (typeof operator !== 'string' || !isLocalOperator(operator))
    throw invalid('properties', `Operator ${JSON.stringify(operator)} is not supported.`)
  const { value = null } = property
  if (operator === 'regex' || operator === 'not_regex') {
    const pattern = compilePattern(String(value))
    if (pattern.kind !== 'ready')
      throw invalid('properties', `The pattern ${JSON.stringify(value)} cannot be searched: ${pattern.why}.`)
  }
  if (operator === 'is_date_before' || operator === 'is_date_after') {
    const reading = typeof value === 'string' ? readDate(value, 0) : { why: 'it is not text' }
    if ('why' in reading)
      throw invalid('properties', `The date ${JSON.stringify(value)} is not read: ${reading.why}.`)
  }
}

/** A property that is no date, or too long, does not match: no query fails because of one event. */
function isMet({ now }: ProjectCall, property: JsonObject, properties: JsonObject): boolean {
  return matchProperty(property, { properties, isComplete: true, now }) === true
}

function cohortFilter(call: ProjectCall, property: JsonObject): Accepts {
  const cohort = call.store.cohorts.get(Number(property.value))
  if (cohort?.project_id !== call.project.id)
    throw invalid('properties', `Cohort with id ${JSON.stringify(property.value ?? null)} does not exist`)
  const condition = { properties: [{ ...property, type: 'cohort' }] }
  const flags = knownFlags(call)
  // Queries of events obey what flags of the same service version ignore.
  const quirks = { ...call.quirks, cohort_operators: 'obeyed' as const }
  return event => {
    const person = personOf(call, event)
    return (
      person !== undefined &&
      matchCondition(condition, null, subjectOf(person), contextFor({ ...call, quirks }, person, flags)) ===
        true
    )
  }
}

/** Events name their groups as `$groups: { company: "acme" }` or, after ingestion, as `$group_0: "acme"`. */
function groupFilter(call: ProjectCall, property: JsonObject): Accepts {
  const { store, project } = call
  const index = Number(property.group_type_index ?? 0)
  const type = groupTypesOf(project)[index]
  if (type === undefined) throw invalid('properties', `There is no group type ${index}.`)
  return ({ properties }) => {
    const named = isJsonObject(properties.$groups) ? properties.$groups[type] : undefined
    const key = named ?? properties[`$group_${index}`]
    const group =
      key === undefined ? undefined : store.groupByKey.get(inContainer(project.id, index, String(key)))
    return isMet(call, property, group?.properties ?? {})
  }
}

function expressionFilter(call: ProjectCall, { key }: JsonObject): Accepts {
  if (typeof key !== 'string') throw invalid('properties', 'An expression is a text, given as the key.')
  return whereFilter(call, key, 'properties')
}

/** An event as expressions read it: with everything known about the person. */
function readableEvent(call: ProjectCall, row: EventRow): JsonObject {
  const person = personOf(call, row)
  const known = person ? { ...personRecord(person), properties: person.properties } : null
  return { ...openEvent(call, row), person: known }
}

/** An event with values of their own types: the answer of the public service. */
function openEvent(call: ProjectCall, row: EventRow): JsonObject {
  const { id, distinct_id, properties, event, elements_chain } = row
  const person = personOf(call, row)
  const timestamp = row.timestamp.replace(/Z$/, '+00:00')
  const known = person ? personRecord(person) : null
  return { id, distinct_id, properties, event, timestamp, person: known, elements: [], elements_chain }
}

/** An event in an answer: the document has only texts. */
function eventRecord(call: ProjectCall, row: EventRow): JsonObject {
  const open = openEvent(call, row)
  if (call.quirks.shapes === 'real') return open
  const person = isJsonObject(open.person) ? writeJson(open.person) : ''
  const properties = writeJson(row.properties)
  return { ...open, timestamp: row.timestamp, properties, person, elements: '[]' }
}

function personOf({ store, project }: ProjectCall, row: EventRow): PersonRow | undefined {
  return store.personByDistinctId.get(inContainer(project.id, row.distinct_id))
}

function personRecord(person: PersonRow): JsonObject {
  const { email = null, name = null, username = null } = person.properties
  const properties = Object.entries({ email, name, username }).filter(([, value]) => value !== null)
  return {
    is_identified: true,
    distinct_ids: person.distinct_ids.slice(0, 1),
    properties: Object.fromEntries(properties),
  }
}

/** Rows as comma-separated text. Nested members get a column each, named by their path. */
function csvAnswer(rows: readonly JsonObject[]): Answer {
  const flat = rows.map(row => new Map(flatten(row, '')))
  const columns = [...new Set(flat.flatMap(row => [...row.keys()]))]
  const lines = [columns, ...flat.map(row => columns.map(column => row.get(column) ?? null))]
  const text = lines.map(line => `${line.map(cell).join(',')}\r\n`).join('')
  return {
    status: 200,
    headers: { 'Content-Type': 'text/csv; charset=utf-8' },
    text: columns.length === 0 ? '' : text,
  }
}

function flatten(value: JsonObject, prefix: string): [string, Json][] {
  return Object.entries(value).flatMap(([name, member]) => {
    const path = `${prefix}${name}`
    return isJsonObject(member) ? flatten(member, `${path}.`) : [[path, member] as [string, Json]]
  })
}

function cell(value: Json): string {
  if (value === null) return ''
  const text = typeof value === 'string' ? value : isJsonArray(value) ? writeJson(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
