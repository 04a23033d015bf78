import type { DeclarableKind } from '../model/kind.ts'
import type { Change } from './change.ts'
import { fingerprintOf } from './fingerprint.ts'
import { readAgain } from './locate.ts'
import { moved, newObjection, type PerformContext, type Performed, parentParams } from './performed.ts'
import { settleWrite } from './settle-write.ts'

/** Deletes an object, softly where the kind knows that; one that is gone already is done. */
export async function performDelete(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
): Promise<Performed> {
  const id = change.id ?? ''
  const { remove, update = '' } = kind.lifecycle
  const params = { ...parentParams(kind, change, context), id }
  const live = await readAgain(kind, change, context)
  if (!live || live.isTombstone) return { is: 'done', id, already: true, notKept: [] }
  if (fingerprintOf(kind, live) !== change.fingerprint) return moved
  const objection = newObjection(change, live)
  if (objection) return objection
  const write =
    remove?.by === 'update'
      ? { kind, endpoint: update, params, body: remove.body }
      : { kind, endpoint: remove?.endpoint ?? '', params }
  const outcome = await settleWrite({
    ...context,
    write,
    find: () => readAgain(kind, change, context),
    isDone: found => found.isTombstone,
    isUntouched: found => fingerprintOf(kind, found) === change.fingerprint,
    goneIsDone: true,
  })
  return outcome.is === 'stale' ? outcome : { is: 'done', id, already: outcome.already, notKept: [] }
}
