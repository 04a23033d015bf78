import { canonicalText, type Json } from '../model/json/json.ts'
import { readJsonAsWritten, readJsonIfAny } from '../model/json/json-text.ts'

/**
 * One payload as it is sent: text that is JSON as it was written, everything else as the text of its JSON value. Text
 * that is not JSON counts as a JSON string.
 */
export function payloadText(payload: Json): string {
  return typeof payload === 'string' && isJsonText(payload) ? payload : canonicalText(payload)
}

/** The text that two payloads share exactly when code receives the same. */
export function canonicalPayload(payload: Json): string {
  return canonicalText(payloadValue(payload))
}

/** One payload as the value that code receives, every number with all its digits. */
export function payloadValue(payload: Json): Json {
  if (typeof payload !== 'string') return payload
  const value = readJsonIfAny(payload)
  return value === undefined ? payload : value
}

/** One payload for words: the value that code receives, with its numbers as they are sent. */
export function shownPayload(payload: Json): Json {
  return typeof payload === 'string' && isJsonText(payload) ? readJsonAsWritten(payload) : payload
}

/** True for a text that is JSON. */
export function isJsonText(text: string): boolean {
  return readJsonIfAny(text) !== undefined
}
