import { BigNum } from '../json.ts'
import { BigFloat } from './number.ts'

/**
 * A value of Terraform's as plain JavaScript; its type stands elsewhere: in a schema, or beside it as in `Typed`.
 * Lists, sets and tuples are arrays, maps and objects are objects.
 */
export type Value = null | boolean | string | NumberValue | Unknown | Sensitive | ListValue | ObjectValue
export type ListValue = readonly Value[]
export interface ObjectValue {
  readonly [attribute: string]: Value
}

/**
 * A number as it came over the wire, a `BigNum` where JavaScript cannot say it exactly, or as an expression counts
 * with it.
 */
export type NumberValue = number | BigNum | BigFloat

/** A value that must not be shown, with what it comes from. Only what expressions work with is marked so. */
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

/** The elements of a set that are given. One that is null is none: that is how a variable says that it has no value. */
export function givenElements(list: ListValue): ListValue {
  return list.filter(element => element !== null)
}

export function isObjectValue(value: Value | undefined): value is ObjectValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isAtom(value)
}

export function isNumberValue(value: Value | undefined): value is NumberValue {
  return typeof value === 'number' || value instanceof BigNum || value instanceof BigFloat
}

/** The nearest number that JavaScript has: exact for all whole ones that people count with. */
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

/** An end of the range in which an unknown number will lie. */
export interface Bound {
  readonly value: number | BigNum
  readonly isInclusive: boolean
}

/** What is known of an unknown value already. */
export interface Refinement {
  readonly isNull?: boolean
  readonly prefix?: string
  readonly min?: Bound
  readonly max?: Bound
  readonly minLength?: number
  readonly maxLength?: number
}

/** A flag that a value is the id of, though nobody knows the number. */
export interface FlagReference {
  readonly key: string
  /** Where it lives: only what lives there too can refer to it. */
  readonly place: string
}

/** A value that only the apply will tell. Its type is that of the place where it stands. */
export class Unknown {
  readonly refinement: Refinement
  /** What it comes from, for messages: `vexil_feature_flag.checkout.id`. Over the wire that is not told. */
  readonly origin: string
  readonly flag: FlagReference | undefined

  constructor(refinement: Refinement = {}, origin = '', flag?: FlagReference) {
    this.refinement = refinement
    this.origin = origin
    this.flag = flag
  }
}

/** Nothing but unknown: what a plan puts where the service will decide. */
export const unknown = new Unknown()
