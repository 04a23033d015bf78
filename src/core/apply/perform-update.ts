import { isNotFound, isTaken } from '../../api/index.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import type { Change } from '../change.ts'
import { fingerprintOf } from '../diff.ts'
import type { Live } from '../live.ts'
import { readAgain } from '../read/locate.ts'
import { type Confirmed, confirmWrite, writtenRecord } from './confirm-write.ts'
import { newNameTakenReason } from './holder.ts'
import { levelWrite, sentFields, writeFiles } from './level-write.ts'
import {
  alreadyDone,
  finish,
  gone,
  isAsWanted,
  moved,
  movedMeanwhile,
  newBlock,
  newShadow,
  orFailed,
  type PerformContext,
  type Performed,
  sameFields,
} from './performed.ts'

/**
 * Changes the differing fields, only on the object that the plan was made for. That is checked first, unless
 * the service checks it itself.
 */
export async function performUpdate(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
): Promise<Performed> {
  const planned = context.seen ? undefined : plannedOn(kind, change)
  if (planned) {
    const performed = await orFailed(() => patchFields(kind, change, planned, context))
    return performed.is === 'failed' && isNotFound(performed.error) ? gone : performed
  }
  const live = await readAgain(kind, change, context, context.seen)
  if (!live) return gone
  if (isAsWanted(kind, change, live)) return alreadyDone(change, live)
  if (fingerprintOf(kind, live) !== change.fingerprint) return moved
  return orFailed(async () => {
    const held = newBlock(change, live) ?? (await newShadow(kind, change, context))
    return held ?? patchFields(kind, change, live.record, context)
  }, live.record)
}

/**
 * Restores a soft-deleted object. Fields that differ are written while it is still deleted: so nobody briefly
 * gets an old release, and a run that is cut off turns nothing on. `deleted` is sent alone: with its own key,
 * the service would create another object from it. [service-behaviour 2.4]
 *
 * | live                                  | sent                                 |
 * |---------------------------------------|--------------------------------------|
 * | soft-deleted as planned               | the fields, then `deleted`           |
 * | soft-deleted, with the fields already | `deleted`                            |
 * | brought back, otherwise as planned    | the fields                           |
 * | as wanted                             | nothing                              |
 */
export async function performRestore(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
): Promise<Performed> {
  const live = await readAgain(kind, change, context, context.seen)
  if (!live) return gone
  return orFailed(async () => {
    const shadow = await newShadow(kind, change, context)
    if (shadow) return shadow
    if (live.isSoftDeleted) return bringBack(kind, change, live, context)
    if (isAsWanted(kind, change, live)) return alreadyDone(change, live)
    // Only a run that was cut off restores it and changes nothing else.
    if (fingerprintOf(kind, { ...live, isSoftDeleted: true }) !== change.fingerprint) return moved
    return patchFields(kind, change, live.record, context)
  }, live.record)
}

async function bringBack(
  kind: DeclarableKind,
  change: Change,
  live: Live,
  context: PerformContext,
): Promise<Performed> {
  const id = change.id ?? ''
  const isPrepared = isPreparedFor(kind, change, live)
  if (!isPrepared && fingerprintOf(kind, live) !== change.fingerprint) return moved
  const prepared = isPrepared ? undefined : await writeFields(kind, change, live.record, context)
  // A service may find no soft-deleted object to write to.
  const isRefused = prepared?.is === 'failed' && isNotFound(prepared.error)
  if (prepared && prepared.is !== 'settled' && !isRefused) return prepared
  const basis = (prepared?.is === 'settled' ? writtenRecord(prepared) : undefined) ?? live.record
  const restore = kind.lifecycle.softDelete?.restore ?? {}
  const outcome = await confirmWrite({
    ...context,
    write: { kind, endpoint: kind.lifecycle.update ?? '', params: { id }, body: restore, basis },
    find: () => readAgain(kind, change, context),
    isDone: found => !found.isSoftDeleted,
    isUntouched: found => found.isSoftDeleted,
  })
  if (outcome.is !== 'settled') return outcome
  const record = writtenRecord(outcome)
  if (isRefused) return orFailed(() => patchFields(kind, change, record ?? basis, context), record)
  // Other people's changes between the two are live now too.
  const between = record && movedMeanwhile(kind, { body: { ...change.after, ...restore }, basis }, record)
  if (between !== undefined) return { is: 'stale', reason: between, written: true }
  return finish(kind, change, { id, already: false, record })
}

/** Whether a run that was cut off has already written the fields of a soft-deleted object, with no other edit. */
function isPreparedFor(kind: DeclarableKind, { before, after, fingerprint }: Change, live: Live): boolean {
  if (!sameFields(kind, after, live.record)) return false
  return fingerprintOf(kind, { ...live, record: { ...live.record, ...before } }) === fingerprint
}

/** Sends the changed fields, then the changed files, and checks which values were kept. */
async function patchFields(
  kind: DeclarableKind,
  change: Change,
  basis: JsonObject,
  context: PerformContext,
): Promise<Performed> {
  const id = change.id ?? ''
  let record: JsonObject | undefined
  if (Object.keys(change.after).length > 0) {
    const outcome = await writeFields(kind, change, basis, context)
    const newName = change.after[identityField(kind)]
    if (outcome.is === 'failed' && !outcome.isOpen && typeof newName === 'string' && isTaken(outcome.error))
      return { is: 'stale', reason: await newNameTakenReason(kind, newName, context) }
    if (outcome.is !== 'settled') return outcome
    record = writtenRecord(outcome)
  }
  const written = await writeFiles(kind, change, id, context)
  if (written.is !== 'settled') return written
  if (kind.lifecycle.verifyByRead) record = (await readAgain(kind, change, context))?.record ?? record
  return finish(kind, change, { id, already: false, record, basis })
}

function writeFields(
  kind: DeclarableKind,
  change: Change,
  basis: JsonObject,
  context: PerformContext,
): Promise<Confirmed> {
  const { id = '', before, after } = change
  const level = after[kind.lifecycle.levels?.field ?? '']
  const { softDelete } = kind.lifecycle
  const wasDeleted = softDelete !== undefined && basis[softDelete.field] === softDelete.is
  const holds = (live: Live, fields: JsonObject) =>
    live.isSoftDeleted === wasDeleted && sameFields(kind, fields, live.record)
  return confirmWrite({
    ...context,
    write: (level === undefined ? undefined : levelWrite(kind, change, level, context)) ?? {
      kind,
      endpoint: kind.lifecycle.update ?? '',
      params: { id },
      body: sentFields(kind, change),
      basis,
    },
    find: () => readAgain(kind, change, context),
    isDone: live => holds(live, after),
    isUntouched: live => holds(live, before),
  })
}

/** The part of the object that the plan records, if a change is compared with that alone. */
function plannedOn(kind: DeclarableKind, { version, before, identity }: Change): JsonObject | undefined {
  const held = kind.lifecycle.version
  if (!held || version === undefined) return undefined
  // A renamed object has its former name until then, and that is in `before`.
  return { [identityField(kind)]: identity, ...before, [held.field]: version }
}
