import type { DeclarableKind } from '../../model/kind.ts'
import { existsField, type LiveEditPolicy } from '../../model/live-edit-policy.ts'
import type { Json } from '../../model/text/json.ts'
import { isSameField } from '../diff.ts'
import type { Author } from './live-edit.ts'

/**
 * Who changed what: the newest row of the activity trail for each object and field. It is read before
 * planning, which sends no requests.
 */
export interface Authors {
  /** By kind and id, as `trailKey` makes it. */
  readonly objects: ReadonlyMap<string, ObjectTrail>
  /** Why some authors are unknown, one line for each kind. */
  readonly notes: readonly string[]
}

export const noAuthors: Authors = { objects: new Map(), notes: [] }

/** The newest rows of the trail about one object. */
export interface ObjectTrail {
  /** By field; `exists` is a field too, with the values true and false. */
  readonly changes: ReadonlyMap<string, TrailChange>
  /** The row of its creation, which shows no values. */
  readonly created?: TrailEvent
}

/** An event: its time, and its user if the row names one. */
export interface TrailEvent {
  /** Milliseconds since 1970, by the clock of the service. */
  readonly at: number
  readonly user?: TrailUser
  /** What did it for the user, in words: `scheduled change`. */
  readonly trigger?: string
}

/** The user in a row. A removed user may have neither name nor address. */
export interface TrailUser {
  readonly firstName?: string
  readonly email?: string
  /** The service did it, not a user. */
  readonly isSystem?: true
}

export interface TrailChange extends TrailEvent {
  /** The new value of the field, in the form of the service. */
  readonly after: Json
}

export interface AskedField {
  readonly kind: DeclarableKind
  /** The id of the object; without one nothing is known. */
  readonly id: string | undefined
  readonly field: string
  /** The live value, from the snapshot; for `exists`, whether the object is there. */
  readonly live: Json
  /** Its last convergence, in milliseconds since 1970: earlier events cannot explain a difference. */
  readonly since?: number
}

/** The assumed clock difference between service and runner, in milliseconds. */
export const clockTolerance = 5 * 60_000

export function trailKey(kind: string, id: string): string {
  return `${kind}#${id}`
}

/**
 * Who gave a field its live value.
 *
 * | the newest row for the field                                | the author                |
 * |-------------------------------------------------------------|---------------------------|
 * | changed it to the live value, after the object converged    | its user                  |
 * | changed it to another value                                 | unknown                   |
 * | is older than the last convergence                          | unknown                   |
 * | does not exist; there is no base, and a row of the creation | the creator of the object |
 * | does not exist                                              | unknown                   |
 *
 * A trail may be late, and today's service writes no row about tags. A wrong name is worse than no name.
 */
export function authorOf(authors: Authors, asked: AskedField): Author | undefined {
  const event = changeOf(authors, asked) ?? creationOf(authors, asked)
  if (!event) return undefined
  const name = nameOf(event.user)
  return {
    ...(name === undefined ? {} : { name }),
    at: event.at,
    ...(event.trigger === undefined ? {} : { reason: event.trigger }),
  }
}

/**
 * Whether the trail proves that a person, or the service itself, set the live value of a field.
 *
 * | the newest row for the field                          | proves it |
 * |-------------------------------------------------------|-----------|
 * | is by a user who is not an automation user            | yes       |
 * | is by the service itself                              | yes       |
 * | is by a user of automation                            | no        |
 * | does not show the user's address                      | no        |
 * | is from before the last convergence, or just after it | no        |
 * | set another value, or created the object              | no        |
 * | is any, but the settings name no automation users     | no        |
 *
 * The last row protects pipelines without records: their key belongs to a user, and their own last apply must
 * not count as an edit by a person. The row about time does the same for manual applies, despite clock skew.
 */
export function isByPerson(
  authors: Authors,
  asked: AskedField,
  { automation }: Pick<LiveEditPolicy, 'automation'>,
): boolean {
  if (automation.length === 0) return false
  const change = changeOf(authors, asked)
  if (!change?.user || (asked.since !== undefined && change.at <= asked.since + clockTolerance)) return false
  const { email, isSystem } = change.user
  if (isSystem) return true
  // A user without an address may be an automation user.
  return email !== undefined && !automation.some(address => spelling(address) === spelling(email))
}

/** The newest change of a field, if it explains the live value. */
function changeOf(
  { objects }: Authors,
  { kind, id, field, live, since }: AskedField,
): TrailChange | undefined {
  const change = id === undefined ? undefined : objects.get(trailKey(kind.name, id))?.changes.get(field)
  if (!change || (since !== undefined && change.at < since - clockTolerance)) return undefined
  const isLive = field === existsField ? change.after === live : isSameField(kind, field, change.after, live)
  return isLive ? change : undefined
}

/** Who created the object, if no row has changed the field since. */
function creationOf({ objects }: Authors, { kind, id, field, since }: AskedField): TrailEvent | undefined {
  const trail = id === undefined ? undefined : objects.get(trailKey(kind.name, id))
  const isInTrail = field !== kind.lifecycle.ownedBy && field !== existsField
  return isInTrail && since === undefined && !trail?.changes.has(field) ? trail?.created : undefined
}

function nameOf(user: TrailUser | undefined): string | undefined {
  return user?.email ?? user?.firstName
}

function spelling(name: string): string {
  return name.trim().toLowerCase()
}
