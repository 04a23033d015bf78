import { type BigFloat, isNumber, truncate } from '../big-float.ts'
import { convert } from '../convert.ts'
import { invalid } from '../refusal.ts'
import type { Type } from '../type.ts'
import { isMembers, isSequence, type Members, nounOf, type Sequence, type Value } from '../value.ts'

/** One function: how many arguments it takes, and what it makes of them. */
export interface FunctionRow {
  readonly least: number
  /** As many as the least when left out. */
  readonly most?: number
  /** The type of what it gives, for as long as an argument is not known; `any` when left out. */
  readonly gives?: Type
  /** Whether arguments may be null. */
  readonly takesNull?: true
  /** Whether it only moves values about, so that some of them need not be known. */
  readonly movesUnknown?: true
  readonly apply: (given: readonly Value[]) => Value
}

export type FunctionRows = Readonly<Record<string, FunctionRow>>

/** The argument at a place, as a text. */
export function textAt(given: readonly Value[], index: number): string {
  const text = convert(given[index] ?? null, 'string')
  if (typeof text !== 'string') throw invalid(`argument ${index + 1} is not a text`)
  return text
}

export function numberAt(given: readonly Value[], index: number): BigFloat {
  const number = convert(given[index] ?? null, 'number')
  if (!isNumber(number)) throw invalid(`argument ${index + 1} is not a number`)
  return number
}

export function wholeAt(given: readonly Value[], index: number): number {
  const number = numberAt(given, index)
  if (!number.isWhole) throw invalid(`argument ${index + 1} is not a whole number`)
  const whole = truncate(number)
  if (BigInt.asIntN(64, whole) !== whole) throw invalid(`argument ${index + 1} is too large`)
  return Number(whole)
}

/** The argument at a place: a list, a set or a tuple. */
export function sequenceAt(given: readonly Value[], index: number): Sequence {
  const value = given[index] ?? null
  if (isSequence(value)) return value
  throw invalid(`argument ${index + 1} is ${nounOf(value)} and not a list`)
}

export function membersAt(given: readonly Value[], index: number): Members {
  const value = given[index] ?? null
  if (isMembers(value)) return value
  throw invalid(`argument ${index + 1} is ${nounOf(value)} and not a map`)
}

/** The elements of an argument, each as a text. */
export function textsAt(given: readonly Value[], index: number): string[] {
  const list = convert(given[index] ?? null, { is: 'list', of: 'string' })
  if (!isSequence(list)) throw invalid(`argument ${index + 1} is not a list of texts`)
  return list.elements.map(element => {
    if (typeof element !== 'string') throw invalid(`argument ${index + 1} has an element that is null`)
    return element
  })
}
