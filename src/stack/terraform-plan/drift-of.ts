import { type Drift, writtenFields } from '../../core/change.ts'
import { changesOf, type TellingManner } from './change-of.ts'
import { deletedMark, type PlannedChange } from './planned-change.ts'
import type { TerraformPlan } from './read-plan.ts'

/**
 * What somebody did in the product to one of our resources since Terraform applied it last, and what the plan does about
 * it. Nothing where only the service's own fields are others, such as a version or when it was changed.
 */
export function driftOf(
  drifted: PlannedChange,
  plan: TerraformPlan,
  manner: TellingManner,
): readonly Drift[] {
  const { address } = drifted
  const mark = deletedMark(drifted)
  const isSoftDeleted = mark.becomes && !mark.was
  const isDeleted = isSoftDeleted || drifted.actions.includes('delete')
  return changesOf({ ...drifted, importing: undefined }, plan, manner).flatMap(change => {
    const fields = isDeleted ? [] : writtenFields(change)
    if (!isDeleted && fields.length === 0) return []
    const where = `in ${manner.engine}: ${address}`
    const said = isDeleted ? ['deleted in the product'] : change.summary.filter(line => line !== where)
    return [
      {
        address: change.address,
        kind: change.kind,
        reason: isDeleted ? 'deleted' : 'changed',
        fields,
        summary: ['since the last apply:', ...said, outcomeOf(address, plan, isSoftDeleted), where],
      },
    ]
  })
}

function outcomeOf(address: string, { changes }: TerraformPlan, isSoftDeleted: boolean): string {
  const actions = changes.find(each => each.address === address)?.actions ?? []
  const isLeft = actions.every(action => action === 'no-op' || action === 'read')
  if (isLeft) return 'this plan leaves it so'
  return isSoftDeleted && actions.includes('update') ? 'this plan restores it' : 'this plan writes over it'
}
