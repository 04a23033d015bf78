import { once } from '../../model/runtime.ts'
import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../model/text/json.ts'
import { listSome, Suggestions } from '../../model/text/names.ts'
import { getAt, pointerOf, segmentsOf } from '../../model/text/pointer.ts'
import { canonicalFilters, isJsonText } from '../canonical-filters.ts'
import { keysIn } from '../release.ts'
import { quoted } from '../value-words.ts'
import { checkGroupType, checkProperty } from './check-property.ts'
import { checkRollout, checkSum } from './check-rollout.ts'
import {
  checkMembers,
  type FilterProblem,
  filterError,
  filterWarning,
  isGiven,
  keyProblems,
  pointerTo,
  shapeProblem,
  type Written,
} from './filter-problem.ts'

/** What is wrong in filters whichever service gets them. `arePlain`: their conditions have no mistakes. */
export function mistakesIn(
  filters: JsonObject,
  written: Written = () => undefined,
  arePlain = false,
): FilterProblem[] {
  const beside = checkMultivariate(filters.multivariate, written).concat(checkPayloads(filters, written))
  if (arePlain) return beside
  return checkMembers(filters, 'filters', '').concat(
    checkGroupType(filters, 'aggregation_group_type_index', ''),
    checkConditions(filters, written),
    beside,
  )
}

/** The errors of combined filters, without the errors that one of the original filters already has. */
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
 * The equal live value that makes a broken rule acceptable.
 * - `filters`: the same filters, so nothing is sent. The service would refuse them if they were sent again.
 * - `part`: the same condition, property, variants or payload. The service accepts them again.
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

/** Members that the service stores unchecked. */
const keptMembers = new Set(['negation', 'operator'])

/** Undefined for warnings, and for errors that are never tolerated. */
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
 * Whether live filters match the declared filters at the place of the broken rule. A property or a condition
 * means the same at any position. Variants depend on each other, so all of them are one part.
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
  /** The place of the broken rule, inside the filters. */
  readonly pointer: string
}

function listOf(value: Json, name: keyof JsonObject): readonly Json[] {
  const list = isJsonObject(value) ? value[name] : undefined
  return isJsonArray(list) ? list : []
}

function checkMultivariate(multivariate: Json | undefined, written: Written): FilterProblem[] {
  const pointer = '/multivariate'
  if (!isGiven(multivariate)) return []
  if (!isJsonObject(multivariate)) return [shapeProblem(pointer, 'multivariate', 'an object')]
  const slips = checkMembers(multivariate, 'multivariate', pointer)
  const { variants } = multivariate
  const at = pointerTo(pointer, 'variants')
  if (variants === undefined && !slips.some(({ severity }) => severity === 'error'))
    return [
      ...slips,
      filterError(
        at,
        'missing-variants',
        '"multivariate" needs "variants"',
        'write the list of variants in "variants"',
      ),
    ]
  if (!isGiven(variants)) return slips
  if (!isJsonArray(variants)) return [...slips, shapeProblem(at, 'variants', 'a list')]
  return [
    ...slips,
    ...variants.flatMap((variant, index) => checkVariant(variant, pointerTo(at, index), written)),
    ...duplicates(variants, at),
    ...checkSum(variants, at),
  ]
}

/** Problems in `payloads`. Messages never repeat the content of a payload. */
function checkPayloads(filters: JsonObject, written: Written): FilterProblem[] {
  const pointer = '/payloads'
  const { payloads } = filters
  if (!isGiven(payloads)) return []
  if (!isJsonObject(payloads)) return [shapeProblem(pointer, 'payloads', 'an object')]
  const variants = variantNames(filters, written)
  return Object.entries(payloads).flatMap(([key, payload]) => {
    const at = pointerTo(pointer, key)
    return [...checkPayloadKey(key, variants, at), ...checkPayloadText(key, payload, at)]
  })
}

/** The variants, collected once for all checks that need their names. */
interface VariantNames {
  readonly known: ReadonlySet<string>
  /** A text that lists the variants; if there are many, only the first. */
  readonly listed: string
}

function variantNames(filters: JsonObject, written: Written): VariantNames {
  // A key that is not text counts as its text, so that a reference to this variant is not a second problem.
  const keys = keysIn(filters, (key, index) =>
    isJsonNumber(key) || typeof key === 'boolean'
      ? [written(pointerOf('multivariate', 'variants', index, 'key')) ?? String(key)]
      : [],
  )
  const more = keys.length > mostListed ? ` and ${keys.length - mostListed} more` : ''
  const listed = `the variants are ${keys.slice(0, mostListed).map(quoted).join(', ')}${more}`
  return { known: new Set(keys), listed }
}

const mostListed = 20

function checkVariant(variant: Json, pointer: string, written: Written): FilterProblem[] {
  if (!isJsonObject(variant)) return [shapeProblem(pointer, 'a variant', 'an object')]
  return [
    ...checkMembers(variant, 'variant', pointer),
    ...keyProblems(variant.key, 'a variant', 'the value that code receives', pointer, written),
    ...checkRollout(variant.rollout_percentage, pointerTo(pointer, 'rollout_percentage')),
  ]
}

function duplicates(variants: readonly Json[], pointer: string): FilterProblem[] {
  const seen = new Set<string>()
  return variants.flatMap((variant, index) => {
    const key = isJsonObject(variant) ? variant.key : undefined
    if (typeof key !== 'string' || !seen.has(key)) {
      if (typeof key === 'string') seen.add(key)
      return []
    }
    return [
      filterError(
        pointerTo(pointerTo(pointer, index), 'key'),
        'duplicate-variant',
        `another variant also has the key ${quoted(key)}`,
      ),
    ]
  })
}

function checkPayloadKey(key: string, { known, listed }: VariantNames, pointer: string): FilterProblem[] {
  if (known.size === 0 ? key === 'true' : known.has(key)) return []
  if (known.size === 0) {
    const message = `there is a payload for ${quoted(key)}, but the flag has no variants`
    return [
      filterError(
        pointer,
        'payload-without-variant',
        message,
        'name the payload "true": a flag without variants has only this payload',
      ),
    ]
  }
  return [
    filterError(
      pointer,
      'payload-without-variant',
      `there is a payload for ${quoted(key)}, which is not a variant`,
      listed,
    ),
  ]
}

function checkPayloadText(key: string, payload: Json, pointer: string): FilterProblem[] {
  if (typeof payload !== 'string' || isJsonText(payload)) return []
  const name = `the payload of ${quoted(key)}`
  if (/^\s*[[{]/.test(payload))
    return [
      filterError(
        pointer,
        'payload-json',
        `${name} is not JSON`,
        'fix the JSON, or write the payload as a value',
      ),
    ]
  return [
    filterWarning(
      pointer,
      'payload-text',
      `${name} is not JSON and is sent as a JSON string`,
      'write it as a JSON string, in JSON quotes, if a string is intended',
    ),
  ]
}

/** A name in `sensitive` for which there is no payload: its position in the list, and a hint. */
export interface StrangeName {
  readonly index: number
  readonly name: string
  readonly hint: string
}

/** The names in `sensitive` that match no payload of the filters. Such a slip would show a secret. */
export function strangeNames(names: readonly string[], payloads: object = {}): readonly StrangeName[] {
  const known = Object.keys(payloads)
  const suggestions = new Suggestions(known)
  const listed = known.length === 0 ? 'the flag has no payloads' : `there are: ${listSome(known, 'and')}`
  return names.flatMap((name, index) =>
    known.includes(name) ? [] : [{ index, name, hint: suggestions.hint(name, listed) }],
  )
}
