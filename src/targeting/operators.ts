import { type Profile, profiles } from '../model/connection.ts'
import type { ByService } from '../model/field.ts'
import {
  isEmptyJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  pickMembers,
} from '../model/text/json.ts'
import { behaviourOf } from '../services/differences.ts'
import type { EvaluationRules } from '../services/engines.ts'
import {
  type Compared,
  hasPart,
  isBetween,
  isEqual,
  isVersionOperator,
  type Match,
  matchVersion,
  opposite,
  order,
  undecided,
} from './evaluate/compared-values.ts'
import { matchDate } from './evaluate/dates.ts'
import { search } from './evaluate/patterns.ts'
import { quoted } from './value-words.ts'

/**
 * The value that an operator needs.
 * - `any`: a text, number or truth value, or a list of them.
 * - `text`: a single text; the service refuses a number. [service-behaviour 2.5]
 * - `pattern`: a text that is a regular expression.
 * - `date`: an ISO date or a relative date.
 * - `range`: a list of two numbers, the lower one first.
 * - `version`: a version, `1.2.3`.
 * - `none`: no value; the operator only tests the property.
 */
export type OperatorValue = 'any' | 'text' | 'pattern' | 'date' | 'range' | 'version' | 'none'

/** What an operator compares: each member of a list, the text of one value, or nothing. */
export type Comparison = 'members' | 'parts' | 'text' | 'text without case' | 'nothing' | 'anything'

interface Operator {
  readonly value: OperatorValue
  /** Absent if unknown. */
  readonly compares?: Comparison
  /** The words between a property and its value. */
  readonly words: string
}

/** An operator that services know since 2025, as in the behaviour `later_operators`. [service-today 10] */
interface LaterOperatorRow extends Operator {
  /** Services evaluate it, but may still refuse it in writes: `unsettled_operators`. */
  readonly isUnsettled?: true
  /** The SDKs that also evaluate it: none, all that know later operators, or all except Java's. */
  readonly knownTo: 'service' | 'sdks' | 'most'
}

/** The operators that every service and every SDK evaluates. [service-behaviour 12] */
// biome-ignore format: a table
export const operators = {
  exact:          { value: 'any',     compares: 'members',           words: 'is' },
  is_not:         { value: 'any',     compares: 'members',           words: 'is not' },
  icontains:      { value: 'text',    compares: 'text without case', words: 'contains' },
  not_icontains:  { value: 'text',    compares: 'text without case', words: 'does not contain' },
  regex:          { value: 'pattern', compares: 'text',              words: 'matches' },
  not_regex:      { value: 'pattern', compares: 'text',              words: 'does not match' },
  gt:             { value: 'text',    compares: 'text',              words: '>' },
  gte:            { value: 'text',    compares: 'text',              words: '>=' },
  lt:             { value: 'text',    compares: 'text',              words: '<' },
  lte:            { value: 'text',    compares: 'text',              words: '<=' },
  is_set:         { value: 'none',    compares: 'nothing',           words: 'is set' },
  is_not_set:     { value: 'none',    compares: 'nothing',           words: 'is not set' },
  is_date_before: { value: 'date',    words: 'is before' },
  is_date_after:  { value: 'date',    words: 'is after' },
} as const satisfies Readonly<Record<string, Operator>>

export type OperatorName = keyof typeof operators

/** The operators of newer services, with the rules that evaluate them. */
// biome-ignore format: a table
export const laterOperators = {
  between:             { value: 'range',   knownTo: 'service', isUnsettled: true, words: 'is between two values' },
  not_between:         { value: 'range',   knownTo: 'service', isUnsettled: true, words: 'is not between two values' },
  is_date_exact:       { value: 'date',    knownTo: 'service', words: 'is the day' },
  icontains_multi:     { value: 'any',     knownTo: 'service', compares: 'parts', words: 'contains one of' },
  not_icontains_multi: { value: 'any',     knownTo: 'service', compares: 'parts', words: 'contains none of' },
  starts_with:         { value: 'text',    knownTo: 'most', isUnsettled: true, words: 'starts with' },
  not_starts_with:     { value: 'text',    knownTo: 'most', isUnsettled: true, words: 'does not start with' },
  ends_with:           { value: 'text',    knownTo: 'most', isUnsettled: true, words: 'ends with' },
  not_ends_with:       { value: 'text',    knownTo: 'most', isUnsettled: true, words: 'does not end with' },
  semver_eq:           { value: 'version', knownTo: 'sdks', words: 'is the version' },
  semver_neq:          { value: 'version', knownTo: 'sdks', words: 'is not the version' },
  semver_gt:           { value: 'version', knownTo: 'sdks', words: 'is a later version than' },
  semver_gte:          { value: 'version', knownTo: 'sdks', words: 'is the version or a later one' },
  semver_lt:           { value: 'version', knownTo: 'sdks', words: 'is an earlier version than' },
  semver_lte:          { value: 'version', knownTo: 'sdks', words: 'is the version or an earlier one' },
  semver_tilde:        { value: 'version', knownTo: 'sdks', words: 'is the version or a later patch of it' },
  semver_caret:        { value: 'version', knownTo: 'sdks', words: 'is the version or a later compatible one' },
  semver_wildcard:     { value: 'version', knownTo: 'sdks', words: 'matches the version pattern' },
} as const satisfies Readonly<Record<string, LaterOperatorRow>>

export type LaterOperator = keyof typeof laterOperators

/** Operators of cohorts and flags, and operators that services rewrite: accepted unchanged, with words. */
export const serviceOperators: Readonly<Record<string, string>> = {
  in: 'is in the cohort',
  not_in: 'is not in the cohort',
  flag_evaluates_to: 'other flag evaluates to',
  min: 'is at least',
  max: 'is at most',
}

const comparing = [...Object.keys(operators), ...Object.keys(laterOperators), 'min', 'max']

/**
 * The operators of each type of property. Services refuse or ignore any other operator, or match nobody.
 * [service-behaviour 12; service-today 10]
 */
export const operatorsOf: Readonly<Record<string, readonly string[]>> = {
  person: comparing,
  group: comparing,
  event: comparing,
  cohort: ['in', 'not_in'],
  flag: ['flag_evaluates_to'],
}

/** Whether a type of property has an operator; an unknown type has every operator. */
export function belongsTo(type: Json | undefined, operator: string): boolean {
  const own = typeof type === 'string' && Object.hasOwn(operatorsOf, type) ? operatorsOf[type] : undefined
  return own?.includes(operator) ?? true
}

const allOperators: Readonly<Record<string, Operator>> = { ...operators, ...laterOperators }

/** Every operator of properties, with words. */
export const knownOperators: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(allOperators).map(([name, { words }]) => [name, words])),
  ...serviceOperators,
}

/** Pairs of opposite operators, besides those with `not_`. */
const opposites: readonly (readonly string[])[] = [
  ['exact', 'is_not'],
  ['is_set', 'is_not_set'],
  ['gt', 'lte'],
  ['gte', 'lt'],
  ['is_date_before', 'is_date_after'],
  ['semver_eq', 'semver_neq'],
  ['semver_gt', 'semver_lte'],
  ['semver_gte', 'semver_lt'],
]

/** The opposite operator, for replacing a negation; undefined if there is none. */
export function oppositeOf(operator: string): string | undefined {
  const prefixed = operator.startsWith('not_') ? operator.slice('not_'.length) : `not_${operator}`
  if (Object.hasOwn(knownOperators, prefixed)) return prefixed
  return opposites.find(pair => pair.includes(operator))?.find(each => each !== operator)
}

export function comparisonBy(operator: Json): Comparison {
  return (
    (typeof operator === 'string' &&
      Object.hasOwn(allOperators, operator) &&
      allOperators[operator]?.compares) ||
    'anything'
  )
}

export function isOperatorName(name: string): name is OperatorName {
  return Object.hasOwn(operators, name)
}

export function isLaterOperator(name: string): name is LaterOperator {
  return Object.hasOwn(laterOperators, name)
}

/** Whether a service that evaluates an operator may still refuse it in writes. */
export function isUnsettledOperator(name: string): boolean {
  return isLaterOperator(name) && 'isUnsettled' in laterOperators[name]
}

export { comparedTexts, isTrue, isTruthText, searchedText } from './evaluate/compared-values.ts'

/** The known facts about the person (or group) that a condition is matched with. */
export interface Facts {
  readonly properties: JsonObject
  /** True if an absent property is not set; false if it may only be unknown here. */
  readonly isComplete: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  /** How flags are evaluated; the documented rules if absent. */
  readonly rules?: EvaluationRules
  /** The offset of the project's time zone from UTC; absent if unknown. */
  readonly zoneOffsetMinutes?: number
}

/** The rules of the documented interface. */
export const documentedRules: EvaluationRules = behaviourOf('documented')

/** The operator of a property. If none is given, it is `in` for a cohort, and `exact` otherwise. */
export function operatorOf({ operator, type }: JsonObject): Json {
  const assumed = type === 'cohort' ? 'in' : 'exact'
  return isEmptyJson(operator) ? assumed : (operator ?? assumed)
}

/**
 * Matches one property of a condition, of any type. A text and a number are compared by all operators; other
 * values as their JSON text, but never by size. Engines that differ have their own `EvaluationRules`.
 * [service-behaviour 12; service-today 10]
 *
 * | operators                     | match                                                                      |
 * |-------------------------------|----------------------------------------------------------------------------|
 * | `exact`, `is_not`             | one of the values, as text, in any case                                    |
 * | `icontains`, `not_icontains`  | a part of the text, in any case                                            |
 * | `regex`, `not_regex`          | Python's `re.search`; an invalid pattern matches in neither operator       |
 * | `gt`, `gte`, `lt`, `lte`      | two numbers as numbers, else as texts; true, false, lists, objects: never; |
 * |                               | undecided if a number has more digits than doubles can hold                |
 * | `is_date_before`, `.._after`  | moments; undecided if one of the two cannot be read                        |
 * | `is_set`, `is_not_set`        | whether the property exists                                                |
 * | those of `laterOperators`     | as their names suggest, if they are known                                  |
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
    return undecided('only the service evaluates a property without an operator')
  const known = Object.hasOwn(facts.properties, key) ? facts.properties[key] : undefined
  if (known === undefined && !facts.isComplete) return undecided(`the property ${quoted(key)} is unknown`)
  if (operator === 'is_not_set' && rules.presence === 'asked') return undecided(unknownOperator(operator))
  if (known === null && rules.null_properties === 'no_match') return operator === 'is_not'
  if (operator === 'is_set') return known !== undefined
  if (operator === 'is_not_set') return known === undefined
  if (known === null && rules.null_properties === 'text_alone' && isMeasuring(operator)) return false
  if (known === null && rules.null_properties === 'equality_alone' && !/^(exact|is_not)$/.test(operator))
    return false
  const value = property.value ?? null
  // An absent property equals nothing and contains nothing.
  if (known === undefined || (known === null && rules.null_properties === 'absent'))
    return operator === 'not_between' ? isBetween(undefined, value, false) : isNegative(operator)
  const { now, zoneOffsetMinutes } = facts
  return compare(operator, { key, known, value, now, rules, zoneOffsetMinutes })
}

/** Whether an engine with these rules knows the operator. */
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

function isNegative(operator: string): boolean {
  return operator === 'is_not' || operator.startsWith('not_')
}

function unknownOperator(operator: Json): string {
  return typeof operator === 'string'
    ? `only the service knows the operator ${quoted(operator)}`
    : 'the operator is not text'
}

function compare(operator: string, compared: Compared): Match {
  const { value, known, rules } = compared
  // Version operators are known only if the engine reads versions.
  if (isVersionOperator(operator))
    return rules.later_operators === 'unknown'
      ? undecided(unknownOperator(operator))
      : matchVersion(operator, value, known, rules.later_operators)
  const own = comparisons[operator]
  if (own) return own(compared)
  const turned = comparisons[operator === 'is_not' ? 'exact' : operator.replace(/^not_/, '')]
  return turned ? opposite(turned(compared)) : undecided(unknownOperator(operator))
}

/** The comparisons of operators; a missing operator is the opposite of one in this table. */
const comparisons: Readonly<Record<string, (compared: Compared) => Match>> = {
  exact: ({ value, known, rules }) => isEqual(value, known, rules),
  icontains: ({ value, known, rules }) => hasPart('includes', value, known, rules),
  icontains_multi: hasAnyPart,
  starts_with: ({ value, known, rules }) => hasPart('startsWith', value, known, rules),
  ends_with: ({ value, known, rules }) => hasPart('endsWith', value, known, rules),
  regex: compared => search(compared, true),
  not_regex: compared => search(compared, false),
  gt: compared => order(compared, (left, right) => left > right),
  gte: compared => order(compared, (left, right) => left >= right),
  lt: compared => order(compared, (left, right) => left < right),
  lte: compared => order(compared, (left, right) => left <= right),
  between: ({ known, value }) => isBetween(known, value, true),
  not_between: ({ known, value }) => isBetween(known, value, false),
  is_date_before: compared => matchDate('is_date_before', compared),
  is_date_after: compared => matchDate('is_date_after', compared),
  is_date_exact: compared => matchDate('is_date_exact', compared),
}

function hasAnyPart({ value, known, rules }: Compared): boolean {
  return (isJsonArray(value) ? value : [value]).some(one => hasPart('includes', one, known, rules))
}

/**
 * Exclusion on services that ignore some of its spellings. Here, `not_in` and `negation` of a cohort mean the
 * same. Filters are sent in the spelling that the service obeys, and read with their meaning there.
 *
 * | a property            | sent to a service that obeys `not_in` | to one that does not, or may not | read                          |
 * |-----------------------|---------------------------------------|----------------------------------|-------------------------------|
 * | who is not in a cohort | `not_in`                             | `not_in` with `negation`         | as the service reads it       |
 * | who is in a cohort    | `in` or nothing                       | `in` or nothing                  | the same                      |
 * | any other, negated    | unchanged: a check refuses it         | unchanged                        | without, if that is ignored   |
 */
export const byService: ByService = {
  toWire: (filters, services) => mapProperties(filters, property => spelledFor(property, services)),
  fromWire: (filters, services) => mapProperties(filters, property => readFrom(property, services)),
}

/** The services that a client may be connected to. */
export function servicesBehind({ profile, known }: { readonly profile: Profile; readonly known: string }) {
  return known === 'assumed' ? profiles : [profile]
}

/** Whether a declared property matches people who are not in a cohort. */
export function isExclusion(property: JsonObject): boolean {
  return property.type === 'cohort' && (operatorOf(property) === 'not_in' || property.negation === true)
}

/** The people that an engine matches with a property of a cohort; undefined for nobody. */
export function membershipOf(
  property: JsonObject,
  { cohort_operators, property_negation }: EvaluationRules,
): 'in' | 'not_in' | undefined {
  const operator = operatorOf(property)
  if (cohort_operators === 'obeyed' && operator === 'not_in') return 'not_in'
  if (cohort_operators === 'obeyed' && operator !== 'in') return undefined
  return property.negation === true && property_negation === 'obeyed' ? 'not_in' : 'in'
}

function spelledFor(property: JsonObject, services: readonly Profile[]): JsonObject {
  if (property.type !== 'cohort') return property
  if (!isExclusion(property)) return property
  const isObeyed = services.every(profile => behaviourOf(profile).cohort_operators === 'obeyed')
  const spelled = { ...property, operator: 'not_in' }
  return isObeyed ? without(spelled, 'negation') : { ...spelled, negation: true }
}

function readFrom(property: JsonObject, services: readonly Profile[]): JsonObject {
  const { type, negation } = property
  const operator = operatorOf(property)
  if (negation !== true && (type !== 'cohort' || operator === 'in')) return property
  const rules = services.map(behaviourOf)
  if (type !== 'cohort')
    return rules.every(each => each.property_negation === 'ignored')
      ? without(property, 'negation')
      : property
  const [membership, ...others] = new Set(rules.map(each => membershipOf(property, each)))
  // The meaning depends on the service, which is unknown.
  if (others.length > 0) return property
  if (membership === 'in') return { ...without(property, 'negation'), operator: 'in' }
  if (membership === 'not_in' && operator === 'not_in') return property
  return membership ? { ...property, operator: 'not_in' } : without(property, 'negation')
}

/** Applies a function to all properties; returns the same value if none changes. */
function mapProperties(filters: Json, form: (property: JsonObject) => JsonObject): Json {
  if (!isJsonObject(filters) || !isJsonArray(filters.groups)) return filters
  const groups = mapped(filters.groups, condition => {
    if (!isJsonObject(condition) || !isJsonArray(condition.properties)) return condition
    const properties = mapped(condition.properties, each => (isJsonObject(each) ? form(each) : each))
    return properties === condition.properties ? condition : { ...condition, properties }
  })
  return groups === filters.groups ? filters : { ...filters, groups }
}

function mapped(list: readonly Json[], form: (element: Json) => Json): readonly Json[] {
  const formed = list.map(form)
  return formed.every((element, index) => element === list[index]) ? list : formed
}

function without(property: JsonObject, name: string): JsonObject {
  return pickMembers(property, (_, member) => member !== name)
}
