import { parse } from 'lossless-json'
import { deepest, tooDeep } from '../../../model/limits.ts'
import { isDeeperThan } from '../../../model/strict-json.ts'
import { type BigFloat, isNumber, parseNumber } from './big-float.ts'
import { invalid } from './refusal.ts'
import { object, tuple, type Value } from './value.ts'

/** JSON with every number as it was written; `JSON.parse` would round some. */
export type ExactJson = null | boolean | string | BigFloat | ExactJson[] | { [name: string]: ExactJson }

/** Throws a SyntaxError where the text is no JSON, or names a member twice. */
export function parseExactJson(text: string): ExactJson {
  try {
    // With this reader of numbers the library makes nothing but what the type says.
    const value = parse(text, undefined, exactNumber) as ExactJson
    if (isDeeperThan(value, deepest)) throw new SyntaxError(tooDeep)
    return value
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError(tooDeep)
    throw error
  }
}

export function isExactObject(value: ExactJson | undefined): value is { [name: string]: ExactJson } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumber(value)
}

/** The value of a JSON text: objects and tuples, as Terraform decodes them. */
export function parseJsonValue(text: string): Value {
  return jsonToValue(parseExactJson(text))
}

export function jsonToValue(json: ExactJson): Value {
  if (typeof json === 'string') return json.normalize('NFC')
  if (Array.isArray(json)) return tuple(json.map(jsonToValue))
  if (!isExactObject(json)) return json
  return object(Object.entries(json).map(([name, member]) => [name.normalize('NFC'), jsonToValue(member)]))
}

function exactNumber(text: string): BigFloat {
  const number = parseNumber(text)
  if (!number) throw invalid(`${text} is not a number`)
  return number
}
