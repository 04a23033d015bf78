import { featureFlag } from '../../kinds/index.ts'
import type { Field } from '../../model/field.ts'
import { canonicalValue } from '../../model/json/canonical.ts'
import { isJsonArray, isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import { invalid } from '../http/refusal.ts'
import type { Call, ProjectCall } from '../resource/call.ts'
import { userRecord } from '../resource/user-record.ts'
import type { FlagRow, LaterFields } from '../store/rows.ts'
import { accessLevel } from './permission.ts'
import { listOf, mapGroups } from './rewritten-filters.ts'

/** The fields that requests set since 2025. [service-today 1] */
const later: readonly (readonly [string, Field])[] = Object.entries<Field>(featureFlag.fields).filter(
  ([, { newer, access }]) => newer && access !== 'read',
)

/** What a flag holds of them where nobody says otherwise. */
const initial: LaterFields = Object.fromEntries(
  later.map(([name, field]) => [name, canonicalValue(field, null)]),
)

/** The later fields that a request sets, each checked, and what they may not be together. [service-today 2] */
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

/** Filters of a remote configuration as services since 2025 make them, where that is what they do. [service-today 2] */
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

/** A record with the fields of 2026, without those that are gone by then. [service-today 1] */
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

/** The body of a request without what the service no longer writes. */
export function withoutGoneFields({ quirks }: Call, body: JsonObject): JsonObject {
  const gone = [
    ...(quirks.flag_fields === '2026' ? ['rollback_conditions', 'performed_rollback'] : []),
    ...(quirks.flag_created_at === 'ignored' ? ['created_at'] : []),
  ]
  return Object.fromEntries(Object.entries(body).filter(([name]) => !gone.includes(name)))
}

/**
 * What a request that was made of another version comes to. `clashing` are the fields that it changes and somebody
 * else has changed meanwhile, to something else; `left` those that it leaves as they were. [service-today 3]
 */
export function againstLive(
  body: JsonObject,
  original: JsonObject,
  live: JsonObject,
): { readonly clashing: readonly string[]; readonly left: readonly string[] } {
  const fields = Object.keys(body).filter(name => name !== 'version' && name !== 'original_flag')
  const isLeft = (name: string) => isSameField(body[name], original[name])
  return {
    clashing: fields.filter(
      name =>
        !isLeft(name) && !isSameField(live[name], body[name]) && !isSameField(live[name], original[name]),
    ),
    left: fields.filter(isLeft),
  }
}

/** Lists of texts are sets here: tags, contexts. */
function isSameField(left: Json = null, right: Json = null): boolean {
  const inOrder = (value: Json) =>
    isJsonArray(value) && value.every(each => typeof each === 'string') ? value.toSorted() : value
  return isSameJson(inOrder(left), inOrder(right))
}
