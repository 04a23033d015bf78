import type { DeclarableKind } from '../../model/kind.ts'
import type { Change, Reference, Withheld, WithheldRule } from '../change.ts'
import { parentKey } from '../desired.ts'
import type { Live } from '../live.ts'
import type { ObjectContext } from './object-context.ts'

/** Why a declared object is not planned at all, and what to do about it. */
export interface Refusal {
  readonly rule: WithheldRule
  readonly reason: string
  readonly wayPast: string
}

/** A change that was planned and cannot stay in the plan. */
export function withheldFrom(
  { address, kind, action, words, source }: Change,
  { rule, reason, wayPast }: Refusal,
): Withheld {
  return { address, kind, action, rule, reason, wayPast, words, ...(source ? { source } : {}) }
}

/** What the service refuses to list: nothing is known of those objects, so nothing is done to them. */
export function unreadable({
  kind,
  desired,
  snapshot,
}: Pick<ObjectContext, 'kind' | 'desired' | 'snapshot'>): Refusal | undefined {
  const parentKind = kind.lifecycle.parent?.kind
  const lists = parentKind ? [parentKind, `${parentKind}.${parentKey(desired)}`] : [kind.name]
  const reason = lists.map(list => snapshot.unreadable.get(list)).find(said => said !== undefined)
  if (reason === undefined) return undefined
  return {
    rule: 'unreadable',
    reason,
    wayPast: 'plan with a key that may read it, or remove the declaration',
  }
}

export const notOffered: Refusal = {
  rule: 'not_offered',
  reason: 'the service does not offer grants on this flag',
  wayPast: 'remove the grant from the declarations',
}

export function parentWithheld(parent: string): Refusal {
  return {
    rule: 'parent_missing',
    reason: `${parent} is withheld itself`,
    wayPast: `settle ${parent} first`,
  }
}

export function parentMissing({ $ref }: Reference, why: string): Refusal {
  return { rule: 'parent_missing', reason: `${$ref} ${why}`, wayPast: `declare ${$ref}, or remove the grant` }
}

export function parentLeftOut({ $ref }: Reference): Refusal {
  return {
    rule: 'parent_missing',
    reason: `${$ref} does not exist and is left out of this plan`,
    wayPast: `plan ${$ref} too`,
  }
}

export function ambiguity(found: readonly Live[]): Refusal {
  const ids = found.map(({ id }) => id).join(', ')
  return {
    rule: 'ambiguous',
    reason: `${found.length} objects have this name (ids ${ids})`,
    wayPast: 'say which one with `id:`',
  }
}

export function otherIdentity({ id, identity }: Live): Refusal {
  return {
    rule: 'other_identity',
    reason: `the object with id ${id} is "${identity}"`,
    wayPast: 'correct or remove `id:`',
  }
}

export function notSeen(kind: DeclarableKind): Refusal {
  return {
    rule: 'not_seen',
    reason: `it does not exist yet, and ${kind.lifecycle.cannotCreate}`,
    wayPast: 'send one such event, then plan again',
  }
}

export function unknownId(id: string): Refusal {
  return { rule: 'not_seen', reason: `nothing has the id ${id}`, wayPast: 'correct or remove `id:`' }
}
