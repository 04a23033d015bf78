import { doubleOf } from '../hcl/json.ts'
import {
  isEmptyJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonArray,
  type JsonObject,
} from '../model/text/json.ts'
import type { EvaluationRules } from '../services/engines.ts'
import { describedMembers } from './filter-parts.ts'

/**
 * Filters of any shape, parsed once for all evaluations. A part with a wrong shape reaches nobody here: the
 * service fails on it, and a flag whose evaluation fails is off. Filters with the same canonical form give
 * the same release.
 */
export interface Release {
  readonly conditions: readonly ReleaseCondition[]
  readonly variants: readonly ReleaseVariant[]
  readonly payloads: JsonObject
  /** The index of the group type that the flag is released to; undefined for persons. */
  readonly groupType: string | undefined
  /** Whether a person outside the percentage of a matching condition is excluded from all later ones. */
  readonly stopsEarly: boolean
  /** People who are held out of an experiment, before any condition is tried. */
  readonly holdout: Holdout | undefined
  /** Members of other product parts that decide before or besides the conditions, such as a holdout. */
  readonly others: readonly string[]
  /** The flags that the conditions refer to, by id or key. */
  readonly flagNames: readonly string[]
}

export interface Holdout {
  readonly id: string
  /** 0 to 100. */
  readonly percent: number
}

export interface ReleaseCondition {
  /** The position among the conditions. */
  readonly index: number
  /** Undefined if they have a wrong shape. */
  readonly properties: readonly Json[] | undefined
  /** 0 to 100. */
  readonly percent: number
  /** The variant that everybody in this condition gets, even if it does not exist. */
  readonly variant: string | undefined
  /** The index of the group type that this condition counts; undefined if it counts the same as the flag. */
  readonly groupType: string | undefined
}

export interface ReleaseVariant {
  readonly key: string
  /** 0 or more. */
  readonly percent: number
}

export function readRelease(filters: Json): Release {
  const members = isJsonObject(filters) ? withConditions(filters) : {}
  const conditions = readConditions(isJsonObject(filters) ? members : filters)
  const { multivariate, payloads, aggregation_group_type_index: groupType, holdout } = members
  return {
    conditions,
    variants: isJsonObject(multivariate) ? readVariants(multivariate.variants) : [],
    payloads: isJsonObject(payloads) ? payloads : {},
    groupType: readGroupType(groupType),
    stopsEarly: members.early_exit === true,
    holdout: readHoldout(holdout),
    others: Object.keys(members).filter(name => !describedMembers.includes(name) && hasValue(members[name])),
    flagNames: flagNames(filters),
  }
}

/** Conditions in evaluation order: as written, except that those which force a variant may go first. */
export function evaluationOrder(
  conditions: readonly ReleaseCondition[],
  { condition_order }: Pick<EvaluationRules, 'condition_order'>,
): readonly ReleaseCondition[] {
  if (condition_order === 'as_written') return conditions
  return [
    ...conditions.filter(({ variant }) => variant !== undefined),
    ...conditions.filter(({ variant }) => variant === undefined),
  ]
}

/** The group types that the conditions count, each once; undefined for persons. */
export function countedTypes({ conditions, groupType }: Release): readonly (string | undefined)[] {
  const own = conditions.map(condition => condition.groupType ?? groupType)
  return own.length === 0 ? [groupType] : [...new Set(own)]
}

/** Whether filters count groups in any condition. */
export function countsGroups(filters: Json): boolean {
  return countedTypes(readRelease(filters)).some(type => type !== undefined)
}

/** Whether the condition can give the flag to anybody. */
export function isReaching({ properties, percent }: ReleaseCondition): boolean {
  return properties !== undefined && percent > 0
}

function readConditions(filters: Json): ReleaseCondition[] {
  const groups = isJsonObject(filters) ? filters.groups : isEmptyJson(filters) ? null : 'unreadable'
  if (isJsonArray(groups)) return groups.map(readCondition)
  return isEmptyJson(groups) ? [readCondition({}, 0)] : []
}

function readCondition(condition: Json, index: number): ReleaseCondition {
  if (!isJsonObject(condition))
    return { index, properties: undefined, percent: 0, variant: undefined, groupType: undefined }
  const { properties, rollout_percentage: percent, variant, aggregation_group_type_index: own } = condition
  return {
    index,
    properties: isJsonArray(properties) ? properties : isEmptyJson(properties) ? [] : undefined,
    percent: isEmptyJson(percent) ? 100 : Math.min(100, Math.max(0, doubleOf(percent) ?? 0)),
    variant: typeof variant === 'string' && variant !== '' ? variant : undefined,
    groupType: readGroupType(own),
  }
}

function readHoldout(holdout: Json | undefined): Holdout | undefined {
  if (!isJsonObject(holdout)) return undefined
  const percent = doubleOf(holdout.exclusion_percentage)
  if (percent === undefined || isEmptyJson(holdout.id)) return undefined
  return { id: String(holdout.id), percent: Math.min(100, Math.max(0, percent)) }
}

function readGroupType(index: Json | undefined): string | undefined {
  return isEmptyJson(index) ? undefined : JSON.stringify(index)
}

/** `false` means the same as a missing value. */
function hasValue(value: Json | undefined): boolean {
  return value !== false && !isEmptyJson(value)
}

function readVariants(variants: Json | undefined): ReleaseVariant[] {
  if (!isJsonArray(variants)) return []
  return variants.flatMap(variant => {
    if (!isJsonObject(variant) || typeof variant.key !== 'string' || variant.key === '') return []
    return [{ key: variant.key, percent: Math.max(0, doubleOf(variant.rollout_percentage) ?? 0) }]
  })
}

/** The variants that people can get: those with a weight, and those that a condition forces. */
export function reachableVariants({ conditions, variants }: Release): readonly string[] {
  const given = new Set(conditions.map(({ variant }) => variant))
  return variants.filter(({ key, percent }) => percent > 0 || given.has(key)).map(({ key }) => key)
}

/**
 * Filters as they were stored before a flag could have several conditions: without `groups`, the properties and
 * the percentage of the only one are at the top. The service still reads them as that one condition. Reading
 * them as filters without conditions would turn a few people into everybody. [PostHog, FeatureFlag.get_filters]
 *
 * | `groups`       | `properties` or `rollout_percentage` at the top | read as                       |
 * |----------------|-------------------------------------------------|-------------------------------|
 * | a list         | any: the service ignores them                   | as they are                   |
 * | absent or null | one of them                                     | one condition of both         |
 * | absent or null | neither                                         | as they are: it is everybody  |
 */
export function withConditions(filters: JsonObject): JsonObject {
  const { groups, properties, rollout_percentage: percent, ...others } = filters
  if (hasConditions(filters) || (isEmptyJson(properties) && isEmptyJson(percent))) return filters
  const condition = {
    ...(isEmptyJson(properties) ? {} : { properties }),
    ...(isEmptyJson(percent) ? {} : { rollout_percentage: percent }),
  }
  return { ...others, groups: [condition] }
}

/** True if `groups` defines who gets the flag, even if that is nobody. */
export function hasConditions(filters: Json): boolean {
  return isJsonObject(filters) && (Array.isArray(filters.groups) || !isEmptyJson(filters.groups))
}

/** The keys of the variants that can be read. */
export function variantKeys(filters: JsonObject): string[] {
  return keysIn(filters, () => [])
}

/** The keys of the variants; `read` converts a key that is not text. */
export function keysIn({ multivariate }: JsonObject, read: (key: Json, index: number) => string[]): string[] {
  const variants = isJsonObject(multivariate) ? multivariate.variants : undefined
  if (!isJsonArray(variants)) return []
  return variants.flatMap((variant, index) => {
    const { key = null } = isJsonObject(variant) ? variant : {}
    return typeof key === 'string' ? [key] : read(key, index)
  })
}

/** The flags that the conditions refer to, by id or key. */
export function flagNames(filters: Json): string[] {
  if (!areFlagsNamed(filters)) return []
  return conditionsIn(filters)
    .flatMap(condition => propertiesIn(condition).filter(isNaming))
    .map(({ key }) => key)
}

/** Whether conditions refer to flags. Few do, so the loop allocates nothing. */
export function areFlagsNamed(filters: Json): boolean {
  const conditions = conditionsIn(filters)
  for (let at = 0; at < conditions.length; at++) {
    const properties = propertiesIn(conditions[at] ?? null)
    for (let index = 0; index < properties.length; index++)
      if (isNaming(properties[index] ?? null)) return true
  }
  return false
}

function conditionsIn(filters: Json): JsonArray {
  return isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : nothing
}

function propertiesIn(condition: Json): JsonArray {
  return isJsonObject(condition) && isJsonArray(condition.properties) ? condition.properties : nothing
}

const nothing: JsonArray = []

/** Filters whose conditions refer to flags by new names; the same value if no name changes. */
export function renameFlags(filters: Json, rename: (name: string) => string): Json {
  if (!isJsonObject(filters) || !areFlagsNamed(filters)) return filters
  const property = (value: Json): Json => {
    if (!isNaming(value)) return value
    const name = rename(value.key)
    return name === value.key ? value : { ...value, key: name }
  }
  const condition = (value: Json) => (isJsonObject(value) ? withList(value, 'properties', property) : value)
  return withList(filters, 'groups', condition)
}

/**
 * Whether a condition refers to a flag by its id: digits are always an id. A flag whose key consists of
 * digits can only be referred to by its id.
 */
export function isFlagId(name: string): boolean {
  return /^[1-9]\d*$/.test(name)
}

function isNaming(property: Json): property is JsonObject & { readonly key: string } {
  if (typeof property !== 'object' || property === null || !('type' in property)) return false
  return property.type === 'flag' && isJsonObject(property) && typeof property.key === 'string'
}

function withList(value: JsonObject, name: string, change: (element: Json) => Json): JsonObject {
  const list = value[name]
  if (list === undefined || !isJsonArray(list)) return value
  const changed: JsonArray = list.map(change)
  return changed.every((element, index) => element === list[index]) ? value : { ...value, [name]: changed }
}
