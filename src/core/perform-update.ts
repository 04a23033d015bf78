import type { Json } from '../model/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { Change } from './change.ts'
import { fingerprintOf } from './fingerprint.ts'
import { readAgain } from './locate.ts'
import { finish, gone, moved, newObjection, type PerformContext, type Performed } from './performed.ts'
import { settleWrite } from './settle-write.ts'
import { isAsWanted, sameFields } from './wanted.ts'
import { writeFiles } from './write-files.ts'

/** Changes what differs, on the object that the plan was made on and on no other. */
export async function performUpdate(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
): Promise<Performed> {
  const id = change.id ?? ''
  const live = await readAgain(kind, change, context)
  if (!live) return gone
  if (isAsWanted(kind, change, live)) return { is: 'done', id, already: true, notKept: [] }
  if (fingerprintOf(kind, live) !== change.fingerprint) return moved
  return newObjection(change, live) ?? patchFields(kind, change, id, context)
}

/** Brings a tombstone back by its marker alone, and changes what differs after that. */
export async function performRevive(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
): Promise<Performed> {
  const id = change.id ?? ''
  const live = await readAgain(kind, change, context)
  if (!live) return gone
  if (live.isTombstone) {
    if (fingerprintOf(kind, live) !== change.fingerprint) return moved
    const { tombstone, update = '' } = kind.lifecycle
    const outcome = await settleWrite({
      ...context,
      write: { kind, endpoint: update, params: { id }, body: tombstone?.revive ?? {} },
      find: () => readAgain(kind, change, context),
      isDone: found => !found.isTombstone,
      isUntouched: found => found.isTombstone,
    })
    if (outcome.is === 'stale') return outcome
  } else if (isAsWanted(kind, change, live)) {
    return { is: 'done', id, already: true, notKept: [] }
  } else if (fingerprintOf(kind, { ...live, isTombstone: true }) !== change.fingerprint) {
    // Only a run that was cut off brings it back and leaves everything else as it was.
    return moved
  }
  return patchFields(kind, change, id, context)
}

/** Sends the changed fields, then the changed files, and checks what was kept. */
async function patchFields(
  kind: DeclarableKind,
  change: Change,
  id: string,
  context: PerformContext,
): Promise<Performed> {
  let record: Json = null
  if (Object.keys(change.after).length > 0) {
    const { before, after } = change
    const outcome = await settleWrite({
      ...context,
      write: { kind, endpoint: kind.lifecycle.update ?? '', params: { id }, body: after },
      find: () => readAgain(kind, change, context),
      isDone: live => sameFields(kind, after, live.record),
      isUntouched: live => sameFields(kind, before, live.record),
    })
    if (outcome.is === 'stale') return outcome
    record = outcome.body ?? outcome.live?.record ?? null
  }
  await writeFiles(kind, change, id, context)
  if (kind.lifecycle.verifyByRead) record = (await readAgain(kind, change, context))?.record ?? null
  return finish(kind, change, id, record, false)
}
