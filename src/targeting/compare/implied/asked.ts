import { canonicalText, isJsonObject, type Json, type JsonObject } from '../../../model/json/json.ts'
import type { EvaluationRules } from '../../../services/engines.ts'
import { isWorkedOut, operatorOf } from '../../operators.ts'

/** A property that asks one thing of one value, as far as it can be held against others about the same value. */
export interface Asked {
  /** The same for properties about the same value. */
  readonly subject: string
  readonly operator: string
  readonly value: Json
  readonly property: JsonObject
  /** How whoever evaluates works it out. */
  readonly rules: EvaluationRules
}

/** Undefined of what is looked up elsewhere or turned round, and of operators that are not worked out. */
export function readAsked(property: Json, rules: EvaluationRules): Asked | undefined {
  if (!isJsonObject(property) || property.negation === true) return undefined
  if (property.type === 'cohort' || property.type === 'flag') return undefined
  const operator = operatorOf(property)
  if (typeof operator !== 'string' || !isWorkedOut(operator, rules)) return undefined
  const { value = null, operator: _, ...subject } = property
  return { subject: canonicalText(subject), operator, value, property, rules }
}
