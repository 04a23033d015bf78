import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import type { Call } from '../resource/call.ts'
import { listOf, mapGroups, rewrittenFilters } from './rewritten-filters.ts'
import { hasRules } from './rules-version.ts'

/** What is shown for filters that were never set: everybody. */
const everybody: JsonObject = { groups: [{ properties: [], rollout_percentage: null }] }

/** Filters as they are answered: as they were sent or, if the service rewrites them, in its form. */
export function shownFilters(call: Call, filters: JsonObject): JsonObject {
  const shown = Object.keys(filters).length === 0 ? everybody : filters
  if (hasRules(shown)) return shown
  return call.quirks.filters === 'verbatim' ? shown : withCohortNames(call, rewrittenFilters(shown))
}

/**
 * Filters as the service's database keeps them: members by the length of their name, then by its bytes. What was
 * sent comes back in this order.
 */
export function databaseOrder(value: JsonObject): JsonObject {
  const members = Object.entries(value).sort(([left], [right]) => byLengthThenText(left, right))
  return Object.fromEntries(members.map(([name, member]) => [name, ordered(member)]))
}

function ordered(value: Json): Json {
  if (isJsonArray(value)) return value.map(ordered)
  return isJsonObject(value) ? databaseOrder(value) : value
}

function byLengthThenText(left: string, right: string): number {
  return left.length - right.length || compareTexts(left, right)
}

function withCohortNames(call: Call, filters: JsonObject): JsonObject {
  const named = (property: Json) => (isJsonObject(property) ? withCohortName(call, property) : property)
  return mapGroups(filters, group => ({ ...group, properties: listOf(group.properties).map(named) }))
}

function withCohortName({ store }: Call, property: JsonObject): JsonObject {
  if (property.type !== 'cohort') return property
  const cohort = store.cohorts.get(Number(property.value))
  return cohort ? { ...property, cohort_name: cohort.name } : property
}
