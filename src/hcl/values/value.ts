import { BigNum, numberText } from '../json.ts'
import { BigFloat, compare, generalText } from './number.ts'
import { attributeType, elementType, type ObjectType, type StructuredType, type Type } from './type.ts'

/**
 * A Terraform value in plain JavaScript. Its type is separate, in a schema or in `Typed`. Lists, sets and
 * tuples are arrays; maps and objects are objects.
 */
export type Value = null | boolean | string | NumberValue | Unknown | Sensitive | ListValue | ObjectValue
export type ListValue = readonly Value[]
export interface ObjectValue {
  readonly [attribute: string]: Value
}

/** From the wire (a `BigNum` if no JavaScript number is exact), or calculated by an expression. */
export type NumberValue = number | BigNum | BigFloat

/** A value that must not be shown, and its origin. Only values of expressions have this mark. */
export class Sensitive {
  readonly value: Value
  readonly origin: string

  constructor(value: Value, origin: string) {
    this.value = value
    this.origin = origin
  }
}

export function isListValue(value: Value | undefined): value is ListValue {
  return Array.isArray(value)
}

/** The elements of a set without nulls. A variable without a value gives a null element. */
export function givenElements(list: ListValue): ListValue {
  return list.filter(element => element !== null)
}

export function isObjectValue(value: Value | undefined): value is ObjectValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isAtom(value)
}

export function isNumberValue(value: Value | undefined): value is NumberValue {
  return typeof value === 'number' || value instanceof BigNum || value instanceof BigFloat
}

/** The nearest JavaScript number. It is exact for all whole numbers of usual size. */
export function nearestNumber(value: NumberValue): number {
  return typeof value === 'number' ? value : Number(value.text)
}

function isAtom(value: object): boolean {
  return (
    value instanceof BigNum ||
    value instanceof Unknown ||
    value instanceof Sensitive ||
    value instanceof BigFloat
  )
}

/** The flag whose id a value is, even if the id is not known yet. */
export interface FlagReference {
  readonly key: string
  /** The location of the flag. Only objects in the same location can refer to it. */
  readonly place: string
}

/** A value that is known only after the apply. Its type is that of its place. */
export class Unknown {
  /** Its origin, for messages: `vexil_feature_flag.checkout.id`. The wire does not contain it. */
  readonly origin: string
  readonly flag: FlagReference | undefined
  /** What Terraform knows of the value, as the wire has it. */
  readonly refinement: Uint8Array | undefined

  constructor(origin = '', flag?: FlagReference, refinement?: Uint8Array) {
    this.origin = origin
    this.flag = flag
    this.refinement = refinement
  }
}

/** Completely unknown: a plan has it for what the service will decide. */
export const unknown = new Unknown()

/** Converts a part of a value, given its type and its path. */
export type Step<Result> = (type: Type, value: Value, path: AttributePath) => Result

/** Applies `step` to each element; a missing attribute counts as null, and an unknown one is refused. */
export function mapElements<Result>(
  type: StructuredType,
  value: Value,
  path: AttributePath,
  step: Step<Result>,
): readonly Result[] | Readonly<Record<string, Result>> {
  switch (type[0]) {
    case 'list':
    case 'set':
      return listAt(value, type[0], path).map((element, index) => step(type[1], element, [...path, index]))
    case 'tuple': {
      const elements = listAt(value, 'tuple', path)
      if (elements.length !== type[1].length)
        throw new ValueError(path, `a tuple of ${type[1].length} is needed`)
      return type[1].map((of, index) => step(of, elements[index] ?? null, [...path, index]))
    }
    case 'map':
      return mapMembers(objectAt(value, 'map', path), (element, key) =>
        step(type[1], element, [...path, { key }]),
      )
    case 'object': {
      const attributes = objectAt(value, 'object', path)
      const stray = Object.keys(attributes).find(name => !Object.hasOwn(type[1], name))
      if (stray !== undefined) throw new ValueError([...path, stray], 'no such attribute in the schema')
      return mapMembers(type[1], (of, name) => {
        const member = Object.hasOwn(attributes, name) ? attributes[name] : undefined
        return step(of, member ?? null, [...path, name])
      })
    }
    default:
      return type satisfies never
  }
}

/** A member of an object; null if there is none. */
export function memberOf(value: Value | undefined, name: string): Value {
  return isObjectValue(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null
}

/** A member of an object or, by its index, an element of a list; null if there is none. */
export function elementAt(value: Value, key: string): Value {
  return isListValue(value) ? (value[Number(key)] ?? null) : memberOf(value, key)
}

/** The names of members, or the indexes of elements. */
export function keysOf(value: Value): readonly string[] {
  return isListValue(value) || isObjectValue(value) ? Object.keys(value) : []
}

export function hasSameKeys(left: Value, right: Value): boolean {
  const [keys, others] = [keysOf(left), new Set(keysOf(right))]
  return keys.length === others.size && keys.every(key => others.has(key))
}

/** An object with the same names and other values. */
export function mapMembers<From, To>(
  members: Readonly<Record<string, From>>,
  convert: (member: From, name: string) => To,
): Readonly<Record<string, To>> {
  const mapped: Record<string, To> = {}
  for (const name of Object.keys(members)) {
    // Each name is one of the members.
    const value = convert(members[name] as From, name)
    // An assignment would not create this member.
    if (name === '__proto__') Object.defineProperty(mapped, name, { value, ...asAssigned })
    else mapped[name] = value
  }
  return mapped
}

const asAssigned = { enumerable: true, configurable: true, writable: true } as const

/** Whether two objects have identical members, so that untouched parts need no deep comparison. */
export function hasSameMembers(one: ObjectValue, other: ObjectValue): boolean {
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every(name => Object.hasOwn(other, name) && one[name] === other[name])
  )
}

/** An object without attributes that its type does not know. */
export function pickKnown([, attributes]: ObjectType, value: Value): Value {
  if (!isObjectValue(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(attributes, name)))
}

function listAt(value: Value, what: string, path: AttributePath): ListValue {
  if (isListValue(value)) return value
  throw new ValueError(path, `a ${what} is needed`)
}

function objectAt(value: Value, what: string, path: AttributePath): ObjectValue {
  if (isObjectValue(value)) return value
  throw new ValueError(path, what === 'map' ? 'a map is needed' : 'an object is needed')
}

/** A step into a value: an attribute's name, an element's index, or an element's key in a map. */
export type PathStep = string | number | { readonly key: string }
/** The path of a part in a value: `['variants', 0, 'key']`. */
export type AttributePath = readonly PathStep[]

/** A path for people: `variants[0].key`, `settings["theme"]`. */
export function showPath(path: AttributePath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      if (typeof step === 'object') return `[${JSON.stringify(step.key)}]`
      return index === 0 ? step : `.${step}`
    })
    .join('')
}

/** A value that does not fit its type. */
export class ValueError extends Error {
  override readonly name = 'ValueError'
  readonly path: AttributePath

  constructor(path: AttributePath, reason: string) {
    super(path.length === 0 ? reason : `${showPath(path)}: ${reason}`)
    this.path = path
  }
}

export function findUnknown(value: Value): Unknown | undefined {
  return find(value, (each): each is Unknown => each instanceof Unknown)
}

/** The first part of a value that must not be shown. */
export function findSensitive(value: Value): Sensitive | undefined {
  return find(value, (each): each is Sensitive => each instanceof Sensitive)
}

export function isWhollyKnown(value: Value): boolean {
  return findUnknown(value) === undefined
}

/** The value without its marks. */
export function revealed(value: Value): Exclude<Value, Sensitive> {
  if (value instanceof Sensitive) return revealed(value.value)
  if (!findSensitive(value)) return value
  if (isListValue(value)) return value.map(revealed)
  return isObjectValue(value) ? mapMembers(value, revealed) : value
}

function find<Found extends Value>(
  value: Value,
  isWanted: (value: Value) => value is Found,
): Found | undefined {
  if (isWanted(value)) return value
  if (value instanceof Sensitive) return find(value.value, isWanted)
  const inside = isListValue(value) ? value : isObjectValue(value) ? Object.values(value) : []
  for (const each of inside) {
    const found = find(each, isWanted)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Whether Terraform treats two values of a type as equal. Sets have no order; all unknown values are equal,
 * even if more is known of one.
 */
export function isSameValue(type: Type, left: Value, right: Value): boolean {
  return left === right || valueText(type, left) === valueText(type, right)
}

/** A text that is equal for two values exactly if the values are. */
export function valueText(type: Type, value: Value): string {
  if (value instanceof Unknown) return 'unknown'
  if (value instanceof Sensitive) return valueText(type, value.value)
  // Numbers that differ only in their last bits are shown with equal texts.
  if (value instanceof BigFloat) return `${value.mantissa}e${value.exponent}`
  if (isNumberValue(value)) return numberText(value)
  if (value === null || typeof type === 'string') return JSON.stringify(value)
  const elements = mapElements(type, value, [], valueText)
  if (isTexts(elements))
    return `[${(type[0] === 'set' ? [...new Set(elements)].sort() : elements).join(',')}]`
  const members = Object.entries(elements).sort(([left], [right]) => compareTexts(left, right))
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
}

/** `Array.isArray` with a readonly element type. */
function isTexts(elements: unknown): elements is readonly string[] {
  return Array.isArray(elements)
}

/**
 * The order in which Terraform goes through a set: texts by their bytes, numbers by size, false before true,
 * and all other values by a text made from each. Null comes last.
 */
export function setOrder(of: Type): (left: Value, right: Value) => number {
  return (left, right) => {
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
    if (left instanceof BigFloat && right instanceof BigFloat)
      return compare(left, right) || Number(right.isNegativeZero) - Number(left.isNegativeZero)
    if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
    return compareTexts(orderText(of, left), orderText(of, right))
  }
}

function orderText(type: Type, value: Value): string {
  if (value === null) return '~'
  if (typeof value === 'boolean') return value ? 'T' : 'F'
  if (typeof value === 'string') return quoted(value)
  if (value instanceof BigFloat) return generalText(value, 10)
  if (isListValue(value)) {
    const types = typeof type !== 'string' && type[0] === 'tuple' ? type[1] : undefined
    const inside = value.map((each, index) => `${orderText(types?.[index] ?? elementType(type), each)};`)
    return types ? `<${inside.join('')}>` : `[${inside.join('')}]`
  }
  if (!isObjectValue(value)) return '?'
  const names = Object.keys(value).sort(compareTexts)
  if (typeof type !== 'string' && type[0] === 'object')
    return `<${names.map(name => `${orderText(attributeType(type, name), value[name] ?? null)};`).join('')}>`
  const of = elementType(type)
  return `{${names.map(name => `${quoted(name)}:${orderText(of, value[name] ?? null)};`).join('')}}`
}

function quoted(text: string): string {
  return JSON.stringify(text)
}

/** The order of texts: by code points, which is that of their bytes. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  if (!surrogate.test(left) && !surrogate.test(right)) return left < right ? -1 : 1
  const [one, other] = [left[Symbol.iterator](), right[Symbol.iterator]()]
  for (;;) {
    const [a, b] = [one.next(), other.next()]
    if (a.done || b.done) return a.done ? (b.done ? 0 : -1) : 1
    const difference = (a.value.codePointAt(0) ?? 0) - (b.value.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
}

/** Only characters of two code units are ordered differently by code units than by code points. */
const surrogate = /[\ud800-\udfff]/
