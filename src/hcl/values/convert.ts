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

/** A value as one of another type; refused where there is no such value. */
export function convert(value: Typed, type: Type): Typed {
  const { plain } = value
  // A null that was converted is of that type: beside others it has a say in theirs.
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
      // Only a list that is made of a tuple brings its elements together.
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

/** Values of several types as ones of the type that they have in common. */
export function convertAll(
  values: readonly Typed[],
  what: string,
): { readonly of: Type; readonly values: readonly Typed[] } {
  const of = commonType(values)
  if (of === undefined) throw invalid(`${what} are of types that do not go together`)
  return { of, values: values.map(value => convert(value, of)) }
}

/** What a text, a number or a bool is as text; undefined for everything else. */
export function textOf(plain: Value): string | undefined {
  if (typeof plain === 'string') return plain
  if (typeof plain === 'boolean') return String(plain)
  return plain instanceof BigFloat ? plain.text : undefined
}

/** The type that values have in common; a null that was written goes with every one. */
export function commonType(values: readonly Typed[]): Type | undefined {
  return unify(values.map(({ type }) => type))
}

/** `own`: the type that the elements of a collection have in common already, however few there are. */
function elementsType(declared: Type, elements: readonly Typed[], own: Type | undefined): Type {
  if (declared !== 'dynamic') return declared
  if (own !== undefined && own !== 'dynamic') return own
  const type = commonType(elements)
  if (type === undefined) throw invalid('its elements are of types that do not go together')
  return type
}

/**
 * What a collection holds, where the type that is wanted leaves a part of it open, as `list(object({ a = any }))` does:
 * that part is of one type in all of them.
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

/** The type of values that are of a type, and whether it leaves a part of them open. */
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

/** The types of attributes are the same for every object. */
const valueTypes = new WeakMap<StructuredType, ValueType>()

function isOpenType(type: Type): boolean {
  return typeof type === 'string' ? type === 'dynamic' : innerTypes(type).some(isOpenType)
}

/** Whether no value of a type is one of another: then not even an empty list of the one is a list of the other. */
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

/** What is not known is assumed to fit where anything of its type could. */
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
