import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import type { Evaluation, EvaluationReason } from '../evaluate/evaluate-flag.ts'
import { describeCondition } from './describe.ts'

/** A condition as people are told of it. */
export interface ToldCondition {
  /** Counted from 1. */
  readonly number: number
  readonly summary: string
}

/** The condition that decided, or came nearest. */
export function conditionOf(
  filters: Json,
  { conditionIndex: index }: Pick<Evaluation, 'conditionIndex'>,
): ToldCondition | null {
  if (index === undefined) return null
  const groups: readonly Json[] = isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : []
  return { number: index + 1, summary: describeCondition(groups[index] ?? {}) }
}

/** Why a flag has its value, in words. */
export function describeReason(reason: EvaluationReason, condition: ToldCondition | null): string {
  const place = condition && `condition ${condition.number}: ${condition.summary}`
  switch (reason) {
    case 'condition_match':
      return place ?? 'a condition matches'
    case 'no_condition_match':
      return 'no condition matches'
    case 'out_of_rollout_bound':
      return `outside of the percentage of ${place ?? 'a condition'}`
    case 'no_group_type':
      return 'it is for groups, and no group of that type was given'
    case 'disabled':
      return 'it is off, or deleted'
    case 'super_condition_value':
      return 'by the early access feature that the person has enrolled in, or declined'
    case 'holdout_condition_value':
      return 'held out of the experiment'
    default:
      return reason satisfies never
  }
}
