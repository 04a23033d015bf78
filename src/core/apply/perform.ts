import { isLevelId, isNotFound, isRequestFailure, isTaken, wrapClient } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { type DeclarableKind, identityField, isOneOfMany } from '../../model/kind.ts'
import { isJsonNumber, isJsonObject, type JsonObject } from '../../model/text/json.ts'
import { isFlagId } from '../../targeting/index.ts'
import type { Change } from '../change.ts'
import { fingerprintOf } from '../diff.ts'
import { keysOf, renamedFields } from '../flag-links.ts'
import type { Live } from '../live.ts'
import { notReadWhole } from '../plan/block.ts'
import { newNameTakenReason, takenReason } from '../read/find-soft-deleted.ts'
import { locate, locateAll, readAgain, readById } from '../read/read-record.ts'
import {
  type Confirmed,
  confirmWrite,
  createEitherWay,
  levelWrite,
  type Write,
  writeFiles,
  writtenRecord,
} from './confirm-write.ts'
import {
  alreadyDone,
  finish,
  gone,
  isAsWanted,
  meantFields,
  moved,
  movedMeanwhile,
  newBlock,
  newShadow,
  orFailed,
  type PerformContext,
  type Performed,
  parentParams,
  recordIn,
  sameFields,
} from './performed.ts'
import { sentFields } from './request-body.ts'

export type { PerformContext, Performed } from './performed.ts'

/**
 * Carries out one change. Doing it twice has the same result as doing it once.
 *
 * | action        | before the write                         | the write                          | lost answer          |
 * |---------------|------------------------------------------|------------------------------------|----------------------|
 * | create        | a grant: its flag is still there, and    | POST                               | look the identity up |
 * |               | its role does not hold one;              |                                    |                      |
 * |               | a flag: nothing soft-deleted has its key |                                    |                      |
 * |               | a plugin: none of its name is there      | POST; stops if another was made too |                      |
 * | update, claim | read again; same fingerprint, or stop;   | PATCH with what changed            | read again           |
 * |               | nothing if the service compares it       |                                    |                      |
 * | restore       | read again; still soft-deleted           | PATCH the fields, then `deleted`   | read again           |
 * | delete        | read again; same fingerprint, or stop    | PATCH `deleted` and the remaining  | read again           |
 * |               |                                          | fields, or DELETE                  |                      |
 *
 * The result holds what went wrong, and also the object that exists in spite of it.
 */
export async function perform(change: Change, context: PerformContext): Promise<Performed> {
  return orFailed(() => performAction(change, namingById(change, context)))
}

function performAction(change: Change, context: PerformContext): Promise<Performed> {
  const kind = declarableKind(change.kind)
  switch (change.action) {
    case 'create':
      return performCreate(kind, change, context)
    case 'update':
    case 'claim':
      return performUpdate(kind, change, context)
    case 'restore':
      return performRestore(kind, change, context)
    case 'delete':
      return performDelete(kind, change, context)
  }
}

/**
 * Conditions name flags by key in a change, and by id in requests: a request is spelled with ids, and
 * its answer with keys again. A flag that this run has created has its id by now.
 */
function namingById<Context extends Pick<PerformContext, 'client' | 'idOf'>>(
  { kind: name, names = [] }: Pick<Change, 'kind' | 'names'>,
  context: Context,
): Context {
  if (names.length === 0) return context
  const kind = declarableKind(name)
  const known = names.flatMap(({ $ref, identity, id }) => {
    const now = context.idOf($ref) ?? id
    return now === undefined ? [] : [{ kind: name, identity, id: now }]
  })
  const toKey = keysOf(known)
  const ids = new Map(known.map(({ identity, id }) => [identity, id]))
  const idOf = (key: string) => (isFlagId(key) ? key : ids.get(key))
  const client = wrapClient(context.client, {
    spelling: {
      sent: (of, body) => (of === name ? spelledBody(kind, body, idOf) : body),
      received: (of, record) => (of === name ? renamedFields(kind, record, toKey) : record),
    },
  })
  return { ...context, client }
}

/** A request body, with its statement about the earlier object, which may have named something deleted. */
function spelledBody(
  kind: DeclarableKind,
  body: JsonObject,
  idOf: (key: string) => string | undefined,
): JsonObject {
  const spelled = renamedFields(kind, body, (_, key) => idOf(key) ?? notThere(key))
  const member = kind.lifecycle.version?.before
  const before = member === undefined ? undefined : spelled[member]
  if (member === undefined || !isJsonObject(before)) return spelled
  return { ...spelled, [member]: renamedFields(kind, before, (_, key) => idOf(key) ?? key) }
}

function notThere(key: string): never {
  throw new Error(`the flag "${key}", which a condition names, is not there`)
}

/**
 * Deletes an object, softly if the kind allows it. If it is gone already, the change is done. Remaining
 * fields are sent together with `deleted`, so that nobody briefly gets the earlier values.
 *
 * | live                                    | sent                               |
 * |-----------------------------------------|------------------------------------|
 * | none                                    | nothing                            |
 * | soft-deleted, with the remaining fields | nothing                            |
 * | soft-deleted otherwise, as planned      | the remaining fields               |
 * | there, as planned                       | the remaining fields and `deleted` |
 * | otherwise                               | nothing: somebody has changed it   |
 */
async function performDelete(
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

/** Creates an object. If one exists already, it is read before a reason is given. */
async function performCreate(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
): Promise<Performed> {
  const params = parentParams(kind, change, context)
  if (!(await isParentLiving(kind, change, context))) return parentGone
  if (isOneOfMany(kind)) {
    // The service accepts a second one of this name silently, so an earlier plan must not add it.
    const found = await oneOfName(kind, change, params, context)
    if (found && 'is' in found) return found
    if (found) return resumeCreate(kind, change, found, context)
  }
  const grant = await grantHeld(kind, change, params, context)
  if (grant) return heldAlready(kind, change, grant)
  const shadow = await newShadow(kind, change, context)
  if (shadow) return shadow
  const outcome = await createEitherWay(kind, change, context, (write, others) =>
    confirmWrite({
      ...context,
      write,
      // A refusal may mean that the object exists: ours, after a lost answer, or another one.
      readAfterRefusal: true,
      find: () => {
        others()
        return locate(kind, change.identity, params, context)
      },
      // The files are not compared: they are written after it, whoever made it.
      isDone: ({ isSoftDeleted, record }) =>
        !isSoftDeleted && sameFields(kind, meantFields(kind, change.after, record), record),
    }),
  )
  // After a lost answer, our own object may have the name. Then that is reported instead.
  if (outcome.is === 'failed' && !outcome.isOpen && isTaken(outcome.error))
    return orFailed(async () => ({ is: 'stale', reason: await takenReason(kind, change.identity, context) }))
  if (outcome.is !== 'settled') return outcome
  const record = recordIn(outcome.body)
  const ours = idIn(record)
  const id = ours ?? outcome.live?.id
  if (id === undefined) return { is: 'stale', reason: 'the service did not say what it created' }
  return orFailed(async () => {
    const other = isOneOfMany(kind) ? await severalOfName(kind, change, ours, context) : undefined
    if (other) return other
    const written = await writeFiles(kind, change, id, context)
    if (written.is !== 'settled') return written
    const already = outcome.already && change.files === undefined
    return finish(kind, change, { id, already, record, row: outcome.live?.record })
  }, record)
}

/**
 * The reason if several objects have this name now: two runs may each have created one, or one request may have been
 * delivered twice. Nothing is deleted: after a lost answer, no object can be proven to be ours.
 */
async function severalOfName(
  kind: DeclarableKind,
  change: Change,
  ours: string | undefined,
  context: PerformContext,
): Promise<Performed | undefined> {
  const stale = (reason: string): Performed => ({
    is: 'stale',
    reason,
    ...(ours === undefined ? {} : { id: ours }),
  })
  try {
    const params = parentParams(kind, change, context)
    const { living, isComplete } = await locateAll(kind, change.identity, params, context)
    const ids = new Set([...living.map(({ id }) => id), ...(ours === undefined ? [] : [ours])])
    if (ids.size > 1) return stale(severalReason([...ids]))
    return isComplete ? undefined : stale(`it was created, and ${notReadWhole.reason}`)
  } catch (error) {
    if (!isRequestFailure(error)) throw error
    return stale(`it was created, and what else has its name could not be read: ${error.message}`)
  }
}

/** An object of the name exists: from an earlier run that was cut off before its files, or from somebody else. */
async function resumeCreate(
  kind: DeclarableKind,
  change: Change,
  { id }: Live,
  context: PerformContext,
): Promise<Performed> {
  const seen = await readAgain(kind, { ...change, id }, context)
  if (!seen || !sameFields(kind, change.after, seen.record)) {
    return { is: 'stale', reason: `it exists with id ${id} and is not as planned` }
  }
  if (isAsWanted(kind, change, seen)) return alreadyDone(change, seen)
  // All files are written at once, so a run that was cut off has written none of them.
  const isWithout = (name: string) => seen.files !== undefined && !Object.hasOwn(seen.files, name)
  if (!Object.keys(change.files ?? {}).every(isWithout)) {
    return { is: 'stale', reason: `it exists with id ${id} and its source files are not as planned` }
  }
  return orFailed(async () => {
    const written = await writeFiles(kind, change, id, context)
    return written.is === 'settled' ? { is: 'done', id, already: false, notKept: [] } : written
  }, seen.record)
}

/** A grant is made on the flag of the plan: not on one that is gone, nor on a soft-deleted one. */
async function isParentLiving(
  { lifecycle }: DeclarableKind,
  { parent }: Change,
  context: PerformContext,
): Promise<boolean> {
  if (!lifecycle.parent || parent?.id === undefined) return true
  const flag = await readById(declarableKind(lifecycle.parent.kind), parent.id, context)
  return flag !== undefined && !flag.isSoftDeleted
}

/**
 * A grant that its role holds already. The public service answers a second one with 500, as it may answer one that it
 * has made. Only this lookup distinguishes the two. A flag that this run has created has no grants yet.
 */
async function grantHeld(
  kind: DeclarableKind,
  { identity, parent }: Change,
  params: Readonly<Record<string, string>>,
  context: PerformContext,
): Promise<Live | undefined> {
  if (!parent || context.isNew(parent.$ref)) return undefined
  return locate(kind, identity, params, context)
}

function heldAlready(kind: DeclarableKind, { after }: Change, { id, record }: Live): Performed {
  const { [identityField(kind)]: _found, ...wanted } = after
  return sameFields(kind, meantFields(kind, wanted, record), record)
    ? { is: 'done', id, already: true, notKept: [] }
    : { is: 'stale', reason: `it exists with id ${id} and is not as planned` }
}

function idIn(record: JsonObject | undefined): string | undefined {
  const id = record?.id
  return typeof id === 'string' || isJsonNumber(id) ? String(id) : undefined
}

const parentGone: Performed = { is: 'stale', reason: 'its flag is gone' }

/** The object of a name before one is created, or why there may be several. */
async function oneOfName(
  kind: DeclarableKind,
  { identity }: Change,
  params: Readonly<Record<string, string>>,
  context: PerformContext,
): Promise<Live | undefined | { readonly is: 'stale'; readonly reason: string }> {
  const { living, isComplete } = await locateAll(kind, identity, params, context)
  if (living.length === 1 || (living.length === 0 && isComplete)) return living[0]
  return {
    is: 'stale',
    reason: living.length === 0 ? notReadWhole.reason : severalReason(living.map(({ id }) => id)),
  }
}

function severalReason(ids: readonly string[]): string {
  const inOrder = [...ids].sort((left, right) => left.localeCompare(right, 'en', { numeric: true }))
  return `${ids.length} objects have this name (ids ${inOrder.join(', ')}); delete those that are too many, or say which one with \`id:\``
}

/**
 * Changes the differing fields, only on the object that the plan was made for. That is checked first, unless
 * the service checks it itself.
 */
async function performUpdate(
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
async function performRestore(
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
