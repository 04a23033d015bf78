import { BigNum } from '../model/big-num.ts'
import { Unknown } from './unknown.ts'

/**
 * A value of Terraform's as plain JavaScript. Lists and sets are arrays, maps and objects are objects; a number that JavaScript cannot say exactly is a `BigNum`.
 */
export type Value = null | boolean | string | number | BigNum | Unknown | ListValue | ObjectValue
export type ListValue = readonly Value[]
export interface ObjectValue {
  readonly [attribute: string]: Value
}

export function isListValue(value: Value | undefined): value is ListValue {
  return Array.isArray(value)
}

export function isObjectValue(value: Value | undefined): value is ObjectValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isAtom(value)
}

export function isNumberValue(value: Value | undefined): value is number | BigNum {
  return typeof value === 'number' || value instanceof BigNum
}

/** Whether anything in a value is still to be told by the apply. */
export function isWhollyKnown(value: Value): boolean {
  if (value instanceof Unknown) return false
  if (isListValue(value)) return value.every(isWhollyKnown)
  return !isObjectValue(value) || Object.values(value).every(isWhollyKnown)
}

function isAtom(value: object): boolean {
  return value instanceof BigNum || value instanceof Unknown
}
