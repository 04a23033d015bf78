import { isServiceError } from '../api/index.ts'
import type { Json } from '../model/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { Change } from './change.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Live } from './live.ts'
import { readAgain } from './locate.ts'
import {
  finish,
  gone,
  moved,
  newObjection,
  newShadow,
  type PerformContext,
  type Performed,
} from './performed.ts'
import { type Settled, settleWrite } from './settle-write.ts'
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
  const held = newObjection(change, live) ?? (await newShadow(kind, change, context))
  return held ?? patchFields(kind, change, id, context)
}

/**
 * Brings a tombstone back. What differs is written while it is still deleted, so that nobody gets for a moment what it
 * released long ago, and a run that is cut off leaves nothing on. The marker goes alone: with its own key, the service
 * would make another object of it. [service-behaviour 2.4]
 *
 * | live                                  | sent                                 |
 * |---------------------------------------|--------------------------------------|
 * | a tombstone as planned                | the fields, then the marker          |
 * | a tombstone with the fields already   | the marker                           |
 * | brought back, otherwise as planned    | the fields                           |
 * | as wanted                             | nothing                              |
 */
export async function performRevive(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
): Promise<Performed> {
  const id = change.id ?? ''
  const live = await readAgain(kind, change, context)
  if (!live) return gone
  const shadow = await newShadow(kind, change, context)
  if (shadow) return shadow
  if (!live.isTombstone) {
    if (isAsWanted(kind, change, live)) return { is: 'done', id, already: true, notKept: [] }
    // Only a run that was cut off brings it back and leaves everything else as it was.
    if (fingerprintOf(kind, { ...live, isTombstone: true }) !== change.fingerprint) return moved
    return patchFields(kind, change, id, context)
  }
  const isPrepared = isPreparedFor(kind, change, live)
  if (!isPrepared && fingerprintOf(kind, live) !== change.fingerprint) return moved
  const prepared = isPrepared ? ({ is: 'settled' } as const) : await prepare(kind, change, id, context)
  if (prepared.is === 'stale') return prepared
  const outcome = await settleWrite({
    ...context,
    write: {
      kind,
      endpoint: kind.lifecycle.update ?? '',
      params: { id },
      body: kind.lifecycle.tombstone?.revive ?? {},
    },
    find: () => readAgain(kind, change, context),
    isDone: found => !found.isTombstone,
    isUntouched: found => found.isTombstone,
  })
  if (outcome.is === 'stale') return outcome
  if (prepared.is === 'refused') return patchFields(kind, change, id, context)
  return finish(kind, change, id, outcome.body ?? outcome.live?.record ?? null, false)
}

/** Whether a run that was cut off has written the fields of a tombstone already, and nobody anything else. */
function isPreparedFor(kind: DeclarableKind, { before, after, fingerprint }: Change, live: Live): boolean {
  if (!sameFields(kind, after, live.record)) return false
  return fingerprintOf(kind, { ...live, record: { ...live.record, ...before } }) === fingerprint
}

/** Writes the fields of a tombstone; refused by a service that finds no tombstone to write to. */
async function prepare(
  kind: DeclarableKind,
  change: Change,
  id: string,
  context: PerformContext,
): Promise<Settled | { readonly is: 'refused' }> {
  try {
    return await writeFields(kind, change, id, context)
  } catch (error) {
    if (isServiceError(error) && error.status === 404) return { is: 'refused' }
    throw error
  }
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
    const outcome = await writeFields(kind, change, id, context)
    if (outcome.is === 'stale') return outcome
    record = outcome.body ?? outcome.live?.record ?? null
  }
  const written = await writeFiles(kind, change, id, context)
  if (written.is === 'stale') return written
  if (kind.lifecycle.verifyByRead) record = (await readAgain(kind, change, context))?.record ?? null
  return finish(kind, change, id, record, false)
}

function writeFields(
  kind: DeclarableKind,
  change: Change,
  id: string,
  context: PerformContext,
): Promise<Settled> {
  const { before, after } = change
  return settleWrite({
    ...context,
    write: { kind, endpoint: kind.lifecycle.update ?? '', params: { id }, body: after },
    find: () => readAgain(kind, change, context),
    isDone: live => sameFields(kind, after, live.record),
    isUntouched: live => sameFields(kind, before, live.record),
  })
}
