import { isRequestFailure, isServiceError, isTaken } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isJsonNumber, type JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, isOneOfMany } from '../../model/kind.ts'
import type { Change } from '../change.ts'
import { notReadWhole } from '../guards/block.ts'
import type { Live } from '../live.ts'
import { locate, locateAll, readAgain } from '../read/locate.ts'
import { readById } from '../read/read-record.ts'
import { backoffMs, confirmWrite } from './confirm-write.ts'
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
    const other = isOneOfMany(kind) ? await otherOfName(kind, change, ours, context) : undefined
    if (other) return other
    const written = await writeFiles(kind, change, id, context)
    if (written.is !== 'settled') return written
    const already = outcome.already && change.files === undefined
    return finish(kind, change, { id, already, record, row: outcome.live?.record })
  }, record)
}

/** The reason if another object of this name stays and ours does not. */
async function otherOfName(
  kind: DeclarableKind,
  change: Change,
  ours: string | undefined,
  context: PerformContext,
): Promise<Performed | undefined> {
  const copies = await resolveCopies(kind, change, ours, context)
  if (copies.is === 'only') return undefined
  if (copies.is === 'stale') return copies
  const { live, tookBack } = copies
  const resumed = await resumeCreate(kind, change, live, context)
  if (resumed.is === 'failed') return resumed
  // Another run has made this object, whatever was added to it.
  return resumed.is === 'done' ? { ...resumed, already: true, tookBack } : { ...resumed, tookBack }
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

/** The objects of a name after one of them was created. */
export type Copies =
  | { readonly is: 'only' }
  /** Another one came first, and stays; ours is deleted again. */
  | { readonly is: 'other'; readonly live: Live; readonly tookBack: string }
  /** `id`: of the object that this run has made and that still exists. */
  | { readonly is: 'stale'; readonly reason: string; readonly id?: string }

/**
 * Makes sure that a creation leaves one object of its name, if the service allows several. Two runs may each
 * have created one, or one request may have been delivered twice. So the list is read again, and the object
 * with the lowest id stays. Ours is the one whose id our request was answered with. Nothing else is ever
 * deleted: after a lost answer, no object can be proven to be ours.
 *
 * | ours      | of that name there are     | outcome                                                        |
 * |-----------|----------------------------|----------------------------------------------------------------|
 * | known     | ours, or none              | done                                                           |
 * | known     | ours first, then others    | others are waited for, their runs take them back; then stale   |
 * | known     | others first, ours as made | ours is deleted, and the first one is looked at as if ours had |
 * |           |                            | never been made                                                |
 * | known     | others first, ours changed | stale; somebody has begun to use it                            |
 * | known     | others only                | looked at again, as long as a list may be late; then stale     |
 * | not known | one                        | done                                                           |
 * | not known | several                    | waited for; then stale, one of them may be ours                |
 * | any       | a list not read whole      | read again if that may help; then stale                        |
 *
 * A run deletes its own object only when it sees a lower id, and no run sees the lowest one as higher than another.
 * So one always stays, and nothing is created again. If nothing can be proven, the run reports it and exits with 5.
 */
async function resolveCopies(
  kind: DeclarableKind,
  change: Change,
  ours: string | undefined,
  context: PerformContext,
): Promise<Copies> {
  const params = parentParams(kind, change, context)
  for (let look = 1; ; look++) {
    const seen = await listCopies(kind, change, params, context)
    const [first, ...others] = seen.living
    const isOurs = first === undefined || first.id === ours
    if (seen.is === 'whole' && others.length === 0 && (isOurs || ours === undefined)) return { is: 'only' }
    const mine = others.find(({ id }) => id === ours)
    if (first && mine) return takeBack(kind, change, { mine, first }, context)
    if (look === mostLooks || seen.is === 'refused') {
      return { is: 'stale', reason: reasonFor(seen, ours), ...(ours === undefined ? {} : { id: ours }) }
    }
    await context.runtime.sleep(backoffMs(firstWaitMs, look, context.runtime), context.signal)
  }
}

interface Seen {
  readonly is: 'whole' | 'in part' | 'failed' | 'refused'
  /** The oldest first. */
  readonly living: readonly Live[]
  readonly why?: string
}

/** A created object does not become a failure because the list that is read afterwards fails. */
async function listCopies(
  kind: DeclarableKind,
  { identity }: Change,
  params: Readonly<Record<string, string>>,
  context: PerformContext,
): Promise<Seen> {
  try {
    const { living, isComplete } = await locateAll(kind, identity, params, context)
    return { is: isComplete ? 'whole' : 'in part', living: [...living].sort(byId) }
  } catch (error) {
    if (!isRequestFailure(error)) throw error
    const isRefused = isServiceError(error) && error.status < 500
    return { is: isRefused ? 'refused' : 'failed', living: [], why: error.message }
  }
}

/** The objects of a name before one is created: other runs may be about to delete theirs. */
async function oneOfName(
  kind: DeclarableKind,
  { identity }: Change,
  params: Readonly<Record<string, string>>,
  context: PerformContext,
): Promise<Live | undefined | { readonly is: 'stale'; readonly reason: string }> {
  for (let look = 1; ; look++) {
    const { living, isComplete } = await locateAll(kind, identity, params, context)
    if (living.length === 1 || (living.length === 0 && isComplete)) return living[0]
    if (look === mostLooks)
      return { is: 'stale', reason: living.length === 0 ? notReadWhole.reason : severalReason(living) }
    await context.runtime.sleep(backoffMs(firstWaitMs, look, context.runtime), context.signal)
  }
}

function severalReason(living: readonly Live[]): string {
  const ids = [...living].sort(byId).map(({ id }) => id)
  return `${living.length} objects have this name (ids ${ids.join(', ')}); delete those that are too many, or say which one with \`id:\``
}

/** With the waits in between about six seconds: other runs delete theirs with three requests. */
const mostLooks = 6
const firstWaitMs = 125

async function takeBack(
  kind: DeclarableKind,
  change: Change,
  { mine, first }: { readonly mine: Live; readonly first: Live },
  context: PerformContext,
): Promise<Copies> {
  const { id } = mine
  const { remove } = kind.lifecycle
  const both = `it was made twice at the same time (ids ${first.id} and ${id})`
  const find = () => readAgain(kind, { ...change, id, files: undefined }, context)
  if (remove?.by !== 'delete')
    return { is: 'stale', reason: `${both}, and the one of this run cannot be deleted`, id }
  const stuck = (error: unknown, tried: string): Copies => {
    if (!isRequestFailure(error)) throw error
    return {
      is: 'stale',
      reason: `${both}, and the one of this run, id ${id}, could not be ${tried}: ${error.message}`,
      id,
    }
  }
  try {
    const seen = await find()
    if (seen && !sameFields(kind, change.after, seen.record)) {
      return {
        is: 'stale',
        reason: `${both}, and somebody has changed the one of this run, id ${id}, since`,
        id,
      }
    }
  } catch (error) {
    return stuck(error, 'looked at')
  }
  const removed = await confirmWrite({
    ...context,
    write: { kind, endpoint: remove.endpoint, params: { ...parentParams(kind, change, context), id } },
    find,
    isDone: () => false,
    isUntouched: () => true,
    goneIsDone: true,
  })
  return removed.is === 'failed'
    ? stuck(removed.error, 'deleted')
    : { is: 'other', live: first, tookBack: id }
}

function reasonFor({ is, living, why }: Seen, ours: string | undefined): string {
  const created = ours === undefined ? 'it was created' : `it was created with id ${ours}`
  if (is === 'in part') return `${created}, and the list of what else has its name was not read whole`
  if (why !== undefined) return `${created}, and what else has its name could not be read: ${why}`
  if (living.length > 1) return severalReason(living)
  return `${created}, and only another one (id ${living[0]?.id}) is listed`
}

/** Ids count up, so the lowest is the oldest. */
function byId(left: Live, right: Live): number {
  return left.id.localeCompare(right.id, 'en', { numeric: true })
}
