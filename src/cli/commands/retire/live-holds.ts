import type { Plan } from '../../../core/change.ts'
import type { Live } from '../../../core/live.ts'
import type { LiveEditField } from '../../../core/live-edits/live-edit.ts'
import { blocksOf } from '../../../core/plan/guards/guards.ts'
import { isAllowed, type Policy } from '../../../core/policy.ts'
import type { Snapshot } from '../../../core/read/snapshot.ts'
import type { Hold, Unchecked } from '../../../core/retire/retirement.ts'
import { uses, usesOf } from '../../../core/uses.ts'
import { declarableKind } from '../../../kinds/index.ts'
import { objectAddress } from '../../../model/address.ts'
import { guardedFields, switchField } from '../../../model/kind.ts'
import { type HoldKind, holdKinds } from '../../../model/removal/retire-steps.ts'
import { shellWord } from '../../../model/text/shell-word.ts'
import type { DeclaredIn } from './declared-in.ts'

interface LiveFlag {
  readonly live: Live | undefined
  readonly plan: Plan
  readonly snapshot: Snapshot
  readonly policy: Policy
}

/** What the service shows that holds a flag, and what it does not show. */
export function liveHolds(
  flag: DeclaredIn,
  seen: LiveFlag,
): {
  readonly holds: readonly Hold[]
  readonly unchecked: readonly Unchecked[]
} {
  return {
    holds: [
      ...guardHolds(flag, seen),
      ...dependentHolds(flag, seen),
      ...editHolds(flag, seen),
      ...planHolds(flag, seen),
    ],
    unchecked: hiddenUses(flag, seen),
  }
}

/** What would keep a plan from turning the flag off. What the declaration says by itself is known from the files. */
function guardHolds(
  { desired, environment: { name: environment } }: DeclaredIn,
  { live, policy }: LiveFlag,
): Hold[] {
  if (!live || desired.ensure === 'absent') return []
  const kind = declarableKind(desired.kind)
  const after = { [switchField(kind) ?? '']: false }
  return blocksOf({ kind, action: 'update', desired, live, after }, policy).flatMap((block): Hold[] => {
    const { rule, reason, remedy } = block
    if (rule === 'protected') return []
    const isPassed = desired.allow?.includes(rule) === true || isAllowed(policy, rule, desired.address)
    const use = uses.find(each => each === rule)
    const used =
      use === undefined
        ? ''
        : usesOf(kind, use, live.record)
            .filter(name => name !== '')
            .join(', ')
    return [
      {
        kind: isHoldKind(rule) ? rule : 'blocked',
        environment,
        what: used === '' ? reason : `${reason}: ${used}`,
        remedy,
        ...(isPassed ? { isAllowed: true } : {}),
      },
    ]
  })
}

function isHoldKind(rule: string): rule is HoldKind {
  return holdKinds.some(kind => kind === rule)
}

/** What uses a flag is in fields that a service may leave out. */
function hiddenUses(
  { desired, environment: { name: environment } }: DeclaredIn,
  { live }: LiveFlag,
): Unchecked[] {
  if (!live) return []
  const kind = declarableKind(desired.kind)
  return uses.flatMap(use => {
    const isShown = guardedFields(kind, use).some(field => live.record[field] !== undefined)
    return isShown
      ? []
      : [{ environment, what: `${use}s`, reason: 'the service does not show them to this key' }]
  })
}

/** Live flags that name it and are on. */
function dependentHolds(
  { desired, environment: { name: environment } }: DeclaredIn,
  { live, snapshot }: LiveFlag,
): Hold[] {
  if (!live) return []
  const names = [live.identity, live.id]
  return (snapshot.links ?? []).flatMap((other): Hold[] => {
    const isMeant = other.kind === desired.kind && other.id !== live.id && other.isOn && !other.isDeleted
    if (!isMeant || !other.names.some(name => names.includes(name))) return []
    const address = objectAddress(other.kind, other.identity)
    return [
      {
        kind: 'dependent',
        environment,
        subject: address,
        what: `${address} (id ${other.id}) is live and names it in its conditions`,
        remedy: `take it out of the conditions of ${other.identity}, in the product or where that is declared`,
      },
    ]
  })
}

/** What was changed in the product since the flag was applied. */
function editHolds(
  { desired: { identity }, environment: { name: environment } }: DeclaredIn,
  { plan }: LiveFlag,
): Hold[] {
  const pull = `\`vexil pull ${shellWord(identity)}${envOption(environment)}\` takes it into the files`
  return plan.liveEdits.map(({ address, fields, remedies }) => ({
    kind: 'live_edit',
    environment,
    what: `${address}: ${fields.map(editText).join('; ')}`,
    remedy: fields.some(({ treatment }) => treatment === 'behind') ? (remedies[0] ?? pull) : pull,
  }))
}

function envOption(environment: string | undefined): string {
  return environment === undefined ? '' : ` --env ${shellWord(environment)}`
}

function editText({ field, treatment, author }: LiveEditField): string {
  if (treatment === 'behind') return `${field} is as another commit declares it`
  const who = author?.name === undefined ? '' : ` by ${author.name}`
  return `${field} was changed in the product${who}`
}

/** What a plan would do with the flag and its grants as they are declared now, or cannot. */
function planHolds(
  { desired, environment: { name: environment } }: DeclaredIn,
  { plan: { changes, blocked } }: LiveFlag,
): Hold[] {
  const where = envOption(environment)
  return [
    ...blocked.map(
      ({ address, action, reason, remedy }): Hold => ({
        kind: 'blocked',
        environment,
        what: `${address}: the plan cannot ${action}: ${reason}`,
        remedy,
      }),
    ),
    ...changes.map(({ address, action, after, summary }): Hold => {
      const isNew = action === 'create' && address === desired.address
      return {
        kind: 'unapplied',
        environment,
        what: `${address} is not live as it is declared: ${summary[0] ?? Object.keys(after).join(', ')}`,
        remedy: isNew
          ? `apply it first, \`vexil apply${where}\`; or take ${desired.identity} out of the files by hand, where it was never live`
          : `apply that first: \`vexil apply${where}\``,
      }
    }),
  ]
}
