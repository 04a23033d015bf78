import { type Profile, profiles, type Services } from '../../model/connection.ts'
import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/text/json.ts'
import { pointerOf } from '../../model/text/pointer.ts'
import { type Behaviour, behaviourOf } from '../../services/differences.ts'
import { filterParts } from '../filter-parts.ts'
import {
  isLaterOperator,
  isUnsettledOperator,
  type LaterOperator,
  operatorOf,
  oppositeOf,
} from '../operators.ts'
import { quoted } from '../value-words.ts'
import { arePlain, checkEngines, withoutRepeats } from './check-engines.ts'
import { mistakesIn } from './filter-mistakes.ts'
import {
  type FilterProblem,
  filterError,
  filterWarning,
  isGiven,
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
  const isPlain = arePlain(filters)
  const broken = mistakesIn(filters, written, isPlain)
  const unreachable = checkUnreachable(filters)
  const doubtful =
    isPlain && !unreachable && services.length > 1 && !services.sdks
      ? []
      : onServices(services, profile => [
          ...(unreachable?.(behaviourOf(profile)) ?? []),
          ...checkNewer(filters, profile),
          ...checkEngines(filters, profile, services),
        ])
  if (broken.length === 0) return withoutRepeats(doubtful)
  const mistaken = broken.filter(({ severity }) => severity === 'error').map(({ pointer }) => pointer)
  // The meaning of a part is checked only if the part has no mistake.
  const isMistaken = ({ pointer }: FilterProblem) => {
    const [part = pointer] = /^\/groups\/\d+\/properties\/\d+/.exec(pointer) ?? []
    return mistaken.some(each => each === part || each.startsWith(`${part}/`))
  }
  // An older service stores any operator, so live filters may contain it.
  const isRefused = services.every(profile => behaviourOf(profile).filter_rules === '2026')
  const found = broken.map(each =>
    isRefused && each.code === 'operator-type' ? { ...each, code: 'operator-refused' } : each,
  )
  return [...found, ...withoutRepeats(doubtful.filter(problem => !isMistaken(problem)))]
}

/**
 * What a check finds for the services that filters may be written to. A problem on all of them keeps its
 * message. A problem on some names those and is a warning: nobody here knows which of them answers.
 */
function onServices(
  services: Services,
  check: (profile: Profile) => readonly FilterProblem[],
): FilterProblem[] {
  const found = new Map<string, { readonly problem: FilterProblem; readonly on: Profile[] }>()
  for (const profile of services) {
    for (const problem of check(profile)) {
      const name = JSON.stringify([problem.pointer, problem.code, problem.message])
      const before = found.get(name)
      if (before) before.on.push(profile)
      else found.set(name, { problem, on: [profile] })
    }
  }
  return [...found.values()].map(({ problem, on }) =>
    on.length === services.length ? problem : onlyOn(problem, on),
  )
}

function onlyOn({ pointer, code, message, hint, hidden }: FilterProblem, on: Services): FilterProblem {
  const where = ` (${on.length === 1 ? 'profile' : 'profiles'} ${on.join(' and ')})`
  return {
    ...filterWarning(pointer, code, message + where, hint ?? "set the service's version in `profile`"),
    ...(hidden === undefined ? {} : { hidden: hidden + where }),
  }
}

/** Parts of filters that a service does not know, or may not accept. */
export function checkNewer(filters: JsonObject, profile: Profile): FilterProblem[] {
  const behaviour = behaviourOf(profile)
  const found = checkMembers(filters, behaviour)
  const groups = isJsonArray(filters.groups) ? filters.groups : []
  for (const [index, condition] of groups.entries())
    if (isJsonObject(condition))
      found.push(
        ...checkOwnGroups(condition, filters, index, behaviour),
        ...checkOperators(condition, index, profile),
        ...checkNegations(condition, index, behaviour),
      )
  return found
}

/** Members that decide who gets what, but that services treat differently. */
const differing = Object.entries(filterParts.filters.members).flatMap(([name, { rule, decides }]) =>
  rule !== undefined && decides ? [{ name, rule }] : [],
)

/** Members that people declare. Other members are written by other parts of the product. */
function checkMembers(filters: JsonObject, behaviour: Behaviour): FilterProblem[] {
  return differing.flatMap(({ name, rule }) => {
    const value = filters[name]
    const isUsed = isGiven(value) && value !== false
    if (!isUsed || behaviour[rule] !== 'unknown') return []
    const message = `"${name}" is newer than the service, which ignores it`
    return [filterWarning(pointerOf(name), 'newer-member', message)]
  })
}

function checkOwnGroups(
  condition: JsonObject,
  { aggregation_group_type_index: ofFlag = null }: JsonObject,
  index: number,
  { condition_groups }: Behaviour,
): FilterProblem[] {
  const { aggregation_group_type_index: own = null } = condition
  if (condition_groups !== 'unknown' || own === null || isSameJson(own, ofFlag)) return []
  const message = 'a condition that counts other groups than its flag is newer than the service'
  return [filterWarning(pointerOf('groups', index, 'aggregation_group_type_index'), 'newer-member', message)]
}

function checkOperators({ properties }: JsonObject, index: number, profile: Profile): FilterProblem[] {
  return (isJsonArray(properties) ? properties : []).flatMap((property, at) => {
    const name = comparing(property)
    return name === undefined || !isLaterOperator(name)
      ? []
      : checkOperator(name, pointerOf('groups', index, 'properties', at, 'operator'), profile)
  })
}

/** Negations in filters that one service ignores. */
export function ignoredNegations(filters: Json, profile: Profile): FilterProblem[] {
  const groups = isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : []
  return groups.flatMap((condition, index) =>
    isJsonObject(condition) ? checkNegations(condition, index, behaviourOf(profile)) : [],
  )
}

/** A negation without effect gives the flag to the excluded people. */
function checkNegations(
  { properties }: JsonObject,
  index: number,
  { property_negation }: Behaviour,
): FilterProblem[] {
  if (property_negation === 'obeyed' || !isJsonArray(properties)) return []
  return properties.flatMap((property, at) => {
    if (!isJsonObject(property) || property.negation !== true) return []
    const operator = String(operatorOf(property))
    if (property.type === 'cohort' && operator === 'not_in') return []
    const opposite = oppositeOf(property.type === 'cohort' ? 'in' : operator)
    const hint =
      opposite === undefined
        ? 'write a condition for the people who should get the flag'
        : `write operator: ${opposite} instead`
    const message = 'the service ignores "negation": the excluded people would get the flag'
    const pointer = pointerOf('groups', index, 'properties', at, 'negation')
    return [filterError(pointer, 'ignored-negation', message, hint)]
  })
}

/** The operator by which a property is compared with a value; cohorts and flags have their own. */
function comparing(property: Json): string | undefined {
  if (!isJsonObject(property) || property.type === 'cohort' || property.type === 'flag') return undefined
  const operator = operatorOf(property)
  return typeof operator === 'string' ? operator : undefined
}

function checkOperator(name: LaterOperator, pointer: string, profile: Profile): FilterProblem[] {
  const { later_operators, unsettled_operators } = behaviourOf(profile)
  if (later_operators === 'unknown') {
    const message = `the operator ${quoted(name)} is newer than the service, which stores it but may match nobody`
    return [filterWarning(pointer, 'newer-operator', message)]
  }
  if (!isUnsettledOperator(name) || unsettled_operators === 'kept') return []
  const message = `the service may refuse the operator ${quoted(name)}: it is unknown whether the service accepts it`
  return [filterWarning(pointer, 'unsettled-operator', message, 'use another operator, or regex')]
}
