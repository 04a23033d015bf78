import type { Block, LeftOut, Outcome } from '../../change.ts'
import { declaredParent } from '../../desired.ts'
import { existsField, type LiveEdit } from '../../live-edits/live-edit.ts'
import { blockedOf } from '../guards/block.ts'
import type { ObjectContext, Unchanged } from '../object/object-context.ts'
import type { OnRecord } from './on-record.ts'
import { type PlannedObject, planObject } from './plan-edited.ts'

/** What a plan does about all declared objects. */
export interface PlannedObjects {
  readonly outcomes: readonly Outcome[]
  readonly liveEdits: readonly LiveEdit[]
  readonly leftOut: readonly LeftOut[]
}

/**
 * Plans declared objects, parents before what hangs from them. Nothing is made for a parent that was deleted in the
 * product and stays so.
 */
export function planObjects(
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
    leftOut: planned.flatMap(({ leftOut = [] }) => leftOut),
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
