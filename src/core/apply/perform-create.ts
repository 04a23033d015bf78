import { isRequestFailure, isTaken } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isJsonNumber, type JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, isOneOfMany } from '../../model/kind.ts'
import type { Change } from '../change.ts'
import { notReadWhole } from '../guards/block.ts'
import type { Live } from '../live.ts'
import { locate, locateAll, readAgain } from '../read/locate.ts'
import { readById } from '../read/read-record.ts'
import { confirmWrite } from './confirm-write.ts'
import { takenReason } from './holder.ts'
import { createEitherWay, writeFiles } from './level-write.ts'
import {
  alreadyDone,
  finish,
  isAsWanted,
  meantFields,
  newShadow,
  orFailed,
  type PerformContext,
  type Performed,
  parentParams,
  recordIn,
  sameFields,
} from './performed.ts'

/** Creates an object. If one exists already, it is read before a reason is given. */
export async function performCreate(
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
