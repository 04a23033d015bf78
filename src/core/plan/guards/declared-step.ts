import { declarableKind } from '../../../kinds/index.ts'
import { identityField } from '../../../model/kind.ts'
import { behaviourOf } from '../../../services/index.ts'
import type { Desired } from '../../desired.ts'
import { diffFields } from '../../diff.ts'
import { toLive } from '../../live.ts'
import type { Policy } from '../../policy.ts'
import { isAllowedFor } from '../object/object-context.ts'
import { summaryOf } from '../summary/change-summary.ts'
import { type GuardBlock, stepBlock } from './guards.ts'

/**
 * What `rollout_step` would say of a declaration where all is live as another one of the same object declares it; undefined
 * where it would block nothing. Nothing live is read.
 */
export function declaredStepBlock(before: Desired, after: Desired, policy: Policy): GuardBlock | undefined {
  if (before.ensure !== 'present' || after.ensure !== 'present') return undefined
  const kind = declarableKind(after.kind)
  const live = toLive(kind, { ...before.fields, id: 'declared', [identityField(kind)]: before.identity })
  if (!live || isAllowedFor({ desired: after, policy }, 'rollout_step')) return undefined
  const changes = diffFields(kind, after, live)
  const { exposure } = summaryOf(kind, {
    action: 'update',
    before: live.record,
    after: { ...live.record, ...Object.fromEntries(changes.map(change => [change.field, change.after])) },
    fields: changes.map(({ field }) => field),
    rules: behaviourOf('documented'),
    risk: policy.risk,
  })
  return stepBlock({ action: 'update', desired: after, ...(exposure ? { exposure } : {}) }, policy)[0]
}
