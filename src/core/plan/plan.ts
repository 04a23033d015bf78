import { declarableKind, declarableKinds } from '../../kinds/index.ts'
import { type DeclarableKind, objectAddress } from '../../model/kind.ts'
import { visible } from '../../targeting/value-words.ts'
import { type Block, byAddress, type Drift, type Outcome, type Plan } from '../change.ts'
import { orphanSummary } from '../describe/describe-field.ts'
import { type Declarations, type Desired, declaredParent } from '../desired.ts'
import { canonicalIdentity, findLive, idKey, isListedApart, type Live, labelOf } from '../live.ts'
import { existsField, type LiveEdit } from '../live-edits/live-edit.ts'
import { type PlannedObject, planObject, renamedInProduct, withOverdue } from '../live-edits/plan-edited.ts'
import {
  type OnRecord,
  onRecord,
  type Records,
  surplusGrants,
  surplusOnRecord,
} from '../live-edits/records.ts'
import { hasOwnershipTag, ownersOfPlan } from '../ownership.ts'
import { isAllowed, type Policy } from '../policy.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { blockedOf, blockedOutcome, parentBlocked } from './block.ts'
import { inFlagOrder, withoutRefused } from './flag-dependencies.ts'
import { contextsFor, givesLeaveToEdit, type ObjectContext, type Unchanged } from './object-context.ts'
import { planDeletion } from './plan-object.ts'

export interface PlanInput {
  readonly declared: Declarations
  readonly live: Snapshot
  readonly policy: Policy
  /** From earlier runs, git and the activity trail; without them, only declared and live are compared. */
  readonly records?: Records
}

/**
 * Compares declarations with live objects. Pure: the same input gives the same plan, in the same order.
 *
 * | declared | live               | outcome                                            |
 * |----------|--------------------|----------------------------------------------------|
 * | present  | none               | create; blocked if the kind cannot be created      |
 * | present  | soft-deleted       | restore, never create a second object              |
 * | present  | as declared        | unchanged                                          |
 * | present  | different          | update; claim if only the ownership tag is missing |
 * | present  | several            | blocked: `id` has to select one                    |
 * | absent   | one                | delete                                             |
 * | absent   | none, soft-deleted | unchanged, and shown as already absent             |
 * | nowhere  | one                | unchanged; deleted only if the policy prunes it    |
 *
 * Live edits may be held, see `planObject`. Guards check each change. Dependents of a blocked change are
 * blocked too.
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

/** Blocks changes whose parent is blocked: they would fail later. */
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

/** Adds to the summary of a new object who may edit it, although each grant is a separate change. */
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

/** Parents before children, then by address. */
function byOrder(left: Desired, right: Desired): number {
  const byKind = (kindOrder.get(left.kind) ?? 0) - (kindOrder.get(right.kind) ?? 0)
  return byKind || byAddress(left, right)
}

export interface PlannedObjects {
  readonly outcomes: readonly Outcome[]
  readonly liveEdits: readonly LiveEdit[]
}

/**
 * Plans declared objects, parents before children. Children are blocked if their parent was deleted in the
 * product and stays deleted.
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
    reason: `${parent} was deleted ${by}, and stays deleted`,
    remedy: `resolve ${parent} first`,
  }
}

type PlannedContext = ObjectContext | Unchanged

export interface UndeclaredInput {
  readonly declarations: Declarations
  readonly snapshot: Snapshot
  readonly policy: Policy
  readonly contexts: readonly PlannedContext[]
  readonly contextOf: (desired: Desired) => ObjectContext
  readonly recordedOf: (address: string) => OnRecord
  readonly records: Records
}

/**
 * Plans undeclared live objects.
 *
 * | live and undeclared                    | outcome                                        |
 * |----------------------------------------|------------------------------------------------|
 * | a grant of a flag with a declared list | deleted, or held if it was made in the product |
 * | an archived object                     | unchanged                                      |
 * | an object, `prune: never`              | unchanged; drift if it has the ownership tag   |
 * | an object, `prune: owned`              | deleted if it has the ownership tag            |
 * | an object, `prune: all`                | deleted                                        |
 *
 * Objects that only another commit declares are not pruned: see `behindBlock`. Pruning a kind is blocked if
 * its list is incomplete, if nothing of the kind is declared (an empty checkout would delete everything),
 * past the limit, and if it would delete more objects with the ownership tag than are declared (a partial
 * checkout would delete the rest).
 */
function planUndeclared(input: UndeclaredInput): PlannedUndeclared {
  const skipped = (input.declarations.skipped ?? []).map(input.contextOf)
  const contexts = [...input.contexts, ...skipped]
  const undeclared = withAddresses(undeclaredAmong(input.snapshot.live, contexts), contexts)
  const { policy } = input
  const grants = surplusGrants(input.declarations, input.snapshot.live)
  const objects = prunable(undeclared, policy)
  const allowed = policy.allowUndeclared?.([...grants, ...objects].map(({ address }) => address)) ?? []
  const contextOf: UndeclaredInput['contextOf'] = desired => ({
    ...input.contextOf(desired),
    policy: { ...policy, allow: [...policy.allow, ...allowed] },
  })
  const surplus = grants.map(one => planSurplus(contextOf(one), surplusOnRecord(input.records, one)))
  const marked = undeclared.filter(live => isTagged(live, policy))
  return {
    outcomes: [
      ...surplus.map(({ outcome }) => outcome),
      ...pruned(
        objects,
        { tagged: objects.filter(live => isTagged(live, policy)).length, declared: countDeclared(contexts) },
        { ...input, contextOf },
      ),
    ],
    drift: policy.ownership.prune === 'never' ? marked.map(orphan) : [],
    liveEdits: surplus.flatMap(({ liveEdit }) => (liveEdit ? [liveEdit] : [])),
    tagged: marked.length,
  }
}

export interface PlannedUndeclared {
  readonly outcomes: Outcome[]
  readonly drift: Drift[]
  /** Grants that were made in the product and are not in the declared list. */
  readonly liveEdits: readonly LiveEdit[]
  /** How many undeclared objects have the ownership tag. */
  readonly tagged: number
}

/** The number of prunable objects with the ownership tag, and of declared objects. */
interface OursCount {
  readonly tagged: number
  readonly declared: number
}

/** The number of objects that are declared present, including skipped ones; without grants. */
function countDeclared(contexts: readonly PlannedContext[]): number {
  return contexts.filter(({ kind, desired }) => desired.ensure === 'present' && !kind.lifecycle.parent).length
}

/** An undeclared live object, with the address for its change. */
type Undeclared = Live & { readonly address: string }

/** The live objects that a declaration names. Includes the object with its name if the `id:` is wrong. */
function namedBy(context: PlannedContext): readonly Live[] {
  if ('isUnchanged' in context) return context.found
  const { kind, desired, found, renamed, index } = context
  if (renamed) return [...found, renamed]
  const identity = canonicalIdentity(kind, desired.identity)
  if (found.some(live => live.identity === identity)) return found
  const { id: _id, ...byIdentity } = desired
  return [...found, ...findLive(index, kind, byIdentity)]
}

/** The live objects that no declaration names, in the order of the lists. */
function undeclaredAmong(live: readonly Live[], contexts: readonly PlannedContext[]): Live[] {
  const named = new Set<Live>()
  for (const context of contexts) for (const one of namedBy(context)) named.add(one)
  const others = live.filter(one => !one.isSoftDeleted && !named.has(one))
  if (others.length === 0) return others
  // A list may contain an object twice.
  const ids = new Set([...named].map(({ kind, id }) => idKey(kind, id)))
  return others.filter(
    one => !ids.has(idKey(one.kind, one.id)) && !isListedApart(declarableKind(one.kind), one),
  )
}

/** Addresses for undeclared objects, with the id if the name is not unique. */
function withAddresses(undeclared: readonly Live[], contexts: readonly PlannedContext[]): Undeclared[] {
  if (undeclared.length === 0) return []
  const taken = new Set(contexts.map(({ desired }) => desired.address))
  const shared = new Set<string>()
  for (const live of undeclared) {
    const address = addressOf(live)
    if (taken.has(address)) shared.add(address)
    taken.add(address)
  }
  return undeclared.map(live => {
    const address = addressOf(live)
    return { ...live, address: shared.has(address) ? `${address}#${live.id}` : address }
  })
}

/** Plans the deletion of an undeclared grant; a note warns if no record shows who made it. */
function planSurplus(context: ObjectContext, recorded: OnRecord): PlannedObject {
  const planned = planObject(context, () => recorded)
  const { outcome } = planned
  if (recorded.base || planned.liveEdit || outcome.is !== 'change') return planned
  const summary = [
    ...outcome.change.summary,
    'it is not in the declared list, and no record shows who granted it',
  ]
  return { outcome: { is: 'change', change: { ...outcome.change, summary } } }
}

function prunable(undeclared: readonly Undeclared[], policy: Policy): Undeclared[] {
  const { prune } = policy.ownership
  if (prune === 'never') return []
  return undeclared
    .filter(live => isPrunable(declarableKind(live.kind)) && (prune === 'all' || isTagged(live, policy)))
    .sort(byAddress)
}

function pruned(surplus: readonly Undeclared[], ours: OursCount, input: UndeclaredInput): Outcome[] {
  return surplus.map(live => {
    const refusal = refusalOf(live.kind, { ...ours, surplus: surplus.length }, input)
    const held = refusal ?? behindBlock(input.recordedOf(live.address))
    if (!held) return planDeletion(input.contextOf(absentFor(live)), live)
    return {
      is: 'blocked',
      blocked: { address: live.address, kind: live.kind, action: 'delete', summary: [], ...held },
    }
  })
}

/** The block if nothing of a kind may be pruned in this plan. */
function refusalOf(
  kind: string,
  { surplus, tagged, declared }: OursCount & { readonly surplus: number },
  { contexts, snapshot, policy }: UndeclaredInput,
): Block | undefined {
  if (!snapshot.inventory[kind]?.complete) {
    return {
      rule: 'incomplete_inventory',
      reason: 'the list of live objects is incomplete, so this object may be declared',
      remedy: 'plan again',
    }
  }
  if (!contexts.some(({ desired }) => desired.kind === kind && desired.ensure === 'present')) {
    return {
      rule: 'nothing_declared',
      reason: `nothing of ${kind} is declared; an empty checkout would delete everything`,
      remedy: 'declare at least one, or delete with `ensure: absent`',
    }
  }
  const limit = policy.limits.delete
  if (surplus > limit && !isAllowed(policy, 'delete_limit', '')) {
    const total = snapshot.live.filter(live => !live.isSoftDeleted && !live.parent).length
    return {
      rule: 'delete_limit',
      reason: `pruning ${surplus} of ${total} objects is past the limit of ${limit}`,
      remedy: 'if this is intended, raise `limits.delete` or use --allow delete_limit',
    }
  }
  if (tagged <= declared || isAllowed(policy, 'undeclared_majority', '')) return undefined
  return {
    rule: 'undeclared_majority',
    reason: `pruning would delete ${tagged} objects with the ownership tag, but only ${declared} ${declared === 1 ? 'is' : 'are'} declared: some files may be missing`,
    remedy: 'check that all files are read; if this is intended, use --allow undeclared_majority',
  }
}

/** Whether a kind can be pruned: not grants, and not kinds that Vexil cannot create. */
function isPrunable({ lifecycle }: DeclarableKind): boolean {
  return !lifecycle.parent && !lifecycle.cannotCreate && lifecycle.remove !== undefined
}

function isTagged({ kind, record }: Live, { ownership: { tag } }: Policy): boolean {
  return tag !== undefined && hasOwnershipTag(declarableKind(kind), record, tag)
}

function orphan({ address, kind, record }: Undeclared): Drift {
  return {
    address,
    kind,
    reason: 'undeclared',
    fields: [],
    summary: [orphanSummary(declarableKind(kind), record)],
  }
}

function absentFor(live: Undeclared): Desired {
  const label = labelOf(live)
  return {
    address: live.address,
    kind: live.kind,
    identity: live.identity,
    id: live.id,
    ensure: 'absent',
    fields: {},
    ...(label === undefined ? {} : { label }),
  }
}

function addressOf(live: Live): string {
  const { kind, identity, parent } = live
  return parent ? objectAddress(kind, labelOf(live) ?? identity, parent.key) : objectAddress(kind, identity)
}

/**
 * The block for pruning an object that only a commit of another branch declares.
 *
 * | the commit of its base | this branch                               | pruned |
 * |------------------------|-------------------------------------------|--------|
 * | descendant             |                                           | no     |
 * | diverged               | declared it at the common ancestor        | yes    |
 * | diverged               | did not declare it at the common ancestor | no     |
 * | missing                | has never declared it                     | no     |
 * | any other              |                                           | yes    |
 */
function behindBlock({ address, base, lineage }: OnRecord): Block | undefined {
  const commit = base?.origin.revision?.commit
  if (base?.ensure !== 'present' || commit === undefined || !isBrought({ ...base, address }, commit, lineage))
    return undefined
  const name = commit.slice(0, 12)
  return {
    rule: 'behind',
    reason: `commit ${name} declares it, and this branch does not contain that commit`,
    remedy: `merge that commit into this branch: \`git merge ${name}\``,
  }
}

function isBrought(
  { address, fields }: NonNullable<OnRecord['base']> & { readonly address: string },
  commit: string,
  lineage: OnRecord['lineage'],
): boolean {
  const known = Object.entries(fields).flatMap(([name, field]) => (field ? [{ name, ...field }] : []))
  switch (lineage.relationOf(commit)) {
    case 'descendant':
      return true
    case 'diverged':
      return known.every(({ name }) => lineage.digestAtFork(commit, address, name) === undefined)
    case 'missing':
      return known.some(({ name, digest }) => lineage.wasDeclared(address, name, digest) === false)
    default:
      return false
  }
}
