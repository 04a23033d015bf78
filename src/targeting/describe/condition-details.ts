import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../model/json/json.ts'
import { align } from '../compare/align.ts'
import {
  describeMemberDifference,
  describeValue,
  describeValueDifference,
} from '../compare/value-difference.ts'
import { describesWholeValue, isLongList, isSpokenType, valueListText, word } from './describe-property.ts'
import { bucketText, textStep } from './value-words.ts'

/** Members of a condition that its one line tells. */
const toldOfCondition = ['properties', 'rollout_percentage', 'variant']

const ownGroups = 'aggregation_group_type_index'

function countedText(condition: JsonObject): string {
  const own = condition[ownGroups] ?? null
  return own === null ? 'what the flag does' : bucketText(canonicalText(own))
}

/** What one line about a condition leaves out: long lists of values, and members that have no words. */
export function detailsOfCondition(condition: Json): string[] {
  if (!isJsonObject(condition)) return indented(describeValue('written as', condition))
  const { properties = null } = condition
  const ofProperties = isJsonArray(properties) ? properties.flatMap(detailsOfProperty) : []
  const others = Object.keys(condition).filter(name => !toldOfCondition.includes(name))
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

/** What changes in a condition besides what its line says. `isTold`: the line has other words for the people. */
export function differenceInDetails(left: JsonObject, right: JsonObject, isTold: boolean): string[] {
  const [was, becomes] = [left.properties ?? null, right.properties ?? null]
  const ofProperties = isSameJson(was, becomes) ? [] : propertyDetails(was, becomes)
  const others = [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter(name => !toldOfCondition.includes(name))
    .sort()
  return indented([
    ...ofProperties,
    ...(ofProperties.length > 0 || isTold ? [] : describeValueDifference('properties', was, becomes)),
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
  const isTold = describesWholeValue(was) && describesWholeValue(becomes)
  return [
    ...(isSameJson(was, becomes) || isTold ? [] : valueDetails(subject, was, becomes)),
    ...others
      .sort()
      .flatMap(name =>
        describeMemberDifference(`${subject}  ${memberTitle(name)}`, left[name] ?? null, right[name] ?? null),
      ),
  ]
}

/** Which values come and go, in place of two long lists. */
function valueDetails(subject: string, was: Json, becomes: Json): string[] {
  if (typeof was === 'string' && typeof becomes === 'string') return [`${subject}: ${textStep(was, becomes)}`]
  if (!isJsonArray(was) || !isJsonArray(becomes))
    return describeValueDifference(`${subject}  value`, was, becomes)
  const [old, now] = [new Set(was.map(canonicalText)), new Set(becomes.map(canonicalText))]
  const gone = was.filter(value => !now.has(canonicalText(value)))
  const fresh = becomes.filter(value => !old.has(canonicalText(value)))
  if (gone.length + fresh.length === 0) return [`${subject}: the same values, listed otherwise`]
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

/** Whether the words for a property say nothing of one of its members. */
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

/** What a member of a property is called. */
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
