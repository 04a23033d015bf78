import {
  canonicalText,
  formMembers,
  isEmptyJson,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/json/json.ts'
import { oncePer } from '../../model/runtime/once-per.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { isExclusion } from '../obeyed.ts'
import { comparedTexts, documentedRules, isTrue, operatorOf, saysTruth, searchedText } from '../operators.ts'

/**
 * When two properties are the same, in two senses. What compares them, be it a plan, an exposure or the words about
 * either, asks here.
 *
 * | spelled differently                           | one canonical form | one meaning |
 * |-----------------------------------------------|--------------------|-------------|
 * | members that say nothing, `exact` left out    | yes                | yes         |
 * | `in` of a cohort left out, `negation` for `not_in` | yes           | yes         |
 * | the order of a list's values, repeats in it   | yes                | yes         |
 * | one value, a list of one                      | yes                | yes         |
 * | a number, its text: where text is compared    | yes                | yes         |
 * | a number, its text: in `exact` and `is_not`   | no                 | yes         |
 * | upper case, lower case: in those and contains | no                 | yes         |
 *
 * What has one canonical form is not sent again. The rest is sent, since databases tell `100` from `"100"` and `DE`
 * from `de`, but gives the flag to nobody who did not have it: flags are evaluated without regard to either.
 * [service-behaviour 12]
 */
export function canonicalProperty(property: Json): Json {
  return isJsonObject(property) ? canonicalOf(property) : property
}

/** To plan and make one change, the form of the same property is asked for some fifty times. */
const canonicalOf = oncePer(
  (property: JsonObject): Json =>
    formMembers(compactProperty(asMembership(property)), (member, name) => {
      if (name === 'negation' && member === false) return undefined
      return name === 'value' ? canonicalOperand(property, member) : member
    }),
)

/** Who is in a cohort, and who is not, each in one spelling. */
function asMembership(property: JsonObject): JsonObject {
  if (property.type !== 'cohort') return property
  if (!isExclusion(property))
    return property.operator === 'in' ? pickMembers(property, (_, name) => name !== 'operator') : property
  return { ...property, operator: 'not_in', negation: null }
}

/** A text that two properties share only when the same people have them, by the rules of whoever evaluates. */
export function meaningOf(property: Json, rules: EvaluationRules = documentedRules): string {
  const canonical = canonicalProperty(property)
  if (!isJsonObject(canonical) || canonical.value === undefined) return canonicalText(canonical)
  return canonicalText({ ...canonical, value: comparedOperand(canonical, canonical.value, rules) })
}

/** Members that newer services add on reading; they say nothing that a declaration could mean. */
const annotations = new Set(['cohort_name', 'group_key_names'])

/** A property without what says nothing, spelled as it was. */
export const compactProperty = oncePer(
  (property: JsonObject): JsonObject =>
    pickMembers(property, (member, name) => {
      if (annotations.has(name)) return false
      if (name === 'operator' && member === 'exact') return property.type === 'cohort'
      if (name === 'value') return member !== null && comparisonOf(property) !== 'nothing'
      return !isEmptyJson(member)
    }),
)

/** What an operator does with its value. */
type Comparison = 'members' | 'parts' | 'text' | 'text without case' | 'nothing' | 'anything'

const comparisons: Readonly<Record<string, Comparison>> = {
  exact: 'members',
  is_not: 'members',
  icontains_multi: 'parts',
  not_icontains_multi: 'parts',
  icontains: 'text without case',
  not_icontains: 'text without case',
  regex: 'text',
  not_regex: 'text',
  gt: 'text',
  gte: 'text',
  lt: 'text',
  lte: 'text',
  is_set: 'nothing',
  is_not_set: 'nothing',
}

function comparisonOf(property: JsonObject): Comparison {
  // A cohort is looked up by its value, and a flag asked for it, whatever the operator says.
  if (property.type === 'cohort' || property.type === 'flag') return 'anything'
  const operator = operatorOf(property)
  if (typeof operator !== 'string' || !Object.hasOwn(comparisons, operator)) return 'anything'
  return comparisons[operator] ?? 'anything'
}

/** Whether the values of a property mean the same in any order, each of them once. */
export function isOrderFree(property: JsonObject): boolean {
  const comparison = comparisonOf(property)
  return comparison === 'members' || comparison === 'parts'
}

function canonicalOperand(property: JsonObject, value: Json): Json {
  // A flag says true or "true", which are two things; a cohort is named by a number or by its text.
  if (property.type === 'flag') return value
  if (property.type === 'cohort') return isJsonNumber(value) ? String(value) : value
  switch (comparisonOf(property)) {
    case 'members':
    case 'parts':
      return sortedMembers(isJsonArray(value) ? value : [value])
    case 'text':
    case 'text without case':
      return isJsonNumber(value) ? canonicalText(value) : value
    default:
      return value
  }
}

function comparedOperand(property: JsonObject, value: Json, rules: EvaluationRules): Json {
  if (property.type === 'flag' || property.type === 'cohort') return value
  switch (comparisonOf(property)) {
    case 'members':
      return rules.truth_values === 'truth' && saysTruth(value)
        ? isTrue(value)
        : sortedMembers(comparedTexts(value))
    case 'parts':
      return sortedMembers((isJsonArray(value) ? value : [value]).map(part => searchedText(part, rules)))
    case 'text without case':
      return searchedText(value, rules)
    default:
      return value
  }
}

function sortedMembers(values: readonly Json[]): Json {
  if (values.every(value => typeof value === 'string')) return [...new Set(values)].sort()
  const byText = new Map(values.map(value => [canonicalText(value), value]))
  return [...byText.keys()].sort().map(text => byText.get(text) ?? null)
}
