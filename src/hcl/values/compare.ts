import { numberText } from '../json.ts'
import { BigFloat, compare, generalText } from './number.ts'
import { attributeType, elementType, type Type } from './type.ts'
import {
  isListValue,
  isNumberValue,
  isObjectValue,
  mapElements,
  Sensitive,
  Unknown,
  type Value,
} from './value.ts'

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

/** `Array.isArray` that keeps the readonly element type. */
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
