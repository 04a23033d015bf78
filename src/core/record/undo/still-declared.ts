import { declarableKind } from '../../../kinds/index.ts'
import type { DeclarableKind } from '../../../model/kind.ts'
import type { Source } from '../../../model/problem.ts'
import type { Change, Plan } from '../../change.ts'
import type { Declarations, Desired } from '../../desired.ts'
import { diffFields } from '../../diff.ts'
import type { Snapshot } from '../../read/snapshot.ts'

export interface StillDeclared {
  readonly plan: Plan
  /** Addresses that the next apply would change again. */
  readonly addresses: readonly string[]
}

/**
 * Says of each change that undoes something whether the declarations still want it as it was before the undo. An undo
 * changes the service and no file, so the next apply would do it again.
 *
 * | undoing                   | declared today  | said                                       |
 * |---------------------------|-----------------|--------------------------------------------|
 * | takes it away             | present         | the next apply creates or restores it      |
 * | brings it back, changes it | absent         | the next apply deletes it                  |
 * | brings it back, changes it | present, otherwise | the next apply changes these fields     |
 * | anything                  | nowhere, or so  | nothing                                    |
 */
export function tellStillDeclared(
  plan: Plan,
  { desired }: Declarations,
  { live }: Snapshot,
  tag: string | undefined,
): StillDeclared {
  const declared = new Map(desired.map(one => [one.address, one]))
  const before = new Map(live.map(one => [`${one.kind}#${one.id}`, one]))
  const told = plan.changes.map(change => {
    const one = declared.get(change.address)
    const found = before.get(`${change.kind}#${change.id}`)
    const again = one && nextApply(change, one, { ...found?.record, ...change.after }, tag)
    if (again === undefined) return { change, isDeclared: false }
    const words = `still declared${placeLine(one?.source)}: the next apply ${again} again`
    return { change: { ...change, summary: [...change.summary, words] }, isDeclared: true }
  })
  return {
    plan: { ...plan, changes: told.map(({ change }) => change) },
    addresses: told.filter(({ isDeclared }) => isDeclared).map(({ change }) => change.address),
  }
}

function nextApply(
  { action, after: undone }: Change,
  desired: Desired,
  record: Change['after'],
  tag: string | undefined,
): string | undefined {
  const kind = declarableKind(desired.kind)
  if (action === 'delete') return desired.ensure === 'present' ? returnText(kind) : undefined
  if (desired.ensure === 'absent') return 'deletes it'
  const live = { kind: kind.name, identity: desired.identity, id: '', record, isSoftDeleted: false }
  // What differs besides is no doing of this undo.
  const fields = diffFields(kind, desired, live, tag).flatMap(({ field }) => (field in undone ? [field] : []))
  return fields.length === 0 ? undefined : `changes its ${fields.join(', ')}`
}

function returnText({ lifecycle }: DeclarableKind): string {
  return lifecycle.softDelete ? 'restores it' : 'creates it'
}

function placeLine(source: Source | undefined): string {
  return source ? ` in ${source.file}:${source.line}` : ''
}
