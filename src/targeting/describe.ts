import { oncePer } from '../model/runtime.ts'
import {
  isEmptyJson,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../model/text/json.ts'
import { canonicalFilters, compactFilters, shownPayload, withTidyGroupTypes } from './canonical-filters.ts'
import { describeProperty, describeValue, detailsOfCondition, word } from './describe-condition.ts'
import type { Evaluation, EvaluationReason } from './evaluate/evaluate-flag.ts'
import { describedMembers } from './filter-parts.ts'
import { isReaching, readRelease } from './release.ts'
import type { NamedThing, NumberOf } from './short/short-form.ts'
import { bucketText, quoted, valueText } from './value-words.ts'

export { quoted } from './value-words.ts'

/** The people of a condition, its percentage aside: `country is DE and email contains "@corp"`, or `everyone`. */
export function describeCondition(condition: Json): string {
  return isJsonObject(condition) ? peopleOf(condition) : 'an unreadable condition'
}

/** The summary, exposure and alerts of one change all use the same condition. */
const peopleOf = oncePer(({ properties }: JsonObject): string => {
  if (isEmptyJson(properties)) return 'everyone'
  if (!isJsonArray(properties)) return 'an unreadable condition'
  return properties.map(describeProperty).join(' and ')
})

/** The effect of a new flag, line by line: who gets it, its variants, payloads, and the rest. */
export function describeRelease(filters: Json): string[] {
  const spelled = compactFilters(filters)
  if (!isJsonObject(spelled)) return [`unreadable filters: nobody gets the flag; ${valueText(spelled)}`]
  const compact = withTidyGroupTypes(spelled)
  const { conditions, groupType } = readRelease(compact)
  const { groups = null, multivariate = null, payloads = null } = compact
  const others = Object.keys(compact).filter(name => !describedMembers.includes(name))
  return [
    ...(groupType === undefined ? [] : [`released to ${bucketText(groupType)}`]),
    ...(conditions.length > 0
      ? []
      : [others.length > 0 ? 'no conditions' : 'no conditions: nobody gets the flag']),
    ...(isJsonArray(groups)
      ? groups.flatMap((condition, index) => [
          `condition ${index + 1}  ${reachText(condition)}`,
          ...detailsOfCondition(condition),
        ])
      : describeValue('conditions', groups)),
    ...(multivariate === null ? [] : describeVariants(multivariate)),
    ...(payloads === null ? [] : describePayloads(payloads)),
    ...others.sort().flatMap(name => describeValue(word(name), compact[name] ?? null)),
  ]
}

/** A condition with its percentage: `country is DE at 10%`. */
export function reachText(condition: Json): string {
  const words = `${describeCondition(condition)} at ${percentText(condition)}`
  return [words, ...forcedVariantText(condition)].join(', ')
}

/** A line if all people of a condition get the same variant; empty if weights decide. */
export function forcedVariantText(condition: Json): string[] {
  const variant = isJsonObject(condition) ? (condition.variant ?? null) : null
  if (isEmptyJson(variant)) return []
  return [`each gets ${typeof variant === 'string' ? 'variant ' : ''}${variantText(condition)}`]
}

/** The percentage of a condition; an absent one means 100%. */
export function percentText(condition: Json): string {
  const percent = isJsonObject(condition) ? (condition.rollout_percentage ?? null) : null
  if (isEmptyJson(percent)) return '100%'
  return isJsonNumber(percent) ? `${percent}%` : `an unreadable percentage (${valueText(percent)})`
}

/** The variant that a condition forces, or words for no forced variant. */
export function variantText(condition: Json): string {
  const variant = isJsonObject(condition) ? (condition.variant ?? null) : null
  if (isEmptyJson(variant)) return 'by weight'
  return typeof variant === 'string' ? quoted(variant) : `an unreadable variant (${valueText(variant)})`
}

/** `variant "blue"`. */
export function variantName(variant: Json): string {
  const key = isJsonObject(variant) ? variant.key : undefined
  return typeof key === 'string' ? `variant ${quoted(key)}` : `an unreadable variant (${valueText(variant)})`
}

/** A variant without a weight: unlike a condition, it does not mean 100%. */
export function weightText(variant: Json): string {
  const weight = isJsonObject(variant) ? (variant.rollout_percentage ?? null) : null
  if (weight === null) return 'no weight'
  return isJsonNumber(weight) ? `${weight}%` : `an unreadable weight (${valueText(weight)})`
}

/** Details that `variant "blue" 50%` omits. */
export function detailsOfVariant(variant: Json): string[] {
  if (!isJsonObject(variant)) return []
  const isShown = (name: string) =>
    name === 'key' || name === 'rollout_percentage' || (name === 'name' && variant.name === '')
  const names = Object.keys(variant).filter(name => !isShown(name))
  return names.sort().flatMap(name => describeValue(`  ${word(name)}`, variant[name] ?? null))
}

function describeVariants(multivariate: Json): string[] {
  if (!isJsonObject(multivariate)) return describeValue('variants', multivariate)
  const { variants = null, ...others } = multivariate
  return [
    ...(isJsonArray(variants)
      ? variants.flatMap(variant => [
          `${variantName(variant)} ${weightText(variant)}`,
          ...detailsOfVariant(variant),
        ])
      : describeValue('variants', variants)),
    ...Object.keys(others).flatMap(name => describeValue(`variants  ${word(name)}`, others[name] ?? null)),
  ]
}

function describePayloads(payloads: Json): string[] {
  if (!isJsonObject(payloads)) return describeValue('payloads', payloads)
  return Object.keys(payloads)
    .sort()
    .flatMap(key => describeValue(`payload of ${quoted(key)}`, shownPayload(payloads[key] ?? null)))
}

const mostVariants = 4

/**
 * What people with the flag get, as the object of a sentence: `it`, `variant edge`, or `one of its variants`
 * with percentages if only weights decide.
 */
export function whatIsGot(filters: Json): { readonly what: string; readonly shares?: string } {
  const { conditions, variants } = readRelease(canonicalFilters(filters))
  const forced = conditions.filter(isReaching).map(({ variant }) => variant)
  const [first] = forced
  if (first !== undefined && forced.every(variant => variant === first))
    return { what: `variant ${word(first)}` }
  if (variants.length === 0) return { what: 'it' }
  if (forced.some(variant => variant !== undefined)) return { what: 'one of its variants' }
  const shown = variants.slice(0, mostVariants).map(({ key, percent }) => `${word(key)} ${percent}%`)
  const more = variants.length - shown.length
  const shares = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
  return { what: 'one of its variants', shares }
}

export interface DescribedCondition {
  /** Counted from 1. */
  readonly number: number
  readonly summary: string
}

/** The condition that decided, or the nearest miss. */
export function conditionOf(
  filters: Json,
  { conditionIndex: index }: Pick<Evaluation, 'conditionIndex'>,
): DescribedCondition | null {
  if (index === undefined) return null
  const groups: readonly Json[] = isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : []
  return { number: index + 1, summary: describeCondition(groups[index] ?? {}) }
}

export function describeReason(reason: EvaluationReason, condition: DescribedCondition | null): string {
  const place = condition && `condition ${condition.number}: ${condition.summary}`
  switch (reason) {
    case 'condition_match':
      return place ?? 'a condition matches'
    case 'no_condition_match':
      return 'no condition matches'
    case 'out_of_rollout_bound':
      return `outside the percentage of ${place ?? 'a condition'}`
    case 'no_group_type':
      return 'the flag is for groups, and the person has no group of that type'
    case 'disabled':
      return 'the flag is off or deleted'
    case 'super_condition_value':
      return "the person's choice about the early access feature decides"
    case 'holdout_condition_value':
      return 'the person is held out of the experiment'
    default:
      return reason satisfies never
  }
}

/** The numbers of group types, or of cohorts, by their names in the settings. */
export type GroupTypeNumbers = Readonly<Record<string, number>>

/**
 * Filters for display: the first name of a group type or a cohort replaces its number. A number stays if it
 * has no name, or a name that looks like a number. The service cannot use these filters.
 */
export function withGroupTypesNamed(
  filters: Json,
  groupTypes: GroupTypeNumbers,
  cohorts: GroupTypeNumbers = {},
): Json {
  const names = { 'group type': namesIn(groupTypes), cohort: namesIn(cohorts) }
  if (names['group type'].size + names.cohort.size === 0 || !isJsonObject(filters)) return filters
  return namedFilters(compactFilters(filters), (thing, number) => names[thing].get(number))
}

function namesIn(numbers: GroupTypeNumbers): ReadonlyMap<number, string> {
  return new Map(
    Object.entries(numbers)
      .filter(([name]) => name !== '' && !isNumberText(name))
      .map(([name, number]) => [number, name] as const)
      .toReversed(),
  )
}

/** The name of a number, or its number elsewhere; undefined if it has none. */
export type NameOf = (thing: NamedThing, number: number) => Json | undefined

/** The names of cohorts and group types in one environment, in both directions. */
export interface Naming {
  readonly numberOf: NumberOf
  readonly nameOf: NameOf
}

/**
 * Filters with names in place of numbers, which filters do not allow. Conditions of several environments are
 * compared and named with these.
 */
export function namedFilters(filters: Json, nameOf: NameOf): Json {
  const typed = (part: Json, member: string) =>
    isJsonObject(part) ? mapMember(part, member, number => nameFor('group type', number, nameOf)) : part
  const property = (each: Json) => typed(namedMember(each, nameOf), 'group_type_index')
  const condition = (each: Json) =>
    typed(
      isJsonObject(each) ? mapMember(each, 'properties', list => mapElements(list, property)) : each,
      'aggregation_group_type_index',
    )
  if (!isJsonObject(filters)) return filters
  return typed(
    mapMember(filters, 'groups', groups => mapElements(groups, condition)),
    'aggregation_group_type_index',
  )
}

/** A full property whose group type is a name. */
export function withTypeName(property: Json): Json {
  if (!isJsonObject(property) || typeof property.group_type_index !== 'string') return property
  const { group_type_index: name, ...others } = property
  return { ...others, group_type: name }
}

/** A property of filters with the name of its cohort. */
function namedMember(property: Json, nameOf: NameOf): Json {
  return isJsonObject(property) && property.type === 'cohort'
    ? mapMember(property, 'value', number => nameFor('cohort', number, nameOf))
    : property
}

function nameFor(thing: NamedThing, number: Json, nameOf: NameOf): Json {
  return (typeof number === 'number' ? nameOf(thing, number) : undefined) ?? number
}

function mapMember(value: JsonObject, name: string, map: (member: Json) => Json): JsonObject {
  const member = value[name]
  return member === undefined ? value : { ...value, [name]: map(member) }
}

function mapElements(value: Json, map: (element: Json) => Json): Json {
  if (isJsonArray(value)) return value.map(map)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, element]) => [name, map(element)]))
}

/** Whether a text consists of digits, and so counts as a number. */
export function isNumberText(text: string): boolean {
  return /^\d+$/.test(text)
}
