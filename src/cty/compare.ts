import { numberText } from '../model/json/big-num.ts'
import { compareTexts } from '../model/text/compare-texts.ts'
import { BigFloat } from './big-float.ts'
import type { Type } from './type.ts'
import { Unknown } from './unknown.ts'
import { isNumberValue, Sensitive, type Value } from './value.ts'
import { mapElements } from './walk-type.ts'

/**
 * Whether Terraform would call two values of a type the same. Sets have no order; an unknown is like any other,
 * whatever is known of either.
 */
export function isSameValue(type: Type, left: Value, right: Value): boolean {
  return left === right || valueText(type, left) === valueText(type, right)
}

/** A text that two values share exactly when they are the same. */
export function valueText(type: Type, value: Value): string {
  if (value instanceof Unknown) return 'unknown'
  if (value instanceof Sensitive) return valueText(type, value.value)
  // Two that differ in their last bits only are shown alike.
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
