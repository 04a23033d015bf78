import { convert } from '../values/convert.ts'
import { type BigFloat, isNumber, truncate } from '../values/number.ts'
import { invalid } from '../values/refusal.ts'
import type { Type } from '../values/type.ts'
import {
  type Members,
  membersOf,
  nothing,
  nounOf,
  type Sequence,
  sequenceOf,
  type Typed,
} from '../values/typed.ts'

/** One function: the number of its arguments, and its result. */
export interface FunctionRow {
  readonly least: number
  /** Equal to `least` if left out. */
  readonly most?: number
  /** The type of its result if an argument is unknown; `dynamic` if left out. */
  readonly gives?: Type
  /** Whether arguments may be null. */
  readonly takesNull?: true
  /** Whether it only moves values, so that some of them may be unknown. */
  readonly movesUnknown?: true
  readonly apply: (given: readonly Typed[]) => Typed
}

export type FunctionRows = Readonly<Record<string, FunctionRow>>

/** The argument at a place, as a text. */
export function textAt(given: readonly Typed[], index: number): string {
  const { plain: text } = convert(given[index] ?? nothing, 'string')
  if (typeof text !== 'string') throw invalid(`argument ${index + 1} is not a text`)
  return text
}

export function numberAt(given: readonly Typed[], index: number): BigFloat {
  const { plain: number } = convert(given[index] ?? nothing, 'number')
  if (!isNumber(number)) throw invalid(`argument ${index + 1} is not a number`)
  return number
}

export function wholeAt(given: readonly Typed[], index: number): number {
  return Number(bigAt(given, index))
}

/** A whole number of 64 bits, with all its digits. */
export function bigAt(given: readonly Typed[], index: number): bigint {
  const whole = hugeAt(given, index)
  if (BigInt.asIntN(64, whole) !== whole) throw invalid(`argument ${index + 1} is too large`)
  return whole
}

/** A whole number of any size. */
export function hugeAt(given: readonly Typed[], index: number): bigint {
  const number = numberAt(given, index)
  if (!number.isWhole) throw invalid(`argument ${index + 1} is not a whole number`)
  return truncate(number)
}

/** The argument at a place: a list, a set or a tuple. */
export function sequenceAt(given: readonly Typed[], index: number): Sequence {
  const value = given[index] ?? nothing
  const sequence = sequenceOf(value)
  if (sequence) return sequence
  throw invalid(`argument ${index + 1} is ${nounOf(value)} and not a list`)
}

export function membersAt(given: readonly Typed[], index: number): Members {
  const value = given[index] ?? nothing
  const members = membersOf(value)
  if (members) return members
  throw invalid(`argument ${index + 1} is ${nounOf(value)} and not a map`)
}

/** The elements of an argument, each as a text. */
export function textsAt(given: readonly Typed[], index: number): string[] {
  const list = sequenceOf(convert(given[index] ?? nothing, ['list', 'string']))
  if (!list) throw invalid(`argument ${index + 1} is not a list of texts`)
  return list.elements.map(({ plain }) => {
    if (typeof plain !== 'string') throw invalid(`argument ${index + 1} has an element that is null`)
    return plain
  })
}
