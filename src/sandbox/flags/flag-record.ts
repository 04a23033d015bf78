import { featureFlag } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import type { Call } from '../resource/call.ts'
import type { Shown } from '../resource/resource.ts'
import { showRecord } from '../resource/show-record.ts'
import type { FlagRow } from '../store/rows.ts'
import { laterRecord } from './later-fields.ts'
import { canEdit } from './permission.ts'
import { shownFilters } from './shown-filters.ts'

/** What is special about how flags are answered. */
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

/** A flag as it is answered. */
export function flagRecord(call: Call, row: FlagRow): JsonObject {
  return showRecord(shownFlag, call, row)
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

/** What hangs from a flag where nothing does. */
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
