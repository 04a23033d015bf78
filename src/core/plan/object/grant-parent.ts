import type { Block, Reference } from '../../change.ts'
import { parentKey } from '../../desired.ts'
import type { Live } from '../../live.ts'
import { notOffered, parentLeftOut, parentMissing } from '../guards/block.ts'
import { findParent } from '../live-index.ts'
import type { ObjectContext } from './object-context.ts'

/** What a grant hangs from. */
export interface Parent {
  readonly reference: Reference
  /** False for a flag that this plan has yet to create or to bring back. */
  readonly isLiving: boolean
}

/** The flag of a grant as the change will name it, or why there can be no grant. */
export function parentOf(context: ObjectContext): Parent | Block | undefined {
  const { desired, snapshot, ensured } = context
  const reference = flagOf(context)
  if (!reference) return undefined
  const key = parentKey(desired)
  // Whoever names it by its id has read it.
  if (key === undefined) return { reference, isLiving: true }
  const live = liveFlag(context)
  if (snapshot.withoutGrants.has(key)) return notOffered
  const declared = ensured(reference.$ref)
  if (declared === 'absent') return parentMissing(reference, 'is declared absent')
  if (live && !live.isSoftDeleted) return { reference, isLiving: true }
  if (declared === 'present') return { reference, isLiving: false }
  return declared === 'skipped'
    ? parentLeftOut(reference)
    : parentMissing(reference, 'does not exist and is not declared')
}

/** The flag of a grant, as a change names it; undefined for what hangs from nothing. */
export function flagOf(context: ObjectContext, grant?: Live): Reference | undefined {
  const { kind, desired } = context
  const parentKind = kind.lifecycle.parent?.kind
  if (!parentKind || !desired.parent) return undefined
  const id = 'id' in desired.parent ? desired.parent.id : (grant?.parent ?? liveFlag(context))?.id
  const identity = 'key' in desired.parent ? desired.parent.key : desired.parent.id
  return { $ref: `${parentKind}.${identity}`, identity, ...(id === undefined ? {} : { id }) }
}

/** The flag of a grant, living or not, where its declaration names it by its key. */
export function liveFlag({ kind, desired, index }: ObjectContext): Live | undefined {
  const parentKind = kind.lifecycle.parent?.kind
  const key = parentKey(desired)
  return parentKind && key !== undefined ? findParent(index, parentKind, key) : undefined
}
