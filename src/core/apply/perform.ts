import { isLevelId, wrapClient } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { isFlagId } from '../../targeting/index.ts'
import type { Change } from '../change.ts'
import { fingerprintOf } from '../diff.ts'
import { keysOf, renamedFields } from '../flag-links.ts'
import type { Live } from '../live.ts'
import { readAgain } from '../read/locate.ts'
import { confirmWrite, type Write, writtenRecord } from './confirm-write.ts'
import { levelWrite, sentFields } from './level-write.ts'
import { performCreate } from './perform-create.ts'
import { performRestore, performUpdate } from './perform-update.ts'
import {
  finish,
  moved,
  newBlock,
  orFailed,
  type PerformContext,
  type Performed,
  parentParams,
  sameFields,
} from './performed.ts'

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
