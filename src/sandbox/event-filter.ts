import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { readJson } from '../model/json-text.ts'
import { matchProperty } from '../targeting/index.ts'
import type { ProjectCall } from './call.ts'
import { parseWhere } from './event-expression.ts'
import { openEvent, personOf } from './event-record.ts'
import { invalid } from './refusal.ts'
import type { EventRow, PersonRow } from './rows.ts'
import { parseTime } from './time.ts'

type Accepts = (event: EventRow) => boolean

/** Every filter that the query of the event list asks for. */
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
  for (const expression of jsonListIn(call, 'where')) {
    if (typeof expression !== 'string') throw invalid('where', 'Expected a list of texts.')
    const accepts = parseWhere(expression)
    filters.push(event => accepts(openEvent(call, event)))
  }
  return filters
}

/** A query parameter that holds a JSON list, is repeated, or both. */
export function jsonListIn({ url }: ProjectCall, name: string): readonly Json[] {
  return url.searchParams
    .getAll(name)
    .filter(text => text !== '')
    .flatMap(text => {
      const value = parseJson(text)
      // A bare word is what a repeated parameter holds.
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

/** One condition, or a group of them: `{ "type": "OR", "values": [...] }`. */
function propertyFilter(call: ProjectCall, property: Json): Accepts {
  if (!isJsonObject(property)) throw invalid('properties', 'Expected a list of dictionaries.')
  if (isJsonArray(property.values) && (property.type === 'AND' || property.type === 'OR')) {
    const filters = property.values.map(value => propertyFilter(call, value))
    return property.type === 'AND'
      ? event => filters.every(accepts => accepts(event))
      : event => filters.some(accepts => accepts(event))
  }
  const { type = 'event' } = property
  switch (type) {
    case 'event':
      return event => matches(call, property, event.properties)
    case 'person':
      return event => matches(call, property, personOf(call, event)?.properties ?? {})
    case 'cohort':
      return event => isInCohort(call, property, personOf(call, event))
    default:
      throw invalid('properties', `Cannot filter events by properties of type "${String(type)}".`)
  }
}

function matches({ now }: ProjectCall, property: JsonObject, properties: JsonObject): boolean {
  return matchProperty(property, { properties, isComplete: true, now }) === true
}

function isInCohort({ store }: ProjectCall, property: JsonObject, person: PersonRow | undefined): boolean {
  const cohort = store.cohorts.get(Number(property.value))
  return person !== undefined && (cohort?.persons.includes(person.id) ?? false)
}

function parseJson(text: string): Json | undefined {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}
