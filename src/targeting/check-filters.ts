import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { checkMembers } from './check-members.ts'
import { checkGroupType, checkProperty } from './check-property.ts'
import { checkMultivariate, checkPayloads, variantKeys } from './check-variants.ts'
import { quoted } from './describe.ts'
import {
  type FilterProblem,
  filterError,
  filterWarning,
  isGiven,
  percentageProblems,
  pointerTo,
  shapeProblem,
  type Written,
} from './filter-problem.ts'
import { canonicalFilters } from './filters.ts'
import { isNarrowedTo, readPeople } from './narrowing.ts'
import { evaluationOrder, isReaching, readRelease } from './release.ts'

/**
 * Everything that is wrong with filters, all at once. Errors are what the service refuses or fails on, warnings what
 * it takes and people hardly mean. `written` knows the numbers as they stand in the source. [service-behaviour 2.5]
 */
export function checkFilters(filters: Json, written: Written = () => undefined): FilterProblem[] {
  if (!isGiven(filters)) return []
  if (!isJsonObject(filters)) return [shapeProblem('', 'filters', 'an object')]
  return [
    ...checkMembers(filters, 'filters', ''),
    ...checkGroupType(filters, 'aggregation_group_type_index', ''),
    ...checkConditions(filters, written),
    ...checkMultivariate(filters.multivariate),
    ...checkPayloads(filters.payloads, variantKeys(filters)),
    ...unreachableConditions(filters),
  ]
}

function checkConditions(filters: JsonObject, written: Written): FilterProblem[] {
  const { groups } = filters
  if (!isGiven(groups)) return []
  if (!isJsonArray(groups)) return [shapeProblem('/groups', 'groups', 'a list')]
  const variants = variantKeys(filters)
  return groups.flatMap((condition, index) =>
    checkCondition(condition, filters, variants, `/groups/${index}`, written),
  )
}

function checkCondition(
  condition: Json,
  filters: JsonObject,
  variants: readonly string[],
  pointer: string,
  written: Written,
): FilterProblem[] {
  if (!isJsonObject(condition)) return [shapeProblem(pointer, 'a condition', 'an object')]
  const { rollout_percentage: percent, variant } = condition
  return [
    ...checkMembers(condition, 'condition', pointer),
    ...checkGroupType(condition, 'aggregation_group_type_index', pointer),
    ...checkProperties(condition, filters, pointerTo(pointer, 'properties'), written),
    ...(isGiven(percent) ? percentageProblems(percent, pointerTo(pointer, 'rollout_percentage')) : []),
    ...(isGiven(variant) ? checkOverride(variant, variants, pointerTo(pointer, 'variant')) : []),
  ]
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

function checkOverride(variant: Json, variants: readonly string[], pointer: string): FilterProblem[] {
  if (typeof variant !== 'string') return [shapeProblem(pointer, 'the variant of a condition', 'text')]
  if (variants.includes(variant)) return []
  const hint =
    variants.length === 0 ? 'the flag has no variants' : `the variants are ${variants.map(quoted).join(', ')}`
  return [filterError(pointer, 'unknown-variant', `${quoted(variant)} is not a variant of this flag`, hint)]
}

/**
 * Conditions that never decide anything, because one that is tried before them means at least the same people and
 * gives at least the same share of them: a person falls at the same place in all conditions of a flag.
 */
function unreachableConditions(filters: JsonObject): FilterProblem[] {
  if (!isJsonArray(filters.groups) || filters.groups.length < 2) return []
  // Conditions that count different things do not cover each other.
  if (hasOwnBuckets(filters.groups)) return []
  const tried = evaluationOrder(readRelease(canonicalFilters(filters)).conditions)
    .filter(isReaching)
    .map(({ index, percent, properties = [] }) => ({ index, percent, meant: readPeople(properties) }))
  return tried
    .flatMap((condition, place) => {
      const { meant, percent, index } = condition
      const cover = tried
        .slice(0, place)
        .find(other => other.percent >= percent && isNarrowedTo(other.meant, meant))
      return cover ? [{ index, cover }] : []
    })
    .sort((left, right) => left.index - right.index)
    .map(({ index, cover }) => {
      const people = cover.meant.properties.length === 0 ? 'everyone' : 'all of its people'
      const message = `condition ${index + 1} can never match: condition ${cover.index + 1} takes ${people} at ${cover.percent}%`
      const hint =
        cover.index > index ? 'conditions that force a variant are tried first' : 'remove it, or put it first'
      return filterWarning(`/groups/${index}`, 'unreachable-condition', message, hint)
    })
}

function hasOwnBuckets(groups: Json | undefined): boolean {
  if (!isJsonArray(groups)) return false
  return groups.some(condition => isJsonObject(condition) && isGiven(condition.aggregation_group_type_index))
}
