import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../model/text/json.ts'
import { align } from './compare/align.ts'
import type { propertyTypes } from './filter-parts.ts'
import { belongsTo, isExclusion, isOperatorName, operatorOf, operators } from './operators.ts'
import { bucketText, longestText, quoted, textStep, valueText } from './value-words.ts'

/** Members of a condition that its line describes. */
const describedParts = ['properties', 'rollout_percentage', 'variant']

const ownGroups = 'aggregation_group_type_index'

function countedText(condition: JsonObject): string {
  const own = condition[ownGroups] ?? null
  return own === null ? 'what the flag does' : bucketText(canonicalText(own))
}

/** Details of a condition that its line omits: long lists of values, and members without words. */
export function detailsOfCondition(condition: Json): string[] {
  if (!isJsonObject(condition)) return indented(describeValue('written as', condition))
  const { properties = null } = condition
  const ofProperties = isJsonArray(properties) ? properties.flatMap(detailsOfProperty) : []
  const others = Object.keys(condition).filter(name => !describedParts.includes(name))
  return indented([
    ...ofProperties,
    ...others
      .sort()
      .flatMap(name =>
        name === ownGroups
          ? [`counts ${countedText(condition)}`]
          : describeValue(word(name), condition[name] ?? null),
      ),
  ])
}

/** Changes in a condition that its line omits. `hasOtherWords`: the description of the people changed. */
export function differenceInDetails(left: JsonObject, right: JsonObject, hasOtherWords: boolean): string[] {
  const [was, becomes] = [left.properties ?? null, right.properties ?? null]
  const ofProperties = isSameJson(was, becomes) ? [] : propertyDetails(was, becomes)
  const others = [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter(name => !describedParts.includes(name))
    .sort()
  return indented([
    ...ofProperties,
    ...(ofProperties.length > 0 || hasOtherWords ? [] : describeValueDifference('properties', was, becomes)),
    ...others.flatMap(name => {
      if (name !== ownGroups)
        return describeMemberDifference(word(name), left[name] ?? null, right[name] ?? null)
      const [before, after] = [countedText(left), countedText(right)]
      return before === after ? [] : [`counts ${before} -> ${after}`]
    }),
  ])
}

function propertyDetails(was: Json, becomes: Json): string[] {
  if (!isJsonArray(becomes))
    return becomes === null ? [] : describeMemberDifference('properties', was, becomes)
  const old = isJsonArray(was) ? was : []
  const { pairs } = align(old, becomes, [canonicalText, subjectText, keyText])
  const partners = new Map(pairs.map(({ before, after }) => [after, old[before] ?? null]))
  return becomes.flatMap((property, at) => {
    const partner = partners.get(at) ?? null
    return isJsonObject(partner) && isJsonObject(property) && keyText(partner) === keyText(property)
      ? differenceOfProperty(partner, property)
      : detailsOfProperty(property)
  })
}

function differenceOfProperty(left: JsonObject, right: JsonObject): string[] {
  const subject = subjectOf(left)
  const [was, becomes] = [left.value ?? null, right.value ?? null]
  const others = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
    name =>
      isUnspoken(name, left[name]) ||
      isUnspoken(name, right[name]) ||
      (name === 'type' && (left.type === undefined || right.type === undefined)),
  )
  const isDescribed = describesWholeValue(was) && describesWholeValue(becomes)
  return [
    ...(isSameJson(was, becomes) || isDescribed ? [] : valueDetails(subject, was, becomes)),
    ...others
      .sort()
      .flatMap(name =>
        describeMemberDifference(`${subject}  ${memberTitle(name)}`, left[name] ?? null, right[name] ?? null),
      ),
  ]
}

/** The added and removed values, in place of two long lists. */
function valueDetails(subject: string, was: Json, becomes: Json): string[] {
  if (typeof was === 'string' && typeof becomes === 'string') return [`${subject}: ${textStep(was, becomes)}`]
  if (!isJsonArray(was) || !isJsonArray(becomes))
    return describeValueDifference(`${subject}  value`, was, becomes)
  const [old, now] = [new Set(was.map(canonicalText)), new Set(becomes.map(canonicalText))]
  const gone = was.filter(value => !now.has(canonicalText(value)))
  const fresh = becomes.filter(value => !old.has(canonicalText(value)))
  if (gone.length + fresh.length === 0) return [`${subject}: the same values in a different order`]
  return [
    ...(fresh.length > 0 ? [`${subject}  values added: ${valueListText(fresh)}`] : []),
    ...(gone.length > 0 ? [`${subject}  values removed: ${valueListText(gone)}`] : []),
  ]
}

function detailsOfProperty(property: Json): string[] {
  if (!isJsonObject(property)) return describeValue('property', property)
  const subject = subjectOf(property)
  const { value = null } = property
  const names = Object.keys(property).filter(name => isUnspoken(name, property[name]))
  return [
    ...(isLongList(value) ? [`${subject}  all ${value.length} values: ${valueListText(value)}`] : []),
    ...names
      .sort()
      .flatMap(name => describeValue(`${subject}  ${memberTitle(name)}`, property[name] ?? null)),
  ]
}

/** Whether the words for a property omit one of its members. */
function isUnspoken(name: string, value: Json | undefined): boolean {
  if (value === undefined) return false
  switch (name) {
    case 'key':
    case 'operator':
      return typeof value !== 'string'
    case 'value':
      return false
    case 'negation':
      return typeof value !== 'boolean'
    case 'type':
      return !isSpokenType(value)
    default:
      return true
  }
}

function memberTitle(name: string): string {
  return name === 'group_type_index' ? 'group type' : word(name)
}

function subjectOf({ key }: JsonObject): string {
  return typeof key === 'string' ? word(key) : 'a property'
}

function keyText(property: Json): string {
  return canonicalText(isJsonObject(property) ? [property.key ?? null] : property)
}

function subjectText(property: Json): string {
  if (!isJsonObject(property)) return canonicalText(property)
  const { value: _value, ...subject } = property
  return canonicalText(subject)
}

function indented(lines: readonly string[]): string[] {
  return lines.map(line => `  ${line}`)
}

/** The words before the key of a property for its type; membership of a cohort has its own words. */
const typePhrase: Readonly<Record<keyof typeof propertyTypes, string>> = {
  person: '',
  cohort: '',
  group: 'group ',
  flag: 'flag ',
}

/** The most values in the description of a property; the number of others is added. */
const mostValues = 6
/** The most values in a full list. */
const mostListed = 40

/** One property of a condition: `country is DE or AT`. */
export function describeProperty(property: Json): string {
  if (!isJsonObject(property) || typeof property.key !== 'string') return 'an unreadable property'
  if (property.type === 'cohort') return cohortText(property)
  const words = flagLine(property, property.key) ?? plainLine(property, property.key)
  return property.negation === true ? `not (${words})` : words
}

/** Whether the description of a property shows its type. */
function isSpokenType(type: Json | undefined): type is keyof typeof propertyTypes {
  return typeof type === 'string' && Object.hasOwn(typePhrase, type)
}

/** Whether the description of a property shows its whole value. */
function describesWholeValue(value: Json): boolean {
  if (isJsonArray(value)) return value.length <= mostValues && value.every(describesWholeValue)
  return Array.from(typeof value === 'string' ? value : canonicalText(value)).length <= longestText
}

/** Whether the description of a property only counts some values of a list. */
function isLongList(value: Json): value is readonly Json[] {
  return isJsonArray(value) && value.length > mostValues
}

/** A list of values that is too long for a sentence. */
function valueListText(values: readonly Json[]): string {
  const shown = values.slice(0, mostListed).map(oneValueText).join(', ')
  return values.length > mostListed ? `${shown} and ${values.length - mostListed} more` : shown
}

/** Plain words stay unquoted. Text that could be confused with Vexil's words is quoted. */
export function word(text: string): string {
  return /^[$\p{L}\p{N}_./:+-]+$/u.test(text) && text.length <= longestText && text !== 'nothing'
    ? text
    : quoted(text)
}

function cohortText(property: JsonObject): string {
  const operator = String(operatorOf(property))
  if (!belongsTo('cohort', operator))
    return `nobody (a cohort does not support the operator ${word(operator)})`
  const belongs = isExclusion(property) ? 'not in' : 'in'
  return `${belongs} cohort ${valuePhrase(property.value)}`
}

/** `flag "checkout" is on for the person`; undefined for a value that a flag cannot have. */
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

/** The most lines for one value; the number of omitted lines is added. */
const mostLines = 12

/**
 * The differences between two JSON values, by member, one line each: `limits  max.size: 1 -> 2`. Empty
 * exactly if they are equal.
 */
export function describeValueDifference(label: string, before: Json, after: Json): string[] {
  return limited(label, differences('', before, after))
}

/** The differences between two members; null means absent. */
export function describeMemberDifference(label: string, before: Json, after: Json): string[] {
  if (before === null && after !== null) return limited(label, added('', after))
  if (after === null && before !== null) return limited(label, removed('', before))
  return describeValueDifference(label, before, after)
}

/** A new value: on one line if it is short, otherwise by member. */
export function describeValue(label: string, value: Json): string[] {
  return limited(
    label,
    parts('', value, text => `: ${text}`),
  )
}

/** `"old" -> "new"`, if one of the values has no members. */
function valueStep(before: Json, after: Json): string {
  if (typeof before === 'string' && typeof after === 'string') return textStep(before, after)
  return `${valueText(before)} -> ${valueText(after)}`
}

interface Line {
  readonly path: string
  readonly words: string
}

function limited(label: string, lines: readonly Line[]): string[] {
  const shown = lines
    .slice(0, mostLines)
    .map(({ path, words }) => (path === '' ? `${label}${words}` : `${label}  ${path}${words}`))
  const more = lines.length - shown.length
  return more === 0 ? shown : [...shown, `${label}  … and ${more} more`]
}

function differences(path: string, before: Json, after: Json): Line[] {
  if (isSameJson(before, after)) return []
  if (isJsonArray(before) && isJsonArray(after)) return listDifferences(path, before, after)
  if (!isJsonObject(before) || !isJsonObject(after)) return replaced(path, before, after)
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.flatMap(name => {
    const at = memberPath(path, name)
    if (!Object.hasOwn(before, name)) return added(at, after[name] ?? null)
    if (!Object.hasOwn(after, name)) return removed(at, before[name] ?? null)
    return differences(at, before[name] ?? null, after[name] ?? null)
  })
}

/** A replaced value; a value that would be cut off is shown in parts. */
function replaced(path: string, before: Json, after: Json): Line[] {
  const areTexts = typeof before === 'string' && typeof after === 'string'
  if (areTexts || (isShort(before) && isShort(after)))
    return [{ path, words: `: ${valueStep(before, after)}` }]
  return [...(before === null ? [] : removed(path, before)), ...(after === null ? [] : added(path, after))]
}

function listDifferences(path: string, before: readonly Json[], after: readonly Json[]): Line[] {
  const { pairs, removed: gone, added: fresh } = align(before, after, [canonicalText])
  return [
    ...pairs.flatMap(pair => [
      ...(pair.isMoved ? [{ path: `${path}[${pair.before}]`, words: ` moved to [${pair.after}]` }] : []),
      ...differences(`${path}[${pair.after}]`, before[pair.before] ?? null, after[pair.after] ?? null),
    ]),
    ...fresh.flatMap(at => added(`${path}[${at}]`, after[at] ?? null)),
    ...gone.flatMap(at => removed(`${path}[${at}]`, before[at] ?? null)),
  ]
}

function added(path: string, value: Json): Line[] {
  return parts(path, value, text => ` added: ${text}`)
}

function removed(path: string, value: Json): Line[] {
  return parts(path, value, text => ` removed, was ${text}`)
}

/** A value as one line, or in parts if it would be cut off. */
function parts(path: string, value: Json, say: (text: string) => string): Line[] {
  if ((!isJsonArray(value) && !isJsonObject(value)) || isShort(value))
    return [{ path, words: say(valueText(value)) }]
  if (isJsonArray(value)) return value.flatMap((element, at) => parts(`${path}[${at}]`, element, say))
  return Object.keys(value)
    .sort()
    .flatMap(name => parts(memberPath(path, name), value[name] ?? null, say))
}

/** Whether the words for a value show all of it. Also true for a text, whose beginning and end are shown. */
function isShort(value: Json): boolean {
  return (!isJsonArray(value) && !isJsonObject(value)) || canonicalText(value).length <= longestText
}

function memberPath(path: string, name: string): string {
  if (!/^[\p{L}\p{N}_$-]{1,60}$/u.test(name)) return `${path}[${quoted(name)}]`
  return path === '' ? name : `${path}.${name}`
}
