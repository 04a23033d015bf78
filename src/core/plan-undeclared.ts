import { declarableKind } from '../kinds/index.ts'
import { isJsonArray, isJsonObject } from '../model/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { Drift, Outcome, WithheldRule } from './change.ts'
import type { Declarations, Desired } from './desired.ts'
import { canonicalField, type Live } from './live.ts'
import type { ObjectContext } from './object-context.ts'
import { planDeletion } from './plan-object.ts'
import { isAllowed, type Policy } from './policy.ts'
import type { Snapshot } from './snapshot.ts'

export interface UndeclaredInput {
  readonly declarations: Declarations
  readonly snapshot: Snapshot
  readonly policy: Policy
  readonly contexts: readonly ObjectContext[]
  readonly contextOf: (desired: Desired) => ObjectContext
}

/**
 * Plans what no declaration names.
 *
 * | live and undeclared                    | outcome                                                          |
 * |----------------------------------------|------------------------------------------------------------------|
 * | a grant of a flag whose list is owned  | deleted: the list was declared whole                             |
 * | an object, `prune: never`              | left alone; drift when it carries our label                      |
 * | an object, `prune: owned`              | deleted when it carries our label                                |
 * | an object, `prune: all`                | deleted                                                          |
 *
 * Pruning a kind is withheld when its list was not read whole, when nothing of the kind is declared (an empty
 * checkout would delete everything), and when it goes past the limit.
 */
export function planUndeclared(input: UndeclaredInput): { outcomes: Outcome[]; drift: Drift[] } {
  const declared = new Set(
    input.contexts.flatMap(({ kind, found }) => found.map(live => `${kind.name}#${live.id}`)),
  )
  const undeclared = input.snapshot.live.filter(
    live => !live.isTombstone && !declared.has(`${live.kind}#${live.id}`),
  )
  const marked = undeclared.filter(live => isMarked(live, input.policy))
  const { prune } = input.policy.ownership
  return {
    outcomes: [...surplusGrants(undeclared, input), ...pruned(undeclared, input)],
    drift: prune === 'never' ? marked.map(orphan) : [],
  }
}

function surplusGrants(undeclared: readonly Live[], { declarations, contextOf }: UndeclaredInput): Outcome[] {
  const owned = new Map(declarations.ownedGrants.map(grants => [grants.flag, grants]))
  return undeclared.flatMap(live => {
    const grants = live.parent && owned.get(live.parent.identity)
    if (!grants) return []
    const absent = absentFor(live, grants.source)
    return [planDeletion(contextOf(absent), live)]
  })
}

function pruned(undeclared: readonly Live[], input: UndeclaredInput): Outcome[] {
  const { prune } = input.policy.ownership
  if (prune === 'never') return []
  const surplus = undeclared
    .filter(
      live => isPrunable(declarableKind(live.kind)) && (prune === 'all' || isMarked(live, input.policy)),
    )
    .sort((left, right) => (addressOf(left) < addressOf(right) ? -1 : 1))
  return surplus.map(live => {
    const refusal = refusalOf(live.kind, surplus.length, input)
    if (!refusal) return planDeletion(input.contextOf(absentFor(live)), live)
    return {
      is: 'withheld',
      withheld: { address: addressOf(live), kind: live.kind, action: 'delete', words: [], ...refusal },
    }
  })
}

/** Why nothing of a kind may be pruned in this plan, if so. */
function refusalOf(
  kind: string,
  surplus: number,
  { contexts, snapshot, policy }: UndeclaredInput,
): { rule: WithheldRule; reason: string; wayPast: string } | undefined {
  if (!snapshot.inventory[kind]?.complete) {
    return {
      rule: 'incomplete_inventory',
      reason: 'the list of live objects was not read whole, so "undeclared" cannot be told',
      wayPast: 'plan again',
    }
  }
  if (!contexts.some(({ desired }) => desired.kind === kind)) {
    return {
      rule: 'nothing_declared',
      reason: `nothing of ${kind} is declared; an empty checkout would delete everything`,
      wayPast: 'declare at least one, or delete with `ensure: absent`',
    }
  }
  const limit = policy.limits.delete
  if (surplus <= limit || isAllowed(policy, 'delete_limit', '')) return undefined
  const total = snapshot.live.filter(live => !live.isTombstone && !live.parent).length
  return {
    rule: 'delete_limit',
    reason: `pruning ${surplus} of ${total} objects is past the limit of ${limit}`,
    wayPast: 'raise `limits.delete`, or --allow delete_limit, if this is meant',
  }
}

/** Grants belong to their flag's list, and what we cannot create we do not own. */
function isPrunable({ lifecycle }: DeclarableKind): boolean {
  return !lifecycle.parent && !lifecycle.cannotCreate && lifecycle.remove !== undefined
}

function isMarked(live: Live, { ownership }: Policy): boolean {
  const kind = declarableKind(live.kind)
  const { ownedBy } = kind.lifecycle
  if (!ownedBy || ownership.tag === undefined) return false
  const labels = canonicalField(kind, ownedBy, live.record[ownedBy])
  return isJsonArray(labels) && labels.includes(ownership.tag.trim().toLowerCase())
}

function orphan(live: Live): Drift {
  return {
    address: addressOf(live),
    kind: live.kind,
    reason: 'undeclared',
    fields: [],
    words: ['carries our label and is declared nowhere'],
  }
}

function absentFor(live: Live, source?: Desired['source']): Desired {
  const role = isJsonObject(live.record.role) ? live.record.role.name : undefined
  return {
    address: addressOf(live),
    kind: live.kind,
    identity: live.identity,
    id: live.id,
    ensure: 'absent',
    fields: {},
    ...(live.parent ? { parent: live.parent.identity } : {}),
    ...(typeof role === 'string' ? { label: role } : {}),
    ...(source ? { source } : {}),
  }
}

function addressOf({ kind, identity, parent, record }: Live): string {
  const role = isJsonObject(record.role) && typeof record.role.name === 'string' ? record.role.name : identity
  return parent ? `${kind}.${parent.identity}:${role}` : `${kind}.${identity}`
}
