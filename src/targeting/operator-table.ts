/**
 * What a property's operator takes as its value.
 * - `any`: a text, number or truth value, or a list of them.
 * - `text`: a single text; the service refuses a bare number. [service-behaviour 2.5]
 * - `pattern`: a text that is a regular expression.
 * - `date`: an ISO date or a relative one.
 * - `none`: nothing; the property alone is looked at.
 */
export type OperatorValue = 'any' | 'text' | 'pattern' | 'date' | 'none'

interface Operator {
  readonly value: OperatorValue
  /** How the operator reads between a property and its value. */
  readonly words: string
}

/** The operators that can be evaluated outside the service. */
export const operators = {
  exact: { value: 'any', words: 'is' },
  is_not: { value: 'any', words: 'is not' },
  icontains: { value: 'text', words: 'contains' },
  not_icontains: { value: 'text', words: 'does not contain' },
  regex: { value: 'pattern', words: 'matches' },
  not_regex: { value: 'pattern', words: 'does not match' },
  gt: { value: 'text', words: '>' },
  gte: { value: 'text', words: '>=' },
  lt: { value: 'text', words: '<' },
  lte: { value: 'text', words: '<=' },
  is_set: { value: 'none', words: 'is set' },
  is_not_set: { value: 'none', words: 'is not set' },
  is_date_before: { value: 'date', words: 'is before' },
  is_date_after: { value: 'date', words: 'is after' },
} as const satisfies Readonly<Record<string, Operator>>

export type OperatorName = keyof typeof operators

/** Operators of cohorts, of flags and of newer services, in words: accepted as they are. */
export const serviceOperators: Readonly<Record<string, string>> = {
  in: 'is in the cohort',
  not_in: 'is not in the cohort',
  between: 'lies between two values',
  not_between: 'does not lie between two values',
  flag_evaluates_to: 'the other flag says',
  is_date_exact: 'is the day',
  icontains_multi: 'contains one of',
  not_icontains_multi: 'contains none of',
  min: 'is at least',
  max: 'is at most',
  semver_eq: 'is the version',
  semver_neq: 'is not the version',
  semver_gt: 'is a later version than',
  semver_gte: 'is the version or a later one',
  semver_lt: 'is an earlier version than',
  semver_lte: 'is the version or an earlier one',
  semver_tilde: 'is the version or a later patch of it',
  semver_caret: 'is the version or a later compatible one',
  semver_wildcard: 'fits the pattern of versions',
}

/** Operators since 2025 that are worked out by the rules of services that know them. */
export const laterOperators = [
  'between',
  'not_between',
  'is_date_exact',
  'icontains_multi',
  'not_icontains_multi',
  'starts_with',
  'not_starts_with',
  'ends_with',
  'not_ends_with',
  'semver_eq',
  'semver_neq',
  'semver_gt',
  'semver_gte',
  'semver_lt',
  'semver_lte',
  'semver_tilde',
  'semver_caret',
  'semver_wildcard',
] as const

export type LaterOperator = (typeof laterOperators)[number]
/** Every operator that a property may have, in words. */
export const knownOperators: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(operators).map(([name, { words }]) => [name, words])),
  ...serviceOperators,
}

export function isOperatorName(name: string): name is OperatorName {
  return Object.hasOwn(operators, name)
}

export function isLaterOperator(name: string): name is LaterOperator {
  return laterOperators.some(later => later === name)
}
