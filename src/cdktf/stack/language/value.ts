import { BigFloat, compare } from './big-float.ts'
import { isSameType, type Type } from './type.ts'

/** A value of Terraform's language. */
export type Value = null | boolean | string | BigFloat | Sequence | Members | Unknown | Sensitive

export interface Sequence {
  readonly is: 'list' | 'set' | 'tuple'
  /** The type of the elements; those of a tuple have their own. */
  readonly of: Type
  readonly elements: readonly Value[]
}

export interface Members {
  readonly is: 'map' | 'object'
  readonly of: Type
  /** Sorted by name, as Terraform goes through them. */
  readonly members: ReadonlyMap<string, Value>
}

/** A flag that a value is the id of, though nobody knows the number. */
export interface FlagReference {
  readonly key: string
  /** Where it lives: only what lives there too can refer to it. */
  readonly place: string
}

/** A value that only the service knows. */
export class Unknown {
  readonly type: Type
  /** What it comes from: `vexil_feature_flag.checkout.id`. */
  readonly origin: string
  readonly flag: FlagReference | undefined

  constructor(type: Type, origin: string, flag?: FlagReference) {
    this.type = type
    this.origin = origin
    this.flag = flag
  }
}

/** A value that must not be shown, with what it comes from. Never holds another one. */
export class Sensitive {
  readonly value: Exclude<Value, Sensitive>
  readonly origin: string

  constructor(value: Exclude<Value, Sensitive>, origin: string) {
    this.value = value
    this.origin = origin
  }
}

export function isSequence(value: Value): value is Sequence {
  return isStructured(value) && 'elements' in value
}

export function isMembers(value: Value): value is Members {
  return isStructured(value) && 'members' in value
}

export function tuple(elements: readonly Value[]): Sequence {
  return { is: 'tuple', of: 'any', elements }
}

export function list(elements: readonly Value[], of: Type): Sequence {
  return { is: 'list', of, elements }
}

/** A set of values that are of one type already: sorted where they have an order, each once. */
export function set(elements: readonly Value[], of: Type): Sequence {
  return { is: 'set', of, elements: withoutRepeats(elements).sort(byOrder) }
}

/** Values of one type in which each stands once, the first of its kind. */
export function withoutRepeats(elements: readonly Value[]): Value[] {
  const seen = new Set<string>()
  return elements.filter(element => {
    const text = identityText(element)
    const isNew = text === undefined || !seen.has(text)
    if (text !== undefined) seen.add(text)
    return isNew
  })
}

export function object(members: Iterable<readonly [string, Value]>): Members {
  return { is: 'object', of: 'any', members: sortedByName(members) }
}

export function map(members: Iterable<readonly [string, Value]>, of: Type): Members {
  return { is: 'map', of, members: sortedByName(members) }
}

export function typeOf(value: Value): Type {
  if (value === null) return 'any'
  if (value instanceof Sensitive) return typeOf(value.value)
  if (value instanceof Unknown) return value.type
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (value instanceof BigFloat) return 'number'
  switch (value.is) {
    case 'tuple':
      return { is: 'tuple', elements: value.elements.map(typeOf) }
    case 'object': {
      const members = [...value.members].map(([name, member]) => [name, typeOf(member)])
      return { is: 'object', members: Object.fromEntries(members) }
    }
    default:
      return { is: value.is, of: value.of }
  }
}

/** Equality as Terraform has it: values of different types are never the same, but null is null. */
export function isSameValue(left: Value, right: Value): boolean {
  if (left === null || right === null) return left === right
  if (left instanceof BigFloat && right instanceof BigFloat) return compare(left, right) === 0
  if (isSequence(left) && isSequence(right)) {
    return (
      left.is === right.is &&
      isSameType(left.of, right.of) &&
      left.elements.length === right.elements.length &&
      left.elements.every((element, index) => isSameValue(element, right.elements[index] ?? null))
    )
  }
  if (isMembers(left) && isMembers(right)) {
    return (
      left.is === right.is &&
      isSameType(left.of, right.of) &&
      left.members.size === right.members.size &&
      [...left.members].every(
        ([name, member]) => right.members.has(name) && isSameValue(member, right.members.get(name) ?? null),
      )
    )
  }
  return left === right
}

/** The same for the same values of one type; undefined for what may yet turn out to be another one. */
export function identityText(value: Value): string | undefined {
  if (value instanceof Unknown) return undefined
  if (value instanceof Sensitive) return identityText(value.value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (value instanceof BigFloat) return `${value.mantissa}e${value.exponent}`
  if (typeof value === 'string') return JSON.stringify(value)
  const inner = isSequence(value)
    ? value.elements.map(identityText)
    : [...value.members].flatMap(([name, member]) => [JSON.stringify(name), identityText(member)])
  return inner.includes(undefined) ? undefined : `${value.is}(${inner.join(',')})`
}

/** What a value is in words, without saying it. */
export function nounOf(value: Value): string {
  const type = typeOf(value)
  if (value === null) return 'null'
  if (typeof type !== 'string') return `${type.is === 'object' ? 'an' : 'a'} ${type.is}`
  return { string: 'a text', number: 'a number', bool: 'a bool', any: 'a value' }[type]
}

/** The order of texts: by code points, which is that of their bytes. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  const [one, other] = [left[Symbol.iterator](), right[Symbol.iterator]()]
  for (;;) {
    const [a, b] = [one.next(), other.next()]
    if (a.done || b.done) return a.done ? (b.done ? 0 : -1) : 1
    const difference = (a.value.codePointAt(0) ?? 0) - (b.value.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
}

function isStructured(value: Value): value is Sequence | Members {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof BigFloat || value instanceof Unknown || value instanceof Sensitive)
  )
}

function sortedByName(members: Iterable<readonly [string, Value]>): ReadonlyMap<string, Value> {
  return new Map([...members].sort(([left], [right]) => compareTexts(left, right)))
}

function byOrder(left: Value, right: Value): number {
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  if (left instanceof BigFloat && right instanceof BigFloat) return compare(left, right)
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  return Number(left === null) - Number(right === null)
}
