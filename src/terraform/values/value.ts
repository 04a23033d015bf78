import { BigNum } from './big-num.ts'
import type { Type } from './type.ts'
import { Unknown } from './unknown.ts'

/**
 * A value of Terraform's as plain JavaScript. Lists, sets and tuples are arrays; maps, objects and blocks are
 * objects; a number that JavaScript cannot say exactly is a `BigNum`.
 */
export type Value = null | boolean | string | number | BigNum | Unknown | Dynamic | ListValue | ObjectValue
export type ListValue = readonly Value[]
export interface ObjectValue {
  readonly [attribute: string]: Value
}

/** A value where any type may stand, with the type it has. */
export class Dynamic {
  readonly type: Type
  readonly value: Value

  constructor(type: Type, value: Value) {
    this.type = type
    this.value = value
  }
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
  if (value instanceof Dynamic) return isWhollyKnown(value.value)
  if (isListValue(value)) return value.every(isWhollyKnown)
  return !isObjectValue(value) || Object.values(value).every(isWhollyKnown)
}

function isAtom(value: object): boolean {
  return value instanceof BigNum || value instanceof Unknown || value instanceof Dynamic
}
