import { declarableKind } from '../../kinds/index.ts'
import type { Profile } from '../../model/connection.ts'
import { type DeclarableKind, objectAddress, switchField } from '../../model/kind.ts'
import { contradictionsIn } from '../../rules/contradictions.ts'
import { behaviourOf } from '../../services/differences.ts'
import type { Block, Change, Plan } from '../change.ts'
import { summaryOf } from '../describe/describe-change.ts'
import type { Desired } from '../desired.ts'
import { fingerprintOf, isSameField } from '../diff.ts'
import { compactManaged, type Live } from '../live.ts'
import type { Policy } from '../policy.ts'
import type { Redaction } from '../redaction.ts'
import { blockedFrom, closedRules, contradiction } from './block.ts'
import { blocksOf, type GuardBlock } from './guards.ts'
import { isAllowedFor } from './object-context.ts'

export interface SwitchInput {
  readonly kind: DeclarableKind
  readonly live: Live
  readonly turnsOn: boolean
  readonly policy: Policy
  /** The service that evaluates it. */
  readonly profile: Profile
  /** The declaration in the repository, as far as it can be read. */
  readonly declared?: Pick<Desired, 'allow' | 'protect' | 'sensitive'>
  readonly redaction?: Redaction
}

/**
 * Plans to turn one live object on or off, regardless of its declaration. Pure.
 *
 * | it is      | to be | a guard objects | outcome                                               |
 * |------------|-------|-----------------|-------------------------------------------------------|
 * | on         | off   | no              | a change of only its switch                           |
 * | on         | off   | yes             | the same, and a warning: this must always work        |
 * | off        | on    | no              | a change of only its switch                           |
 * | off        | on    | yes             | blocked, unless a permission lifts it, as in any plan |
 * | off        | on    | the service     | blocked: the service would refuse it                  |
 * | already so |       |                 | a change without differences, for the record          |
 *
 * `limits.rollout_step` does not block here, as in an undo: the flag returns to an earlier state.
 */
export function planSwitch(input: SwitchInput): Plan {
  const { kind, live, turnsOn } = input
  const change = changeOf(input)
  if (isSwitched(change)) return planOf({ changes: [change] })
  const desired: Desired = {
    ...input.declared,
    address: change.address,
    kind: kind.name,
    identity: live.identity,
    ensure: 'present',
    fields: {},
  }
  const { after, exposure, action } = change
  const { rolloutStep: _, ...limits } = input.policy.limits
  const policy: Policy = { ...input.policy, limits }
  const objections = blocksOf({ kind, action, desired, live, after, exposure }, policy)
  const allowed = objections.flatMap(({ rule }) => (rule === 'protected' ? [] : [rule]))
  if (!turnsOn) {
    const summary = [...change.summary, ...objections.map(({ reason }) => `although ${reason}`)]
    return planOf({ changes: [{ ...change, summary, allowed }] })
  }
  const isHeld = ({ rule }: GuardBlock) => rule === 'protected' || !isAllowedFor({ desired, policy }, rule)
  const held = refusedOn(input, change) ?? objections.find(isHeld)
  if (held) return planOf({ blocked: [blockedFrom(change, held)] })
  return planOf({ changes: [{ ...change, allowed }] })
}

export function isSwitched({
  kind: name,
  before,
  after,
}: Pick<Change, 'kind' | 'before' | 'after'>): boolean {
  const kind = declarableKind(name)
  const field = switchField(kind) ?? ''
  return isSameField(kind, field, before[field] ?? null, after[field] ?? null)
}

function changeOf({ kind, live, turnsOn, profile, policy, declared, redaction }: SwitchInput): Change {
  const field = switchField(kind) ?? ''
  const whole = compactManaged(kind, live.record)
  const [before, after] = [{ [field]: whole[field] ?? null }, { [field]: turnsOn }]
  const { summary, risk, riskReasons, exposure, alert } = summaryOf(kind, {
    action: 'update',
    before: whole,
    after: { ...whole, ...after },
    fields: [field],
    rules: behaviourOf(profile),
    risk: policy.risk,
    groupTypes: policy.groupTypes,
    cohorts: policy.cohorts,
    redaction: redaction?.of({ kind: kind.name, sensitive: declared?.sensitive }),
  })
  return {
    address: objectAddress(kind.name, live.identity),
    kind: kind.name,
    action: 'update',
    identity: live.identity,
    id: live.id,
    before,
    after,
    fingerprint: fingerprintOf(kind, live),
    risk,
    riskReasons,
    summary,
    ...(exposure ? { exposure } : {}),
    ...(alert === undefined ? {} : { alert }),
    allowed: [],
    dependsOn: [],
    ...(declared?.sensitive === undefined ? {} : { sensitive: declared.sensitive }),
  }
}

/** The block if the service would refuse the change. */
function refusedOn({ kind, live }: SwitchInput, { after }: Change): Block | undefined {
  const [clash] = contradictionsIn(kind, { ...live.record, ...after })
  if (clash) return { ...contradiction(clash), remedy: 'change that in the product, or in its declaration' }
  return closedRules(kind, live, after)
}

function planOf(some: Partial<Pick<Plan, 'changes' | 'blocked'>>): Plan {
  return { changes: [], blocked: [], liveEdits: [], drift: [], unchanged: [], inventory: {}, ...some }
}
