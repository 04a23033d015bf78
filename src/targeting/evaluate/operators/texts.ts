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

/** The text that `icontains` and `not_icontains` look for, and look in; of a list, its JSON. */
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
  const lower = (one: Json) => (letter_case === 'ascii' ? asciiLower(textOf(one)) : comparedText(one))
  return lower(known)[where](lower(value))
}

/** True and false, as they are or as texts, and lists of nothing else: of an empty list too. */
function saysTruth(value: Json): boolean {
  if (isJsonArray(value)) return value.every(saysTruth)
  return typeof value === 'boolean' || (typeof value === 'string' && /^(true|false)$/i.test(value))
}

function isTrue(value: Json): boolean {
  if (isJsonArray(value)) return value.every(isTrue)
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, letter => letter.toLowerCase())
}
