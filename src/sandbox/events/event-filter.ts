import { isJsonArray, type Json } from '../../model/json/json.ts'
import { readJsonIfAny } from '../../model/json/json-text.ts'
import { invalid } from '../http/refusal.ts'
import type { ProjectCall } from '../resource/call.ts'
import type { PersonRow } from '../store/rows.ts'
import { parseTime } from '../time.ts'
import { parseWhere } from './event-expression.ts'
import { readableEvent } from './event-record.ts'
import { type Accepts, propertyFilter } from './property-filter.ts'

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
  for (const expression of expressionsIn(call, 'where')) {
    if (typeof expression !== 'string') throw invalid('where', 'Expected a list of texts.')
    const accepts = parseWhere(expression)
    filters.push(event => accepts(readableEvent(call, event)))
  }
  return filters
}

/** The expressions that a query parameter holds, where those are honoured at all. */
export function expressionsIn(call: ProjectCall, name: 'select' | 'where'): readonly Json[] {
  return call.quirks.event_expressions === 'honoured' ? jsonListIn(call, name) : []
}

/** A query parameter that holds a JSON list, is repeated, or both. */
function jsonListIn({ url }: ProjectCall, name: string): readonly Json[] {
  return url.searchParams
    .getAll(name)
    .filter(text => text !== '')
    .flatMap(text => {
      const value = readJsonIfAny(text)
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
