import { isTaken } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isJsonNumber, type JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, isOneOfMany } from '../../model/kind.ts'
import type { Change } from '../change.ts'
import type { Live } from '../live.ts'
import { locate, readAgain } from '../read/locate.ts'
import { readById } from '../read/read-record.ts'
import { confirmWrite } from './confirm-write.ts'
import { takenReason } from './holder.ts'
import { createEitherWay } from './level-write.ts'
import {
  alreadyDone,
  finish,
  newShadow,
  orFailed,
  type PerformContext,
  type Performed,
  parentParams,
  recordIn,
} from './performed.ts'
import { oneOfName, resolveCopies } from './second-copy.ts'
import { isAsWanted, meantFields, sameFields } from './wanted.ts'
import { writeFiles } from './write-files.ts'

/** Creates an object; one that is there already is looked at before anything is said of it. */
export async function performCreate(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
): Promise<Performed> {
  const params = parentParams(kind, change, context)
  if (!(await isParentLiving(kind, change, context))) return parentGone
  if (isOneOfMany(kind)) {
    // The service takes a second one of this name without a word, so a plan made earlier must not add it.
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
      // A refusal may mean that the object is there: ours whose answer was lost, or somebody else's.
      readAfterRefusal: true,
      find: () => {
        others()
        return locate(kind, change.identity, params, context)
      },
      // The files are not looked at: they are written after it, whoever made it.
      isDone: ({ isSoftDeleted, record }) =>
        !isSoftDeleted && sameFields(kind, meantFields(kind, change.after, record), record),
    }),
  )
  // What has the name may be ours, where an answer was lost: that is said instead.
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

/** What to say of another object of this name, where that one stays and ours does not. */
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
  // Somebody else has made what is there, whatever was added to it.
  return resumed.is === 'done' ? { ...resumed, already: true, tookBack } : { ...resumed, tookBack }
}

/** An object of the name is there: from an earlier run that was cut off before its files, or somebody else's. */
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
  // All files are written at once, so a run that was cut off has left none of them.
  const isWithout = (name: string) => seen.files !== undefined && !Object.hasOwn(seen.files, name)
  if (!Object.keys(change.files ?? {}).every(isWithout)) {
    return { is: 'stale', reason: `it exists with id ${id} and its source files are not as planned` }
  }
  return orFailed(async () => {
    const written = await writeFiles(kind, change, id, context)
    return written.is === 'settled' ? { is: 'done', id, already: false, notKept: [] } : written
  }, seen.record)
}

/** A grant is made on the flag that the plan saw: not on one that is gone, nor on a soft-deleted one. */
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
 * has made, so only this look tells the two apart. Nothing can be granted yet on a flag that this run has created.
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
