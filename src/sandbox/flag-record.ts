import type { Kinds } from '../kinds/index.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import type { Call } from './call.ts'
import { shownTags } from './labels.ts'
import { canEdit } from './permission.ts'
import type { FlagRow } from './rows.ts'
import { shownFilters } from './shown-filters.ts'
import { userRecord } from './user-record.ts'

/** A flag as it is answered. */
export function flagRecord(call: Call, row: FlagRow): JsonObject {
  const { store, quirks } = call
  const simple = simpleCondition(row.filters)
  const none: Json = quirks.shapes === 'real' ? [] : {}
  const record = {
    id: row.id,
    name: row.name,
    key: row.key,
    filters: shownFilters(call, row.filters),
    deleted: row.deleted,
    active: row.active,
    created_by: userRecord(store, row.created_by),
    created_at: row.created_at,
    is_simple_flag: simple !== undefined,
    rollout_percentage: simple?.rollout_percentage ?? null,
    ensure_experience_continuity: row.ensure_experience_continuity,
    experiment_set: row.experiment_set,
    surveys: row.surveys ?? none,
    features: row.features ?? none,
    rollback_conditions: row.rollback_conditions,
    performed_rollback: row.performed_rollback,
    can_edit: canEdit(call, row),
    tags: shownTags(call, row.tags),
    usage_dashboard: row.usage_dashboard,
    analytics_dashboards: row.analytics_dashboards,
    has_enriched_analytics: row.has_enriched_analytics,
  } satisfies Readonly<Record<keyof Kinds['feature_flag']['fields'], Json>>
  return quirks.flag_version ? { ...record, version: row.version } : record
}

/** A flag as evaluation routes show it. */
export function minimalFlagRecord(call: Call, row: FlagRow): JsonObject {
  return {
    id: row.id,
    team_id: row.project_id,
    name: row.name,
    key: row.key,
    filters: shownFilters(call, row.filters),
    deleted: row.deleted,
    active: row.active,
    ensure_experience_continuity: row.ensure_experience_continuity,
  }
}

/** The one condition of a flag that a single percentage describes. */
function simpleCondition(filters: JsonObject): JsonObject | undefined {
  const groups = isJsonArray(filters.groups) ? filters.groups : [{}]
  const [group] = groups
  if (groups.length !== 1 || !isJsonObject(group)) return undefined
  if (isJsonArray(group.properties) && group.properties.length > 0) return undefined
  return (filters.aggregation_group_type_index ?? null) === null ? group : undefined
}
