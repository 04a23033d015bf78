import { featureFlag, roleAccess } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import { countsGroups } from '../../targeting/index.ts'
import { ApprovalNeeded, forbidden, invalid } from '../http/answer.ts'
import type { Call, ProjectCall } from '../resource/resource.ts'
import { inContainer } from '../store/collection.ts'
import type { FlagRow } from '../store/rows.ts'

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
export function accessLevel(call: Call, flag: FlagRow): AccessLevel {
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
