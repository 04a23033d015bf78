import { doubleOf } from '../../model/json/big-num.ts'
import { canonicalText, isJsonObject, type Json } from '../../model/json/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { comparedTexts, operatorOf, saysTruth, searchedText } from '../operators.ts'

/** A property that asks one thing of one value, as far as it can be held against others about the same value. */
export interface Asked {
  /** The same for properties about the same value. */
  readonly subject: string
  readonly operator: string
  readonly value: Json
}

/** Undefined of what is looked up elsewhere or turned round. */
export function readAsked(property: Json): Asked | undefined {
  if (!isJsonObject(property) || property.negation === true) return undefined
  if (property.type === 'cohort' || property.type === 'flag') return undefined
  const operator = operatorOf(property)
  if (typeof operator !== 'string') return undefined
  const { value = null, operator: _, ...subject } = property
  return { subject: canonicalText(subject), operator, value }
}

/**
 * Whether everybody who meets `inner` meets `outer`, both about the same value. Never wrong when it says yes. Lists of
 * `exact` and `is_not` among themselves are compared elsewhere.
 *
 * | outer           | inner                                  | implied where                                        |
 * |-----------------|----------------------------------------|------------------------------------------------------|
 * | `is_set`        | what asks for a value                  | always                                               |
 * | `icontains`     | `icontains`                            | the inner text contains the outer one                |
 * | `icontains`     | `exact`                                | each value contains it, in letters that have one case |
 * | `not_icontains` | `not_icontains`                        | the outer text contains the inner one                |
 * | `gt`, `gte`     | `gt`, `gte`                            | the inner number is larger, as a number and as a text |
 * | `lt`, `lte`     | `lt`, `lte`                            | it is smaller, in the same way                       |
 */
export function isImplied(outer: Asked, inner: Asked, rules: EvaluationRules): boolean {
  switch (outer.operator) {
    case 'is_set':
      return asksForValue.has(inner.operator)
    case 'icontains':
      if (inner.operator === 'exact') return containsAll(inner.value, outer.value, rules)
      return inner.operator === 'icontains' && contains(inner.value, outer.value, rules)
    case 'not_icontains':
      return inner.operator === 'not_icontains' && contains(outer.value, inner.value, rules)
    case 'gt':
    case 'gte':
      return isBeyond(outer, inner, ['gt', 'gte'], 1)
    case 'lt':
    case 'lte':
      return isBeyond(outer, inner, ['lt', 'lte'], -1)
    default:
      return false
  }
}

/** Whether nobody meets both, which are about the same value. Never wrong when it says yes. */
export function isContradiction(one: Asked, other: Asked, rules: EvaluationRules): boolean {
  return excludes(one, other, rules) || excludes(other, one, rules)
}

function excludes(one: Asked, other: Asked, { truth_values }: EvaluationRules): boolean {
  if (one.operator === 'is_not_set') return other.operator === 'is_set' || asksForValue.has(other.operator)
  if (one.operator !== 'exact') return false
  if (truth_values === 'truth' && (saysTruth(one.value) || saysTruth(other.value))) return false
  const [texts, others] = [comparedTexts(one.value), new Set(comparedTexts(other.value))]
  if (other.operator === 'exact') return texts.every(text => !others.has(text))
  return other.operator === 'is_not' && texts.every(text => others.has(text))
}

/** Nobody meets these whose value is not there. */
const asksForValue: ReadonlySet<string> = new Set(['exact', 'icontains', 'regex', 'gt', 'gte', 'lt', 'lte'])

function contains(long: Json, short: Json, rules: EvaluationRules): boolean {
  if (typeof long !== 'string' || typeof short !== 'string') return false
  const [text, part] = [searchedText(long, rules), searchedText(short, rules)]
  return typeof text === 'string' && typeof part === 'string' && text.includes(part)
}

/** Only of plain letters is it known that whatever is equal to a text contains what the text contains. */
function containsAll(values: Json, part: Json, rules: EvaluationRules): boolean {
  const list = Array.isArray(values) ? values : [values]
  if (rules.truth_values === 'truth' && saysTruth(values)) return false
  return (
    list.length > 0 && list.every(value => isPlain(value) && isPlain(part) && contains(value, part, rules))
  )
}

function isPlain(value: Json): boolean {
  return typeof value === 'string' && /^[\x20-\x7e]*[a-z][\x20-\x7e]*$/i.test(value)
}

/** Values that are no numbers are compared as texts, so the border has to lie further out in both senses. */
function isBeyond(outer: Asked, inner: Asked, operators: readonly string[], sign: 1 | -1): boolean {
  if (!operators.includes(inner.operator)) return false
  const [border, further] = [textOf(outer.value), textOf(inner.value)]
  if (border === undefined || further === undefined) return false
  if (border === further) return outer.operator === inner.operator || outer.operator.endsWith('e')
  const [from, to] = [Number(border), Number(further)]
  return (to - from) * sign > 0 && (sign === 1 ? further > border : further < border)
}

function textOf(value: Json): string | undefined {
  const number = doubleOf(value)
  const text = typeof value === 'string' ? value : number === undefined ? undefined : canonicalText(value)
  return text !== undefined && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? text : undefined
}
