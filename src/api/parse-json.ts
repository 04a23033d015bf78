import { parse } from 'lossless-json'
import type { Json } from '../model/json.ts'

/**
 * Parses JSON without rounding: a whole number that a double cannot hold becomes text. Filters compare by text, so
 * nothing changes in what they mean, while a rounded id would be sent back as another person's. Throws a SyntaxError
 * on text that is not JSON.
 */
export function parseJson(text: string): Json {
  // The exact parser is slower, and hardly any answer has such a number.
  return (mayHoldLargeNumber.test(text) ? parse(text, null, exactNumber) : JSON.parse(text)) as Json
}

const mayHoldLargeNumber = /\d{16}/

/** A number with a fraction or an exponent was no id; it is as near as a double comes. */
function exactNumber(text: string): number | string {
  const value = Number(text)
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? text : value
}
