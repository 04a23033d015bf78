import { featureFlag, type role, roleAccess } from '../../kinds/index.ts'
import {
  isEmptyJson,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/text/json.ts'
import {
  type Answer,
  conflict,
  emptyAnswer,
  forbidden,
  invalid,
  jsonAnswer,
  notFound,
  parseJson,
  serverError,
  unknownReference,
} from '../http/messages.ts'
import {
  type AccessControlRow,
  type DashboardRow,
  type FlagRow,
  type GrantRow,
  integerId,
  isoTime,
  type RoleRow,
} from '../rows.ts'
import {
  type AccessLevel,
  accessLevels,
  canSee,
  checkRulesVersion,
  databaseOrder,
  flagRecord,
  hasRules,
  keptLaterFields,
  keyAfter,
  openedFilters,
  refuseGroups,
  refuseLostVariant,
  refuseWhileLinked,
  requireApproval,
  requireEdit,
  shownFlag,
  unsupportedVersion,
  withoutGoneFields,
} from './flag-record.ts'
import { checkCircle, checkFlagFilters, refuseWhileNeeded, refuseWithoutNeeded } from './refuse-filters.ts'
import type { Call, Handlers, ObjectSeeding, ProjectCall, Resource } from './resource.ts'
import { userRecord } from './serve-kind.ts'
import { blankRow, keptText } from './write-row.ts'

/** Flags: their filters are checked, others may wait for them, and soft-deleted ones release their keys. */
export const flagResource: Resource<FlagRow, ProjectCall> = {
  ...shownFlag,
  first: [
    ...['key', 'name', 'filters', 'deleted', 'active', 'created_at'],
    ...['ensure_experience_continuity', 'has_enriched_analytics'],
  ],
  columns: {
    ...{ editable: true, survey_targeting: false, version: 1 },
    ...{ archived: false, used_in_replay: false, experiments_stopped: false },
  },
  listsNewestFirst: true,
  allow(call, operation, flag) {
    if (!canSee(call, flag)) throw forbidden()
    if (operation !== 'update') return
    requireEdit(call, flag)
    checkRulesVersion(call, flag)
    if (staleFields(call, flag).clashing.length > 0)
      throw conflict('The feature flag was updated since you started editing it.')
  },
  listed: listedFlags,
  sent(call, before, isNew) {
    const { unchanged } = isNew ? notStale : staleFields(call, before)
    const body = pickMembers(withoutGoneFields(call, call.body), (_, name) => !unchanged.includes(name))
    // Switching on a flag ends a rollback, whatever else the request contains.
    return body.active === true ? { ...body, performed_rollback: false } : body
  },
  keep: { key: keptKey, filters: keptFilters, analytics_dashboards: linkedDashboards },
  keptBeside: keptLaterFields,
  giveWay(_, holder) {
    if (holder.experiment_set.length > 0)
      throw invalid(null, 'Feature flag with this key already exists and is used in an experiment.')
  },
  created(call, made) {
    // A flag with rules of version 2 starts switched off.
    const flag = hasRules(made.filters) ? { ...made, active: false } : made
    if (hasRules(made.filters) && call.body.active === true) throw unsupportedVersion('active')
    requireApproval(call, { ...flag, active: false }, { active: flag.active })
    const { usage_dashboard, no_filters } = call.quirks
    const isForNobody = no_filters === 'nobody' && call.body.filters === undefined
    const filters = openedFilters(call, flag, true, isForNobody ? { groups: [] } : flag.filters)
    return {
      ...flag,
      ...(usage_dashboard === 'made' ? { usage_dashboard: createUsageDashboard(call, flag).id } : {}),
      filters: filters === flag.filters ? filters : databaseOrder(filters),
    }
  },
  changing(call, before, written) {
    const { deleted, active, key } = written
    if (deleted && !before.deleted) {
      refuseWhileLinked(call, before)
      refuseWhileNeeded(call, before, 'delete')
    }
    requireApproval(call, before, written)
    if (active === false && before.active && !before.deleted) refuseWhileNeeded(call, before, 'disable')
    if (active === true && !before.active) refuseWithoutNeeded(call, before)
    if (before.deleted && key === before.key) return withoutOwnKey(call, before)
    const isMoved = deleted !== undefined && key === undefined && deleted !== before.deleted
    const moved = isMoved ? keyAfter(call, before, deleted) : before.key
    const base = deleted && hasRules(before.filters) ? { ...before, active: false } : before
    return moved === before.key ? base : { ...base, key: moved }
  },
  changed: (call, flag) => ({
    ...flag,
    filters: openedFilters(call, flag, false, flag.filters),
    version: flag.version + 1,
    updated_at: isoTime(call.now),
    last_modified_by: call.caller.id,
  }),
  countsUnchanged: ({ quirks }) => quirks.unchanged_patch === 'counted',
  seeded(seeding, row, { can_edit, role_access, access_level }) {
    const { store, organization, project } = seeding
    for (const name of isJsonArray(role_access) ? role_access : []) {
      const roles = store.rolesOfOrganization.all(organization.id)
      seedGrant(
        seeding,
        row,
        roles.findLast(role => role.name === name),
      )
    }
    if (access_level !== undefined) seedLevel(seeding, row, null, access_level)
    return {
      ...row,
      filters: databaseOrder(row.filters),
      editable: can_edit !== false && access_level === undefined,
      usage_dashboard: project ? createUsageDashboard({ store, project }, row).id : null,
    }
  },
  echoed(call, flag, isNew) {
    const { filters } = call.body
    // The answer to a POST still has the members of `filters` in the order of the request.
    return isNew && isJsonObject(filters)
      ? { ...flag, filters: openedFilters(call, flag, isNew, filters) }
      : flag
  },
}

/** The dashboard that every flag has from its creation. */
export function createUsageDashboard(
  { store, project }: Pick<ProjectCall, 'store' | 'project'>,
  { id, key }: Pick<FlagRow, 'id' | 'key'>,
): DashboardRow {
  return store.dashboards.put({
    id: store.nextId(store.dashboards),
    project_id: project.id,
    name: `Generated Dashboard: ${key} Usage`,
    flag_id: id,
    enriched: false,
  })
}

function seedGrant(seeding: ObjectSeeding, flag: FlagRow, role: RoleRow | undefined): void {
  if (!role) return
  const { store, now } = seeding
  const blank = blankRow(grantResource, store, flag.id, { now: isoTime(now), author: null })
  store.grants.put({ ...blank, id: store.nextId(store.grants), role_id: role.id })
  // The level that an upgraded service derives from the grant.
  seedLevel(seeding, flag, role.id, roleAccess.fields.access_level.assumed)
}

/** The permission of a role for a flag or, without a role, of everybody without an own level. */
function seedLevel({ store, now }: ObjectSeeding, flag: FlagRow, role: string | null, level: Json): void {
  store.accessControls.put({
    id: `${flag.id}/${role ?? ''}`,
    flag_id: flag.id,
    project_id: flag.project_id,
    role,
    organization_member: null,
    access_level: accessLevels.find(known => known === level) ?? 'editor',
    created_by: null,
    created_at: isoTime(now),
    updated_at: isoTime(now),
  })
}

/** Filters in their stored form, or undefined if the service would ignore them. */
function keptFilters(
  call: ProjectCall,
  filters: Json,
  flag: FlagRow,
  isNew: boolean,
): JsonObject | undefined {
  if (!isJsonObject(filters)) throw invalid('filters', 'Expected a dictionary of items.', 'not_a_dict')
  const { filters_without_groups, filters_patch } = call.quirks
  const held: JsonObject = !isNew && filters_patch === 'merged' ? flag.filters : {}
  const whole: JsonObject = { ...held, ...filters }
  if (isNew && filters_without_groups === 'refused' && isEmptyJson(filters.groups))
    throw invalid('filters', 'Feature flags need at least one condition set.')
  if (!isJsonArray(whole.groups) && filters_without_groups !== 'stored') {
    if (isNew) throw serverError()
    return undefined
  }
  checkFlagFilters(call, whole, isNew)
  checkCircle(call, flag, whole)
  refuseLostVariant(call, flag, whole)
  refuseGroups(call, flag, whole)
  return databaseOrder(whole)
}

/** A key in its stored form, if the service restricts its characters. */
function keptKey({ quirks }: ProjectCall, value: Json): string {
  const key = keptText('key', featureFlag.fields.key, String(value))
  if (quirks.flag_key_characters === 'checked' && !featureFlag.fields.key.characters.pattern.test(key))
    throw invalid('key', 'Only letters, numbers, hyphens (-) & underscores (_) are allowed.', 'invalid_key')
  return key
}

const notStale = { clashing: [], unchanged: [] }

/**
 * The effect of a request that was made for another version of the flag. `clashing` are the fields that it changes
 * and somebody else has changed meanwhile, to another value; `unchanged` those that it does not write.
 * [service-today 3]
 */
function staleFields(
  call: ProjectCall,
  flag: FlagRow,
): { readonly clashing: readonly string[]; readonly unchanged: readonly string[] } {
  const { body, quirks } = call
  const { version, original_flag: original, ...sent } = body
  const isCompared = quirks.flag_version && version !== undefined && version !== flag.version
  if (!isCompared || !isJsonObject(original) || isEmptyJson(original)) return notStale
  const live = flagRecord(call, flag)
  const isSame = (name: string, others: JsonObject) => isSameField(sent[name], others[name])
  const unchanged = Object.keys(sent).filter(name => isSame(name, original))
  const changed = Object.keys(sent).filter(name => !unchanged.includes(name))
  const clashing = changed.filter(name => !isSame(name, live) && !isSameField(live[name], original[name]))
  return quirks.stale_patch === 'dropped'
    ? { clashing: [], unchanged: [...unchanged, ...clashing] }
    : { clashing, unchanged }
}

/** Lists of texts are compared as sets here: tags, contexts. */
function isSameField(left: Json = null, right: Json = null): boolean {
  const inOrder = (value: Json) =>
    isJsonArray(value) && value.every(each => typeof each === 'string') ? value.toSorted() : value
  return isSameJson(inOrder(left), inOrder(right))
}

/** Links are only ever added. */
function linkedDashboards(call: ProjectCall, ids: Json, flag: FlagRow, isNew: boolean): readonly number[] {
  const { store, quirks, project } = call
  if (isNew && quirks.analytics_dashboards === 'error') throw serverError()
  const linked = new Set(flag.analytics_dashboards)
  for (const id of isJsonArray(ids) ? ids : []) {
    const dashboard = store.dashboards.get(Number(id))
    if (dashboard?.project_id !== project.id) throw unknownReference('analytics_dashboards', id)
    linked.add(dashboard.id)
  }
  return [...linked]
}

/**
 * A request with a key first destroys a soft-deleted flag that has this key. If that is the changed flag
 * itself, it is created again under its id, but its related objects are lost.
 */
function withoutOwnKey({ store, quirks }: ProjectCall, before: FlagRow): FlagRow {
  if (!quirks.restore_own_key_trap) return before
  if (before.experiment_set.length > 0) throw serverError()
  for (const grant of store.grantsOfFlag.all(before.id)) store.grants.remove(grant.id)
  return { ...before, tags: [], analytics_dashboards: [] }
}

type Keeps = (flag: FlagRow) => boolean

/** The flags in a list, if not all. */
function listedFlags(call: ProjectCall, all: () => readonly FlagRow[]): readonly FlagRow[] | undefined {
  const keeping = [...hiding(call), ...asking(call)]
  return keeping.length === 0 ? undefined : all().filter(flag => keeping.every(keeps => keeps(flag)))
}

/** Flags that a list omits by default, although they occupy their keys. */
function hiding(call: ProjectCall): readonly Keeps[] {
  const { store, quirks, project, url } = call
  const archived = url.searchParams.get('archived') === 'true'
  return [
    ...(quirks.survey_flags === 'hidden' && store.surveyFlags.count(project.id) > 0
      ? [(flag: FlagRow) => !flag.survey_targeting]
      : []),
    ...(quirks.flag_fields === '2026' ? [(flag: FlagRow) => (flag.archived ?? false) === archived] : []),
    ...(quirks.grants_route !== 'role_access' && store.accessOfProject.count(project.id) > 0
      ? [(flag: FlagRow) => canSee(call, flag)]
      : []),
  ]
}

/** The filters in the query. Unknown ones are ignored. [service-today 1] */
function asking({ quirks, url }: ProjectCall): readonly Keeps[] {
  if (quirks.flag_list_query === 'ignored') return []
  const query = quirks.flag_list_query === 'taken' ? { ...filters, key: byKey } : filters
  return Object.entries(query).flatMap(([name, filter]) => {
    const value = url.searchParams.get(name)
    return value === null || value === '' ? [] : [filter(value)]
  })
}

const byKey =
  (value: string): Keeps =>
  flag =>
    flag.key.toLowerCase() === value.toLowerCase()

const filters: Readonly<Record<string, (value: string) => Keeps>> = {
  // No flag is stale here.
  active: value => flag => value !== 'STALE' && flag.active === (value === 'true'),
  created_by_id: value => flag => String(flag.created_by) === value,
  search(value) {
    if (value.length > 200) throw invalid('search', 'A search has at most 200 characters.')
    const words = value.toLowerCase()
    return flag => [flag.key, flag.name].some(text => text.toLowerCase().includes(words))
  },
  type: value => flag =>
    value === 'boolean' ? !hasVariants(flag) : value !== 'multivariant' || hasVariants(flag),
  evaluation_runtime: value => flag => (flag.evaluation_runtime ?? 'all') === value,
  tags: value => flag => textsIn(value).some(tag => flag.tags.includes(tag)),
  excluded_tags: value => flag => !textsIn(value).some(tag => flag.tags.includes(tag)),
}

function hasVariants({ filters: { multivariate } }: FlagRow): boolean {
  return isJsonObject(multivariate) && isJsonArray(multivariate.variants) && multivariate.variants.length > 0
}

/** A list of texts as JSON. */
function textsIn(value: string): readonly string[] {
  const list = parseJson(value)
  return isJsonArray(list) ? list.map(String) : []
}

/** Grants: each lets a role change one flag, and belongs to that flag. */
export const grantResource: Resource<GrantRow, ProjectCall> = {
  kind: roleAccess,
  admit(call, operation) {
    const flag = flagOf(call)
    if (flag && operation === 'create') requireEdit(call, flag)
  },
  allow(call, operation, grant) {
    const flag = call.store.flags.get(grant.flag_id)
    if (flag && operation === 'remove') requireEdit(call, flag)
  },
  listed({ quirks, url }, all) {
    const query = [...url.searchParams.keys()]
    if (quirks.role_access_query === 'error' && query.some(name => name !== 'role' && name !== 'role_id'))
      throw serverError()
    const role = url.searchParams.get('role_id') ?? url.searchParams.get('role')
    return role === null ? undefined : all().filter(grant => grant.role_id === role.toLowerCase())
  },
  keep: { role_id: keptRole },
  taken({ quirks }, grant) {
    switch (quirks.role_access_duplicate) {
      case 'existing':
        return grant
      case 'error':
        throw serverError()
      case 'conflict':
        throw conflict('The role has access to the feature flag already.')
      case 'invalid':
        throw invalid(null, 'The fields feature_flag, role must make a unique set.', 'unique')
    }
  },
  show: {
    feature_flag(call, grant) {
      const flag = call.store.flags.get(grant.flag_id)
      return flag ? flagRecord(call, flag) : null
    },
    role(call, grant) {
      const role = call.store.roles.get(grant.role_id)
      return role ? roleRecord(call, role) : null
    },
  },
}

function flagOf({ store, params }: Call): FlagRow | undefined {
  return store.flags.get(integerId(params.parent_lookup_feature_flag_id ?? '') ?? -1)
}

function keptRole({ store }: Call, id: Json): string {
  const role = store.roles.get(String(id).toLowerCase())
  if (!role) throw unknownReference('role_id', id)
  return role.id
}

/** The levels of a flag, on newer services; others do not have this path. [service-today 5] */
export const accessControls: Handlers = {
  accessControls: call => controlsOf(call, flagIn(call)),
  setAccessControl: call => putControl(call, flagIn(call)),
}

function flagIn(call: ProjectCall): FlagRow {
  const flag = flagOf(call)
  if (flag?.project_id !== call.project.id) throw notFound()
  return flag
}

function controlsOf(call: ProjectCall, flag: FlagRow): Answer {
  const controls = call.store.accessOfFlag.all(flag.id).map(controlRecord)
  return jsonAnswer({
    access_controls: controls,
    available_access_levels: [...accessLevels],
    default_access_level: 'editor',
    user_can_edit_access_levels: true,
  })
}

/** Sets one level; null removes it. Without a role or a person it is that of everybody else. */
function putControl(call: ProjectCall, flag: FlagRow): Answer {
  requireEdit(call, flag)
  const { store, body, now, caller } = call
  const role = roleIn(call)
  const member = memberIn(call)
  if (role !== null && member !== null)
    throw invalid(null, 'You can not scope an access control to both a member and role.')
  const id = `${flag.id}/${role ?? member ?? ''}`
  const level = body.access_level
  if (level === null) {
    store.accessControls.remove(id)
    return emptyAnswer(204)
  }
  if (!isLevel(level)) throw invalid('access_level', 'Invalid access level.')
  const time = isoTime(now)
  const before = store.accessControls.get(id)
  const control = store.accessControls.put({
    id,
    flag_id: flag.id,
    project_id: flag.project_id,
    role,
    organization_member: member,
    access_level: level,
    created_by: before?.created_by ?? caller.id,
    created_at: before?.created_at ?? time,
    updated_at: time,
  })
  return jsonAnswer(controlRecord(control))
}

/** Its creator is a number, unlike in all other records. */
function controlRecord({ id: _id, project_id: _place, flag_id, ...shown }: AccessControlRow): JsonObject {
  return { ...shown, resource: featureFlag.name, resource_id: String(flag_id) }
}

function roleIn({ store, organization, body }: ProjectCall): string | null {
  const { role = null } = body
  if (role === null) return null
  const found = store.roles.get(String(role).toLowerCase())
  if (found?.organization_id !== organization.id) throw unknownReference('role', role)
  return found.id
}

function memberIn({ store, body }: ProjectCall): string | null {
  const { organization_member: member = null } = body
  if (member === null) return null
  const isKnown = [...store.users.all()].some(({ uuid }) => uuid === member)
  if (isKnown) return String(member)
  throw unknownReference('organization_member', member)
}

function isLevel(level: Json | undefined): level is AccessLevel {
  return accessLevels.some(known => known === level)
}

/** A role in an answer: in grants, and in the list of the roles of an organization. */
export function roleRecord({ store, quirks }: Call, row: RoleRow): JsonObject {
  const members = [...store.users.all()].filter(user => user.roles.includes(row.id))
  const flags = store.grantsOfRole.all(row.id).flatMap(grant => store.flags.get(grant.flag_id) ?? [])
  const real = quirks.shapes === 'real'
  const record = {
    id: row.id,
    name: row.name,
    feature_flags_access_level: row.feature_flags_access_level,
    created_at: row.created_at,
    created_by: userRecord(store, row.created_by),
    members: real
      ? members.map(member => ({ id: member.id, user: userRecord(store, member.id) }))
      : members.map(member => member.email).join(', '),
    associated_flags: real
      ? flags.map(flag => ({ id: flag.id, key: flag.key }))
      : flags.map(flag => flag.key).join(', '),
  } satisfies Readonly<Record<keyof typeof role.fields, Json>>
  if (quirks.grants_route !== 'access_controls') return record
  const { feature_flags_access_level: _level, associated_flags: _flags, ...own } = record
  return { ...own, is_default: false }
}
