import type { Client } from '../api/index.ts'
import { declarableKind, type KindName } from '../kinds/index.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { World } from '../model/world.ts'
import type { Change } from './change.ts'
import { isSameField } from './diff.ts'
import { fingerprintOf } from './fingerprint.ts'
import { linkedObjections } from './guards.ts'
import { canonicalIdentity, type Live } from './live.ts'
import { locate, readAgain } from './locate.ts'
import { readById } from './read-hidden.ts'
import { requestLine } from './request-line.ts'
import { settleWrite } from './settle-write.ts'

/** What came of one change. */
export type Performed =
  /** Written, or found to be as wanted already. `notKept`: fields that the service accepted and did not keep. */
  | {
      readonly is: 'done'
      readonly id: string
      readonly already: boolean
      readonly notKept: readonly string[]
    }
  /** The object is not the one that the plan was made on; nothing was written. */
  | { readonly is: 'stale'; readonly reason: string }

export interface PerformContext {
  readonly client: Client
  readonly world: World
  /** The id of a flag that this run has created or revived, by its address. */
  readonly idOf: (address: string) => string | undefined
  /** Called before each write leaves, so that a killed run can be told from one that never began. */
  readonly attempting: (requestLine: string) => Promise<void>
  readonly signal?: AbortSignal
}

/**
 * Carries out one change, so that doing it twice is doing it once.
 *
 * | action        | before the write                       | the write                            | lost answer            |
 * |---------------|----------------------------------------|--------------------------------------|------------------------|
 * | create        | a grant: its flag is still there       | POST                                 | look the identity up   |
 * | update, adopt | read again; same fingerprint, or stop  | PATCH with what changed              | read again             |
 * | revive        | read again; still the same tombstone   | PATCH the marker alone, then fields  | read again             |
 * | delete        | read again; same fingerprint, or stop  | PATCH the marker, or DELETE          | read again             |
 *
 * Throws the client's errors when the service refuses.
 */
export async function perform(change: Change, context: PerformContext): Promise<Performed> {
  const kind = declarableKind(change.kind)
  switch (change.action) {
    case 'create':
      return performCreate(kind, change, context)
    case 'update':
    case 'adopt':
      return performUpdate(kind, change, context)
    case 'revive':
      return performRevive(kind, change, context)
    case 'delete':
      return performDelete(kind, change, context)
  }
}

async function performCreate(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
): Promise<Performed> {
  const params = parentParams(kind, change, context)
  if (!(await isParentLiving(kind, change, context))) return parentGone
  if (kind.identity.by === 'field' && !kind.identity.unique) {
    // The service takes a second one of this name without a word, so a plan made earlier must not add it.
    const live = await locate(kind, change.identity, params, context)
    if (live) return resumeCreate(kind, change, live, context)
  }
  const outcome = await settleWrite({
    ...context,
    write: { kind, endpoint: kind.lifecycle.create ?? '', params, body: change.after },
    // A refusal may mean that the object is there: ours whose answer was lost, or somebody else's.
    readAfterRefusal: true,
    find: () => locate(kind, change.identity, params, context),
    // The files are not looked at: they are written after it, whoever made it.
    isDone: live => !live.isTombstone && sameFields(kind, change.after, live.record),
  })
  if (outcome.is === 'stale') return outcome
  const id = idIn(outcome.body) ?? outcome.live?.id
  if (id === undefined) return { is: 'stale', reason: 'the service did not say what it created' }
  await writeFiles(kind, change, id, context)
  const already = outcome.already && change.files === undefined
  return finish(kind, change, id, outcome.body ?? outcome.live?.record ?? null, already)
}

/** An object of the name is there: from an earlier run that was cut off before its files, or somebody else's. */
async function resumeCreate(
  kind: DeclarableKind,
  change: Change,
  live: Live,
  context: PerformContext,
): Promise<Performed> {
  const { id } = live
  const seen = await readAgain(kind, { ...change, id }, context)
  if (!seen || !sameFields(kind, change.after, seen.record)) {
    return { is: 'stale', reason: `it exists with id ${id} and is not as planned` }
  }
  if (isAsWanted(kind, change, seen)) return { is: 'done', id, already: true, notKept: [] }
  // All files are written at once, so a run that was cut off has left none of them.
  const isWithout = (name: string) => seen.files !== undefined && !Object.hasOwn(seen.files, name)
  if (!Object.keys(change.files ?? {}).every(isWithout)) {
    return { is: 'stale', reason: `it exists with id ${id} and its source files are not as planned` }
  }
  await writeFiles(kind, change, id, context)
  return { is: 'done', id, already: false, notKept: [] }
}

async function performUpdate(
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

async function performRevive(
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

async function performDelete(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
): Promise<Performed> {
  const id = change.id ?? ''
  const { remove, update = '' } = kind.lifecycle
  const params = { ...parentParams(kind, change, context), id }
  const live = await readAgain(kind, change, context)
  if (!live || live.isTombstone) return { is: 'done', id, already: true, notKept: [] }
  if (fingerprintOf(kind, live) !== change.fingerprint) return moved
  const objection = newObjection(change, live)
  if (objection) return objection
  const write =
    remove?.by === 'update'
      ? { kind, endpoint: update, params, body: remove.body }
      : { kind, endpoint: remove?.endpoint ?? '', params }
  const outcome = await settleWrite({
    ...context,
    write,
    find: () => readAgain(kind, change, context),
    isDone: found => found.isTombstone,
    isUntouched: found => fingerprintOf(kind, found) === change.fingerprint,
    goneIsDone: true,
  })
  return outcome.is === 'stale' ? outcome : { is: 'done', id, already: outcome.already, notKept: [] }
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

async function writeFiles(
  kind: DeclarableKind,
  { files }: Change,
  id: string,
  { client, attempting, signal }: PerformContext,
): Promise<void> {
  const endpoint = kind.lifecycle.files?.write
  if (!files || !endpoint) return
  await attempting(requestLine(kind, endpoint, { id }, client.target))
  // Naming the same files with the same texts again changes nothing, so a lost answer costs one more request.
  await client.call(kind.name as KindName, endpoint, { params: { id }, body: files, signal })
}

function finish(kind: DeclarableKind, change: Change, id: string, record: Json, already: boolean): Performed {
  const notKept = isJsonObject(record) ? fieldsNotKept(kind, change.after, record) : []
  return { is: 'done', id, already, notKept }
}

function fieldsNotKept(kind: DeclarableKind, sent: JsonObject, record: JsonObject): string[] {
  return Object.keys(sent).filter(
    name =>
      name in record &&
      kind.fields[name] &&
      !isSameField(kind, name, sent[name] ?? null, record[name] ?? null),
  )
}

/** Whether the object holds already everything that the change would write. */
function isAsWanted(kind: DeclarableKind, { identity, after, files }: Change, live: Live): boolean {
  // Renamed, it is another object by now, whatever else it holds.
  if (live.isTombstone || live.identity !== canonicalIdentity(kind, identity)) return false
  if (!sameFields(kind, after, live.record)) return false
  return Object.entries(files ?? {}).every(([name, text]) => (live.files?.[name] ?? null) === text)
}

function sameFields(kind: DeclarableKind, wanted: JsonObject, record: JsonObject): boolean {
  return Object.keys(wanted).every(name =>
    isSameField(kind, name, wanted[name] ?? null, record[name] ?? null),
  )
}

function parentParams(
  kind: DeclarableKind,
  { parent }: Change,
  { idOf }: PerformContext,
): Record<string, string> {
  const parameter = kind.lifecycle.parent?.parameter
  if (!parameter || !parent) return {}
  return { [parameter]: idOf(parent.$ref) ?? parent.id ?? '' }
}

/** A grant is made on the flag that the plan saw: not on one that is gone, nor on a tombstone. */
async function isParentLiving(
  { lifecycle }: DeclarableKind,
  { parent }: Change,
  context: PerformContext,
): Promise<boolean> {
  if (!lifecycle.parent || parent?.id === undefined) return true
  const flag = await readById(declarableKind(lifecycle.parent.kind), parent.id, context)
  return flag !== undefined && !flag.isTombstone
}

/** What hangs from an object is no part of its fingerprint; an experiment may have begun since the plan. */
function newObjection({ action, after, allowed }: Change, live: Live): Performed | undefined {
  const held = linkedObjections({ action, live, after }).find(({ rule }) => !allowed.includes(rule))
  return held && { is: 'stale', reason: `${held.reason} since the plan was made` }
}

function idIn(body: Json | undefined): string | undefined {
  const id = isJsonObject(body) ? body.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

const gone: Performed = { is: 'stale', reason: 'it is gone' }
const parentGone: Performed = { is: 'stale', reason: 'its flag is gone' }
const moved: Performed = { is: 'stale', reason: 'it was changed after the plan was made' }
