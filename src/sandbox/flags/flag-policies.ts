import { featureFlag, roleAccess } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import { countsGroups } from '../../targeting/index.ts'
import { ApprovalNeeded, forbidden, invalid } from '../http/refusal.ts'
import type { Call, ProjectCall } from '../resource/resource.ts'
import type { FlagRow } from '../store/rows.ts'
import { inProject } from '../store/store.ts'

/** Refuses to delete a flag that something else goes by, where the service looks after those. [service-today 3] */
export function refuseWhileLinked({ quirks }: ProjectCall, flag: FlagRow): void {
  if (quirks.linked_flags === 'free') return
  if (isJsonArray(flag.features) && flag.features.length > 0)
    throw invalid(null, 'Cannot delete a feature flag that is in use with early access features.')
  if (hasRunningExperiment(flag))
    throw invalid(null, 'Cannot delete a feature flag that is linked to a running experiment.')
  if (flag.used_in_replay) throw invalid(null, 'Cannot delete a feature flag that session replay goes by.')
}

/** Refuses to take a variant from a running experiment. [service-today 3] */
export function refuseLostVariant({ quirks }: ProjectCall, flag: FlagRow, filters: JsonObject): void {
  if (quirks.linked_flags === 'free' || !hasRunningExperiment(flag)) return
  const left = variantsIn(filters)
  const lost = variantsIn(flag.filters).filter(key => !left.includes(key))
  if (lost.length > 0)
    throw invalid('filters', `Cannot remove variants of a running experiment: ${lost.join(', ')}.`)
}

/** Refuses groups where persons enrol in an early access feature. [service-today 3] */
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

/** The key that a flag has once it is deleted or restored, where that is another. [service-today 4] */
export function keyAfter({ quirks, store, project }: ProjectCall, flag: FlagRow, deleted: boolean): string {
  if (quirks.deleted_key === 'kept') return flag.key
  const tail = `:deleted:${flag.id}`
  if (deleted) return (flag.experiment_set?.length ?? 0) > 0 ? `${flag.key}${tail}` : flag.key
  if (!flag.key.endsWith(tail)) return flag.key
  const own = flag.key.slice(0, -tail.length)
  let key = own
  for (let count = 2; store.flagByKey.get(inProject(project.id, key)); count += 1) key = `${own}-${count}`
  return key
}

/**
 * Stops what a policy wants approved: switching the flag, or changing a percentage; a new flag is one that was off.
 * Nothing is written, and the answer tells of the request that somebody is to approve. [service-today 3]
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

/** What access controls say of a flag, from the least to the most. */
export const accessLevels = roleAccess.fields.access_level.oneOf

export type AccessLevel = (typeof accessLevels)[number]

/** Whether the caller may change a flag: everybody may, or the roles that are allowed to. */
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

/** Whether the caller is shown a flag; who is not meets its key all the same. */
export function canSee(call: Call, flag: FlagRow): boolean {
  return grantedLevel(call, flag) !== 'none'
}

/** What the caller may do with a flag, in the words of access controls. */
export function accessLevel(call: Call, flag: FlagRow): AccessLevel {
  return grantedLevel(call, flag) ?? (canEdit(call, flag) ? 'manager' : 'viewer')
}

/** What access controls say of the caller; nothing where there are none, or where the flag is the caller's own. */
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
  const said = (own.length > 0 ? own : others).map(({ access_level }) => access_level)
  return accessLevels.findLast(level => said.includes(level))
}
