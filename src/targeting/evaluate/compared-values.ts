import { BigNum, doubleOf } from '../../hcl/json.ts'
import { canonicalText, isJsonArray, isJsonNumber, isJsonObject, type Json } from '../../model/json/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { quoted } from '../describe/value-words.ts'
import { type Compared, type Match, undecided } from './match.ts'

/** A value as it is compared and searched: a text unchanged, everything else as JSON. */
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
  if (values.length === 0 ? truth_values !== 'text' : truth_values.startsWith('truth') && isTruthText(value))
    return isTrue(value) === isTrue(known)
  const asks = rules.whole_numbers === 'asked'
  if (asks && isJsonNumber(known) && isTruthText(value)) return false
  if (asks && hasWholeNumber(known)) return undecided('whole numbers are left to the service')
  const textFor = (each: Json) =>
    letter_case === 'no_marks' ? searchedText(textOf(each), rules) : comparedText(each)
  const text = textFor(known)
  const found = values.findIndex(each => textFor(each) === text)
  const isAsked = asks && values.slice(0, found < 0 ? values.length : found + 1).some(hasWholeNumber)
  return isAsked ? undecided('whole numbers are left to the service') : found >= 0
}

/** Go compares types too: programs mostly pass whole numbers as `int`, and filters hold `float64`. */
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

/** Compares a text with a part of it; for operators that accept lists, any part of the list may match. */
export function hasPart(
  where: 'includes' | 'startsWith' | 'endsWith',
  value: Json,
  known: Json,
  rules: EvaluationRules,
): boolean {
  return searchedText(known, rules)[where](searchedText(value, rules))
}

/** The searched text and the text it is searched in, with equal letters in one form. */
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

/** A value as an engine writes it if it needs a text; most write JSON. */
export function textBy(value: Json, { values }: Pick<EvaluationRules, 'values'>): string {
  if (values === 'javascript') return isJsonNumber(value) ? textOf(value) : String(value)
  return values === 'go' && value === null ? '<nil>' : textOf(value)
}

/** True and false, as values or as texts, and lists that hold only those: an empty list too. */
export function isTruthText(value: Json): boolean {
  if (isJsonArray(value)) return value.every(isTruthText)
  return typeof value === 'boolean' || (typeof value === 'string' && /^(true|false)$/i.test(value))
}

export function isTrue(value: Json): boolean {
  if (isJsonArray(value)) return value.every(isTrue)
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
}

type Holds = (left: number | string, right: number | string) => boolean

/**
 * Whether a property is more, or less, than a value.
 *
 * | `number_comparison` | numbers are compared                           | everything else                               |
 * |---------------------|------------------------------------------------|-----------------------------------------------|
 * | `numbers`           | both read as one                               | never                                         |
 * | `finite`            | the same, except infinity                      | never; undecided if the value is no number    |
 * | `read`              | both read as one                               | as texts                                      |
 * | `mixed`             | the value reads as one, the property is one    | texts and numbers as texts; the rest never    |
 * | `loose`             | the same, and true is 1, false 0               | texts and numbers as texts; the rest never    |
 * | `lenient`           | as `mixed`                                       | as texts                                      |
 * | `parsed`            | both begin like one: `18 years` is 18          | as texts                                      |
 * | `typed`             | both are one                                   | undecided                                     |
 */
export function order({ key, known, value, rules }: Compared, holds: Holds): Match {
  const byText = () => holds(textBy(known, rules), textBy(value, rules))
  switch (rules.number_comparison) {
    case 'numbers':
    case 'read': {
      const [left, right] = [numberOf(known), numberOf(value)]
      if (left !== undefined && right !== undefined) return holds(left, right)
      return rules.number_comparison === 'read' && byText()
    }
    case 'finite': {
      const [left, right] = [known, value].map(side => finiteOf(numberOf(side)))
      if (right === undefined) return undecided('the value of the condition is no number')
      return left !== undefined && holds(left, right)
    }
    case 'parsed': {
      const [left, right] = [known, value].map(side =>
        finiteOf(doubleOf(side) ?? Number.parseFloat(textOf(side))),
      )
      return left !== undefined && right !== undefined ? holds(left, right) : byText()
    }
    case 'typed': {
      const [left, right] = [doubleOf(known), doubleOf(value)]
      return left !== undefined && right !== undefined
        ? holds(left, right)
        : undecided('what is no number in JSON is left to the service')
    }
    case 'lenient':
      return isOrdered(known) && isOrdered(value) ? mixedOrder(key, known, value, holds) : byText()
    case 'loose':
      return mixedOrder(key, typeof known === 'boolean' ? Number(known) : known, value, holds)
    case 'mixed':
      return mixedOrder(key, known, value, holds)
    default:
      return rules.number_comparison satisfies never
  }
}

function finiteOf(number: number | undefined): number | undefined {
  return Number.isFinite(number) ? number : undefined
}

/** Between two numbers, both included. Bounds that are not numbers, or in the wrong order, match nobody. */
export function isBetween(known: Json | undefined, value: Json, isWanted: boolean): Match {
  const bounds = isJsonArray(value) && value.length === 2 ? value.map(numberOf) : []
  const [low, high] = bounds
  if (low === undefined || high === undefined || !(low <= high)) return false
  if (known === undefined) return !isWanted
  const number = numberOf(known)
  if (number === undefined || Number.isNaN(number))
    return isWanted ? false : undecided('services differ in whether what is no number lies outside')
  return (number >= low && number <= high) === isWanted
}

/** A number, or a text that Rust reads as one: without blanks, and `inf` and `nan` too. */
export function numberOf(value: Json): number | undefined {
  if (typeof value !== 'string') return doubleOf(value)
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)) return Number(value)
  const [, sign, word] = /^([+-]?)(inf|infinity|nan)$/i.exec(value) ?? []
  if (word === undefined) return undefined
  return /nan/i.test(word) ? Number.NaN : Number(`${sign}Infinity`)
}

/** A property that is text is compared as text even if it looks like a number, as in the SDKs. */
function mixedOrder(key: string, known: Json, value: Json, holds: Holds): Match {
  if (!isOrdered(known) || !isOrdered(value)) return false
  const number = looseNumberOf(value)
  const own = doubleOf(known)
  if (number === undefined || own === undefined) return holds(textOf(known), textOf(value))
  // Services read the value as a double, and some the property with all its digits.
  if (known instanceof BigNum && own === number)
    return undecided(`the property ${quoted(key)} is too long a number to be ordered here`)
  return holds(own, number)
}

/** A value that is neither text nor number has no order. */
function isOrdered(value: Json): boolean {
  return typeof value === 'string' || isJsonNumber(value)
}

/** A number, or a text that looks like one. */
export function looseNumberOf(value: Json): number | undefined {
  if (isJsonNumber(value)) return doubleOf(value)
  if (typeof value !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(value))
    return undefined
  return Number(value)
}
