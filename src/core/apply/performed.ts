import type { Client } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { type DeclarableKind, identityField, managedFields } from '../../model/kind.ts'
import type { Runtime } from '../../model/runtime.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import type { Change } from '../change.ts'
import { isSameField } from '../diff.ts'
import { canonicalIdentity, type Live, nameTaken } from '../live.ts'
import { linkedBlocks, shadowBlock } from '../plan/guards.ts'
import { apartReason, type FindShadowed } from '../read/find-soft-deleted.ts'
import type { Attempt } from './apply-event.ts'

export type Performed =
  /** Written, or already as wanted. `notKept`: fields that the service accepted but did not store. */
  | {
      readonly is: 'done'
      readonly id: string
      readonly already: boolean
      readonly notKept: readonly string[]
      /** Other fields that were changed between the last read and the write. */
      readonly changedBeside?: readonly string[]
      /** The last answer, if it is the whole object: a row of a list may show less. */
      readonly record?: JsonObject
    }
  /** The object is not the one of the plan. */
  | {
      readonly is: 'stale'
      readonly reason: string
      /** The service refused the write: nothing was done. */
      readonly refused?: true
      /** Something was written anyway. */
      readonly written?: true
      /** The id of an object that was created in spite of the failure. */
      readonly id?: string
    }
  | {
      readonly is: 'failed'
      readonly error: unknown
      /** A write was sent, and its result is unknown. */
      readonly isOpen: boolean
      /** The last record of the object, if it exists in spite of the failure. */
      readonly record?: JsonObject
    }

export interface PerformContext {
  readonly client: Client
  readonly runtime: Runtime
  /** The id of a flag that this run has created or restored, by its address. */
  readonly idOf: (address: string) => string | undefined
  /** Whether this run created the flag with this address: then nothing depends on it yet. */
  readonly isNew: (address: string) => boolean
  /** Called before each write is sent: so a journal shows whether a killed run sent it. */
  readonly attempting: (attempt: Attempt) => Promise<void>
  /** Finds the hidden owner of a name before an object gets the name. */
  readonly findShadowed: FindShadowed
  /** The object, if it was just read for this change: it is not read again before the first write. */
  readonly seen?: Live
  readonly signal?: AbortSignal
}

/** The reason if an object has changed since its plan was made. */
export const changedMeanwhile = 'it was changed after the plan was made'

export const gone: Performed = { is: 'stale', reason: 'it is gone' }
export const moved: Performed = { is: 'stale', reason: changedMeanwhile }

/** The object after a write: from the answer, or from a list if the answer was lost. */
export interface Made {
  readonly id: string
  readonly already: boolean
  readonly record?: JsonObject
  readonly row?: JsonObject
  /** The object just before the write. */
  readonly basis?: JsonObject
}

export function finish(kind: DeclarableKind, change: Change, made: Made): Performed {
  const { id, already, record, row, basis } = made
  const shown = record ?? row
  const notKept = shown ? fieldsNotKept(kind, change.after, shown) : []
  const beside = record && basis ? changedBeside(kind, { body: change.after, basis }, record) : []
  return done(change, {
    ...{ id, already, notKept, record },
    ...(beside.length > 0 ? { changedBeside: beside } : {}),
  })
}

export function alreadyDone(change: Change, { id, record }: Pick<Live, 'id' | 'record'>): Performed {
  return done(change, { id, already: true, notKept: [], record })
}

function done(
  { files }: Change,
  { record, ...what }: Omit<Extract<Performed, { is: 'done' }>, 'is'>,
): Performed {
  // Source files may set fields too, so an earlier answer proves nothing.
  return { is: 'done', ...what, ...(record === undefined || files ? {} : { record }) }
}

/** Turns an error into a result. `record`: the object, if it already exists. */
export async function orFailed(run: () => Promise<Performed>, record?: JsonObject): Promise<Performed> {
  const there = record === undefined ? {} : { record }
  try {
    const performed = await run()
    return performed.is === 'failed' ? { ...there, ...performed } : performed
  } catch (error) {
    return { is: 'failed', error, isOpen: false, ...there }
  }
}

/** A body, if it is the record of an object. */
export function recordIn(body: Json | undefined): JsonObject | undefined {
  return isJsonObject(body) ? body : undefined
}

/** By dependent objects, which no fingerprint includes: an experiment may have begun since the plan. */
export function newBlock({ kind, action, after, allowed }: Change, live: Live): Performed | undefined {
  const held = linkedBlocks({ kind: declarableKind(kind), action, live, after }).find(
    ({ rule }) => !allowed.includes(rule),
  )
  return held && { is: 'stale', reason: `${held.reason} since the plan was made` }
}

/**
 * The result if a new name belongs to an object that was deleted after the plan was made, or to an unknown
 * one: the service would destroy it. A creation never does this, even with a permission.
 */
export async function newShadow(
  kind: DeclarableKind,
  { action, after, allowed }: Change,
  { findShadowed, client: { target } }: PerformContext,
): Promise<Performed | undefined> {
  const name = nameTaken(kind, after)
  const shadowed = name === undefined ? undefined : await findShadowed(kind, name)
  if (shadowed?.is === 'deleted' && action === 'create') {
    const { id } = shadowed.live
    const reason = `a deleted object (id ${id}) has its ${identityField(kind)} and would be destroyed`
    return { is: 'stale', reason: `${reason}; plan again to restore it, or declare \`id: ${id}\`` }
  }
  if (shadowed?.is === 'apart') return { is: 'stale', reason: apartReason(kind, shadowed.live, target) }
  const held = shadowBlock({ action, shadowed }).find(
    ({ rule }) => rule !== 'protected' && !allowed.includes(rule),
  )
  return held && { is: 'stale', reason: held.reason }
}

/** The path parameter that names the flag of a grant. */
export function parentParams(
  kind: DeclarableKind,
  { parent }: Change,
  { idOf }: PerformContext,
): Record<string, string> {
  const parameter = kind.lifecycle.parent?.parameter
  if (!parameter || !parent) return {}
  return { [parameter]: idOf(parent.$ref) ?? parent.id ?? '' }
}

/** Whether the object already has every value that the change would write. */
export function isAsWanted(kind: DeclarableKind, { identity, after, files }: Change, live: Live): boolean {
  const name = after[identityField(kind)] ?? identity
  // An object that someone else has renamed is another object.
  if (live.isSoftDeleted || live.identity !== canonicalIdentity(kind, String(name))) return false
  if (!sameFields(kind, after, live.record)) return false
  return Object.entries(files ?? {}).every(([name, text]) => (live.files?.[name] ?? null) === text)
}

/** Whether a record has all the wanted values, each in its canonical form. */
export function sameFields(kind: DeclarableKind, wanted: JsonObject, record: JsonObject): boolean {
  return Object.keys(wanted).every(name =>
    isSameField(kind, name, wanted[name] ?? null, record[name] ?? null),
  )
}

/**
 * The fields of a creation. Adds the default level if none is declared and the service has levels: the plan
 * may have been made before that was known.
 */
export function meantFields(
  { fields, lifecycle }: DeclarableKind,
  wanted: JsonObject,
  record: JsonObject,
): JsonObject {
  const level = lifecycle.levels?.field
  if (level === undefined || level in wanted || !(level in record)) return wanted
  return { ...wanted, [level]: fields[level]?.assumed ?? null }
}

/** Sent fields that are missing in the answer or have another value there. */
function fieldsNotKept(kind: DeclarableKind, sent: JsonObject, record: JsonObject): string[] {
  return Object.keys(sent).filter(
    name =>
      (name in record || kind.fields[name]?.offered) &&
      kind.fields[name] &&
      !isSameField(kind, name, sent[name] ?? null, record[name] ?? null),
  )
}

/**
 * Adds to a change what the service needs to detect conflicts: the version that the change is based on, and
 * the earlier value of each field. [service-today 3]
 *
 * | sent version | live value of a sent field  | the service                                  |
 * |--------------|-----------------------------|----------------------------------------------|
 * | the live one | any                         | writes it                                    |
 * | an older one | as it was, or as it is sent | writes it                                    |
 * | an older one | anything else               | refuses (409), or answers without writing it |
 * | none         | any                         | writes it: the last writer wins              |
 *
 * `basis`: the object as it was read, with at least the sent fields. Nothing is added without a version.
 */
export function heldBody(kind: DeclarableKind, body: JsonObject, basis: JsonObject = {}): JsonObject {
  const { version } = kind.lifecycle
  const seen = version && basis[version.field]
  if (!version || seen === undefined || seen === null) return body
  const before = Object.fromEntries(Object.keys(body).map(name => [name, basis[name] ?? null]))
  return { ...body, [version.field]: seen, [version.before]: before }
}

/**
 * Why the answer to a compared write shows a conflict with changes of others; undefined if there is none.
 *
 * | the answer                      | others came between | so                                                |
 * |---------------------------------|---------------------|---------------------------------------------------|
 * | has the next version, or none   | no, as far as known | the service did not keep a value that differs     |
 * | has a later one, all as sent    | yes                 | their changes and ours are both live              |
 * | has a later one, a field is not | yes                 | they changed that field, and ours was not written |
 * | is deleted, or has another name | yes                 | it is no longer the planned object                |
 */
export function movedMeanwhile(
  kind: DeclarableKind,
  { body, basis = {} }: { readonly body: JsonObject; readonly basis?: JsonObject },
  answered: JsonObject,
): string | undefined {
  const { version, softDelete } = kind.lifecycle
  if (!version) return undefined
  const [seen, now] = [basis[version.field], answered[version.field]]
  if (typeof seen !== 'number' || typeof now !== 'number' || now === seen + 1) return undefined
  const deleted = softDelete?.field ?? ''
  const isDeletion = deleted in body
  if (softDelete && !isDeletion && answered[deleted] === softDelete.is && basis[deleted] !== softDelete.is)
    return 'it was deleted after the plan was made'
  const name = identityField(kind)
  const isRenamed = name in basis && !(name in body) && !isSame(kind, name, basis, answered)
  if (isRenamed && !isDeletion) return 'it was renamed after the plan was made'
  const lost = Object.keys(body).filter(field => field in answered && !isSame(kind, field, body, answered))
  return lost.length === 0 ? undefined : `someone else has changed ${lost.join(', ')} in the meantime`
}

/** The fields that this write did not send and that have changed since the last read. */
function changedBeside(
  kind: DeclarableKind,
  { body, basis = {} }: { readonly body: JsonObject; readonly basis?: JsonObject },
  answered: JsonObject,
): string[] {
  return managedFields(kind).filter(
    name => name in basis && name in answered && !(name in body) && !isSame(kind, name, basis, answered),
  )
}

function isSame(kind: DeclarableKind, name: string, left: JsonObject, right: JsonObject): boolean {
  return isSameField(kind, name, left[name] ?? null, right[name] ?? null)
}
