import { parse } from 'lossless-json'
import {
  type BigNum,
  byteOrderMark,
  isJsonArray,
  isJsonObject,
  type Json,
  mayHoldBigNumber,
  membersWritten,
  numberFrom,
  tooDeep,
} from './json.ts'

/** JSON text that cannot be sent with the same meaning. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError'
  readonly reason: string
  readonly remedy: string | undefined

  constructor(reason: string, remedy?: string) {
    super(remedy === undefined ? reason : `${reason}; ${remedy}`)
    this.reason = reason
    this.remedy = remedy
  }
}

/**
 * Parses JSON text as a person wrote it, with all digits of every number. An object with a repeated member is
 * refused: nobody knows which of the two was meant.
 */
export function readStrictJson(written: string): Json {
  if (written.startsWith(byteOrderMark))
    throw new JsonTextError('it begins with a byte-order mark (U+FEFF)', 'save its file without one')
  const text = withWholeCharacters(written)
  try {
    const members = membersWritten(text)
    if (members === undefined) throw new JsonTextError(tooDeep)
    const plain = readPlainJson(text, members)
    if (plain !== undefined) return plain
    // With this reader of numbers the library returns only JSON.
    return parse(text, undefined, strictNumber) as Json
  } catch (error) {
    if (error instanceof JsonTextError) throw error
    const why = error instanceof Error ? error.message : 'it cannot be read'
    throw new JsonTextError(`it is not JSON: ${why}`)
  }
}

/**
 * JSON text in which half a character (a surrogate without the other one) becomes U+FFFD. Terraform and
 * OpenTofu do the same, and front ends that disagree would plan against each other for ever.
 */
export function withWholeCharacters(text: string): string {
  // The escape of a whole character is longer than that of half of one, and any other is shorter.
  return text.replace(escapes, each => (each.length === halfEscape ? '\\ufffd' : each))
}

const escapes =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2}|.)/gs
const halfEscape = '\\ud800'.length

/**
 * A much faster reader for nearly every text: one in which no number needs care and no member occurs twice.
 * Undefined for any other text, whose reader finds the message for its problem.
 */
function readPlainJson(text: string, members: number): Json | undefined {
  if (mayHoldBigNumber.test(text) || mayHoldMinusZero.test(text)) return undefined
  try {
    const value = JSON.parse(text) as Json
    return membersOf(value) === members ? value : undefined
  } catch {
    return undefined
  }
}

/** Decimals have no minus zero. A similar text inside a string only costs time, and dates do not match. */
const mayHoldMinusZero = /(?:^|[[:,\s])-0/

function membersOf(value: Json): number {
  let members = 0
  if (isJsonArray(value)) for (const element of value) members += membersOf(element)
  else if (isJsonObject(value))
    for (const name of Object.keys(value)) members += 1 + membersOf(value[name] ?? null)
  return members
}

function strictNumber(text: string): number | BigNum {
  try {
    return numberFrom(text)
  } catch {
    throw new JsonTextError(
      `the exponent of the number ${shortened(text)} is out of range`,
      'write it as text',
    )
  }
}

function shortened(digits: string): string {
  return digits.length <= 40 ? digits : `${digits.slice(0, 40)}…`
}
