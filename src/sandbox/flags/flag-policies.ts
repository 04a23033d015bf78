import { featureFlag } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import { countsGroups } from '../../targeting/index.ts'
import { ApprovalNeeded, invalid } from '../http/refusal.ts'
import type { ProjectCall } from '../resource/call.ts'
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
