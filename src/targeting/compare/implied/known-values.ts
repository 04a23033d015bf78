import { isJsonArray, type Json } from '../../../model/json/json.ts'
import { readJson } from '../../../model/json/json-text.ts'
import { readIso } from '../../evaluate/dates/read-iso.ts'
import type { Match } from '../../evaluate/match.ts'
import { comparedTexts, matchProperty, saysTruth } from '../../operators.ts'
import type { Asked } from './asked.ts'
import { readParts } from './part-texts.ts'

/** A value that a property may have; undefined where it is not there. */
type Known = Json | undefined

/** So many values are tried one by one. */
const mostValues = 100

/** Whether everybody who meets `inner`, which leaves few values, meets `outer`; false where it leaves many. */
export function areAllMet(outer: Asked, inner: Asked): boolean {
  return valuesOf(inner, outer)?.every(known => answer(outer, known) === true) ?? false
}

/** Whether nobody who meets `inner` has one of the few values with which `outer` is not met. */
export function areNoneLeft(outer: Asked, inner: Asked): boolean {
  return valuesWithout(outer, inner)?.every(known => answer(inner, known) === false) ?? false
}

/** Whether nobody who meets `one`, which leaves few values, meets `other`. */
export function areNoneMet(one: Asked, other: Asked): boolean {
  return valuesOf(one, other)?.every(known => answer(other, known) === false) ?? false
}

/** All values with which a property is met, as far as `other` tells them apart; undefined where they are many. */
function valuesOf(asked: Asked, other: Asked): readonly Known[] | undefined {
  switch (asked.operator) {
    case 'exact':
      return valuesLike(asked, other)
    case 'is_not_set':
      return [undefined]
    case 'regex':
      return wholeTexts(asked, other)
    default:
      return undefined
  }
}

/** All values with which it is not met. */
function valuesWithout(asked: Asked, other: Asked): readonly Known[] | undefined {
  if (asked.operator === 'is_set') return [undefined]
  return asked.operator === 'is_not' ? valuesLike(asked, other) : undefined
}

/** The values that `exact` takes for one of those in its list. */
function valuesLike({ value, rules }: Asked, other: Asked): readonly Known[] | undefined {
  const count = isJsonArray(value) ? value.length : 1
  // With `exact` and `is_not`, lists are compared as a whole.
  if (count > mostValues || other.operator === 'exact' || other.operator === 'is_not') return undefined
  if (rules.truth_values === 'truth' && saysTruth(value)) return undefined
  const each = comparedTexts(value).map(text => writtenLike(text, other))
  return each.every(texts => texts !== undefined) ? each.flat() : undefined
}

/** Operators to which the letters of a property are the same in either case. */
function isCaseless({ operator, rules }: Asked): boolean {
  if (/^(?:gte?|lte?|(?:not_)?between)$/.test(operator)) return rules.number_comparison === 'numbers'
  return /^(?:is_set|is_not_set|(?:not_)?(?:icontains|icontains_multi|starts_with|ends_with))$/.test(operator)
}

/**
 * What a property may be that has this text in lower case, as far as another operator tells it apart; undefined where
 * that is more than is tried here.
 */
function writtenLike(text: string, other: Asked): readonly Known[] | undefined {
  const isPlain = /^[\x20-\x7e]*$/.test(text)
  if (!isCaseless(other)) return isPlain && !/[a-z]/.test(text) ? asText(text, other) : undefined
  if (other.rules.letter_case === 'unicode') return asText(text, other)
  // In Unicode, the sign for Kelvin is a large k; in ASCII it is no letter.
  return isPlain ? [...asText(text, other), text.replaceAll('k', '\u212a')] : undefined
}

/** The texts of a pattern that leaves nothing open. */
function wholeTexts(asked: Asked, other: Asked): readonly Known[] | undefined {
  const { parts = [] } = readParts(asked) ?? {}
  const areWhole = parts.every(({ atStart, atEnd, text }) => atStart && atEnd && !text.includes(undefined))
  if (parts.length === 0 || !areWhole) return undefined
  return parts.flatMap(({ text, atEnd }) => [
    ...asText(text.join(''), other),
    ...(atEnd === 'before_break' ? [`${text.join('')}\n`] : []),
  ])
}

/** A text, and the other values that have it as their JSON. */
function asText(text: string, { operator }: Asked): readonly Known[] {
  if (operator === 'is_set' || operator === 'is_not_set') return [text]
  try {
    return [text, readJson(text)]
  } catch {
    return [text]
  }
}

/** What comes of a property with a value, whatever the day is. */
function answer({ operator, property, value, rules }: Asked, known: Known): Match {
  const dates = operator.startsWith('is_date_') && known !== undefined ? [value, known] : []
  if (dates.some(date => typeof date !== 'string' || !readIso(date)))
    return { undecided: 'it depends on the day' }
  const { key } = property
  const properties = typeof key === 'string' && known !== undefined ? { [key]: known } : {}
  return matchProperty(property, { properties, isComplete: true, now: 0, rules })
}
