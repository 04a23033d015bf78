import {
  canonicalText,
  isEmptyJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../model/json.ts'
import { parseAbsoluteDate, parseDate } from './dates.ts'
import { isOperatorName, type OperatorName } from './operator-table.ts'
import { compilePattern, searchPattern } from './pattern.ts'

/** `undecided`: only the service can tell, since it knows more about the person or the operator. */
export type Match = boolean | 'undecided'

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

/** Matches one property of a condition, whatever its type says. [service-behaviour 12] */
export function matchProperty(property: Json, facts: Facts): Match {
  if (!isJsonObject(property) || typeof property.key !== 'string') return 'undecided'
  const operator = operatorOf(property)
  if (typeof operator !== 'string' || !isOperatorName(operator)) return 'undecided'
  const known = Object.hasOwn(facts.properties, property.key) ? facts.properties[property.key] : undefined
  if (known === undefined && !facts.isComplete) return 'undecided'
  if (operator === 'is_set') return known !== undefined
  if (operator === 'is_not_set') return known === undefined
  // What is not there is not equal to anything and contains nothing.
  if (known === undefined || known === null) return isNegative(operator)
  return compare(operator, known, property.value ?? null, facts.now)
}

/** The texts that `exact` and `is_not` compare: one per value, in lower case. */
export function comparedTexts(value: Json | undefined): string[] {
  return (isJsonArray(value) ? value : [value ?? null]).map(element => textOf(element).toLowerCase())
}

function isNegative(operator: OperatorName): boolean {
  return operator === 'is_not' || operator === 'not_icontains' || operator === 'not_regex'
}

function compare(
  operator: Exclude<OperatorName, 'is_set' | 'is_not_set'>,
  known: NonNullable<Json>,
  value: Json,
  now: number,
): Match {
  switch (operator) {
    case 'exact':
      return comparedTexts(value).includes(textOf(known).toLowerCase())
    case 'is_not':
      return !comparedTexts(value).includes(textOf(known).toLowerCase())
    case 'icontains':
      return textOf(known).toLowerCase().includes(textOf(value).toLowerCase())
    case 'not_icontains':
      return !textOf(known).toLowerCase().includes(textOf(value).toLowerCase())
    case 'regex':
      return search(known, value, true)
    case 'not_regex':
      return search(known, value, false)
    case 'gt':
      return order(known, value, (left, right) => left > right)
    case 'gte':
      return order(known, value, (left, right) => left >= right)
    case 'lt':
      return order(known, value, (left, right) => left < right)
    case 'lte':
      return order(known, value, (left, right) => left <= right)
    case 'is_date_before':
      return matchDate(known, value, now, (left, right) => left < right)
    case 'is_date_after':
      return matchDate(known, value, now, (left, right) => left > right)
    default:
      return operator satisfies never
  }
}

/** An invalid pattern matches neither way: its negation is not "everybody". */
function search(known: Json, value: Json, isWanted: boolean): Match {
  const pattern = compilePattern(textOf(value))
  if (pattern.kind !== 'ready') return pattern.kind === 'invalid' ? false : 'undecided'
  const isFound = searchPattern(pattern.program, textOf(known))
  return isFound === undefined ? 'undecided' : isFound === isWanted
}

/**
 * As numbers when the value reads as one and the property is one; else as texts. A property that is text is compared
 * as text even when it looks like a number, as the SDKs do.
 */
function order(
  known: Json,
  value: Json,
  holds: (left: number | string, right: number | string) => boolean,
): Match {
  const number = numberOf(value)
  if (number !== undefined && typeof known === 'number') return holds(known, number)
  return holds(textOf(known), textOf(value))
}

function numberOf(value: Json): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(value))
    return undefined
  return Number(value)
}

function matchDate(
  known: Json,
  value: Json,
  now: number,
  holds: (left: number, right: number) => boolean,
): Match {
  const [left, right] = [typeof known === 'string' ? parseAbsoluteDate(known) : undefined, dateOf(value, now)]
  return left === undefined || right === undefined ? 'undecided' : holds(left, right)
}

function dateOf(value: Json, now: number): number | undefined {
  return typeof value === 'string' ? parseDate(value, now) : undefined
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalText(value)
}
