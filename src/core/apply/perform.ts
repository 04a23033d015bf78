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
 * Carries out one change. It is idempotent.
 *
 * | action        | before the write                         | the write                         | lost answer          |
 * |---------------|------------------------------------------|-----------------------------------|----------------------|
 * | create        | a grant: its flag is still there, and    | POST                              | look the identity up |
 * |               | its role does not hold one;              |                                   |                      |
 * |               | a flag: nothing soft-deleted has its key |                                   |                      |
 * |               | a plugin: none of its name is there      | POST; stops if there are two now  |                      |
 * | update, claim | read again; same fingerprint, or stop;   | PATCH with the changes            | read again           |
 * |               | nothing if the service compares it       |                                   |                      |
 * | restore       | read again; still soft-deleted           | PATCH the fields, then `deleted`  | read again           |
 * | delete        | read again; same fingerprint, or stop    | PATCH `deleted` and the remaining | read again           |
 * |               |                                          | fields, or DELETE                 |                      |
 *
 * A failed result also contains the object, if it exists in spite of the failure.
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

/** Names flags in conditions by id in requests and by key in answers: a change has their keys. */
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

/** A request body. Its copy of the earlier object may name a flag that was deleted. */
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
  throw new Error(`the flag "${key}", which a condition names, does not exist`)
}

/**
 * Deletes an object, softly if the kind allows it. If the object is already gone, the change is done. Other
 * fields are sent together with `deleted`, so that nobody briefly gets earlier values.
 *
 * | live                                       | sent                               |
 * |--------------------------------------------|------------------------------------|
 * | none                                       | nothing                            |
 * | soft-deleted, with the remaining fields    | nothing                            |
 * | soft-deleted with other fields, as planned | the remaining fields               |
 * | there, as planned                          | the remaining fields and `deleted` |
 * | anything else                              | nothing: it was changed            |
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

/** Creates an object. If it already exists, it is read to find the reason. */
async function performCreate(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
): Promise<Performed> {
  const params = parentParams(kind, change, context)
  if (!(await isParentLiving(kind, change, context))) return parentGone
  if (isOneOfMany(kind)) {
    // The service silently accepts a second object of this name, so an old plan must not add one.
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
      // A refusal may mean that the object exists: ours after a lost answer, or another.
      readAfterRefusal: true,
      find: () => {
        others()
        return locate(kind, change.identity, params, context)
      },
      // Files are not compared here: they are written after the object.
      isDone: ({ isSoftDeleted, record }) =>
        !isSoftDeleted && sameFields(kind, meantFields(kind, change.after, record), record),
    }),
  )
  // After a lost answer, our own object may have the name; the reason would be wrong then.
  if (outcome.is === 'failed' && !outcome.isOpen && isTaken(outcome.error))
    return orFailed(async () => ({ is: 'stale', reason: await takenReason(kind, change.identity, context) }))
  if (outcome.is !== 'settled') return outcome
  const record = recordIn(outcome.body)
  const ours = idIn(record)
  const id = ours ?? outcome.live?.id
  if (id === undefined)
    return { is: 'stale', reason: 'the service did not return the id of the created object' }
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
 * The reason if several objects have this name now: two runs may have created one each, or a request may have
 * been delivered twice. Nothing is deleted: after a lost answer, it is unknown which object is ours.
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
    return stale(`it was created, but other objects with its name could not be read: ${error.message}`)
  }
}

/** An earlier run was cut off before it wrote the files, or someone else created the object. */
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

/** Whether the flag of a grant still exists and is not soft-deleted. */
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
 * The grant, if its role already has it. The public service answers 500 to a second grant, and may answer 500
 * to a successful one. Only this lookup distinguishes the two. A flag that this run has created has no grants
 * yet.
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

/** The object that already has a name, or why there may be several. */
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
  return `${ids.length} objects have this name (ids ${inOrder.join(', ')}); delete the extra ones, or choose one with \`id:\``
}

/** Changes the differing fields of the planned object. It is checked first, unless the service does so. */
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
 * Restores a soft-deleted object. Differing fields are written while it is still deleted: so nobody briefly
 * gets an old release, and a cut-off run turns nothing on. `deleted` is sent alone: if the key were sent too,
 * the service would create another object. [service-behaviour 2.4]
 *
 * | live                                  | sent                       |
 * |---------------------------------------|----------------------------|
 * | soft-deleted as planned               | the fields, then `deleted` |
 * | soft-deleted, with the fields already | `deleted`                  |
 * | restored, but as planned              | the fields                 |
 * | as wanted                             | nothing                    |
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
    // Only a cut-off run restores the object and changes nothing else.
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
  // Services may answer 404 for a soft-deleted object.
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
  // Changes of others between the two requests are live now too.
  const between = record && movedMeanwhile(kind, { body: { ...change.after, ...restore }, basis }, record)
  if (between !== undefined) return { is: 'stale', reason: between, written: true }
  return finish(kind, change, { id, already: false, record })
}

/** Whether a cut-off run wrote the fields of a soft-deleted object, and nothing else was edited. */
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

/** The recorded part of the object, if the service compares the change with this part. */
function plannedOn(kind: DeclarableKind, { version, before, identity }: Change): JsonObject | undefined {
  const held = kind.lifecycle.version
  if (!held || version === undefined) return undefined
  // A renamed object still has its old name, which is in `before`.
  return { [identityField(kind)]: identity, ...before, [held.field]: version }
}
