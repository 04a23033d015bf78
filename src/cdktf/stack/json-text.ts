import type { Json } from '../../model/json.ts'
import { compare, isNumber, parseNumber } from './language/big-float.ts'
import { type ExactJson, isExactObject, parseExactJson } from './language/json-value.ts'
import { invalid, Refusal } from './language/refusal.ts'

/** Reads JSON text as a person wrote it. A number that would be rounded on its way is refused: two could be the same. */
export function readJsonText(text: string): Json {
  try {
    return plain(parseExactJson(text))
  } catch (error) {
    if (error instanceof Refusal || !(error instanceof Error)) throw error
    throw invalid(`it is not JSON: ${error.message}`, 'write it with JSON.stringify(...)')
  }
}

function plain(exact: ExactJson): Json {
  if (isNumber(exact)) {
    const near = exact.toNumber()
    const again = Number.isFinite(near) ? parseNumber(String(near)) : undefined
    const isExact = again && compare(again, exact) === 0 && (!exact.isWhole || Number.isSafeInteger(near))
    if (!isExact)
      throw invalid(`the number ${shorten(exact.text)} would be rounded on its way`, 'write it as text')
    return near
  }
  if (Array.isArray(exact)) return exact.map(plain)
  if (!isExactObject(exact)) return exact
  return Object.fromEntries(Object.entries(exact).map(([name, member]) => [name, plain(member)]))
}

function shorten(digits: string): string {
  return digits.length <= 40 ? digits : `${digits.slice(0, 40)}…`
}
