import type { Json } from '../model/json/json.ts'

/**
 * What a property's operator takes as its value.
 * - `any`: a text, number or truth value, or a list of them.
 * - `text`: a single text; the service refuses a bare number. [service-behaviour 2.5]
 * - `pattern`: a text that is a regular expression.
 * - `date`: an ISO date or a relative one.
 * - `range`: a list of two numbers, the lower one first.
 * - `version`: a version, `1.2.3`.
 * - `none`: nothing; only the property is checked.
 */
export type OperatorValue = 'any' | 'text' | 'pattern' | 'date' | 'range' | 'version' | 'none'

/** What an operator does with its value: it compares each member of a list, or the text of one value, or none. */
export type Comparison = 'members' | 'parts' | 'text' | 'text without case' | 'nothing' | 'anything'

interface Operator {
  readonly value: OperatorValue
  /** Absent if nothing is known of it. */
  readonly compares?: Comparison
  /** The words for the operator between a property and its value. */
  readonly words: string
}

/** An operator that services know since 2025, as in the behaviour `later_operators`. [service-today 10] */
interface LaterOperatorRow extends Operator {
  /** Services evaluate it, but may still refuse it in writes: `unsettled_operators`. */
  readonly isUnsettled?: true
  /** The SDKs that evaluate it too: none, all that know later operators, or all except Java's. */
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

/** The operators that newer services know, and the rules that evaluate them. */
// biome-ignore format: a table
export const laterOperators = {
  between:             { value: 'range',   knownTo: 'service', isUnsettled: true, words: 'lies between two values' },
  not_between:         { value: 'range',   knownTo: 'service', isUnsettled: true, words: 'does not lie between two values' },
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
  semver_wildcard:     { value: 'version', knownTo: 'sdks', words: 'fits the pattern of versions' },
} as const satisfies Readonly<Record<string, LaterOperatorRow>>

export type LaterOperator = keyof typeof laterOperators

/** Operators of cohorts and of flags, and those that services rewrite: accepted as they are, in words. */
export const serviceOperators: Readonly<Record<string, string>> = {
  in: 'is in the cohort',
  not_in: 'is not in the cohort',
  flag_evaluates_to: 'the other flag says',
  min: 'is at least',
  max: 'is at most',
}

const comparing = [...Object.keys(operators), ...Object.keys(laterOperators), 'min', 'max']

/**
 * The operators of each kind of property. Any other compares nothing: services refuse it, ignore it or match
 * nobody. [service-behaviour 12; service-today 10]
 */
export const operatorsOf: Readonly<Record<string, readonly string[]>> = {
  person: comparing,
  group: comparing,
  event: comparing,
  cohort: ['in', 'not_in'],
  flag: ['flag_evaluates_to'],
}

/** Whether a kind of property has an operator; an unknown kind has every one. */
export function belongsTo(type: Json | undefined, operator: string): boolean {
  const own = typeof type === 'string' && Object.hasOwn(operatorsOf, type) ? operatorsOf[type] : undefined
  return own?.includes(operator) ?? true
}

const allOperators: Readonly<Record<string, Operator>> = { ...operators, ...laterOperators }

/** Every operator that a property may have, in words. */
export const knownOperators: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(allOperators).map(([name, { words }]) => [name, words])),
  ...serviceOperators,
}

/** Operators for the people that the other one excludes, beside `not_` and its opposite. */
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

/** The operator that replaces a negation; undefined if there is none. */
export function oppositeOf(operator: string): string | undefined {
  const prefixed = operator.startsWith('not_') ? operator.slice('not_'.length) : `not_${operator}`
  if (Object.hasOwn(knownOperators, prefixed)) return prefixed
  return opposites.find(pair => pair.includes(operator))?.find(each => each !== operator)
}

/** What an operator does with its value. */
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
