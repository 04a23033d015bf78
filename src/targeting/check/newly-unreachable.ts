import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { alignConditions } from '../compare/condition-keys.ts'
import { unreachableConditions } from './unreachable.ts'

/**
 * Conditions that a change puts out of reach, as sentences: those that are new and never decide anything, and those that did
 * before. What was out of reach already is no news. Values may be hidden.
 */
export function newlyUnreachable(
  before: Json,
  after: Json,
  rules: EvaluationRules,
  hidesValues = false,
): readonly string[] {
  const becomes = unreachableConditions(after, rules)
  if (becomes.length === 0) return []
  const was = new Set(unreachableConditions(before, rules).map(({ index }) => index))
  const { pairs } = alignConditions(conditionsIn(before), conditionsIn(after))
  const earlier = new Map(pairs.map(pair => [pair.after, pair.before]))
  return becomes
    .filter(({ index }) => !was.has(earlier.get(index) ?? -1))
    .slice(0, mostTold)
    .map(({ reason, hidden = reason }) => (hidesValues ? hidden : reason))
}

/** So many are told; a reader who mends those sees the rest. */
const mostTold = 5

function conditionsIn(filters: Json): readonly Json[] {
  return isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : []
}
