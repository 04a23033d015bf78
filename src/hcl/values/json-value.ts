import { type ParseOptions, parse } from 'lossless-json'
import { BigNum, deepest, isDeeperThan, type Json, tooDeep } from '../json.ts'
import { readStrictJson, withWholeCharacters } from '../strict-json.ts'
import { BigFloat, fromDouble, parseNumber } from './number.ts'
import { elsewhere, invalid, unsupported } from './refusal.ts'
import type { Type } from './type.ts'
import { nothing, object, ofBool, ofNumber, ofText, type Typed, tuple } from './typed.ts'
import {
  type AttributePath,
  isListValue,
  isNumberValue,
  isObjectValue,
  mapElements,
  mapMembers,
  nearestNumber,
  pickKnown,
  Sensitive,
  Unknown,
  type Value,
  ValueError,
} from './value.ts'

/** JSON with every number as it was written; `JSON.parse` would round some. */
export type ExactJson = null | boolean | string | BigFloat | ExactJson[] | { [name: string]: ExactJson }

/** Throws a SyntaxError if the text is no JSON, or names a member twice. */
export function parseExactJson(written: string): ExactJson {
  return parseWith(written, {})
}

/** The same for a text with repeated members: the last one counts. Refuses values that do not combine. */
export function parseLastOfEach(written: string): ExactJson {
  return parseWith(written, {
    onDuplicateKey({ oldValue, newValue }) {
      if (
        oldValue === newValue ||
        (isSimple(oldValue) && isSimple(newValue) && typeof oldValue === typeof newValue)
      )
        return newValue
      throw unsupported('a member that is there twice in JSON, with values of two kinds', elsewhere)
    },
  })
}

function isSimple(json: unknown): boolean {
  return typeof json === 'string' || typeof json === 'boolean' || json instanceof BigFloat
}

function parseWith(written: string, options: ParseOptions): ExactJson {
  try {
    // With this reader of numbers the library returns only what the type promises.
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

/** A value with its natural type: JSON as the objects and tuples that Terraform decodes it to. */
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
 * A known value as JSON; numbers are the nearest JavaScript numbers, which are sent. Unknown values were
 * reported before; here they become null.
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

/**
 * A value as Terraform stores it in its state file. An attribute that is newer than the state is null, and
 * one that the schema has lost is skipped: neither is a reason to refuse what is already managed.
 */
export function decodeState(type: Type, text: string): Value {
  return stateValue(type, readStrictJson(text))
}

/** The same for JSON that is read already. */
export function stateValue(type: Type, json: Json, path: AttributePath = []): Value {
  if (json === null) return null
  switch (type) {
    case 'string':
      if (typeof json === 'string') return json
      break
    case 'bool':
      if (typeof json === 'boolean') return json
      break
    case 'number':
      if (isNumberValue(json)) return json
      break
    case 'dynamic':
      break
    default: {
      const known = type[0] === 'object' ? pickKnown(type, json) : json
      // The elements of JSON are JSON.
      return mapElements<Value>(type, known, path, (of, element, at) => stateValue(of, element as Json, at))
    }
  }
  throw new ValueError(path, `a ${type} is needed in the state`)
}
