import { parse, stringify } from 'lossless-json'
import {
  BigNum,
  deepest,
  isDeeperThan,
  isTextTooDeep,
  mayHoldBigNumber,
  numberAsWritten,
  numberFrom,
  tooDeep,
} from '../../hcl/json.ts'
import { oncePer } from '../runtime.ts'
import { isJsonArray, isJsonObject, type Json } from './json.ts'

/** JSON with too many levels of nesting; code that walks through values later relies on this limit. */
export class DeepJsonError extends SyntaxError {
  override readonly name = 'DeepJsonError'

  constructor() {
    super(tooDeep)
  }
}

/**
 * Parses JSON without rounding: a number that does not fit a double is a `BigNum`, since a rounded id would
 * be sent back as another person's. If a member is there twice, the last one counts, as with `JSON.parse`.
 * Throws a SyntaxError on invalid JSON, and a `DeepJsonError`, which is one, on text with too much nesting.
 */
export function readJson(text: string): Json {
  // The exact parser is slower, and hardly any text has such a number.
  if (!mayHoldBigNumber.test(text)) return readPlainNumbers(text)
  if (isTextTooDeep(text)) throw new DeepJsonError()
  // With this reader of numbers the library creates only JSON.
  return parse(text, null, {
    parseNumber: number => readNumber(number),
    onDuplicateKey: ({ newValue }) => newValue,
  }) as Json
}

/** The platform's parser has no depth limit, so depth is checked afterwards, for invalid JSON too. */
function readPlainNumbers(text: string): Json {
  try {
    const value = JSON.parse(text) as Json
    if (!isDeeperThan(value, deepest)) return value
  } catch (error) {
    if (!isTextTooDeep(text)) throw error
  }
  throw new DeepJsonError()
}

/** The same; undefined for invalid JSON, or too much nesting. */
export function readJsonIfAny(text: string): Json | undefined {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}

/** The same for display only: every number as written in the text, `1.10` and `-0` too. */
export function readJsonAsWritten(text: string): Json {
  if (isTextTooDeep(text)) throw new DeepJsonError()
  const parseNumber = (number: string) => readNumber(number, numberAsWritten)
  return parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue }) as Json
}

/** JSON text in which every number has all its digits. */
export function writeJson(value: unknown, indent?: number): string {
  if (!holdsBigNumber(value)) return JSON.stringify(value, null, indent)
  // Only a value without JSON has no text, and a kept number has one.
  return stringify(value, null, indent, bigNumbers) ?? 'null'
}

/** The same for a value that is written several times: nobody may change it. */
export const writeJsonOnce = oncePer((value: object): string => writeJson(value))

const bigNumbers = [{ test: (value: unknown) => value instanceof BigNum, stringify: String }]

function readNumber(text: string, read = numberFrom): number | BigNum {
  try {
    return read(text)
  } catch (error) {
    throw new SyntaxError(error instanceof Error ? error.message : 'a number cannot be read', {
      cause: error,
    })
  }
}

function holdsBigNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isJsonArray(value)) return value.some(holdsBigNumber)
  return value instanceof BigNum || (isJsonObject(value) && Object.values(value).some(holdsBigNumber))
}
