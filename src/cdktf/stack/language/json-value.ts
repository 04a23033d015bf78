import { parse } from 'lossless-json'
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
    requireShallow(value, deepest)
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

/** Nobody nests so deep, and whoever goes through it afterwards may rely on that. */
const deepest = 200
const tooDeep = 'it is nested too deep'

function requireShallow(value: ExactJson, left: number): void {
  if (left === 0) throw new SyntaxError(tooDeep)
  if (Array.isArray(value)) for (const element of value) requireShallow(element, left - 1)
  else if (isExactObject(value))
    for (const name of Object.keys(value)) requireShallow(value[name] ?? null, left - 1)
}

function exactNumber(text: string): BigFloat {
  const number = parseNumber(text)
  if (!number) throw invalid(`${text} is not a number`)
  return number
}
