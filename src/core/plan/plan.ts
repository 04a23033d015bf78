import { declarableKinds } from '../../kinds/index.ts'
import { visible } from '../../targeting/describe/value-words.ts'
import { type Block, byAddress, type Outcome, type Plan } from '../change.ts'
import { type Declarations, type Desired, declaredParent } from '../desired.ts'
import { blockedOf, blockedOutcome, parentBlocked } from '../guards/block.ts'
import { givesLeaveToEdit } from '../guards/offered.ts'
import { existsField, type LiveEdit } from '../live-edits/live-edit.ts'
import { type PlannedObject, planObject, renamedInProduct, withOverdue } from '../live-edits/plan-edited.ts'
import { type OnRecord, onRecord, type Records } from '../live-edits/records.ts'
import { ownersOfPlan } from '../ownership.ts'
import type { Policy } from '../policy.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { inFlagOrder, withoutRefused } from './flag-dependencies.ts'
import { contextsFor, type ObjectContext, type Unchanged } from './object-context.ts'
import { planUndeclared } from './undeclared.ts'

export interface PlanInput {
  readonly declared: Declarations
  readonly live: Snapshot
  readonly policy: Policy
  /** What earlier runs, the history in git and the activity trail show; without them only two sides are compared. */
  readonly records?: Records
}

/**
 * Compares what is declared with what is live. Pure: the same input gives the same plan, in the same order.
 *
 * | declared | live         | outcome                                                        |
 * |----------|--------------|----------------------------------------------------------------|
 * | present  | none         | create; blocked where the kind cannot be created              |
 * | present  | soft-deleted | restore, never a second object with the same identity           |
 * | present  | as declared  | unchanged                                                      |
 * | present  | otherwise    | update; claim when only the ownership tag is missing              |
 * | present  | several      | blocked: say which by `id`                                    |
 * | absent   | one          | delete                                                         |
 * | absent   | none, soft-deleted | unchanged, and shown as already absent                     |
 * | nowhere  | one          | left alone; pruned only when the policy says so and allows it  |
 *
 * What was changed in the product of what is declared may stay as it is, as `planObject` says. Each change passes the guards; one that a guard objects to is blocked, and so is what depends on it.
 */
export function plan(input: PlanInput): Plan {
  const { declared: declarations, policy, records = {} } = input
  const recordedOf = (address: string) => onRecord(records, address)
  const { snapshot, links, rules, contextOf, foundOrContextOf, ensured } = contextsFor(input)
  const contexts = [...declarations.desired].sort(byOrder).map(written => {
    const context = foundOrContextOf(written)
    if ('isUnchanged' in context) return context
    const renamed = renamedInProduct(context, recordedOf, written.address)
    return renamed ? { ...context, renamed } : context
  })
  const declared = planObjects(contexts, recordedOf)
  const undeclared = planUndeclared({
    declarations,
    snapshot,
    policy,
    contexts,
    contextOf,
    recordedOf,
    records,
  })
  const possible = withoutRefused([...declared.outcomes, ...undeclared.outcomes], { links, ensured, rules })
  const ordered = withoutOrphans(inFlagOrder(possible, links))
  const outcomes = withGrantSummary(ordered)
  const unchanged = outcomes.flatMap(outcome => (outcome.is === 'unchanged' ? [outcome] : []))
  const absent = unchanged.filter(({ isAbsent }) => isAbsent)
  const shown = {
    changes: outcomes.flatMap(outcome => (outcome.is === 'change' ? [outcome.change] : [])),
    blocked: outcomes.flatMap(outcome => (outcome.is === 'blocked' ? [outcome.blocked] : [])),
    drift: undeclared.drift,
    liveEdits: withOverdue([...declared.liveEdits, ...undeclared.liveEdits], policy),
  }
  const owners = ownersOfPlan(shown, declarations.desired)
  return {
    ...shown,
    ...(owners ? { owners } : {}),
    unchanged: unchanged.map(({ address }) => address),
    ...(absent.length > 0 ? { absent: absent.map(({ address }) => address) } : {}),
    ...(undeclared.tagged > 0 ? { taggedUndeclared: undeclared.tagged } : {}),
    ...(policy.ownership.tag === undefined ? {} : { ownershipTag: policy.ownership.tag }),
    ...(policy.groupTypes === undefined ? {} : { groupTypes: policy.groupTypes }),
    inventory: snapshot.inventory,
  }
}

/** A change whose parent is blocked cannot be carried out, and saying so beats failing later. */
function withoutOrphans(outcomes: readonly Outcome[]): Outcome[] {
  const blocked = new Set(
    outcomes.flatMap(outcome => (outcome.is === 'blocked' ? [outcome.blocked.address] : [])),
  )
  return outcomes.map(outcome => {
    if (outcome.is !== 'change') return outcome
    const missing = outcome.change.dependsOn.find(address => blocked.has(address))
    if (missing === undefined) return outcome
    return blockedOutcome(outcome.change, parentBlocked(missing))
  })
}

/** Who may edit a new object is part of what it is, though each grant is a change of its own. */
function withGrantSummary(outcomes: readonly Outcome[]): Outcome[] {
  const grantees = new Map<string, string[]>()
  for (const outcome of outcomes) {
    if (outcome.is !== 'change' || outcome.change.action !== 'create' || !outcome.change.parent) continue
    const { parent, label, identity } = outcome.change
    if (!givesLeaveToEdit(outcome.change)) continue
    grantees.set(parent.$ref, [...(grantees.get(parent.$ref) ?? []), label ?? identity])
  }
  return outcomes.map(outcome => {
    if (outcome.is !== 'change' || outcome.change.action !== 'create') return outcome
    const roles = grantees.get(outcome.change.address)
    if (!roles) return outcome
    const words = `may be edited by ${roles.length === 1 ? 'role' : 'roles'} ${roles.map(visible).join(', ')}`
    return { is: 'change', change: { ...outcome.change, summary: [...outcome.change.summary, words] } }
  })
}

const kindOrder = new Map(declarableKinds.map(({ name }, order) => [name, order]))

/** Parents before their children, then by address, so that two runs read the same. */
function byOrder(left: Desired, right: Desired): number {
  const byKind = (kindOrder.get(left.kind) ?? 0) - (kindOrder.get(right.kind) ?? 0)
  return byKind || byAddress(left, right)
}

/** What a plan does about all declared objects. */
export interface PlannedObjects {
  readonly outcomes: readonly Outcome[]
  readonly liveEdits: readonly LiveEdit[]
}

/**
 * Plans declared objects, parents before what hangs from them. Nothing is made for a parent that was deleted in the
 * product and stays so.
 */
function planObjects(
  contexts: readonly (ObjectContext | Unchanged)[],
  recordedOf: (address: string) => OnRecord,
): PlannedObjects {
  const gone = new Map<string, LiveEdit>()
  const planned = contexts.map((context): PlannedObject => {
    const { address, ensure } = context.desired
    if ('isUnchanged' in context) return { outcome: { is: 'unchanged', address } }
    const parent = declaredParent(context.kind, context.desired)
    const deletion = parent === undefined ? undefined : gone.get(parent)
    if (deletion && ensure === 'present')
      return { outcome: blockedOf(context, 'create', parentGone(deletion)) }
    const one = planObject(context, recordedOf)
    const { outcome, liveEdit } = one
    if (outcome.is === 'held' && ensure === 'present' && liveEdit && isAboutExistence(liveEdit))
      gone.set(address, liveEdit)
    return one
  })
  return {
    outcomes: planned.map(({ outcome }) => outcome),
    liveEdits: planned.flatMap(({ liveEdit }) => (liveEdit ? [liveEdit] : [])),
  }
}

function isAboutExistence({ fields }: LiveEdit): boolean {
  return fields.some(({ field }) => field === existsField)
}

function parentGone({ address: parent, fields: [existence] }: LiveEdit): Block {
  const by = existence?.setBy ? `by \`vexil ${existence.setBy.command}\`` : 'in the product'
  return {
    rule: 'parent_missing',
    reason: `${parent} was deleted ${by}, and stays so`,
    remedy: `settle ${parent} first`,
  }
}
