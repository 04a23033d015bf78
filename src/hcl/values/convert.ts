import { BigFloat, parseNumber } from './number.ts'
import { invalid } from './refusal.ts'
import {
  attributeType,
  type CollectionType,
  innerTypes,
  isSameType,
  type ObjectType,
  type PrimitiveType,
  type StructuredType,
  type Type,
  typeText,
  unify,
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
import { isObjectValue, Sensitive, Unknown, type Value } from './value.ts'

/** Converts a value to another type; refuses it if that is impossible. */
export function convert(value: Typed, type: Type): Typed {
  const { plain } = value
  // A converted null has that type: it then counts for the common type with others.
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

/** The text of a text, a number or a bool; undefined for everything else. */
export function textOf(plain: Value): string | undefined {
  if (typeof plain === 'string') return plain
  if (typeof plain === 'boolean') return String(plain)
  return plain instanceof BigFloat ? plain.text : undefined
}

/** The common type of values; an untyped null fits every one. */
export function commonType(values: readonly Typed[]): Type | undefined {
  return unify(values.map(({ type }) => type))
}

/** `own`: the common type of a collection's elements, even of a few. */
function elementsType(declared: Type, elements: readonly Typed[], own: Type | undefined): Type {
  if (declared !== 'dynamic') return declared
  if (own !== undefined && own !== 'dynamic') return own
  const type = commonType(elements)
  if (type === undefined) throw invalid('its elements are of types that do not go together')
  return type
}

/**
 * The elements of a collection, if the wanted type leaves a part of them open, as `list(object({ a = any }))`
 * does: that part has one type in all elements.
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

/** The type of values of a wanted type, and whether it leaves a part of them open. */
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

/** The types of attributes are equal for all objects of a type. */
const valueTypes = new WeakMap<StructuredType, ValueType>()

function isOpenType(type: Type): boolean {
  return typeof type === 'string' ? type === 'dynamic' : innerTypes(type).some(isOpenType)
}

/** Whether no value of one type can be of the other: then not even an empty list of the one fits. */
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

/** An unknown value is assumed to fit if some value of its type could. */
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
