import { type ParseOptions, parse } from 'lossless-json'
import { BigNum, deepest, isDeeperThan, type Json, tooDeep } from '../json.ts'
import { readStrictJson, withWholeCharacters } from '../strict-json.ts'
import { BigFloat, fromDouble, parseNumber } from './number.ts'
import {
  attributeType,
  type CollectionType,
  elsewhere,
  innerTypes,
  invalid,
  isSameType,
  type ObjectType,
  type PrimitiveType,
  type StructuredType,
  type Type,
  typeText,
  unify,
  unsupported,
  withoutOptional,
} from './type.ts'
import {
  list,
  map,
  memberIn,
  membersOf,
  nothing,
  nounOf,
  object,
  ofBool,
  ofNumber,
  ofText,
  sequenceOf,
  set,
  type Typed,
  tuple,
  unknownOf,
  unmarked,
} from './typed.ts'
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

/** Converts a value to another type; refuses it if that is impossible. */
export function convert(value: Typed, type: Type): Typed {
  const { plain } = value
  // A converted null has the new type, which counts for the common type with other values.
  if (plain === null) return typeof type === 'string' && type !== 'dynamic' ? { type, plain } : value
  if (plain instanceof Sensitive) return unmarked([value], ([shown = nothing]) => convert(shown, type))
  if (plain instanceof Unknown) return convertUnknown(value, plain, type)
  if (type === 'dynamic') return value
  if (typeof type === 'string') return convertPrimitive(value, type)
  switch (type[0]) {
    case 'list':
    case 'set': {
      const sequence = sequenceOf(value)
      if (!sequence || isNeverOf(sequence.of, type[1])) break
      const own = sequence.is === 'tuple' ? undefined : sequence.of
      const wanted = elementsType(type[1], sequence.elements, own)
      const converted = sequence.elements.map(element => convert(element, wanted))
      // Only a list made from a tuple converts its elements to a common type.
      const mayChange = type[0] === 'list' && sequence.is === 'tuple'
      const { elements, of } = ofOneType(converted, wanted, mayChange)
      return type[0] === 'list' ? list(elements, of) : set(elements, of)
    }
    case 'map': {
      const given = membersOf(value)
      if (!given || isNeverOf(given.of, type[1])) break
      const own = given.is === 'object' ? undefined : given.of
      const wanted = elementsType(type[1], [...given.members.values()], own)
      const converted = [...given.members.values()].map(member => convert(member, wanted))
      const { elements, of } = ofOneType(converted, wanted, wanted[0] !== 'tuple')
      return map(
        [...given.members.keys()].map((name, index) => [name, elements[index] ?? nothing]),
        of,
      )
    }
    case 'tuple': {
      const sequence = sequenceOf(value)
      if (sequence?.is !== 'tuple' || sequence.elements.length !== type[1].length) break
      return tuple(type[1].map((of, index) => convert(sequence.elements[index] ?? nothing, of)))
    }
    case 'object': {
      if (!isObjectValue(plain)) break
      return convertObject(value, type)
    }
  }
  throw needs(value, type)
}

/** Values of several types, converted to their common type. */
export function convertAll(
  values: readonly Typed[],
  what: string,
): { readonly of: Type; readonly values: readonly Typed[] } {
  const of = commonType(values)
  if (of === undefined) throw invalid(`${what} are of types that do not go together`)
  return { of, values: values.map(value => convert(value, of)) }
}

/** The text form of a text, a number or a bool; undefined for everything else. */
export function textOf(plain: Value): string | undefined {
  if (typeof plain === 'string') return plain
  if (typeof plain === 'boolean') return String(plain)
  return plain instanceof BigFloat ? plain.text : undefined
}

/** The common type of values. An untyped null fits every type. */
export function commonType(values: readonly Typed[]): Type | undefined {
  return unify(values.map(({ type }) => type))
}

/** `own`: the common type of a collection's elements, even if there are few. */
function elementsType(declared: Type, elements: readonly Typed[], own: Type | undefined): Type {
  if (declared !== 'dynamic') return declared
  if (own !== undefined && own !== 'dynamic') return own
  const type = commonType(elements)
  if (type === undefined) throw invalid('its elements are of types that do not go together')
  return type
}

/**
 * Elements of a collection whose wanted type is partly open, such as `list(object({ a = any }))`. The open
 * part must have one type in all elements.
 */
function ofOneType(
  elements: readonly Typed[],
  wanted: Type,
  mayChange: boolean,
): { readonly elements: readonly Typed[]; readonly of: Type } {
  const { type: declared, isOpen } = valueTypeOf(wanted)
  if (!isOpen) return { elements, of: declared }
  const of = unify([declared, ...elements.map(({ type }) => type)])
  if (of === undefined) throw invalid('its elements are of types that do not go together')
  if (mayChange) return { elements: elements.map(element => convert(element, of)), of }
  if (!elements.every(({ type }) => isSameType(unify([declared, type]) ?? type, of)))
    throw invalid('its elements are of several types, and have to be of one')
  return { elements, of }
}

/** The type of values for a wanted type, and whether a part of it is open. */
function valueTypeOf(wanted: Type): ValueType {
  if (typeof wanted === 'string') return { type: wanted, isOpen: isOpenType(wanted) }
  const known = valueTypes.get(wanted)
  if (known) return known
  const type = withoutOptional(wanted)
  const made = { type, isOpen: isOpenType(type) }
  valueTypes.set(wanted, made)
  return made
}

interface ValueType {
  readonly type: Type
  readonly isOpen: boolean
}

/** Objects of the same type have equal attribute types, so the result can be shared. */
const valueTypes = new WeakMap<StructuredType, ValueType>()

function isOpenType(type: Type): boolean {
  return typeof type === 'string' ? type === 'dynamic' : innerTypes(type).some(isOpenType)
}

/** Whether no value of one type can become the other type. Then not even an empty list fits. */
function isNeverOf(given: Type, wanted: Type): boolean {
  if (given === 'dynamic' || wanted === 'dynamic') return false
  if (typeof given === 'string' && typeof wanted === 'string')
    return (given === 'number' && wanted === 'bool') || (given === 'bool' && wanted === 'number')
  if (typeof given === 'string' || typeof wanted === 'string') return true
  if (isNamed(given) !== isNamed(wanted)) return true
  return isCollection(given) && isCollection(wanted) && isNeverOf(given[1], wanted[1])
}

function isNamed([is]: StructuredType): boolean {
  return is === 'map' || is === 'object'
}

function isCollection(type: StructuredType): type is CollectionType {
  return type[0] === 'list' || type[0] === 'set' || type[0] === 'map'
}

function convertPrimitive(value: Typed, type: PrimitiveType): Typed {
  if (value.type === type) return value
  const { plain } = value
  const written = textOf(plain)
  if (written === undefined) throw needs(value, type)
  switch (type) {
    case 'string':
      return ofText(written)
    case 'number': {
      const meant = typeof plain === 'string' ? parseNumber(plain) : undefined
      if (!meant) throw needs(value, type)
      return ofNumber(meant)
    }
    case 'bool': {
      const meant = typeof plain === 'string' ? words.get(plain) : undefined
      if (meant === undefined) throw needs(value, type)
      return ofBool(meant)
    }
  }
}

const words = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
])

function convertObject(value: Typed, type: ObjectType): Typed {
  const mayMiss = new Set(type.length === 3 ? type[2] : [])
  return object(
    Object.keys(type[1]).map(name => {
      const member = memberIn(value, name)
      if (member === undefined && !mayMiss.has(name)) throw invalid(`the member "${name}" is missing`)
      return [name, convert(member ?? nothing, attributeType(type, name))]
    }),
  )
}

/** An unknown value fits if some value of its type could fit. */
function convertUnknown(value: Typed, { origin, flag }: Unknown, type: Type): Typed {
  if (type === 'dynamic' || isSameType(value.type, type)) return value
  return unknownOf(type, origin, type === 'string' ? flag : undefined)
}

function needs(value: Typed, type: Type) {
  return invalid(`${nounOf(value)}${shown(value.plain)} stands where ${typeText(type)} is needed`)
}

function shown(plain: Value): string {
  const quoted = typeof plain === 'string' ? JSON.stringify(plain) : undefined
  return quoted === undefined ? '' : ` ${quoted.length > 60 ? `${quoted.slice(0, 60)}...` : quoted}`
}

/** JSON in which every number keeps its written form. `JSON.parse` would round some numbers. */
export type ExactJson = null | boolean | string | BigFloat | ExactJson[] | { [name: string]: ExactJson }

/** Throws a SyntaxError if the text is not JSON, or if a member is repeated. */
export function parseExactJson(written: string): ExactJson {
  return parseWith(written, {})
}

/** Parses text with repeated members: the last one counts. Refuses values that do not combine. */
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
    // With this number reader the library returns only values of the declared type.
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

/** A value with its natural type. JSON becomes the objects and tuples that Terraform decodes. */
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

/** Numbers become the nearest JavaScript numbers. Unknown values, reported before, become null. */
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
 * Decodes a value from Terraform's state file. An attribute that is newer than the state becomes null, and an
 * attribute that the schema no longer has is skipped. Neither may prevent the use of a managed object.
 */
export function decodeState(type: Type, text: string): Value {
  return stateValue(type, readStrictJson(text))
}

/** Decodes parsed JSON from a state. */
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
      // The elements of JSON are JSON too.
      return mapElements<Value>(type, known, path, (of, element, at) => stateValue(of, element as Json, at))
    }
  }
  throw new ValueError(path, `a ${type} is needed in the state`)
}
