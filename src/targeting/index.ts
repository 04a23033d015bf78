/** What a flag's filters mean: who gets what, what is wrong with them, and what a change does to people. Pure. */
export { newDisagreements } from './check/check-engines.ts'
export { brokenTogether, checkFilters } from './check/check-filters.ts'
export { variantKeys } from './check/check-variants.ts'
export type { FilterProblem } from './check/filter-problem.ts'
export { newlyUnreachable } from './check/newly-unreachable.ts'
export { isHeld, type Tolerance, toleranceOf } from './check/tolerance.ts'
export { describeFilterDifference } from './compare/describe-difference.ts'
export {
  type ConditionReach,
  compareExposure,
  type Exposure,
  type ExposureComparison,
  type ExposureDirection,
  exposureOf,
  isDrawn,
  type ReleasedFlag,
  type Widening,
} from './compare/exposure.ts'
export { type FoundPlace, findPlaces, placedFilters } from './compare/ignored-places.ts'
export { isOrderFree } from './compare/meaning.ts'
export { conflict, type Merged, mergeFilters, type Three } from './compare/merge-filters.ts'
export {
  filtersSideBySide,
  memberRows,
  type SideCell,
  type SideRow,
  type SideTable,
} from './compare/side-by-side.ts'
export { filtersForEverybody, singleValue } from './compare/single-value.ts'
export { describeMemberDifference, describeValue } from './compare/value-difference.ts'
export { type KnownSwitch, valueForAll } from './compare/value-for-all.ts'
export { describeCondition, describeRelease, whatIsGot } from './describe/describe.ts'
export { conditionOf, describeReason, type ToldCondition } from './describe/describe-evaluation.ts'
export { type GroupTypeNumbers, withGroupTypesNamed } from './describe/named-group-types.ts'
export { shortenPair, textStep, valueText, visible } from './describe/value-words.ts'
export { readDate, readMoment } from './evaluate/dates/read-date.ts'
export {
  type EngineValue,
  type EvaluationByEngines,
  evaluateByEngines,
} from './evaluate/evaluate-by-engines.ts'
export {
  type AnySubject,
  type Evaluation,
  type EvaluationContext,
  type EvaluationReason,
  evaluateFlag,
  evaluationReasons,
  matchCondition,
  type Subject,
} from './evaluate/evaluate-flag.ts'
export {
  type EvaluationOnServices,
  evaluateOnServices,
  type OtherAnswer,
} from './evaluate/evaluate-on-services.ts'
export { hashFraction } from './evaluate/hash.ts'
export { type EvaluatedFlag, KnownFlags } from './evaluate/known-flags.ts'
export { isUndecided, type Match } from './evaluate/match.ts'
export { compilePattern } from './evaluate/pattern/pattern.ts'
export { canonicalFilters, compactFilters, payloadText, payloadValue } from './filters.ts'
export { areFlagsNamed, flagNames, isFlagId, renameFlags } from './flag-names.ts'
export {
  isOperatorName as isLocalOperator,
  isUnsettledOperator,
  knownOperators,
} from './operator-table.ts'
export { matchProperty, operatorOf } from './operators.ts'
export { type HiddenValue, redactFilters } from './redact-filters.ts'
export { countsGroups } from './release.ts'
export { type FlagTest, type TestReason, testedGroup } from './tests/flag-test.ts'
export {
  answerText,
  decidingCondition,
  type EvaluationVerdict,
  evaluationVerdict,
  judgeTest,
  personText,
  type TestOutcome,
  type TestVerdict,
} from './tests/judge-test.ts'
