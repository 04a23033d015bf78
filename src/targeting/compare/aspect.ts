import { canonicalText, isJsonObject, type Json } from '../../model/json/json.ts'
import { once } from '../../model/runtime/once.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { comparedTexts, operatorOf, saysTruth } from '../operators.ts'
import { type Asked, readAsked } from './implied/asked.ts'
import { canonicalProperty, meaningOf } from './meaning.ts'

/** One property of a condition. What it means is worked out where something asks for it: mostly its key tells enough. */
export interface Aspect {
  readonly property: Json
  readonly key: string
  readonly canonical: () => Json
  /** The same for properties that mean the same. */
  readonly text: () => string
  readonly list: () => ValueList | undefined
  readonly asked: () => Asked | undefined
}

export interface ValueList {
  readonly rest: string
  readonly values: ReadonlySet<string>
  /** Whether more values mean more people: so with `exact`, and the other way round with `is_not`. */
  readonly grows: boolean
}

export function readAspect(property: Json, rules: EvaluationRules): Aspect {
  const canonical = once(() => canonicalProperty(property))
  return {
    property,
    key: keyOf(property),
    canonical,
    text: once(() => meaningOf(property, rules)),
    list: once(() => valueList(canonical(), rules)),
    asked: once(() => readAsked(canonical(), rules)),
  }
}

/** What a property asks about; properties with different keys say nothing of each other. */
export function keyOf(property: Json): string {
  return isJsonObject(property) && typeof property.key === 'string' ? property.key : ''
}

/** `country is DE` implies `country is DE or FR`; `plan is none of a, b` implies `plan is not a`. */
export function implies(inner: ReadonlySet<string>, { values, grows }: ValueList): boolean {
  return grows ? isSubset(inner, values) : isSubset(values, inner)
}

function valueList(property: Json, { truth_values }: EvaluationRules): ValueList | undefined {
  if (!isJsonObject(property) || property.negation === true) return undefined
  if (property.type === 'cohort' || property.type === 'flag') return undefined
  const operator = operatorOf(property)
  if (operator !== 'exact' && operator !== 'is_not') return undefined
  const { value, ...rest } = property
  // Of such lists the longer one does not mean more people.
  if (truth_values === 'truth' && saysTruth(value ?? null)) return undefined
  return { rest: canonicalText(rest), values: new Set(comparedTexts(value)), grows: operator === 'exact' }
}

function isSubset(inner: ReadonlySet<string>, outer: ReadonlySet<string>): boolean {
  if (inner.size > outer.size) return false
  for (const text of inner) if (!outer.has(text)) return false
  return true
}
