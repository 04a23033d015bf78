import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../model/json/json.ts'
import type { propertyTypes } from '../filter-parts.ts'
import { isExclusion } from '../obeyed.ts'
import { belongsTo, isOperatorName, operators } from '../operator-table.ts'
import { operatorOf } from '../operators.ts'
import { longestText, quoted, valueText } from './value-words.ts'

/** How the type of a property reads before its key; membership of a cohort has words of its own. */
const typePhrase: Readonly<Record<keyof typeof propertyTypes, string>> = {
  person: '',
  cohort: '',
  group: 'group ',
  flag: 'flag ',
}

/** The most values that the words of a property name; how many others there are is said. */
const mostValues = 6
/** The most values that a list of all of them names. */
const mostListed = 40

/** One property of a condition: `country is DE or AT`. */
export function describeProperty(property: Json): string {
  if (!isJsonObject(property) || typeof property.key !== 'string') return 'an unreadable property'
  if (property.type === 'cohort') return cohortText(property)
  const words = flagLine(property, property.key) ?? plainLine(property, property.key)
  return property.negation === true ? `not (${words})` : words
}

/** Whether the words for a property tell its type. */
export function isSpokenType(type: Json | undefined): type is keyof typeof propertyTypes {
  return typeof type === 'string' && Object.hasOwn(typePhrase, type)
}

/** Whether the words for a property show all of its value. */
export function describesWholeValue(value: Json): boolean {
  if (isJsonArray(value)) return value.length <= mostValues && value.every(describesWholeValue)
  return Array.from(typeof value === 'string' ? value : canonicalText(value)).length <= longestText
}

/** Whether the words for a property count values of a list that they do not name. */
export function isLongList(value: Json): value is readonly Json[] {
  return isJsonArray(value) && value.length > mostValues
}

/** Values by name, more of them than fit into a sentence. */
export function valueListText(values: readonly Json[]): string {
  const shown = values.slice(0, mostListed).map(oneValueText).join(', ')
  return values.length > mostListed ? `${shown} and ${values.length - mostListed} more` : shown
}

/** Plain words stand as they are; anything that could be mistaken for our own words is quoted. */
export function word(text: string): string {
  return /^[$\p{L}\p{N}_./:+-]+$/u.test(text) && text.length <= longestText && text !== 'nothing'
    ? text
    : quoted(text)
}

function cohortText(property: JsonObject): string {
  const operator = String(operatorOf(property))
  if (!belongsTo('cohort', operator)) return `nobody (a cohort has no operator ${word(operator)})`
  const belongs = isExclusion(property) ? 'not in' : 'in'
  return `${belongs} cohort ${valuePhrase(property.value)}`
}

/** `flag "checkout" is on for the person`; undefined for what no flag can give. */
function flagLine({ type, operator, value }: JsonObject, key: string): string | undefined {
  if (type !== 'flag' || operator !== 'flag_evaluates_to') return undefined
  if (typeof value !== 'boolean' && typeof value !== 'string') return undefined
  const given = typeof value === 'string' ? quoted(value) : value ? 'on' : 'off'
  return `flag ${quoted(key)} is ${given} for the person`
}

function plainLine(property: JsonObject, key: string): string {
  const subject = `${isSpokenType(property.type) ? typePhrase[property.type] : ''}${word(key)}`
  const operator = operatorOf(property)
  if (typeof operator !== 'string' || !isOperatorName(operator))
    return `${subject} ${word(typeof operator === 'string' ? operator : canonicalText(operator))} ${valuePhrase(property.value)}`
  const { value, words } = operators[operator]
  if (value === 'none') return `${subject} ${words}`
  if (operator === 'is_not' && isJsonArray(property.value) && property.value.length > 1)
    return `${subject} is none of ${valuePhrase(property.value)}`
  const isText = value === 'text' || value === 'pattern'
  return `${subject} ${words} ${isText && typeof property.value === 'string' && !isNumeric(property.value) ? quoted(property.value) : valuePhrase(property.value)}`
}

function valuePhrase(value: Json | undefined): string {
  if (value === undefined || value === null) return 'nothing'
  if (!isJsonArray(value)) return oneValueText(value)
  if (value.length === 0) return 'nothing'
  const shown = value.length > mostValues ? value.slice(0, mostValues - 1) : value
  const words = shown.map(oneValueText)
  if (shown.length < value.length) return `${words.join(', ')} or ${value.length - shown.length} others`
  return words.length === 1 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.slice(-1).join()}`
}

function oneValueText(value: Json): string {
  if (typeof value === 'string') return word(value)
  return valueText(value)
}

function isNumeric(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text)
}
