import type { Json } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { existsField, type LiveEditPolicy } from '../../model/live-edit-policy.ts'
import { isSameField } from '../diff.ts'
import type { Author } from './live-edit.ts'

/**
 * What the activity trail tells of who changed what: for each object and field its newest row. It was read before a plan
 * is made; a plan asks for nothing.
 */
export interface Authors {
  /** By kind and id, as `trailKey` makes it. */
  readonly objects: ReadonlyMap<string, ObjectTrail>
  /** Why some authors are not known, one line for each kind. */
  readonly notes: readonly string[]
}

export const noAuthors: Authors = { objects: new Map(), notes: [] }

/** The newest rows of the trail about one object. */
export interface ObjectTrail {
  /** By field; `exists` is one as well, whose values are true and false. */
  readonly changes: ReadonlyMap<string, TrailChange>
  /** The row that it was made by, which tells no values. */
  readonly created?: TrailEvent
}

/** That something was done: when, and by whom, as far as a row says. */
export interface TrailEvent {
  /** Milliseconds since 1970, by the clock of the service. */
  readonly at: number
  readonly user?: TrailUser
  /** What did it for the user, in words: `scheduled change`. */
  readonly trigger?: string
}

/** A row may name neither: of somebody who has been removed since. */
export interface TrailUser {
  readonly firstName?: string
  readonly email?: string
  /** No user did it, but the service by itself. */
  readonly isSystem?: true
}

export interface TrailChange extends TrailEvent {
  /** What the field was changed to, as the service held it. */
  readonly after: Json
}

/** One field that somebody wants to know the author of. */
export interface AskedField {
  readonly kind: DeclarableKind
  /** The id of the object; without one nothing is known. */
  readonly id: string | undefined
  readonly field: string
  /** What is live, as the snapshot has it; of `exists`, whether the object is there. */
  readonly live: Json
  /** When the object last converged, in milliseconds since 1970: what happened before does not explain a difference. */
  readonly since?: number
}

/** How far the clock of a service and that of a runner may be apart without anybody noticing, in milliseconds. */
export const clockTolerance = 5 * 60_000

export function trailKey(kind: string, id: string): string {
  return `${kind}#${id}`
}

/**
 * Who has made a field what it is live.
 *
 * | the newest row for the field                               | the author              |
 * |------------------------------------------------------------|-------------------------|
 * | changed it to what is live, after the object converged     | its user                |
 * | changed it to something else                               | not known               |
 * | is older than when the object converged                    | not known               |
 * | is none, but one says who made the object; without a base  | whoever made the object |
 * | is none                                                    | not known               |
 *
 * A trail may be behind, and today's service writes no row about tags: naming the wrong person is worse than naming none.
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
 * Whether the trail proves that a field is what a person, or the service by itself, has made it.
 *
 * | the newest row for the field                              | proves it |
 * |-----------------------------------------------------------|-----------|
 * | is by somebody who is no automation                       | yes       |
 * | is by the service by itself                               | yes       |
 * | is by a user of automation                                | no        |
 * | has no address of whoever did it                          | no        |
 * | is from before the object converged, or from just after   | no        |
 * | did not make it what is live, or made the object          | no        |
 * | is any, where nobody says who is automation               | no        |
 *
 * The last row keeps a pipeline without records from taking its own last apply for somebody else's work: its key belongs to
 * a user like any other. The one about time does the same for whoever applies by hand, whatever the two clocks say.
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
  // Without an address nobody can tell whether it is one of them.
  return email !== undefined && !automation.some(address => spelling(address) === spelling(email))
}

/** The newest change of a field, where it explains what is live. */
function changeOf(
  { objects }: Authors,
  { kind, id, field, live, since }: AskedField,
): TrailChange | undefined {
  const change = id === undefined ? undefined : objects.get(trailKey(kind.name, id))?.changes.get(field)
  if (!change || (since !== undefined && change.at < since - clockTolerance)) return undefined
  const isLive = field === existsField ? change.after === live : isSameField(kind, field, change.after, live)
  return isLive ? change : undefined
}

/** Who made the object, where nothing has changed the field since. */
function creationOf({ objects }: Authors, { kind, id, field, since }: AskedField): TrailEvent | undefined {
  const trail = id === undefined ? undefined : objects.get(trailKey(kind.name, id))
  const isTold = field !== kind.lifecycle.ownedBy && field !== existsField
  return isTold && since === undefined && !trail?.changes.has(field) ? trail?.created : undefined
}

function nameOf(user: TrailUser | undefined): string | undefined {
  return user?.email ?? user?.firstName
}

function spelling(name: string): string {
  return name.trim().toLowerCase()
}
