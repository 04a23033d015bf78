import { featureFlag } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import type { Call, Shown } from '../resource/resource.ts'
import { showRecord } from '../resource/show-record.ts'
import type { FlagRow } from '../store/rows.ts'
import { canEdit } from './flag-policies.ts'
import { hasRules, laterRecord } from './later-fields.ts'
import { mapProperties, rewrittenFilters } from './rewritten-filters.ts'

/** The special rules for flags in answers. */
export const shownFlag: Shown<FlagRow> = {
  kind: featureFlag,
  show: {
    filters: (call, row) => shownFilters(call, row.filters),
    is_simple_flag: (_, { filters }) => simpleCondition(filters) !== undefined,
    rollout_percentage: (_, { filters }) => simpleCondition(filters)?.rollout_percentage ?? null,
    surveys: (call, { surveys }) => surveys ?? none(call),
    features: (call, { features }) => features ?? none(call),
    can_edit: canEdit,
  },
  shape(call, record, flag) {
    const { flag_fields, flag_version } = call.quirks
    const shown = flag_fields === '2026' ? laterRecord(call, record, flag) : record
    return flag_version ? { ...shown, version: flag.version } : shown
  },
}

/** A flag in an answer. */
export function flagRecord(call: Call, row: FlagRow): JsonObject {
  return showRecord(shownFlag, call, row)
}

/** A flag in answers of evaluation routes. */
export function minimalFlagRecord(call: Call, row: FlagRow) {
  const { id, project_id: team_id, name, key, deleted, active, ensure_experience_continuity } = row
  const filters = shownFilters(call, row.filters)
  return { id, team_id, name, key, filters, deleted, active, ensure_experience_continuity } as const
}

/** The related objects of a flag, if there are none. */
function none({ quirks }: Call): Json {
  return quirks.shapes === 'real' ? [] : {}
}

/** The one condition of a flag that a single percentage describes. */
function simpleCondition(filters: JsonObject): JsonObject | undefined {
  const groups = isJsonArray(filters.groups) ? filters.groups : [{}]
  const [group] = groups
  if (groups.length !== 1 || !isJsonObject(group)) return undefined
  if (isJsonArray(group.properties) && group.properties.length > 0) return undefined
  return (filters.aggregation_group_type_index ?? null) === null ? group : undefined
}

/** The answer for filters that were never set: everybody. */
const everybody: JsonObject = { groups: [{ properties: [], rollout_percentage: null }] }

/** Filters in an answer: as they were sent or, if the service rewrites them, in its form. */
export function shownFilters(call: Call, filters: JsonObject): JsonObject {
  const shown = Object.keys(filters).length === 0 ? everybody : filters
  if (hasRules(shown)) return shown
  return call.quirks.filters === 'verbatim' ? shown : withCohortNames(call, rewrittenFilters(shown))
}

/**
 * Filters as the service's database stores them: members sorted by the length of their name, then by its
 * bytes. Answers have this order.
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

function withCohortNames({ store }: Call, filters: JsonObject): JsonObject {
  return mapProperties(filters, property => {
    const cohort = property.type === 'cohort' ? store.cohorts.get(Number(property.value)) : undefined
    return cohort ? { ...property, cohort_name: cohort.name } : property
  })
}
