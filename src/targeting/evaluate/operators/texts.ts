import { doubleOf } from '../../../hcl/json.ts'

import {
  canonicalText,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
} from '../../../model/json/json.ts'
import type { EvaluationRules } from '../../../services/engines.ts'
import { type Match, undecided } from '../match.ts'

/** A value as it is compared and searched: a text as it is, of everything else its JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalText(value)
}

/** The texts that `exact` and `is_not` compare: one per value, in lower case. */
export function comparedTexts(value: Json | undefined): string[] {
  return (isJsonArray(value) ? value : [value ?? null]).map(comparedText)
}

/** The text of a value in lower case; of a list, its JSON. */
export function comparedText(value: Json): string {
  return textOf(value).toLowerCase()
}

/** Whether a property is one of the values. */
export function isEqual(value: Json, known: Json, rules: EvaluationRules): Match {
  const { truth_values, letter_case } = rules
  const values = isJsonArray(value) ? value : [value]
  if (rules.values === 'go') return values.some(each => isSameInGo(each, known))
  if (values.length === 0 ? truth_values !== 'text' : truth_values.startsWith('truth') && saysTruth(value))
    return isTrue(value) === isTrue(known)
  const asks = rules.whole_numbers === 'asked'
  if (asks && isJsonNumber(known) && saysTruth(value)) return false
  if (asks && hasWholeNumber(known)) return undecided('whole numbers are left to the service')
  const textFor = (each: Json) =>
    letter_case === 'no_marks' ? searchedText(textOf(each), rules) : comparedText(each)
  const text = textFor(known)
  const found = values.findIndex(each => textFor(each) === text)
  const isAsked = asks && values.slice(0, found < 0 ? values.length : found + 1).some(hasWholeNumber)
  return isAsked ? undecided('whole numbers are left to the service') : found >= 0
}

/** Go compares values with their types: programs mostly give whole numbers as `int`, and filters hold `float64`. */
function isSameInGo(value: Json, known: Json): boolean {
  if (!isJsonNumber(known)) return value === known && (typeof known !== 'object' || known === null)
  const isFloat = !Number.isInteger(doubleOf(known)) || String(known).includes('.')
  return isFloat && isJsonNumber(value) && doubleOf(value) === doubleOf(known)
}

function hasWholeNumber(value: Json): boolean {
  if (isJsonNumber(value)) return Number.isInteger(doubleOf(value))
  if (isJsonArray(value)) return value.some(hasWholeNumber)
  return isJsonObject(value) && Object.values(value).some(each => each !== undefined && hasWholeNumber(each))
}

/** How a text relates to a part of it; a list of parts is met by any of them where the operator takes lists. */
export function hasPart(
  where: 'includes' | 'startsWith' | 'endsWith',
  value: Json,
  known: Json,
  rules: EvaluationRules,
): boolean {
  return searchedText(known, rules)[where](searchedText(value, rules))
}

/** The text that is looked for, and looked in, with all letters that count as the same in one form. */
export function searchedText(
  value: Json,
  { letter_case, values }: Pick<EvaluationRules, 'letter_case' | 'values'>,
): string {
  const text = textBy(value, { values })
  switch (letter_case) {
    case 'ascii':
      return text.replace(/[A-Z]/g, letter => letter.toLowerCase())
    case 'no_marks':
      return text
        .normalize('NFD')
        .replace(/\p{M}+/gu, '')
        .toUpperCase()
        .toLowerCase()
    default:
      return text.toLowerCase()
  }
}

/** A value as an engine writes it where it needs a text; most write JSON. */
export function textBy(value: Json, { values }: Pick<EvaluationRules, 'values'>): string {
  if (values === 'javascript') return isJsonNumber(value) ? textOf(value) : String(value)
  return values === 'go' && value === null ? '<nil>' : textOf(value)
}

/** True and false, as they are or as texts, and lists of nothing else: of an empty list too. */
export function saysTruth(value: Json): boolean {
  if (isJsonArray(value)) return value.every(saysTruth)
  return typeof value === 'boolean' || (typeof value === 'string' && /^(true|false)$/i.test(value))
}

export function isTrue(value: Json): boolean {
  if (isJsonArray(value)) return value.every(isTrue)
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
}
