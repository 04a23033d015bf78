import { featureFlag, roleAccess } from '../../kinds/index.ts'
import { canonicalValue } from '../../model/canonical.ts'
import type { Field } from '../../model/field.ts'
import {
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonArray,
  type JsonObject,
} from '../../model/text/json.ts'
import { writeJson } from '../../model/text/json-text.ts'
import { compareTexts } from '../../model/text/names.ts'
import { countsGroups } from '../../targeting/index.ts'
import { ApprovalNeeded, conflict, forbidden, invalid, type Refusal } from '../http/messages.ts'
import type { FlagRow, LaterFields } from '../rows.ts'
import { inContainer } from '../store.ts'
import type { Call, ProjectCall, Shown } from './resource.ts'
import { showRecord, userRecord } from './serve-kind.ts'

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

/** As in the service's database and answers: members sorted by the length of their name, then its bytes. */
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

/**
 * Filters as services since 2026 rewrite them. Each condition names the type of groups that it counts, and so
 * does the whole if all conditions agree. Operators have their new names; payloads are text with the spaces
 * of Python. Filters already in this form do not change. [service-today 2]
 */
export function rewrittenFilters(filters: JsonObject): JsonObject {
  const above = filters.aggregation_group_type_index ?? null
  const named = mapGroups(filters, group => ({
    ...group,
    properties: listOf(group.properties),
    aggregation_group_type_index: group.aggregation_group_type_index ?? above,
  }))
  const rewritten = mapProperties(named, rewrittenProperty)
  const { payloads } = filters
  return {
    ...rewritten,
    aggregation_group_type_index: commonAggregation(rewritten) ?? null,
    ...(isJsonObject(payloads) ? { payloads: mapValues(payloads, spacedPayload) } : {}),
  }
}

function mapGroups(filters: JsonObject, form: (group: JsonObject) => JsonObject): JsonObject {
  const groups = listOf(filters.groups)
  return { ...filters, groups: groups.map(group => (isJsonObject(group) ? form(group) : group)) }
}

/** Filters with another form of each property of their conditions. */
export function mapProperties(filters: JsonObject, form: (property: JsonObject) => Json): JsonObject {
  if (!isJsonArray(filters.groups)) return filters
  return mapGroups(filters, group => {
    if (!isJsonArray(group.properties)) return group
    return { ...group, properties: group.properties.map(each => (isJsonObject(each) ? form(each) : each)) }
  })
}

function listOf(value: Json | undefined): JsonArray {
  return isJsonArray(value) ? value : []
}

const renamed: Readonly<Record<string, string>> = { min: 'gte', max: 'lte' }

function rewrittenProperty(property: JsonObject): JsonObject {
  const { key, operator } = property
  return {
    ...property,
    ...(typeof key === 'number' ? { key: String(key) } : {}),
    ...(typeof operator === 'string' ? { operator: renamed[operator] ?? operator } : {}),
  }
}

function commonAggregation(filters: JsonObject): Json | undefined {
  const indexes = new Set(
    listOf(filters.groups).map(group => (isJsonObject(group) ? group.aggregation_group_type_index : null)),
  )
  return indexes.size === 1 ? [...indexes][0] : null
}

function spacedPayload(payload: Json): Json {
  return typeof payload === 'string' ? payload : spacedText(payload)
}

/** JSON with a blank after commas and colons. */
function spacedText(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(spacedText).join(', ')}]`
  if (!isJsonObject(value)) return writeJson(value)
  const members = Object.entries(value).map(([name, member]) => `${writeJson(name)}: ${spacedText(member)}`)
  return `{${members.join(', ')}}`
}

function mapValues(value: JsonObject, form: (member: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, form(member)]))
}

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
function laterRecord(call: Call, record: JsonObject, flag: FlagRow): JsonObject {
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

/** Refuses to delete a flag that something else uses, on services that check this. [service-today 3] */
export function refuseWhileLinked({ quirks }: ProjectCall, flag: FlagRow): void {
  if (quirks.linked_flags === 'free') return
  if (isJsonArray(flag.features) && flag.features.length > 0)
    throw invalid(null, 'Cannot delete a feature flag that is in use with early access features.')
  if (hasRunningExperiment(flag))
    throw invalid(null, 'Cannot delete a feature flag that is linked to a running experiment.')
  if (flag.used_in_replay) throw invalid(null, 'Cannot delete a feature flag that session replay goes by.')
}

/** Refuses to remove a variant from a running experiment. [service-today 3] */
export function refuseLostVariant({ quirks }: ProjectCall, flag: FlagRow, filters: JsonObject): void {
  if (quirks.linked_flags === 'free' || !hasRunningExperiment(flag)) return
  const left = variantsIn(filters)
  const lost = variantsIn(flag.filters).filter(key => !left.includes(key))
  if (lost.length > 0)
    throw invalid('filters', `Cannot remove variants of a running experiment: ${lost.join(', ')}.`)
}

/** Refuses groups if persons enrol in an early access feature. [service-today 3] */
export function refuseGroups({ quirks }: ProjectCall, flag: FlagRow, filters: JsonObject): void {
  const hasFeature = isJsonArray(flag.features) && flag.features.length > 0
  if (quirks.linked_flags === 'guarded' && hasFeature && countsGroups(filters))
    throw invalid(
      'filters',
      'Cannot use group aggregation when the flag is linked to an Early Access Feature.',
    )
}

function hasRunningExperiment({ experiment_set, experiments_stopped = false }: FlagRow): boolean {
  return (experiment_set?.length ?? 0) > 0 && !experiments_stopped
}

function variantsIn({ multivariate }: JsonObject): readonly Json[] {
  const variants =
    isJsonObject(multivariate) && isJsonArray(multivariate.variants) ? multivariate.variants : []
  return variants.flatMap(variant => (isJsonObject(variant) ? [variant.key ?? null] : []))
}

/** The new key of a flag after a delete or a restore, if it changes. [service-today 4] */
export function keyAfter({ quirks, store, project }: ProjectCall, flag: FlagRow, deleted: boolean): string {
  if (quirks.deleted_key === 'kept') return flag.key
  const tail = `:deleted:${flag.id}`
  if (deleted) return (flag.experiment_set?.length ?? 0) > 0 ? `${flag.key}${tail}` : flag.key
  if (!flag.key.endsWith(tail)) return flag.key
  const own = flag.key.slice(0, -tail.length)
  let key = own
  for (let count = 2; store.flagByKey.get(inContainer(project.id, key)); count += 1) key = `${own}-${count}`
  return key
}

/**
 * Stops changes that need an approval by policy: switching the flag, or changing a percentage. A new flag counts
 * as one that was off. Nothing is written, and the answer names the request for approval. [service-today 3]
 */
export function requireApproval({ quirks }: ProjectCall, flag: FlagRow, written: Partial<FlagRow>): void {
  if (quirks.approvals === 'none') return
  const switches = written.active !== undefined && written.active !== flag.active
  const moves =
    isJsonObject(written.filters) && !isSameJson(percentages(written.filters), percentages(flag.filters))
  if (switches || moves) throw new ApprovalNeeded(featureFlag.name, flag.id, quirks.approvals)
}

/** All percentages of filters, in their order. */
function percentages(value: Json): Json {
  if (isJsonArray(value)) return value.map(percentages)
  if (!isJsonObject(value)) return null
  return Object.entries(value).map(([name, member]) =>
    name === 'rollout_percentage' ? member : percentages(member),
  )
}

/** The levels of access controls for a flag, from the lowest to the highest. */
export const accessLevels = roleAccess.fields.access_level.oneOf

export type AccessLevel = (typeof accessLevels)[number]

/** Whether the caller may change a flag: everybody may, or the allowed roles. */
export function canEdit(call: Call, flag: FlagRow): boolean {
  const { store, caller } = call
  const level = grantedLevel(call, flag)
  if (level !== undefined) return accessLevels.indexOf(level) >= accessLevels.indexOf('editor')
  if (flag.editable) return true
  return store.grantsOfFlag.all(flag.id).some(({ role_id }) => caller.roles.includes(role_id))
}

export function requireEdit(call: Call, flag: FlagRow): void {
  if (!canEdit(call, flag)) throw forbidden()
}

/** Whether the caller can see a flag; its key is still taken for others. */
export function canSee(call: Call, flag: FlagRow): boolean {
  return grantedLevel(call, flag) !== 'none'
}

/** The caller's permission for a flag, in the words of access controls. */
function accessLevel(call: Call, flag: FlagRow): AccessLevel {
  return grantedLevel(call, flag) ?? (canEdit(call, flag) ? 'manager' : 'viewer')
}

/** The caller's level in access controls; nothing without access controls, or for the caller's own flag. */
function grantedLevel({ store, quirks, caller }: Call, flag: FlagRow): AccessLevel | undefined {
  if (quirks.grants_route === 'role_access') return undefined
  if (store.accessOfProject.count(flag.project_id) === 0) return undefined
  if (flag.editable && flag.created_by === caller.id) return undefined
  const controls = store.accessOfFlag.all(flag.id)
  const own = controls.filter(
    ({ role, organization_member }) =>
      organization_member === caller.uuid || (role !== null && caller.roles.includes(role)),
  )
  const others = controls.filter(
    ({ role, organization_member }) => role === null && organization_member === null,
  )
  const granted = (own.length > 0 ? own : others).map(({ access_level }) => access_level)
  return accessLevels.findLast(level => granted.includes(level))
}
