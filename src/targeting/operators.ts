import { BigNum, doubleOf } from '../model/json/big-num.ts'
import {
  canonicalText,
  isEmptyJson,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../model/json/json.ts'
import { quoted } from './describe/value-words.ts'
import { readDate, readMoment } from './evaluate/dates/read-date.ts'
import { type Match, undecided } from './evaluate/match.ts'
import { compilePattern, searchPattern } from './evaluate/pattern/pattern.ts'
import { isOperatorName, type OperatorName } from './operator-table.ts'

/** What is known about the person (or group) that a condition is matched against. */
export interface Facts {
  readonly properties: JsonObject
  /** True when a property that is not there is not set; otherwise it is merely not known here. */
  readonly isComplete: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The operator of a property: `exact` when none is given. */
export function operatorOf(property: JsonObject): Json {
  return isEmptyJson(property.operator) ? 'exact' : (property.operator ?? 'exact')
}

/**
 * Matches one property of a condition, whatever its type says. A text and a number are compared by all operators;
 * other values as their JSON text, but never by size. [service-behaviour 12]
 *
 * | operators                     | match                                                                      |
 * |-------------------------------|----------------------------------------------------------------------------|
 * | `exact`, `is_not`             | one of the values, as text, in any case                                    |
 * | `icontains`, `not_icontains`  | a part of the text, in any case                                            |
 * | `regex`, `not_regex`          | Python's `re.search`; a text that is no pattern matches neither way        |
 * | `gt`, `gte`, `lt`, `lte`      | two numbers as numbers, else as texts; true, false, lists, objects: never; |
 * |                               | undecided where a number has more digits than doubles tell apart           |
 * | `is_date_before`, `.._after`  | moments; undecided where one of the two cannot be read                     |
 * | `is_set`, `is_not_set`        | whether the property is there                                              |
 */
export function matchProperty(property: Json, facts: Facts): Match {
  if (!isJsonObject(property) || typeof property.key !== 'string')
    return undecided('a property of the condition has no key')
  const { key } = property
  const operator = operatorOf(property)
  if (typeof operator !== 'string' || !isOperatorName(operator)) return undecided(unknownOperator(operator))
  const known = Object.hasOwn(facts.properties, key) ? facts.properties[key] : undefined
  if (known === undefined && !facts.isComplete)
    return undecided(`the property ${quoted(key)} is not known here`)
  if (operator === 'is_set') return known !== undefined
  if (operator === 'is_not_set') return known === undefined
  // What is not there is not equal to anything and contains nothing.
  if (known === undefined || known === null) return isNegative(operator)
  return compare({ key, operator, known, value: property.value ?? null, now: facts.now })
}

/** The texts that `exact` and `is_not` compare: one per value, in lower case. */
export function comparedTexts(value: Json | undefined): string[] {
  return (isJsonArray(value) ? value : [value ?? null]).map(comparedText)
}

/** The text that `icontains` and `not_icontains` look for, and look in; of a list, its JSON. */
export function comparedText(value: Json): string {
  return textOf(value).toLowerCase()
}

function unknownOperator(operator: Json): string {
  return typeof operator === 'string'
    ? `the operator ${quoted(operator)} is known to the service alone`
    : 'the operator is no text'
}

function isNegative(operator: OperatorName): boolean {
  return operator === 'is_not' || operator === 'not_icontains' || operator === 'not_regex'
}

interface Comparison {
  readonly key: string
  readonly operator: Exclude<OperatorName, 'is_set' | 'is_not_set'>
  readonly known: NonNullable<Json>
  readonly value: Json
  readonly now: number
}

function compare(comparison: Comparison): Match {
  const { operator, known, value } = comparison
  switch (operator) {
    case 'exact':
      return comparedTexts(value).includes(comparedText(known))
    case 'is_not':
      return !comparedTexts(value).includes(comparedText(known))
    case 'icontains':
      return comparedText(known).includes(comparedText(value))
    case 'not_icontains':
      return !comparedText(known).includes(comparedText(value))
    case 'regex':
      return search(comparison, true)
    case 'not_regex':
      return search(comparison, false)
    case 'gt':
      return order(comparison, (left, right) => left > right)
    case 'gte':
      return order(comparison, (left, right) => left >= right)
    case 'lt':
      return order(comparison, (left, right) => left < right)
    case 'lte':
      return order(comparison, (left, right) => left <= right)
    case 'is_date_before':
      return matchDate(comparison, (left, right) => left < right)
    case 'is_date_after':
      return matchDate(comparison, (left, right) => left > right)
    default:
      return operator satisfies never
  }
}

/** An invalid pattern matches neither way: its negation is not "everybody". */
function search({ key, known, value }: Comparison, isWanted: boolean): Match {
  const pattern = compilePattern(textOf(value))
  if (pattern.kind !== 'ready')
    return pattern.kind === 'invalid'
      ? false
      : undecided(`the pattern ${quoted(textOf(value))} is left to the service: ${pattern.why}`)
  const isFound = searchPattern(pattern.program, textOf(known))
  return isFound === undefined
    ? undecided(`the property ${quoted(key)} is too long a text to be searched here`)
    : isFound === isWanted
}

/**
 * As numbers when the value reads as one and the property is one; else as texts. A property that is text is compared
 * as text even when it looks like a number, as the SDKs do. What is neither text nor number has no order.
 */
function order(
  { key, known, value }: Comparison,
  holds: (left: number | string, right: number | string) => boolean,
): Match {
  if (!isOrdered(known) || !isOrdered(value)) return false
  const number = numberOf(value)
  const own = doubleOf(known)
  if (number === undefined || own === undefined) return holds(textOf(known), textOf(value))
  // Services read the value as a double, and some the property with all its digits.
  if (known instanceof BigNum && own === number)
    return undecided(`the property ${quoted(key)} is too long a number to be ordered here`)
  return holds(own, number)
}

function isOrdered(value: Json): boolean {
  return typeof value === 'string' || isJsonNumber(value)
}

function numberOf(value: Json): number | undefined {
  if (isJsonNumber(value)) return doubleOf(value)
  if (typeof value !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(value))
    return undefined
  return Number(value)
}

function matchDate(
  { key, known, value, now }: Comparison,
  holds: (left: number, right: number) => boolean,
): Match {
  const wanted = typeof value === 'string' ? readDate(value, now) : undefined
  if (!wanted) return undecided('the date of the condition is no text')
  if ('why' in wanted)
    return undecided(`the date ${quoted(textOf(value))} of the condition is not read: ${wanted.why}`)
  const given = typeof known === 'string' ? readMoment(known, now) : undefined
  if (!given) return undecided(`the property ${quoted(key)} is no text and so no date`)
  // The value itself is somebody's and is not repeated.
  if ('why' in given) return undecided(`the property ${quoted(key)} is not read as a date: ${given.why}`)
  return holds(given.at, wanted.at)
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalText(value)
}
