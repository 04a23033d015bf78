/** What a flag's filters mean: who gets what, what is wrong with them, and what a change does to people. Pure. */
export { checkFilters } from './check-filters.ts'
export { readDate, readMoment } from './dates/read-date.ts'
export { describeCondition, describeRelease } from './describe.ts'
export { describeFilterDifference } from './difference.ts'
export {
  type Evaluation,
  type EvaluationContext,
  type EvaluationReason,
  evaluateFlag,
  matchCondition,
  type Subject,
} from './evaluate.ts'
export {
  type ConditionReach,
  compareExposure,
  type Exposure,
  type ExposureComparison,
  type ExposureDirection,
  exposureOf,
  type ReleasedFlag,
} from './exposure.ts'
export type { FilterProblem } from './filter-problem.ts'
export { canonicalFilters, compactFilters, payloadText } from './filters.ts'
export { hashFraction } from './hash.ts'
export { type EvaluatedFlag, flagNames, KnownFlags } from './known-flags.ts'
export { isUndecided, type Match } from './match.ts'
export { isOperatorName as isLocalOperator } from './operator-table.ts'
export { matchProperty, operatorOf } from './operators.ts'
export { compilePattern } from './pattern/pattern.ts'
export { isHeld, type Tolerance, toleranceOf } from './tolerance.ts'
export { describeMemberDifference, describeValue } from './value-difference.ts'
export { shortenPair, textStep, valueText, visible } from './value-words.ts'
