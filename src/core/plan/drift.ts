import type { JsonObject } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import type { Blocked, BlockRule, Drift } from '../change.ts'
import { diffFields, type FieldChange } from '../diff.ts'
import { compactManaged } from '../live.ts'
import type { Base } from '../live-edits/base.ts'
import { threeOf } from '../live-edits/digests.ts'
import { verdictOf } from '../live-edits/verdict.ts'
import { unreadable } from './block.ts'
import type { ObjectContext } from './object-context.ts'
import { isAsDeclared } from './object-difference.ts'
import { summaryOf } from './summary/change-summary.ts'

/** Rules that hold back what the service has no place for, or what nobody could look at. */
const noDifference: readonly BlockRule[] = [
  'not_kept',
  'not_offered',
  'not_seen',
  'source_unreadable',
  'unreadable',
]

/** Whether something blocked is a difference between what is declared and what is live. */
export function isDifference({ rule }: Blocked): boolean {
  return !noDifference.includes(rule)
}

/**
 * Whether somebody changed an object since it was last as declared. Only what is not as declared counts: fields and paths
 * that a declaration leaves alone are free to change.
 */
export function driftOf(context: ObjectContext, base: Base): Drift[] {
  const { kind, desired, found, policy, rules } = context
  const before = base[desired.address]
  if (before?.ensure !== 'present' || desired.ensure === 'absent' || found.length > 1 || unreadable(context))
    return []
  if (isAsDeclared(context)) return []
  const [live] = found
  const about = {
    address: desired.address,
    kind: kind.name,
    ...(desired.source ? { source: desired.source } : {}),
  }
  if (!live || live.isSoftDeleted) {
    return [
      { ...about, reason: 'deleted', fields: [], summary: ['deleted in the service since the last apply'] },
    ]
  }
  const differing = diffFields(kind, desired, live, policy.ownership.tag)
  // Mostly nothing differs, and hashing is what costs time here.
  if (differing.length === 0) return []
  const compared = { kind, desired, live, ownershipTag: policy.ownership.tag }
  const drifted = differing.filter(({ field }) => {
    const verdict = verdictOf(threeOf(compared, field, before.fields[field]))
    return verdict === 'live_changed' || verdict === 'conflict'
  })
  const fields = Object.keys(before.fields).filter(name => drifted.some(({ field }) => field === name))
  if (fields.length === 0) return []
  return [
    {
      ...about,
      reason: 'changed',
      fields,
      summary: [
        `${fields.join(', ')} changed in the service since the last apply, from what is declared to what is live:`,
        ...driftSummary(kind, compactManaged(kind, live.record), drifted, rules),
      ],
    },
  ]
}

/** What somebody did in the service, told as a change of it; what is kept of it has no values, the declaration has them. */
function driftSummary(
  kind: DeclarableKind,
  now: JsonObject,
  drifted: readonly FieldChange[],
  rules: EvaluationRules,
): readonly string[] {
  const declared = Object.fromEntries(drifted.map(({ field, after }) => [field, after]))
  return summaryOf(kind, {
    action: 'update',
    before: { ...now, ...declared },
    after: now,
    fields: Object.keys(declared),
    rules,
  }).summary
}
