import { declarableKind } from '../../kinds/index.ts'
import type { Change, Plan } from '../change.ts'
import { type Desired, declaredParent } from '../desired.ts'
import { ownersInTags, ownersOf } from '../owners.ts'

/**
 * Who answers for what a plan tells of, by address: as it is declared and, for what is declared nowhere, by its live tags.
 * A grant is its flag's. What has no owner is left out.
 */
export function ownersOfPlan(
  { changes, blocked, drift, liveEdits }: Pick<Plan, 'changes' | 'blocked' | 'drift' | 'liveEdits'>,
  desired: readonly Desired[],
): Plan['owners'] {
  const told = new Set([...changes, ...blocked, ...drift, ...liveEdits].map(({ address }) => address))
  if (told.size === 0) return undefined
  const declared = new Map(desired.map(one => [one.address, one]))
  const changed = new Map(changes.map(change => [change.address, change]))
  const owned = [...told].sort().flatMap((address): [string, readonly string[]][] => {
    const change = changed.get(address)
    const one = declared.get(parentAddress(declared.get(address), change) ?? address)
    const owners = one ? ownersOf(one) : change ? liveOwners(change) : []
    return owners.length === 0 ? [] : [[address, owners]]
  })
  return owned.length === 0 ? undefined : Object.fromEntries(owned)
}

/** For a grant: the address of its flag. */
function parentAddress(desired: Desired | undefined, change: Change | undefined): string | undefined {
  const declared = desired && declaredParent(declarableKind(desired.kind), desired)
  return declared ?? change?.parent?.$ref
}

function liveOwners({ kind, before, after }: Change): readonly string[] {
  return ownersInTags(declarableKind(kind), { ...before, ...after })
}
