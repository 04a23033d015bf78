import { type ParseOptions, parse } from 'lossless-json'
import { BigNum } from '../../model/json/big-num.ts'
import type { Json } from '../../model/json/json.ts'
import { isDeeperThan } from '../../model/json/json-depth.ts'
import { withWholeCharacters } from '../../model/json/strict-json.ts'
import { deepest, tooDeep } from '../../model/limits.ts'
import { BigFloat, fromDouble, parseNumber } from '../big-float.ts'
import { elsewhere, invalid, unsupported } from '../invalid-value.ts'
import { nothing, object, ofBool, ofNumber, ofText, type Typed, tuple } from '../typed.ts'
import { Unknown } from '../unknown.ts'
import { isListValue, isNumberValue, isObjectValue, nearestNumber, Sensitive, type Value } from '../value.ts'
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
        oldValue === newValue ||
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
    const json = parse(withWholeCharacters(written), undefined, {
      ...options,
      parseNumber: exactNumber,
    }) as ExactJson
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

/** A value with the type that it has as it stands: JSON as the objects and tuples that Terraform decodes it to. */
export function impliedTyped(value: Value): Typed {
  if (value === null) return nothing
  if (typeof value === 'string') return ofText(value.normalize('NFC'))
  if (typeof value === 'boolean') return ofBool(value)
  if (value instanceof BigFloat) return ofNumber(value)
  if (typeof value === 'number') return ofNumber(fromDouble(value))
  if (value instanceof BigNum) return ofNumber(exactNumber(value.text))
  if (value instanceof Unknown) return { type: 'dynamic', plain: value }
  if (value instanceof Sensitive) {
    const { type, plain } = impliedTyped(value.value)
    return { type, plain: new Sensitive(plain, value.origin) }
  }
  if (isListValue(value)) return tuple(value.map(impliedTyped))
  return object(Object.entries(value).map(([name, member]) => [name.normalize('NFC'), impliedTyped(member)]))
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
