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

/** The result of one change. */
export type Performed =
  /** Written, or found to be as wanted already. `notKept`: fields that the service accepted and did not keep. */
  | {
      readonly is: 'done'
      readonly id: string
      readonly already: boolean
      readonly notKept: readonly string[]
      /** Other fields that somebody has changed between the last read of the object and the write. */
      readonly changedBeside?: readonly string[]
      /** The last answer of the service, if that is the whole object: a row of a list may show less. */
      readonly record?: JsonObject
    }
  /** The object is not the one of the plan. */
  | {
      readonly is: 'stale'
      readonly reason: string
      /** The service has refused the write, so that nothing was done. */
      readonly refused?: true
      /** Something was written anyway. */
      readonly written?: true
      /** The id of an object that was created anyway. */
      readonly id?: string
    }
  | {
      readonly is: 'failed'
      readonly error: unknown
      /** A write was sent, and its result is unknown. */
      readonly isOpen: boolean
      /** The record of the object that exists in spite of it, as it was last read. */
      readonly record?: JsonObject
    }

export interface PerformContext {
  readonly client: Client
  readonly runtime: Runtime
  /** The id of a flag that this run has created or restored, by its address. */
  readonly idOf: (address: string) => string | undefined
  /** Whether this run has created the flag of an address, so that nothing can depend on it yet. */
  readonly isNew: (address: string) => boolean
  /** Called before each write is sent, so that a killed run differs from one that never began. */
  readonly attempting: (attempt: Attempt) => Promise<void>
  /** Finds the hidden owner of a name before an object gets the name. */
  readonly findShadowed: FindShadowed
  /** The object as it was read a moment ago for this change: it is not read again before the first write. */
  readonly seen?: Live
  readonly signal?: AbortSignal
}

/** The reason if an object has changed since its plan was made. */
export const changedMeanwhile = 'it was changed after the plan was made'

export const gone: Performed = { is: 'stale', reason: 'it is gone' }
export const moved: Performed = { is: 'stale', reason: changedMeanwhile }

/** What the service made of a write: its answer, or a row of a list if the answer was lost. */
export interface Made {
  readonly id: string
  readonly already: boolean
  readonly record?: JsonObject
  readonly row?: JsonObject
  /** The object as it was a moment before. */
  readonly basis?: JsonObject
}

/** The end of a write, with what the service made of it. */
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

/** The object is as wanted, and nothing had to be written. */
export function alreadyDone(change: Change, { id, record }: Pick<Live, 'id' | 'record'>): Performed {
  return done(change, { id, already: true, notKept: [], record })
}

function done(
  { files }: Change,
  { record, ...what }: Omit<Extract<Performed, { is: 'done' }>, 'is'>,
): Performed {
  // A source file may set fields too, so an earlier answer is no proof.
  return { is: 'done', ...what, ...(record === undefined || files ? {} : { record }) }
}

/** Turns an error into a result. `record` is that of an existing object, whatever fails from here on. */
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

/** The fingerprint leaves out dependent objects; an experiment may have begun since the plan. */
export function newBlock({ kind, action, after, allowed }: Change, live: Live): Performed | undefined {
  const held = linkedBlocks({ kind: declarableKind(kind), action, live, after }).find(
    ({ rule }) => !allowed.includes(rule),
  )
  return held && { is: 'stale', reason: `${held.reason} since the plan was made` }
}

/**
 * What the service would destroy to make room for a new name: something that was deleted after the plan was
 * made, or something unknown. A creation never overwrites an existing object, even with a permission.
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
    const reason = `a deleted one (id ${id}) holds its ${identityField(kind)} and would be destroyed`
    return { is: 'stale', reason: `${reason}; a new plan restores it, or declare \`id: ${id}\`` }
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
  // Once renamed by somebody else, it is another object, whatever else it contains.
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
 * The fields of a creation. If no level is declared and the service turns out to have levels, the default
 * level is added: the plan may be older than the levels of the service.
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

/** Sent fields that have another value in the answer, or are missing, as in services that do not have them. */
function fieldsNotKept(kind: DeclarableKind, sent: JsonObject, record: JsonObject): string[] {
  return Object.keys(sent).filter(
    name =>
      (name in record || kind.fields[name]?.offered) &&
      kind.fields[name] &&
      !isSameField(kind, name, sent[name] ?? null, record[name] ?? null),
  )
}

/**
 * Sent along with a change, so that the service compares it with the live object: the version that the change
 * is based on, and the earlier value of each of its fields. [service-today 3]
 *
 * | version that goes along | live value of a field that is sent | the service                                  |
 * |-------------------------|------------------------------------|----------------------------------------------|
 * | the live one            | any                                | writes it                                    |
 * | an older one            | as it was, or as it is sent        | writes it                                    |
 * | an older one            | anything else                      | refuses (409), or answers without writing it |
 * | none                    | any                                | writes it: the last writer wins              |
 *
 * `basis` is the object as it was read, at least the fields that are sent. Without a version, or for a kind that has
 * none, nothing is added.
 */
export function heldBody(kind: DeclarableKind, body: JsonObject, basis: JsonObject = {}): JsonObject {
  const { version } = kind.lifecycle
  const seen = version && basis[version.field]
  if (!version || seen === undefined || seen === null) return body
  const before = Object.fromEntries(Object.keys(body).map(name => [name, basis[name] ?? null]))
  return { ...body, [version.field]: seen, [version.before]: before }
}

/**
 * What the answer to a compared write shows of other people's changes; undefined if there are none, or none
 * that matters here.
 *
 * | the answer                      | others came between | so                                                   |
 * |---------------------------------|---------------------|------------------------------------------------------|
 * | has the next version, or none   | no, as far as known | the service did not keep a value that differs        |
 * | has a later one, all as sent    | yes                 | what they changed stays, and so does ours            |
 * | has a later one, a field is not | yes                 | they changed that field, and ours was not written    |
 * | is deleted, or has another name | yes                 | it is not the object that was to be changed any more |
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
  return lost.length === 0 ? undefined : `somebody else has changed ${lost.join(', ')} meanwhile`
}

/**
 * The fields that this write did not send and that its answer shows with other values than a moment before.
 * Somebody else has changed them in between.
 */
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
