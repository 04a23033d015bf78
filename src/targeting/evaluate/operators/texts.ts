import { canonicalText, isJsonArray, type Json } from '../../../model/json/json.ts'
import type { EvaluationRules } from '../../../services/engines.ts'

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
export function isEqual(value: Json, known: Json, { truth_values }: EvaluationRules): boolean {
  return truth_values === 'truth' && saysTruth(value)
    ? isTrue(value) === isTrue(known)
    : comparedTexts(value).includes(comparedText(known))
}

/** How a text relates to a part of it; a list of parts is met by any of them where the operator takes lists. */
export function hasPart(
  where: 'includes' | 'startsWith' | 'endsWith',
  value: Json,
  known: Json,
  { letter_case }: EvaluationRules,
): boolean {
  return searchedText(known, { letter_case })[where](searchedText(value, { letter_case }))
}

/** The text that is looked for, and looked in; of a list, its JSON. */
export function searchedText(value: Json, { letter_case }: Pick<EvaluationRules, 'letter_case'>): string {
  return letter_case === 'ascii' ? asciiLower(textOf(value)) : comparedText(value)
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

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, letter => letter.toLowerCase())
}
