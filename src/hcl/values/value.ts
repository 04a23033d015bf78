import { BigNum } from '../json.ts'
import { BigFloat } from './number.ts'

/**
 * A value of Terraform in plain JavaScript; its type is separate: in a schema, or beside it as in `Typed`.
 * Lists, sets and tuples are arrays, maps and objects are objects.
 */
export type Value = null | boolean | string | NumberValue | Unknown | Sensitive | ListValue | ObjectValue
export type ListValue = readonly Value[]
export interface ObjectValue {
  readonly [attribute: string]: Value
}

/**
 * A number from the wire, which is a `BigNum` if no JavaScript number is exact, or one that an expression has
 * calculated.
 */
export type NumberValue = number | BigNum | BigFloat

/** A value that must not be shown, with its origin. Only values of expressions are marked like this. */
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

/** The given elements of a set. A null element does not count: a variable without a value gives one. */
export function givenElements(list: ListValue): ListValue {
  return list.filter(element => element !== null)
}

export function isObjectValue(value: Value | undefined): value is ObjectValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isAtom(value)
}

export function isNumberValue(value: Value | undefined): value is NumberValue {
  return typeof value === 'number' || value instanceof BigNum || value instanceof BigFloat
}

/** The nearest JavaScript number: exact for all whole numbers that people count with. */
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

/** The flag whose id a value is, although the number is unknown. */
export interface FlagReference {
  readonly key: string
  /** The place of the flag: only objects in the same place can refer to it. */
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
