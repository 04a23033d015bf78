import { isExact } from '../model/decimal.ts'
import { canonicalText, type Json } from '../model/json.ts'

/** One payload as the text of its JSON value. Text that is not JSON counts as a JSON string. */
export function payloadText(payload: Json): string {
  const value = payloadValue(payload)
  return isRounded(payload, value) ? payload : canonicalText(value)
}

/** One payload as the value that code receives. */
export function payloadValue(payload: Json): Json {
  if (typeof payload !== 'string') return payload
  const value = parseJson(payload)
  return value === undefined ? payload : value
}

/** True for a text that is JSON. */
export function isJsonText(text: string): boolean {
  return parseJson(text) !== undefined
}

function parseJson(text: string): Json | undefined {
  try {
    // JSON text holds nothing but JSON.
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/**
 * True for JSON text with a number that reading would round or overflow. Such text travels and compares untouched:
 * an identifier of twenty digits must not change on its way.
 */
function isRounded(payload: Json, value: Json): payload is string {
  if (typeof payload !== 'string' || value === payload) return false
  const numbers = payload.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? []
  return !numbers.every(isExact)
}
