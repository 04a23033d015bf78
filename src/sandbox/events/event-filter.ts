import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { readJsonIfAny } from '../../model/json/json-text.ts'
import {
  compilePattern,
  isLocalOperator,
  matchCondition,
  matchProperty,
  operatorOf,
  readDate,
} from '../../targeting/index.ts'
import { contextFor, subjectOf } from '../evaluation/evaluation-for.ts'
import { knownFlags } from '../flags/flag-dependencies.ts'
import { invalid } from '../http/refusal.ts'
import type { ProjectCall } from '../resource/resource.ts'
import { groupTypesOf } from '../seed/project.ts'
import { inContainer } from '../store/collection.ts'
import type { EventRow, PersonRow } from '../store/rows.ts'
import { parseTime } from '../time.ts'
import { personOf, readableEvent } from './event-record.ts'

/** Every filter in the query of the event list. */
export function eventFilters(call: ProjectCall): readonly Accepts[] {
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
export function expressionsIn(call: ProjectCall, name: 'select' | 'where'): readonly Json[] {
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

/** Reads one value out of an event. */
export type Reader = (event: JsonObject) => Json

/**
 * The simple forms of the query language: a path such as `event` or `properties.$browser`, and a comparison
 * of a path with a text, a number, true, false or null. Everything else is refused.
 */
export function parseSelect(text: string): Reader {
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
    const reading = typeof value === 'string' ? readDate(value, 0) : { why: 'it is no text' }
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
