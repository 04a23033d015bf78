import { isInteger, parse } from 'lossless-json'
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

function exactNumber(digits: string): number | string {
  const value = Number(digits)
  return isInteger(digits) && !Number.isSafeInteger(value) ? digits : value
}
