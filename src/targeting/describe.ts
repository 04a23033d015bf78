import {
  canonicalText,
  isEmptyJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../model/json.ts'
import { canonicalFilters } from './filters.ts'
import { isOperatorName, operators } from './operator-table.ts'
import { operatorOf } from './operators.ts'
import { readRelease } from './release.ts'

/** The people of a condition, its percentage aside: `country is DE and email contains "@corp"`, or `everyone`. */
export function describeCondition(condition: Json): string {
  if (!isJsonObject(condition)) return 'an unreadable condition'
  const { properties } = condition
  if (isEmptyJson(properties)) return 'everyone'
  if (!isJsonArray(properties)) return 'an unreadable condition'
  return properties.map(describeProperty).join(' and ')
}

/** What a new flag does, line by line; payloads are named and never shown. */
export function describeRelease(filters: Json): string[] {
  const canonical = canonicalFilters(filters)
  if (!isJsonObject(canonical)) return ['unreadable filters: nobody gets it']
  const { conditions, variants, payloads, groupType } = readRelease(canonical)
  const groups = isJsonArray(canonical.groups) ? canonical.groups : []
  const others = Object.keys(canonical).filter(name => !told.has(name))
  return [
    ...(groupType === undefined ? [] : [`released to ${bucketWords(groupType)}`]),
    ...(conditions.length > 0 ? [] : [others.length > 0 ? 'no conditions' : 'no conditions: nobody gets it']),
    ...groups.map((condition, index) => `condition ${index + 1}  ${reachWords(condition)}`),
    ...variants.map(({ key, percent }) => `variant ${quoted(key)} ${percent}%`),
    ...Object.keys(payloads).map(key => `payload of ${quoted(key)} set`),
    ...others.map(name => `${word(name)} set`),
  ]
}

/** A condition with its percentage: `country is DE at 10%`. */
export function reachWords(condition: Json): string {
  const variant = isJsonObject(condition) && !isEmptyJson(condition.variant) ? condition.variant : null
  const words = `${describeCondition(condition)} at ${percentWords(condition)}`
  return variant === null ? words : `${words}, always ${variantWords(condition)}`
}

/** The percentage of a condition; nothing given means 100%. */
export function percentWords(condition: Json): string {
  const percent = isJsonObject(condition) ? (condition.rollout_percentage ?? null) : null
  if (isEmptyJson(percent)) return '100%'
  return typeof percent === 'number' ? `${percent}%` : `an unreadable percentage`
}

/** The variant that a condition forces, or that none is forced. */
export function variantWords(condition: Json): string {
  const variant = isJsonObject(condition) ? (condition.variant ?? null) : null
  if (isEmptyJson(variant)) return 'by weight'
  return typeof variant === 'string' ? quoted(variant) : 'an unreadable variant'
}

/** Who the percentages count. */
export function bucketWords(groupType: string | undefined): string {
  return groupType === undefined ? 'persons' : `groups of type ${shortened(groupType)}`
}

/** A text in quotes, short and on one line whatever it holds. */
export function quoted(text: string): string {
  return visible(JSON.stringify(shortened(text)))
}

/** The members of filters that have words of their own. */
const told = new Set(['groups', 'aggregation_group_type_index', 'multivariate', 'payloads'])

const longestWords = 60
const mostValues = 6

function describeProperty(property: Json): string {
  if (!isJsonObject(property) || typeof property.key !== 'string') return 'an unreadable property'
  const words = property.type === 'cohort' ? cohortWords(property) : plainWords(property, property.key)
  return property.negation === true ? `not (${words})` : words
}

function cohortWords(property: JsonObject): string {
  const belongs = operatorOf(property) === 'not_in' ? 'not in' : 'in'
  return `${belongs} cohort ${valueWords(property.value)}`
}

function plainWords(property: JsonObject, key: string): string {
  const subject = `${property.type === 'flag' ? 'flag ' : property.type === 'group' ? 'group ' : ''}${word(key)}`
  const operator = operatorOf(property)
  if (typeof operator !== 'string' || !isOperatorName(operator))
    return `${subject} ${word(typeof operator === 'string' ? operator : canonicalText(operator))} ${valueWords(property.value)}`
  const { value, words } = operators[operator]
  if (value === 'none') return `${subject} ${words}`
  if (operator === 'is_not' && isJsonArray(property.value) && property.value.length > 1)
    return `${subject} is none of ${valueWords(property.value)}`
  const isText = value === 'text' || value === 'pattern'
  return `${subject} ${words} ${isText && typeof property.value === 'string' && !isNumeric(property.value) ? quoted(property.value) : valueWords(property.value)}`
}

function valueWords(value: Json | undefined): string {
  if (value === undefined || value === null) return 'nothing'
  if (!isJsonArray(value)) return oneValueWords(value)
  if (value.length === 0) return 'nothing'
  const shown = value.length > mostValues ? value.slice(0, mostValues - 1) : value
  const words = shown.map(oneValueWords)
  if (shown.length < value.length) return `${words.join(', ')} or ${value.length - shown.length} others`
  return words.length === 1 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.slice(-1).join()}`
}

function oneValueWords(value: Json): string {
  if (typeof value === 'string') return word(value)
  return visible(shortened(canonicalText(value)))
}

/** Plain words stand as they are; anything that could be mistaken for our own words is quoted. */
function word(text: string): string {
  return /^[$\p{L}\p{N}_./:+-]+$/u.test(text) && text.length <= longestWords && text !== 'nothing'
    ? text
    : quoted(text)
}

function isNumeric(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text)
}

function shortened(text: string): string {
  const symbols = Array.from(text.slice(0, 4 * longestWords))
  return symbols.length <= longestWords
    ? text.slice(0, 4 * longestWords)
    : `${symbols.slice(0, longestWords).join('')}…`
}

/** Control characters and marks that turn the writing direction could make a line say something else. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, symbol =>
    Array.from(
      { length: symbol.length },
      (_, at) => `\\u${symbol.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
