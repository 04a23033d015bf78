import { declarableKind } from '../../../kinds/index.ts'
import type { Source } from '../../../model/problem.ts'
import type { Change, Plan } from '../../change.ts'
import type { Declarations, Desired } from '../../desired.ts'
import { diffFields } from '../../diff.ts'
import type { Snapshot } from '../../read/snapshot.ts'

export interface StillDeclared {
  readonly plan: Plan
  /** Addresses of what the declarations want otherwise than it is after the undo. */
  readonly addresses: readonly string[]
}

/**
 * Says of each change that undoes something whether the declarations still want it as it was before the undo. An undo
 * changes the service and no file; later plans that have its record hold what it put back until a file changes.
 *
 * | undoing                   | declared today  | said                                       |
 * |---------------------------|-----------------|--------------------------------------------|
 * | takes it away             | present         | it is still declared                       |
 * | brings it back, changes it | absent         | it is still declared absent                |
 * | brings it back, changes it | present, otherwise | it is still declared otherwise, in these fields |
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
    const still = one && stillText(change, one, { ...found?.record, ...change.after }, tag)
    if (still === undefined) return { change, isDeclared: false }
    const words = `still declared ${still}${placeLine(one?.source)}`
    return { change: { ...change, summary: [...change.summary, words] }, isDeclared: true }
  })
  return {
    plan: { ...plan, changes: told.map(({ change }) => change) },
    addresses: told.filter(({ isDeclared }) => isDeclared).map(({ change }) => change.address),
  }
}

function stillText(
  { action, after: undone }: Change,
  desired: Desired,
  record: Change['after'],
  tag: string | undefined,
): string | undefined {
  const kind = declarableKind(desired.kind)
  if (action === 'delete') return desired.ensure === 'present' ? 'present' : undefined
  if (desired.ensure === 'absent') return 'absent'
  const live = { kind: kind.name, identity: desired.identity, id: '', record, isSoftDeleted: false }
  // What differs besides is no doing of this undo.
  const fields = diffFields(kind, desired, live, tag).flatMap(({ field }) => (field in undone ? [field] : []))
  return fields.length === 0 ? undefined : `otherwise (${fields.join(', ')})`
}

function placeLine(source: Source | undefined): string {
  return source ? ` in ${source.file}:${source.line}` : ''
}
