import type { Client } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import type { Runtime } from '../../model/runtime/runtime.ts'
import type { Change } from '../change.ts'
import { type Live, nameTaken } from '../live.ts'
import { linkedBlocks, shadowBlock } from '../plan/guards/guards.ts'
import type { FindShadowed } from '../read/shadowed.ts'
import type { Attempt } from './apply-event.ts'
import { changedMeanwhile } from './changed-meanwhile.ts'
import { changedBeside } from './held.ts'
import { apartReason } from './holder.ts'
import { fieldsNotKept } from './wanted.ts'

/** What came of one change. */
export type Performed =
  /** Written, or found to be as wanted already. `notKept`: fields that the service accepted and did not keep. */
  | {
      readonly is: 'done'
      readonly id: string
      readonly already: boolean
      readonly notKept: readonly string[]
      /** Other fields, which somebody has changed between the last look at the object and the write. */
      readonly changedBeside?: readonly string[]
      /** As the service last answered it, where that is the whole of it: a row of a list may show less. */
      readonly record?: JsonObject
      /** The id of a second object of this name that was created at the same time as this one, and deleted again. */
      readonly tookBack?: string
    }
  /** The object is not the one that the plan was made on. */
  | {
      readonly is: 'stale'
      readonly reason: string
      /** The service has refused the write, so that nothing of it was done. */
      readonly refused?: true
      /** Something of it was written all the same. */
      readonly written?: true
      /** That of an object which was created all the same. */
      readonly id?: string
      /** As above. */
      readonly tookBack?: string
    }
  | {
      readonly is: 'failed'
      readonly error: unknown
      /** A write has left, and nobody knows what became of it. */
      readonly isOpen: boolean
      /** Of the object that is there in spite of it, as it was last seen. */
      readonly record?: JsonObject
    }

export interface PerformContext {
  readonly client: Client
  readonly runtime: Runtime
  /** The id of a flag that this run has created or restored, by its address. */
  readonly idOf: (address: string) => string | undefined
  /** Whether this run has created the flag of an address, so that nothing can hang from it yet. */
  readonly isNew: (address: string) => boolean
  /** Called before each write leaves, so that a killed run can be told from one that never began. */
  readonly attempting: (attempt: Attempt) => Promise<void>
  /** Looks behind a name before it is given to anything. */
  readonly findShadowed: FindShadowed
  /** The object as it was read a moment ago for this change: it is not read again before the first write. */
  readonly seen?: Live
  readonly signal?: AbortSignal
}

export const gone: Performed = { is: 'stale', reason: 'it is gone' }
export const moved: Performed = { is: 'stale', reason: changedMeanwhile }

/** What the service made of a write: as it answered, or as a row of a list shows it where the answer was lost. */
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
  // A source file may set fields too, so what was answered before it is no proof.
  return { is: 'done', ...what, ...(record === undefined || files ? {} : { record }) }
}

/** Has what is thrown be a result; a record is that of an object which is there, whatever fails from here on. */
export async function orFailed(run: () => Promise<Performed>, record?: JsonObject): Promise<Performed> {
  const there = record === undefined ? {} : { record }
  try {
    const performed = await run()
    return performed.is === 'failed' ? { ...there, ...performed } : performed
  } catch (error) {
    return { is: 'failed', error, isOpen: false, ...there }
  }
}

/** A body, where it is the record of an object. */
export function recordIn(body: Json | undefined): JsonObject | undefined {
  return isJsonObject(body) ? body : undefined
}

/** What hangs from an object is no part of its fingerprint; an experiment may have begun since the plan. */
export function newBlock({ kind, action, after, allowed }: Change, live: Live): Performed | undefined {
  const held = linkedBlocks({ kind: declarableKind(kind), action, live, after }).find(
    ({ rule }) => !allowed.includes(rule),
  )
  return held && { is: 'stale', reason: `${held.reason} since the plan was made` }
}

/**
 * What the service would destroy to make room for the name that a change gives: something that was deleted since the
 * plan was made, or that nobody can tell of. A creation never goes over what is there, whatever was allowed.
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
