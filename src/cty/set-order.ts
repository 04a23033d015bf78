import { BigFloat, compare } from './big-float.ts'
import { shortestDigits } from './shortest-decimal.ts'
import { compareTexts } from './text-order.ts'
import { attributeType, elementType, type Type } from './type.ts'
import { isListValue, isObjectValue, type Value } from './value.ts'

/**
 * The order in which Terraform goes through a set: texts by their bytes, numbers by size, false before true, and
 * everything else by a text that is made of it. Null comes last.
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
  if (value instanceof BigFloat) return shortText(value)
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

/** Ten significant digits at the most, with an exponent where the point is far away. */
function shortText(number: BigFloat): string {
  const { digits, point } = shortestDigits(number)
  const sign = number.isNegative ? '-' : ''
  const rounded =
    digits.length <= 10
      ? digits
      : String(Math.round(Number(`${digits.slice(0, 10)}.${digits.slice(10, 15)}`)))
  const exponent = point - 1
  if (digits === '') return `${sign}0`
  if (exponent < -4 || exponent >= Math.max(10, rounded.length > 10 ? 11 : 10)) {
    const rest = rounded.slice(1).replace(/0+$/, '')
    return `${sign}${rounded.charAt(0)}${rest && `.${rest}`}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${rounded}`
  return point >= rounded.length
    ? sign + rounded.padEnd(point, '0')
    : `${sign}${rounded.slice(0, point)}.${rounded.slice(point)}`
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
