import { featureFlag } from '../../kinds/index.ts'
import type { Field } from '../../model/field.ts'
import { canonicalValue } from '../../model/json/canonical.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { conflict, invalid, type Refusal } from '../http/refusal.ts'
import type { Call, ProjectCall } from '../resource/resource.ts'
import { userRecord } from '../resource/show-record.ts'
import type { FlagRow, LaterFields } from '../store/rows.ts'
import { accessLevel } from './flag-policies.ts'
import { listOf, mapGroups } from './rewritten-filters.ts'

/** The fields that requests set since 2025. [service-today 1] */
const later: readonly (readonly [string, Field])[] = Object.entries<Field>(featureFlag.fields).filter(
  ([, { newer, access }]) => newer && access !== 'read',
)

/** Their default values in a flag. */
const initial: LaterFields = Object.fromEntries(
  later.map(([name, field]) => [name, canonicalValue(field, null)]),
)

/** The later fields in a request, each checked, and the combinations that are refused. [service-today 2] */
export function keptLaterFields({ body, quirks }: ProjectCall, flag: FlagRow): LaterFields {
  if (quirks.flag_fields === '2024') return {}
  const sent = later.flatMap(([name, field]) => {
    const value = body[name]
    if (value === undefined) return []
    return [[name, checked(name, value, field)] as const]
  })
  const kept: LaterFields = Object.fromEntries(sent)
  const { active, ensure_experience_continuity, ...row } = { ...initial, ...flag, ...kept }
  if (row.archived && active) throw invalid('archived', 'A feature flag that is archived cannot be active.')
  if (row.bucketing_identifier === 'device_id' && ensure_experience_continuity)
    throw invalid('bucketing_identifier', 'Continuity cannot go by devices.')
  if (row.has_encrypted_payloads && !row.is_remote_configuration)
    throw invalid('has_encrypted_payloads', 'Only remote configuration has encrypted payloads.')
  return kept
}

function checked(name: string, value: Json, field: Field): Json {
  if (field.type === 'boolean' && typeof value !== 'boolean') throw invalid(name, 'Must be a valid boolean.')
  if (field.type === 'string' && !field.oneOf?.some(choice => choice === value))
    throw invalid(name, `"${String(value)}" is not a valid choice.`, 'invalid_choice')
  if (field.type !== 'set') return value
  if (!isJsonArray(value) || value.some(each => typeof each !== 'string'))
    throw invalid(name, 'Expected a list of items.', 'not_a_list')
  const { maxElements: most = Number.POSITIVE_INFINITY } = field
  if (value.length > most) throw invalid(name, `At most ${most} contexts.`)
  return value
}

/** Filters of a remote configuration as services since 2025 rewrite them, if they do. [service-today 2] */
export function openedFilters(
  { quirks }: ProjectCall,
  flag: FlagRow,
  isNew: boolean,
  filters: JsonObject,
): JsonObject {
  const isOpened = quirks.remote_rollout === 'always' || (quirks.remote_rollout === 'on_create' && isNew)
  if (!flag.is_remote_configuration || !isOpened) return filters
  if (listOf(filters.groups).length === 0)
    return { ...filters, groups: [{ properties: [], rollout_percentage: 100, variant: null }] }
  return mapGroups(filters, group =>
    (group.rollout_percentage ?? 0) === 0 ? { ...group, rollout_percentage: 100 } : group,
  )
}

/** A record with the fields of 2026, without those that were removed by then. [service-today 1] */
export function laterRecord(call: Call, record: JsonObject, flag: FlagRow): JsonObject {
  const { store } = call
  const { is_simple_flag, rollout_percentage, rollback_conditions, performed_rollback, ...own } = record
  const held = Object.entries(initial).map(([name, otherwise]) => [
    name,
    (flag as JsonObject)[name] ?? otherwise,
  ])
  return {
    ...own,
    ...Object.fromEntries(held),
    updated_at: flag.updated_at ?? flag.created_at,
    last_modified_by: userRecord(store, flag.last_modified_by ?? flag.created_by),
    status: flag.deleted ? 'DELETED' : flag.archived ? 'ARCHIVED' : 'ACTIVE',
    user_access_level: accessLevel(call, flag),
    experiment_set_metadata:
      flag.experiment_set?.map(id => ({
        id,
        name: `Experiment ${id}`,
        is_running: !flag.experiments_stopped,
      })) ?? [],
    last_called_at: null,
    is_used_in_replay_settings: flag.used_in_replay ?? false,
    is_eligible_for_experiment: false,
  }
}

/** The body of a request without fields that the service no longer writes. */
export function withoutGoneFields({ quirks }: Call, body: JsonObject): JsonObject {
  const gone = [
    ...(quirks.flag_fields === '2026' ? ['rollback_conditions', 'performed_rollback'] : []),
    ...(quirks.flag_created_at === 'ignored' ? ['created_at'] : []),
  ]
  return Object.fromEntries(Object.entries(body).filter(([name]) => !gone.includes(name)))
}

/** Whether filters hold rules of version 2 instead of conditions, as in trial projects. [service-today 3] */
export function hasRules({ version }: JsonObject): boolean {
  return version === 2
}

/**
 * Allows or refuses a change to a flag whose filters have a version.
 *
 * | the version  | the request, beside the flag's current version         | answer                            |
 * |--------------|--------------------------------------------------------|-----------------------------------|
 * | none, or 1   | anything                                               | as for any flag                   |
 * | any          | filters with a version                                 | 400 `reserved_config_version`     |
 * | neither 2    | anything                                               | 400 `unsupported_config_version`  |
 * | 2            | no version, or an older one                            | 400 `required`, 409               |
 * | 2            | off, or deleted                                        | accepted                          |
 * | 2            | anything else, or to a soft-deleted one                | 400 `unsupported_config_version`  |
 */
export function checkRulesVersion({ body }: ProjectCall, flag: FlagRow): void {
  const { version: held } = flag.filters
  if (held === undefined || held === 1) return
  const { version, original_flag: _, ...sent } = body
  if (isJsonObject(sent.filters) && sent.filters.version !== undefined) throw reservedVersion()
  if (!hasRules(flag.filters)) throw unsupportedVersion()
  if (typeof version !== 'number') throw invalid('version', 'This field is required.', 'required')
  if (version !== flag.version) throw conflict('The feature flag was updated since you started editing it.')
  const isSafe = ([name, value]: readonly [string, unknown]) =>
    (name === 'active' && value === false) || (name === 'deleted' && value === true)
  if (!Object.entries(sent).every(isSafe)) throw unsupportedVersion()
}

export function reservedVersion(): Refusal {
  return invalid('filters', 'Filters may not have a version.', 'reserved_config_version')
}

export function unsupportedVersion(attr: string | null = 'filters'): Refusal {
  return invalid(
    attr,
    'This operation does not support the configuration version of this feature flag.',
    'unsupported_config_version',
  )
}
