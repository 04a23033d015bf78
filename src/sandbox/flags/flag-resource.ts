import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { conflict, invalid, serverError } from '../http/refusal.ts'
import { blankRow } from '../resource/blank-row.ts'
import type { ProjectCall } from '../resource/call.ts'
import type { Resource } from '../resource/resource.ts'
import { grantResource } from '../routes/grant-resource.ts'
import type { ObjectSeeding } from '../seed/seeding.ts'
import type { FlagRow, RoleRow } from '../store/rows.ts'
import { checkFlagFilters } from './check-filters.ts'
import { createUsageDashboard } from './flag-actions.ts'
import { checkCircle, refuseWhileNeeded } from './flag-dependencies.ts'
import { shownFlag } from './flag-record.ts'
import { requireEdit } from './permission.ts'
import { databaseOrder } from './shown-filters.ts'

/** Flags: who gets them is checked, others may wait for them, and soft-deleted ones make room for their keys. */
export const flagResource: Resource<FlagRow, ProjectCall> = {
  ...shownFlag,
  first: [
    ...['key', 'name', 'filters', 'deleted', 'active', 'created_at'],
    ...['ensure_experience_continuity', 'has_enriched_analytics'],
  ],
  columns: { editable: true, survey_targeting: false, version: 1 },
  listsNewestFirst: true,
  unscoped: [
    ...['readByKey', 'copy', 'dashboard', 'enrichUsageDashboard', 'myFlags', 'evaluationReasons'],
    ...['userBlastRadius', 'createStaticCohort'],
  ],
  allow(call, operation, flag) {
    if (operation !== 'update') return
    requireEdit(call, flag)
    const { version } = call.body
    if (call.quirks.flag_version && typeof version === 'number' && version !== flag.version)
      throw conflict('The feature flag was updated since you started editing it.')
  },
  listed({ store, quirks, project }, all) {
    const isWhole = quirks.survey_flags === 'shown' || store.surveyFlags.count(project.id) === 0
    return isWhole ? undefined : all().filter(flag => !flag.survey_targeting)
  },
  // Switching a flag on is what ends a rollback, whatever else the request says of it.
  sent: ({ body }) => (body.active === true ? { ...body, performed_rollback: false } : body),
  keep: { filters: keptFilters, analytics_dashboards: linkedDashboards },
  giveWay(_, holder) {
    if (holder.experiment_set.length > 0)
      throw invalid(null, 'Feature flag with this key already exists and is used in an experiment.')
  },
  created: (call, flag) => ({ ...flag, usage_dashboard: createUsageDashboard(call, flag).id }),
  changing(call, before, { deleted, active, key }) {
    if (deleted && !before.deleted) refuseWhileNeeded(call, before, 'delete')
    if (active === false && before.active && !before.deleted) refuseWhileNeeded(call, before, 'disable')
    return before.deleted && key === before.key ? withoutOwnKey(call, before) : before
  },
  changed: flag => ({ ...flag, version: flag.version + 1 }),
  seeded(seeding, row, { can_edit, role_access }) {
    const { store, organization, project } = seeding
    for (const name of isJsonArray(role_access) ? role_access : []) {
      const roles = store.rolesOfOrganization.all(organization.id)
      seedGrant(
        seeding,
        row,
        roles.findLast(role => role.name === name),
      )
    }
    return {
      ...row,
      filters: databaseOrder(row.filters),
      editable: can_edit !== false,
      usage_dashboard: project ? createUsageDashboard({ store, project }, row).id : null,
    }
  },
  worldProblems({ role_access }, pointer, { report, roles }) {
    for (const [index, role] of (isJsonArray(role_access) ? role_access : []).entries())
      if (!roles.has(role))
        report(
          'unknown-role',
          `there is no role "${String(role)}" in the organization`,
          `${pointer}/role_access/${index}`,
        )
  },
  echoed({ body: { filters } }, flag, isNew) {
    // The answer to a POST still has the members of `filters` in the order in which they were sent.
    return isNew && isJsonObject(filters) ? { ...flag, filters } : flag
  },
}

function seedGrant({ store, now }: ObjectSeeding, flag: FlagRow, role: RoleRow | undefined): void {
  if (!role) return
  const blank = blankRow(grantResource, store, flag.id, { now, author: null })
  store.grants.put({ ...blank, id: store.nextId(store.grants), role_id: role.id })
}

/** Filters as they are kept, or undefined where the service would ignore them. */
function keptFilters(
  call: ProjectCall,
  filters: Json,
  flag: FlagRow,
  isNew: boolean,
): JsonObject | undefined {
  if (!isJsonObject(filters)) throw invalid('filters', 'Expected a dictionary of items.', 'not_a_dict')
  if (!isJsonArray(filters.groups) && call.quirks.filters_without_groups === 'lost') {
    if (isNew) throw serverError()
    return undefined
  }
  checkFlagFilters(call, filters, isNew)
  checkCircle(call, flag, filters)
  return databaseOrder(filters)
}

/** Links are only ever added. */
function linkedDashboards(call: ProjectCall, ids: Json, flag: FlagRow, isNew: boolean): readonly number[] {
  const { store, quirks, project } = call
  if (isNew && quirks.analytics_dashboards === 'error') throw serverError()
  const linked = new Set(flag.analytics_dashboards)
  for (const id of isJsonArray(ids) ? ids : []) {
    const dashboard = store.dashboards.get(Number(id))
    if (dashboard?.project_id !== project.id)
      throw invalid(
        'analytics_dashboards',
        `Invalid pk "${String(id)}" - object does not exist.`,
        'does_not_exist',
      )
    linked.add(dashboard.id)
  }
  return [...linked]
}

/**
 * Naming a key makes room for it first, and a soft-deleted flag that holds it is destroyed. When that is the flag that
 * is being changed, it comes back under its id, but what hung from it is gone.
 */
function withoutOwnKey({ store, quirks }: ProjectCall, before: FlagRow): FlagRow {
  if (!quirks.revive_own_key_trap) return before
  if (before.experiment_set.length > 0) throw serverError()
  for (const grant of store.grantsOfFlag.all(before.id)) store.grants.remove(grant.id)
  return { ...before, tags: [], analytics_dashboards: [] }
}
