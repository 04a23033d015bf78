/** The meaning of a flag's filters: who gets what, their problems, and how a change affects people. Pure. */

export { canonicalFilters, compactFilters, payloadText, payloadValue } from './canonical-filters.ts'
export { newDisagreements } from './check/check-engines.ts'
export { checkFilters } from './check/check-filters.ts'
export { isHeld, type Tolerance, toleranceOf } from './check/filter-mistakes.ts'
export { type FilterProblem, type HiddenValue, redactFilters } from './check/filter-problem.ts'
export { newlyUnreachable } from './check/unreachable.ts'
export { describeFilterDifference } from './compare/describe-difference.ts'
export {
  type ConditionReach,
  compareExposure,
  type Exposure,
  type ExposureComparison,
  type ExposureDirection,
  exposureOf,
  filtersForEverybody,
  isDrawn,
  type KnownSwitch,
  type ReleasedFlag,
  singleValue,
  valueForAll,
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
export {
  conditionOf,
  type DescribedCondition,
  describeCondition,
  describeReason,
  describeRelease,
  type GroupTypeNumbers,
  namedFilters,
  percentText,
  whatIsGot,
  withGroupTypesNamed,
} from './describe.ts'
export { describeMemberDifference, describeValue } from './describe-condition.ts'
export { hashFraction } from './evaluate/buckets.ts'
export { type EvaluatedFlag, KnownFlags } from './evaluate/cohorts-and-flags.ts'
export { isUndecided, type Match } from './evaluate/compared-values.ts'
export { readDate, readMoment } from './evaluate/dates.ts'
export {
  type AnySubject,
  type ConditionResult,
  type EngineValue,
  type Evaluation,
  type EvaluationByEngines,
  type EvaluationContext,
  type EvaluationOnServices,
  type EvaluationReason,
  evaluateByEngines,
  evaluateFlag,
  evaluateOnServices,
  evaluationReasons,
  explainConditions,
  matchCondition,
  type OtherAnswer,
  type Subject,
  withRelease,
} from './evaluate/evaluate-flag.ts'
export { compilePattern } from './evaluate/patterns.ts'
export {
  answerText,
  decidingCondition,
  type EvaluationVerdict,
  evaluationVerdict,
  type FlagTest,
  judgeTest,
  personText,
  type TestOutcome,
  type TestReason,
  type TestVerdict,
  testedGroup,
} from './judge-test.ts'
export {
  isOperatorName as isLocalOperator,
  isUnsettledOperator,
  knownOperators,
  matchProperty,
  operatorOf,
} from './operators.ts'
export { areFlagsNamed, countsGroups, flagNames, isFlagId, renameFlags, variantKeys } from './release.ts'
export { shortenPair, textStep, valueText, visible } from './value-words.ts'
