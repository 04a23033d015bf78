import { isLevelId } from '../../api/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import type { Change } from '../change.ts'
import { fingerprintOf } from '../fingerprint.ts'
import type { Live } from '../live.ts'
import { readAgain } from '../read/locate.ts'
import { confirmWrite, type Write, writtenRecord } from './confirm-write.ts'
import { levelWrite } from './level-write.ts'
import { finish, moved, newBlock, type PerformContext, type Performed, parentParams } from './performed.ts'
import { sentFields } from './sent-fields.ts'
import { sameFields } from './wanted.ts'

/**
 * Deletes an object, softly where the kind knows that; one that is gone already is done. What is to be left in it goes
 * along with `deleted`, so that nobody gets for a moment what it had before.
 *
 * | live                                        | sent                                       |
 * |---------------------------------------------|--------------------------------------------|
 * | none                                        | nothing                                    |
 * | soft-deleted, with what is to be left in it | nothing                                    |
 * | soft-deleted otherwise, as planned          | what is to be left in it                   |
 * | there, as planned                           | what is to be left in it and `deleted`   |
 * | otherwise                                   | nothing: somebody has changed it           |
 */
export async function performDelete(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
): Promise<Performed> {
  const id = change.id ?? ''
  const { after } = change
  const live = await readAgain(kind, change, context, context.seen)
  if (!live || (live.isSoftDeleted && sameFields(kind, after, live.record))) {
    return { is: 'done', id, already: true, notKept: [] }
  }
  if (fingerprintOf(kind, live) !== change.fingerprint) return moved
  const block = live.isSoftDeleted ? undefined : newBlock(change, live)
  if (block) return block
  const outcome = await confirmWrite({
    ...context,
    write: removalOf(kind, change, live, context),
    find: () => readAgain(kind, change, context),
    isDone: found => found.isSoftDeleted && sameFields(kind, after, found.record),
    isUntouched: found => fingerprintOf(kind, found) === change.fingerprint,
    goneIsDone: true,
  })
  if (outcome.is !== 'settled') return outcome
  return finish(kind, change, { id, already: outcome.already, record: writtenRecord(outcome) })
}

function removalOf(
  kind: DeclarableKind,
  change: Change,
  { isSoftDeleted, record }: Live,
  context: PerformContext,
): Write {
  const { remove, update = '' } = kind.lifecycle
  const level = isLevelId(change.id ?? '') ? levelWrite(kind, change, null, context) : undefined
  if (level) return level
  const params = { ...parentParams(kind, change, context), id: change.id ?? '' }
  if (remove?.by !== 'update') return { kind, endpoint: remove?.endpoint ?? '', params }
  return {
    kind,
    endpoint: update,
    params,
    body: isSoftDeleted ? sentFields(kind, change) : { ...sentFields(kind, change), ...remove.body },
    basis: record,
  }
}
