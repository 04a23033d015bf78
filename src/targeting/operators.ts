import { isEmptyJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import type { EvaluationRules } from '../services/engines.ts'
import { behaviourOf } from '../services/index.ts'
import { quoted } from './describe/value-words.ts'
import { type Match, opposite, undecided } from './evaluate/match.ts'
import { matchDate } from './evaluate/operators/dates.ts'
import { isBetween, order } from './evaluate/operators/numbers.ts'
import { search } from './evaluate/operators/patterns.ts'
import { hasPart, isEqual } from './evaluate/operators/texts.ts'
import { matchVersion } from './evaluate/operators/versions.ts'
import {
  isLaterOperator,
  isOperatorName,
  type LaterOperator,
  laterOperators,
  type OperatorName,
} from './operator-table.ts'

export { comparedTexts, isTrue, saysTruth, searchedText } from './evaluate/operators/texts.ts'

/** What is known about the person (or group) that a condition is matched against. */
export interface Facts {
  readonly properties: JsonObject
  /** True when a property that is not there is not set; otherwise it is merely not known here. */
  readonly isComplete: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  /** How flags are evaluated; as documented when absent. */
  readonly rules?: EvaluationRules
  /** How far the time zone of the project is ahead of UTC; absent where nobody knows. */
  readonly zoneOffsetMinutes?: number
}

/** The rules of the interface document. */
export const documentedRules: EvaluationRules = behaviourOf('documented')

/** The operator of a property. When none is given, it is `in` for a cohort, and `exact` for all else. */
export function operatorOf({ operator, type }: JsonObject): Json {
  const assumed = type === 'cohort' ? 'in' : 'exact'
  return isEmptyJson(operator) ? assumed : (operator ?? assumed)
}

/**
 * Matches one property of a condition, whatever its type says. A text and a number are compared by all operators;
 * other values as their JSON text, but never by size. What engines do otherwise, `EvaluationRules` says.
 * [service-behaviour 12; service-today 10]
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
 * | those of `laterOperators`     | as their names say, where they are known                                   |
 */
export function matchProperty(property: Json, facts: Facts): Match {
  if (!isJsonObject(property) || typeof property.key !== 'string')
    return undecided('a property of the condition has no key')
  const { key } = property
  const { rules = documentedRules } = facts
  const operator = operatorOf(property)
  if (typeof operator !== 'string' || !isWorkedOut(operator, rules))
    return undecided(unknownOperator(operator))
  if (rules.default_operator === 'asked' && isEmptyJson(property.operator))
    return undecided('a property without an operator is left to the service')
  const known = Object.hasOwn(facts.properties, key) ? facts.properties[key] : undefined
  if (known === undefined && !facts.isComplete)
    return undecided(`the property ${quoted(key)} is not known here`)
  if (operator === 'is_not_set' && rules.presence === 'asked') return undecided(unknownOperator(operator))
  if (known === null && rules.null_properties === 'no_match') return operator === 'is_not'
  if (operator === 'is_set') return known !== undefined
  if (operator === 'is_not_set') return known === undefined
  if (known === null && rules.null_properties === 'text_alone' && isMeasuring(operator)) return false
  if (known === null && rules.null_properties === 'equality_alone' && !/^(exact|is_not)$/.test(operator))
    return false
  const value = property.value ?? null
  // What is not there is not equal to anything and contains nothing.
  if (known === undefined || (known === null && rules.null_properties === 'absent'))
    return operator === 'not_between' ? isBetween(undefined, value, false) : negatives.has(operator)
  const { now, zoneOffsetMinutes } = facts
  return compare({ key, operator, known, value, now, rules, zoneOffsetMinutes })
}

/** Whether whoever evaluates by these rules knows the operator. */
export function isWorkedOut(
  name: string,
  { later_operators }: EvaluationRules,
): name is OperatorName | LaterOperator {
  if (isOperatorName(name)) return true
  if (!isLaterOperator(name) || later_operators === 'unknown') return false
  const { knownTo } = laterOperators[name]
  return (
    later_operators === 'known' || knownTo === 'sdks' || (knownTo === 'most' && later_operators !== 'java')
  )
}

/** Whether an operator compares numbers, dates or versions. */
function isMeasuring(operator: string): boolean {
  return /^([gl]te?$|is_date_|semver_)/.test(operator)
}

const negatives: ReadonlySet<string> = new Set([
  'is_not',
  'not_icontains',
  'not_regex',
  'not_icontains_multi',
  'not_starts_with',
  'not_ends_with',
])

function unknownOperator(operator: Json): string {
  return typeof operator === 'string'
    ? `the operator ${quoted(operator)} is known to the service alone`
    : 'the operator is no text'
}

interface Comparison {
  readonly key: string
  readonly operator: Exclude<OperatorName | LaterOperator, 'is_set' | 'is_not_set'>
  readonly known: Json
  readonly value: Json
  readonly now: number
  readonly rules: EvaluationRules
  readonly zoneOffsetMinutes: number | undefined
}

function compare(comparison: Comparison): Match {
  const { key, operator, known, value, rules } = comparison
  switch (operator) {
    case 'exact':
      return isEqual(value, known, rules)
    case 'is_not':
      return opposite(isEqual(value, known, rules))
    case 'icontains':
      return hasPart('includes', value, known, rules)
    case 'not_icontains':
      return !hasPart('includes', value, known, rules)
    case 'icontains_multi':
      return hasAnyPart(comparison)
    case 'not_icontains_multi':
      return !hasAnyPart(comparison)
    case 'starts_with':
      return hasPart('startsWith', value, known, rules)
    case 'not_starts_with':
      return !hasPart('startsWith', value, known, rules)
    case 'ends_with':
      return hasPart('endsWith', value, known, rules)
    case 'not_ends_with':
      return !hasPart('endsWith', value, known, rules)
    case 'regex':
      return search(key, value, known, true, rules)
    case 'not_regex':
      return search(key, value, known, false, rules)
    case 'gt':
      return order(comparison, (left, right) => left > right)
    case 'gte':
      return order(comparison, (left, right) => left >= right)
    case 'lt':
      return order(comparison, (left, right) => left < right)
    case 'lte':
      return order(comparison, (left, right) => left <= right)
    case 'between':
      return isBetween(known, value, true)
    case 'not_between':
      return isBetween(known, value, false)
    case 'is_date_before':
    case 'is_date_after':
    case 'is_date_exact':
      return matchDate(operator, comparison)
    default:
      // An operator of versions is known only where somebody reads them.
      return rules.later_operators === 'unknown'
        ? undecided(unknownOperator(operator))
        : matchVersion(operator, value, known, rules.later_operators)
  }
}

function hasAnyPart({ value, known, rules }: Comparison): boolean {
  return (isJsonArray(value) ? value : [value]).some(one => hasPart('includes', one, known, rules))
}
