import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import type { Answer } from '../http/refusal.ts'
import type { ProjectCall } from '../resource/resource.ts'
import { inContainer } from '../store/collection.ts'
import type { EventRow, PersonRow } from '../store/rows.ts'

/** An event as expressions read it: with everything known about the person. */
export function readableEvent(call: ProjectCall, row: EventRow): JsonObject {
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
export function eventRecord(call: ProjectCall, row: EventRow): JsonObject {
  const open = openEvent(call, row)
  if (call.quirks.shapes === 'real') return open
  const person = isJsonObject(open.person) ? writeJson(open.person) : ''
  const properties = writeJson(row.properties)
  return { ...open, timestamp: row.timestamp, properties, person, elements: '[]' }
}

export function personOf({ store, project }: ProjectCall, row: EventRow): PersonRow | undefined {
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
export function csvAnswer(rows: readonly JsonObject[]): Answer {
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
