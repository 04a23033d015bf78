import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import type { Answer } from '../http/answer.ts'

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
