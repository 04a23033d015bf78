import type { Value } from '../../cty/value.ts'
import { canonicalText, type Json } from '../../model/json/json.ts'
import { readStrictJson } from '../../model/json/strict-json.ts'

/** JSON as a state shows it: members sorted, so that a difference is only what differs. */
export function writeJson(value: Json): string {
  return canonicalText(value)
}

/** What JSON text holds; null where it is none, which is told where it is checked. */
export function jsonIn(text: Value): Json {
  if (typeof text !== 'string') return null
  try {
    return readStrictJson(text)
  } catch {
    return null
  }
}
