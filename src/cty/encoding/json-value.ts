import { type ParseOptions, parse } from 'lossless-json'
import type { Json } from '../../model/json/json.ts'
import { isDeeperThan } from '../../model/json/json-depth.ts'
import { deepest, tooDeep } from '../../model/limits.ts'
import { BigFloat, parseNumber } from '../big-float.ts'
import { elsewhere, invalid, unsupported } from '../invalid-value.ts'
import { nothing, object, ofBool, ofNumber, ofText, type Typed, tuple } from '../typed.ts'
import { isListValue, isNumberValue, isObjectValue, nearestNumber, type Value } from '../value.ts'
import { mapMembers } from '../walk-type.ts'

/** JSON with every number as it was written; `JSON.parse` would round some. */
export type ExactJson = null | boolean | string | BigFloat | ExactJson[] | { [name: string]: ExactJson }

/** Throws a SyntaxError where the text is no JSON, or names a member twice. */
export function parseExactJson(written: string): ExactJson {
  return parseWith(written, {})
}

/** The same for a text in which a member may stand twice: the last one counts. Refuses values that do not go together. */
export function parseLastOfEach(written: string): ExactJson {
  return parseWith(written, {
    onDuplicateKey({ oldValue, newValue }) {
      if (
        oldValue === null ||
        (isSimple(oldValue) && isSimple(newValue) && typeof oldValue === typeof newValue)
      )
        return newValue
      throw unsupported('a member that stands twice in JSON, with values of two kinds', elsewhere)
    },
  })
}

function isSimple(json: unknown): boolean {
  return typeof json === 'string' || typeof json === 'boolean' || json instanceof BigFloat
}

function parseWith(written: string, options: ParseOptions): ExactJson {
  try {
    // With this reader of numbers the library makes nothing but what the type says.
    const json = parse(written, undefined, { ...options, parseNumber: exactNumber }) as ExactJson
    if (isDeeperThan(json, deepest)) throw new SyntaxError(tooDeep)
    return json
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError(tooDeep)
    throw error
  }
}

export interface ExactObject {
  readonly [name: string]: ExactJson
}

export function isExactObject(json: ExactJson | ExactObject | undefined): json is ExactObject {
  return isObjectValue(json)
}

/** JSON as the objects and tuples that Terraform decodes it to. */
export function jsonToTyped(json: ExactJson): Typed {
  if (json === null) return nothing
  if (typeof json === 'string') return ofText(json.normalize('NFC'))
  if (typeof json === 'boolean') return ofBool(json)
  if (json instanceof BigFloat) return ofNumber(json)
  if (Array.isArray(json)) return tuple(json.map(jsonToTyped))
  return object(Object.entries(json).map(([name, member]) => [name.normalize('NFC'), jsonToTyped(member)]))
}

/**
 * A known value as JSON; numbers as near as JavaScript has them, which is what is sent. What is not known is told
 * before; here it says nothing.
 */
export function knownJson(value: Value): Json {
  if (isNumberValue(value)) return nearestNumber(value)
  if (isListValue(value)) return value.map(knownJson)
  if (isObjectValue(value)) return mapMembers(value, knownJson)
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

function exactNumber(digits: string): BigFloat {
  const exact = parseNumber(digits)
  if (!exact) throw invalid(`${digits} is not a number`)
  return exact
}
