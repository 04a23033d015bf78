import { fieldChanges, recordActivity } from './activity.ts'
import type { ProjectCall } from './call.ts'
import { refuseWhileNeeded } from './flag-dependencies.ts'
import { writtenFields } from './flag-fields.ts'
import { conflict, invalid, missingField, serverError } from './refusal.ts'
import type { DashboardRow, FlagRow } from './rows.ts'
import { inProject } from './store.ts'
import { isoTime } from './time.ts'

/** A new flag, from the request's body. */
export function createFlag(call: ProjectCall): FlagRow {
  const { store, project, caller, now } = call
  if (call.body.key === undefined) throw missingField('key')
  const blank = blankFlag(project.id, isoTime(now), caller.id)
  const fields = writtenFields(call, blank, true)
  claimKey(call, fields.key ?? '', undefined)
  const id = store.nextId(store.flags)
  const flag: FlagRow = { ...blank, ...fields, id }
  store.flags.put({ ...flag, usage_dashboard: createUsageDashboard(call, flag).id })
  recordActivity(call, { ...happeningTo(flag), activity: 'created' })
  return store.flags.get(id) ?? flag
}

/** Changes a flag as the request's body says. A body that changes nothing leaves no trace. */
export function updateFlag(call: ProjectCall, before: FlagRow): FlagRow {
  const { store, body, quirks } = call
  if (quirks.flag_version && typeof body.version === 'number' && body.version !== before.version)
    throw conflict('The feature flag was updated since you started editing it.')
  const written = writtenFields(call, before, false)
  if (written.deleted && !before.deleted) refuseWhileNeeded(call, before, 'delete')
  if (written.active === false && before.active && !before.deleted) refuseWhileNeeded(call, before, 'disable')
  const kept = written.key === undefined ? before : claimKeyForUpdate(call, before, written.key)
  const changes = fieldChanges('FeatureFlag', before, written)
  if (changes.length === 0 && kept === before) return before
  const after = store.flags.put({ ...kept, ...written, version: before.version + 1 })
  if (changes.length > 0) recordActivity(call, { ...happeningTo(after), activity: 'updated', changes })
  return after
}

/** A flag as it is before a request says anything of it. */
export function blankFlag(project: number, createdAt: string, createdBy: number | null): FlagRow {
  return {
    id: 0,
    project_id: project,
    key: '',
    name: '',
    filters: {},
    deleted: false,
    active: true,
    created_at: createdAt,
    created_by: createdBy,
    ensure_experience_continuity: false,
    has_enriched_analytics: false,
    rollback_conditions: null,
    performed_rollback: null,
    tags: [],
    analytics_dashboards: [],
    usage_dashboard: null,
    experiment_set: [],
    surveys: null,
    features: null,
    editable: true,
    survey_targeting: false,
    version: 1,
  }
}

export function createUsageDashboard({ store, project }: ProjectCall, flag: FlagRow): DashboardRow {
  return store.dashboards.put({
    id: store.nextId(store.dashboards),
    project_id: project.id,
    name: `Generated Dashboard: ${flag.key} Usage`,
    flag_id: flag.id,
    enriched: false,
  })
}

/**
 * Naming a key makes room for it first: a soft-deleted flag that holds it is destroyed. When that flag is the one
 * being changed, it comes back under its id, but what hung from it is gone.
 */
function claimKeyForUpdate(call: ProjectCall, before: FlagRow, key: string): FlagRow {
  if (!before.deleted || key !== before.key) {
    claimKey(call, key, before)
    return before
  }
  if (!call.quirks.revive_own_key_trap) return before
  if (before.experiment_set.length > 0) throw serverError()
  removeGrants(call, before)
  return { ...before, tags: [], analytics_dashboards: [] }
}

function claimKey(call: ProjectCall, key: string, owner: FlagRow | undefined): void {
  const { store, project, quirks } = call
  const holder = store.flagByKey.get(inProject(project.id, key))
  if (!holder || holder.id === owner?.id) return
  if (!holder.deleted || quirks.key_reuse === 'refuse')
    throw invalid('key', 'There is already a feature flag with this key.', 'unique')
  if (holder.experiment_set.length > 0)
    throw invalid(null, 'Feature flag with this key already exists and is used in an experiment.')
  removeGrants(call, holder)
  store.flags.remove(holder.id)
}

function removeGrants({ store }: ProjectCall, flag: FlagRow): void {
  for (const grant of store.grantsOfFlag.all(flag.id)) store.grants.remove(grant.id)
}

function happeningTo(flag: FlagRow) {
  return { scope: 'FeatureFlag', owner: flag.project_id, item_id: flag.id, name: flag.key } as const
}
