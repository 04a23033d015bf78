import { canonicalText, type Json } from '../../model/json.ts'
import { BigNum, numberText } from '../values/big-num.ts'
import { type ExactJson, isExactArray, isExactObject, parseExactJson } from '../values/exact-json.ts'

/** JSON text that cannot be sent as it is meant. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError'
}

/**
 * Reads JSON text as a person wrote it. A number that would be rounded on its way is refused: two of them could
 * compare as the same.
 */
export function readJson(text: string): Json {
  let exact: ExactJson
  try {
    exact = parseExactJson(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read'
    throw new JsonTextError(`it is not JSON: ${why}`)
  }
  return plain(exact)
}

/** JSON as a state shows it: members sorted, so that a difference is only what differs. */
export function writeJson(value: Json): string {
  return canonicalText(value)
}

function plain(exact: ExactJson): Json {
  if (exact instanceof BigNum) {
    throw new JsonTextError(
      `the number ${shorten(numberText(exact))} would be rounded on its way; write it as text`,
    )
  }
  if (isExactArray(exact)) return exact.map(plain)
  if (!isExactObject(exact)) return exact
  return Object.fromEntries(Object.entries(exact).map(([name, member]) => [name, plain(member)]))
}

function shorten(digits: string): string {
  return digits.length <= 40 ? digits : `${digits.slice(0, 40)}…`
}
