import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import { getAt, pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { once } from '../../model/runtime.ts'
import { canonicalFilters } from '../canonical-filters.ts'
import { quoted } from '../describe/value-words.ts'
import { checkGroupType, checkProperty } from './check-property.ts'
import { checkMultivariate, checkPayloads, type VariantNames, variantNames } from './check-variants.ts'
import {
  checkMembers,
  checkRollout,
  type FilterProblem,
  filterError,
  isGiven,
  pointerTo,
  shapeProblem,
  type Written,
} from './filter-problem.ts'

/** What is wrong in filters whichever service gets them. */
export function mistakesIn(filters: JsonObject, written: Written = () => undefined): FilterProblem[] {
  return checkMembers(filters, 'filters', '').concat(
    checkGroupType(filters, 'aggregation_group_type_index', ''),
    checkConditions(filters, written),
    checkMultivariate(filters.multivariate, written),
    checkPayloads(filters, written),
  )
}

/** The errors in filters that were combined from several, without errors that one of these already has. */
export function brokenTogether(filters: Json, sides: readonly Json[]): readonly FilterProblem[] {
  const errorsIn = (each: Json) =>
    isJsonObject(each) ? mistakesIn(each).filter(({ severity }) => severity === 'error') : []
  const broken = errorsIn(filters)
  if (broken.length === 0) return broken
  const known = new Set(sides.flatMap(errorsIn).map(({ code, message }) => `${code} ${message}`))
  return broken.filter(({ code, message }) => !known.has(`${code} ${message}`))
}

function checkConditions(filters: JsonObject, written: Written): FilterProblem[] {
  const { groups } = filters
  if (!isGiven(groups)) return []
  if (!isJsonArray(groups)) return [shapeProblem('/groups', 'groups', 'a list')]
  const variants = once(() => variantNames(filters, written))
  return groups.flatMap((condition, index) =>
    checkCondition(condition, filters, variants, `/groups/${index}`, written),
  )
}

function checkCondition(
  condition: Json,
  filters: JsonObject,
  variants: () => VariantNames,
  pointer: string,
  written: Written,
): FilterProblem[] {
  if (!isJsonObject(condition)) return [shapeProblem(pointer, 'a condition', 'an object')]
  const { rollout_percentage: percent, variant } = condition
  return checkMembers(condition, 'condition', pointer).concat(
    checkGroupType(condition, 'aggregation_group_type_index', pointer),
    checkProperties(condition, filters, pointerTo(pointer, 'properties'), written),
    isGiven(percent) ? checkRollout(percent, pointerTo(pointer, 'rollout_percentage')) : [],
    isGiven(variant) ? checkOverride(variant, variants(), pointerTo(pointer, 'variant')) : [],
  )
}

function checkProperties(
  condition: JsonObject,
  filters: JsonObject,
  pointer: string,
  written: Written,
): FilterProblem[] {
  const { properties, aggregation_group_type_index: ownType } = condition
  if (!isGiven(properties)) return []
  if (!isJsonArray(properties)) return [shapeProblem(pointer, 'properties', 'a list')]
  const groupType = ownType ?? filters.aggregation_group_type_index ?? null
  return properties.flatMap((property, index) =>
    checkProperty(property, groupType, pointerTo(pointer, index), written),
  )
}

function checkOverride(variant: Json, { known, listed }: VariantNames, pointer: string): FilterProblem[] {
  if (typeof variant !== 'string') return [shapeProblem(pointer, 'the variant of a condition', 'text')]
  if (known.has(variant)) return []
  const hint = known.size === 0 ? 'the flag has no variants' : listed
  return [filterError(pointer, 'unknown-variant', `${quoted(variant)} is not a variant of this flag`, hint)]
}

/**
 * What has to be live so that a broken rule is no problem.
 * - `filters`: the same filters, so that nothing is sent. The service refuses to be sent this once more.
 * - `part`: the same condition, property, variants or payload. The service takes it as often as it is sent.
 */
export type Tolerance = 'filters' | 'part'

/**
 * The rules that flags of a service break: the service stored them before it checked them, or never checks
 * them. Declaring such a flag as it is live must not be a problem, or nobody could import it. Declaring
 * another one like it is a problem. [service-behaviour 2.5]
 *
 * | rule                                                 | the service, on a write       | tolerated if live      |
 * |------------------------------------------------------|-------------------------------|------------------------|
 * | type, group, value, date or cohort of a property     | refuses the filters           | are the same filters   |
 * | keys that are missing or no text                     | refuses the filters or fails  | are the same filters   |
 * | a variant or payload of no variant, broken payload   | refuses the filters           | are the same filters   |
 * | operators, comparisons and numbers of values         | keeps them, or newer ones do  | is the same part       |
 * | shares out of range, that add up to less, twice      | keeps them                    | is the same part       |
 * | anything of another shape; members that are misspelt | fails, or means something else| nowhere: a problem     |
 * | negations and operators that all services ignore or refuse | refuses, or includes them | nowhere: a problem   |
 */
const tolerances: Readonly<Record<string, Tolerance>> = {
  'property-type': 'filters',
  'group-type-index': 'filters',
  'missing-key': 'filters',
  'key-not-text': 'filters',
  'missing-value': 'filters',
  'missing-variants': 'filters',
  'value-not-text': 'filters',
  date: 'filters',
  'cohort-id': 'filters',
  'unknown-variant': 'filters',
  'payload-without-variant': 'filters',
  'payload-json': 'filters',
  'unknown-operator': 'part',
  'flag-operator': 'part',
  'operator-type': 'part',
  'flag-value': 'part',
  'value-type': 'part',
  range: 'part',
  'too-many-values': 'part',
  pattern: 'part',
  'percentage-type': 'part',
  'percentage-range': 'part',
  'variant-sum': 'part',
  'duplicate-variant': 'part',
}

/** Members of which the service keeps whatever it is sent. */
const keptMembers = new Set(['negation', 'operator'])

/** Undefined for what is no error, and for an error that is never tolerated. */
export function toleranceOf({
  severity,
  code,
  pointer,
}: Pick<FilterProblem, 'severity' | 'code' | 'pointer'>): Tolerance | undefined {
  if (severity !== 'error') return undefined
  if (code === 'wrong-shape') return keptMembers.has(segmentsOf(pointer).at(-1) ?? '') ? 'part' : undefined
  return Object.hasOwn(tolerances, code) ? tolerances[code] : undefined
}

/**
 * Whether live filters match the declared ones at the place that breaks a rule. A property and a condition mean
 * the same wherever they are; variants depend on each other, so all of them are one part.
 */
export function isHeld(declared: Json, live: Json, { tolerance, pointer }: HeldRule): boolean {
  const [ours, theirs] = [canonicalFilters(declared), canonicalFilters(live)]
  if (isSameJson(ours, theirs)) return true
  if (tolerance === 'filters') return false
  const [member = '', index = '', name, place] = segmentsOf(pointer)
  const conditions = listOf(theirs, 'groups')
  const [at, there] =
    member !== 'groups'
      ? [pointerOf(member, ...(member === 'payloads' ? [index] : [])), undefined]
      : name === 'properties' && place !== undefined
        ? [pointerOf(member, index, name, place), conditions.flatMap(each => listOf(each, name))]
        : [pointerOf(member, index), conditions]
  const part = getAt(ours, at)
  return part !== undefined && (there ?? [getAt(theirs, at) ?? null]).some(one => isSameJson(one, part))
}

export interface HeldRule {
  readonly tolerance: Tolerance
  /** Where the rule is broken, inside the filters. */
  readonly pointer: string
}

function listOf(value: Json, name: keyof JsonObject): readonly Json[] {
  const list = isJsonObject(value) ? value[name] : undefined
  return isJsonArray(list) ? list : []
}
