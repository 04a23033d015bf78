import { isNumber, parseNumber } from './big-float.ts'
import { unmarked } from './marks.ts'
import { invalid } from './refusal.ts'
import { isSameType, type ObjectType, type Type, typeText, unify } from './type.ts'
import {
  isMembers,
  isSequence,
  list,
  map,
  nounOf,
  object,
  Sensitive,
  set,
  tuple,
  typeOf,
  Unknown,
  type Value,
} from './value.ts'

/** A value as one of another type; refused where there is no such value. */
export function convert(value: Value, type: Type): Value {
  if (value === null) return null
  if (value instanceof Sensitive) return unmarked([value], ([plain = null]) => convert(plain, type))
  if (value instanceof Unknown) return convertUnknown(value, type)
  if (type === 'any') return value
  if (typeof type === 'string') return convertPrimitive(value, type)
  switch (type.is) {
    case 'list':
    case 'set': {
      if (!isSequence(value) || isNeverOf(value.of, type.of)) break
      const of = elementType(type.of, value.elements)
      const elements = value.elements.map(element => convert(element, of))
      return type.is === 'list' ? list(elements, of) : set(elements, of)
    }
    case 'map': {
      if (!isMembers(value) || isNeverOf(value.of, type.of)) break
      const of = elementType(type.of, [...value.members.values()])
      return map(
        [...value.members].map(([name, member]) => [name, convert(member, of)]),
        of,
      )
    }
    case 'tuple': {
      if (!isSequence(value) || value.elements.length !== type.elements.length) break
      return tuple(type.elements.map((of, index) => convert(value.elements[index] ?? null, of)))
    }
    case 'object':
      if (!isMembers(value)) break
      return convertObject(value.members, type)
  }
  throw needs(value, type)
}

/** Values of several types as ones of the type that they have in common. */
export function convertAll(
  values: readonly Value[],
  what: string,
): { readonly of: Type; readonly values: readonly Value[] } {
  const of = unify(values.filter(value => value !== null).map(typeOf))
  if (of === undefined) throw invalid(`${what} are of types that do not go together`)
  return { of, values: values.map(value => convert(value, of)) }
}

/** What a text, a number or a bool is as text; undefined for everything else. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return isNumber(value) ? value.text : undefined
}

function elementType(declared: Type, elements: readonly Value[]): Type {
  if (declared !== 'any') return declared
  // Null goes with every type.
  const type = unify(elements.filter(element => element !== null).map(typeOf))
  if (type === undefined) throw invalid('its elements are of types that do not go together')
  return type
}

/** No number is a bool and no bool a number, so not even an empty list of one is a list of the other. */
function isNeverOf(given: Type, wanted: Type): boolean {
  return (given === 'number' && wanted === 'bool') || (given === 'bool' && wanted === 'number')
}

function convertPrimitive(value: Value, type: 'string' | 'number' | 'bool'): Value {
  const text = textOf(value)
  if (text === undefined) throw needs(value, type)
  switch (type) {
    case 'string':
      return text
    case 'number': {
      if (isNumber(value)) return value
      const number = typeof value === 'string' ? parseNumber(value) : undefined
      if (!number) throw needs(value, type)
      return number
    }
    case 'bool': {
      if (typeof value === 'boolean') return value
      const meant = typeof value === 'string' ? words.get(value) : undefined
      if (meant === undefined) throw needs(value, type)
      return meant
    }
  }
}

const words = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
])

function convertObject(members: ReadonlyMap<string, Value>, { members: types, optional }: ObjectType): Value {
  return object(
    Object.entries(types).map(([name, type]) => {
      const member = members.get(name)
      if (member === undefined && !optional?.has(name)) throw invalid(`the member "${name}" is missing`)
      return [name, convert(member ?? null, type)]
    }),
  )
}

/** What is not known is assumed to fit where anything of its type could. */
function convertUnknown(value: Unknown, type: Type): Unknown {
  if (type === 'any' || isSameType(value.type, type)) return value
  return new Unknown(type, value.origin, type === 'string' ? value.flag : undefined)
}

function needs(value: Value, type: Type) {
  return invalid(`${nounOf(value)}${shown(value)} stands where ${typeText(type)} is needed`)
}

function shown(value: Value): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : undefined
  return text === undefined ? '' : ` ${text.length > 60 ? `${text.slice(0, 60)}...` : text}`
}
