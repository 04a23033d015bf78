import type { Json } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'

/** What goes back to the caller, before it is known how it travels. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent when there is no body at all. */
  readonly text?: string
}

export function jsonAnswer(body: Json, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, text: writeJson(body) }
}

export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers }
}
