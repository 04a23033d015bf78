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

/** JSON text that cannot be sent without changing its meaning. */
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
 * Parses JSON text that a person wrote, with all digits of every number. Refuses an object with a repeated
 * member, because it is unknown which value is intended.
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
    // With this number reader the library returns only JSON.
    return parse(text, undefined, strictNumber) as Json
  } catch (error) {
    if (error instanceof JsonTextError) throw error
    const why = error instanceof Error ? error.message : 'it cannot be read'
    throw new JsonTextError(`it is not JSON: ${why}`)
  }
}

/**
 * JSON text in which lone surrogates are replaced with U+FFFD. Terraform and OpenTofu do the same. If front
 * ends disagreed, their plans would undo each other.
 */
export function withWholeCharacters(text: string): string {
  // A surrogate pair matches a longer escape than a lone surrogate. All other escapes are shorter.
  return text.replace(escapes, each => (each.length === halfEscape ? '\\ufffd' : each))
}

const escapes =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2}|.)/gs
const halfEscape = '\\ud800'.length

/**
 * A much faster parser for nearly all texts: without special numbers and without repeated members. Undefined
 * for other texts; the slower parser reports their problems.
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

/** Decimals have no minus zero. A false match inside a string only costs time, and dates do not match. */
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
