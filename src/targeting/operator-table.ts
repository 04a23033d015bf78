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

/** Operators of cohorts, of flags and of newer services: accepted as they are, decided by the service alone. */
export const serviceOperators: readonly string[] = [
  'in',
  'not_in',
  'between',
  'not_between',
  'flag_evaluates_to',
  'is_date_exact',
  'icontains_multi',
  'not_icontains_multi',
  'min',
  'max',
  'semver_eq',
  'semver_neq',
  'semver_gt',
  'semver_gte',
  'semver_lt',
  'semver_lte',
  'semver_tilde',
  'semver_caret',
  'semver_wildcard',
]

export function isOperatorName(name: string): name is OperatorName {
  return Object.hasOwn(operators, name)
}
