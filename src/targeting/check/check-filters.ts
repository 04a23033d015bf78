import { profiles, type Services } from '../../model/connection.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { once } from '../../model/runtime.ts'
import { behaviourOf } from '../../services/index.ts'
import { quoted } from '../describe/describe.ts'
import { areReadTheSame, checkEngines, withoutRepeats } from './check-engines.ts'
import { checkGroupType, checkProperty } from './check-property.ts'
import { checkNewer, onServices } from './check-services.ts'
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
import { checkUnreachable } from './unreachable.ts'

/**
 * Every problem in filters: the service refuses or fails on errors; people hardly mean what warnings show.
 * Some name the services that have it. `written` has the numbers as in the source. [service-behaviour 2.5]
 */
export function checkFilters(
  filters: Json,
  written: Written = () => undefined,
  services: Services = profiles,
): FilterProblem[] {
  if (!isGiven(filters)) return []
  if (!isJsonObject(filters)) return [shapeProblem('', 'filters', 'an object')]
  const broken = [
    ...checkMembers(filters, 'filters', ''),
    ...checkGroupType(filters, 'aggregation_group_type_index', ''),
    ...checkConditions(filters, written),
    ...checkMultivariate(filters.multivariate, written),
    ...checkPayloads(filters, written),
  ]
  const unreachable = checkUnreachable(filters)
  const isPlain = services.length > 1 && !services.sdks && areReadTheSame(filters)
  const doubtful =
    isPlain && !unreachable
      ? []
      : onServices(services, profile => [
          ...(unreachable?.(behaviourOf(profile)) ?? []),
          ...checkNewer(filters, profile),
          ...checkEngines(filters, profile, services),
        ])
  if (broken.length === 0) return withoutRepeats(doubtful)
  const mistaken = broken.filter(({ severity }) => severity === 'error').map(({ pointer }) => pointer)
  // A part with a mistake is checked for its meaning only after the mistake is fixed.
  const isMistaken = ({ pointer }: FilterProblem) => {
    const [part = pointer] = /^\/groups\/\d+\/properties\/\d+/.exec(pointer) ?? []
    return mistaken.some(each => each === part || each.startsWith(`${part}/`))
  }
  // An older service keeps any operator, so live filters may have it.
  const isRefused = services.every(profile => behaviourOf(profile).filter_rules === '2026')
  const found = broken.map(each =>
    isRefused && each.code === 'operator-type' ? { ...each, code: 'operator-refused' } : each,
  )
  return [...found, ...withoutRepeats(doubtful.filter(problem => !isMistaken(problem)))]
}

/** The errors in filters that were combined from several, without errors that one of these already has. */
export function brokenTogether(filters: Json, sides: readonly Json[]): readonly FilterProblem[] {
  const errorsIn = (each: Json) => checkFilters(each).filter(({ severity }) => severity === 'error')
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
  return [
    ...checkMembers(condition, 'condition', pointer),
    ...checkGroupType(condition, 'aggregation_group_type_index', pointer),
    ...checkProperties(condition, filters, pointerTo(pointer, 'properties'), written),
    ...(isGiven(percent) ? checkRollout(percent, pointerTo(pointer, 'rollout_percentage')) : []),
    ...(isGiven(variant) ? checkOverride(variant, variants(), pointerTo(pointer, 'variant')) : []),
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

function checkOverride(variant: Json, { known, listed }: VariantNames, pointer: string): FilterProblem[] {
  if (typeof variant !== 'string') return [shapeProblem(pointer, 'the variant of a condition', 'text')]
  if (known.has(variant)) return []
  const hint = known.size === 0 ? 'the flag has no variants' : listed
  return [filterError(pointer, 'unknown-variant', `${quoted(variant)} is not a variant of this flag`, hint)]
}
