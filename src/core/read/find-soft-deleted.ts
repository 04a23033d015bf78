import pMap from 'p-map'
import { type Client, type ClientTarget, isServiceError, unlessRefused } from '../../api/index.ts'
import { fillPath } from '../../model/endpoint.ts'
import { type DeclarableKind, identityField, objectAddress } from '../../model/kind.ts'
import { profilesWith } from '../../services/differences.ts'
import type { Desired } from '../desired.ts'
import { canonicalIdentity, isListedApart, type Live, nameTaken } from '../live.ts'
import { readTrail, type Trail, TrailChanges } from './activity-trail.ts'
import { liveIn, locate, queryFor, readById, type SnapshotOptions } from './read-record.ts'

/**
 * The hidden owner of a name, which no list shows. Creating a flag with the name, or renaming a flag to it,
 * destroys every soft-deleted flag that has the name, with its grants and history. [service-behaviour 2.4]
 */
export type Shadowed =
  /** A soft-deleted object: it is restored, and never overwritten. */
  | { readonly is: 'deleted'; readonly live: Live }
  /** An archived object that lists omit: the name is taken. */
  | { readonly is: 'apart'; readonly live: Live }
  /** Unknown: the name needs a permission. */
  | { readonly is: 'unknown'; readonly reason: string }

/** Finds the hidden object with a name; undefined when there is none. Throws the error of the service. */
export type FindShadowed = (kind: DeclarableKind, name: string) => Promise<Shadowed | undefined>

/** Reads one object by its id; undefined when the service does not know it. */
export type ReadOne = (kind: DeclarableKind, id: string) => Promise<Live | undefined>

export interface ShadowReader extends Pick<SnapshotOptions, 'client' | 'signal'> {
  /** How many objects with the same name are read at once. */
  readonly parallelism?: number
  /** Reads one object that the trail names; if absent, it is read by its id only. */
  readonly read?: ReadOne
}

/**
 * Finds the hidden owner of a name, for plans, applies and Terraform.
 *
 * | the trail                       | objects that it names, read by id  | the owner of the name       |
 * |---------------------------------|------------------------------------|-----------------------------|
 * | does not exist                  |                                    | none                        |
 * | refused                         |                                    | unknown                     |
 * | has the name                    | a soft-deleted object has the name | that object                 |
 * | has the name                    | several of these                   | the one with the highest id |
 * | has the name                    | an archived object has the name    | that object                 |
 * | has the name, and no newer name | cannot be read                     | unknown                     |
 * | for the id in its newest row    |                                    |                             |
 * | is incomplete                   | none of these                      | unknown                     |
 * | was read completely             | live, or renamed                   | none                        |
 *
 * A new owner of a name destroys the earlier one and adds a row for the name. A rename adds a row for the id.
 * So only the id in the name's newest row can be hidden, if no newer row shows another name for it.
 */
async function lookBehind(
  kind: DeclarableKind,
  name: string,
  trail: Trail,
  reader: ShadowReader,
): Promise<Shadowed | undefined> {
  if (trail.is === 'none') return undefined
  if (trail.is === 'refused') return { is: 'unknown', reason: trail.reason }
  const identity = canonicalIdentity(kind, name)
  const ids = trail.ids.get(identity) ?? []
  const read = await pMap(ids, id => tryReading(kind, id, reader), { concurrency: reader.parallelism ?? 4 })
  const deleted = read.filter(
    (live): live is Live => live?.isSoftDeleted === true && live.identity === identity,
  )
  const [newest] = deleted.sort((left, right) => Number(right.id) - Number(left.id))
  if (newest) return { is: 'deleted', live: newest }
  const apart = read.find(
    live => live && !live.isSoftDeleted && live.identity === identity && isListedApart(kind, live),
  )
  if (apart) return { is: 'apart', live: apart }
  const [last] = ids
  if (last !== undefined && read[0] === undefined && trail.lastNames.get(last) === identity)
    return { is: 'unknown', reason: `the activity trail names an object (id ${last}) that cannot be read` }
  return trail.gap === undefined ? undefined : { is: 'unknown', reason: trail.gap }
}

/** Finds hidden owners of names one by one. Reads the trail of a kind once, when it is first needed. */
export function shadowFinder(
  reader: ShadowReader,
  trailOf: (kind: DeclarableKind) => Promise<Trail> = readOnce(kind => readTrail(kind, reader)),
): FindShadowed {
  return async (kind, name) =>
    kind.lifecycle.softDelete?.trail ? lookBehind(kind, name, await trailOf(kind), reader) : undefined
}

/** A failure is stored too, so that no caller continues without the trail. */
function readOnce(read: (kind: DeclarableKind) => Promise<Trail>): (kind: DeclarableKind) => Promise<Trail> {
  const trails = new Map<string, Promise<Trail>>()
  return kind => {
    const trail = trails.get(kind.name) ?? read(kind)
    trails.set(kind.name, trail)
    return trail
  }
}

/** Undefined if the service does not know the id, or does not show it to this key. */
async function tryReading(kind: DeclarableKind, id: string, reader: ShadowReader): Promise<Live | undefined> {
  try {
    return await (reader.read?.(kind, id) ?? readById(kind, id, reader))
  } catch (error) {
    if (isServiceError(error) && (error.status === 402 || error.status === 403)) return undefined
    throw error
  }
}

export interface Hidden {
  readonly live: readonly Live[]
  /** The hidden owners of names of objects to create, by `kind.identity`. */
  readonly shadowed: readonly (readonly [string, Shadowed])[]
  /** The activity trail, if the search read it. */
  readonly trail?: ReadTrail
}

/** The activity trail of a kind that was read to find hidden objects, for use by others. */
export interface ReadTrail {
  readonly kind: string
  readonly trail: Trail
  /** Empty if there is none to read. */
  readonly changes: TrailChanges
}

/** Used if the list contains everything that is declared. */
export const nothingHidden: Hidden = { live: [], shadowed: [] }

/**
 * Declared objects that the list does not contain: those declared by id, and soft-deleted or archived ones in
 * the activity trail. Only kinds with soft deletion have hidden objects.
 */
export async function readHidden(
  kind: DeclarableKind,
  found: readonly Live[],
  options: SnapshotOptions,
): Promise<Hidden> {
  if (!kind.lifecycle.softDelete) return nothingHidden
  const { declarations, parallelism } = options
  const seen = new Set(found.filter(live => live.kind === kind.name).map(live => live.identity))
  const seenIds = new Set(found.filter(live => live.kind === kind.name).map(live => live.id))
  const ofKind = declarations.desired.filter(desired => desired.kind === kind.name)
  const byId = ofKind.flatMap(({ id }) => (id === undefined || seenIds.has(id) ? [] : [id]))
  const hasNewName = ({ id, identity }: Desired) =>
    found.some(live => live.id === id && nameTaken(kind, live.record) === identity)
  const missing = ofKind.filter(one => {
    if (one.ensure !== 'present') return false
    return one.id === undefined ? !seen.has(one.identity) : one.renamedFrom !== undefined && !hasNewName(one)
  })
  const changes = new TrailChanges(kind)
  let reading: Promise<Trail> | undefined
  const find = shadowFinder(options, () => {
    reading ??= readTrail(kind, options, changes)
    return reading
  })
  const names = [...new Set(missing.map(({ identity }) => identity))]
  const [named, behind] = await Promise.all([
    pMap(new Set(byId), id => readById(kind, id, options), { concurrency: parallelism }),
    pMap(names, async name => [name, await find(kind, name)] as const, { concurrency: parallelism }),
  ])
  const shadowed = behind.flatMap(([name, one]) =>
    one ? [[objectAddress(kind.name, name), one] as const] : [],
  )
  const live = [...named, ...shadowed.map(([, one]) => (one.is === 'unknown' ? undefined : one.live))]
  const byLiveId = new Map(live.flatMap(one => (one ? [[one.id, one] as const] : [])))
  const trail = await reading
  return {
    live: [...byLiveId.values()],
    shadowed,
    ...(trail ? { trail: { kind: kind.name, trail, changes } } : {}),
  }
}

interface Reader {
  readonly client: Client
  readonly signal?: AbortSignal
}

interface Held {
  readonly what: string
  readonly remedy: string
}

/**
 * Why the service refuses a name as taken although no list shows its owner. Searches for an archived object;
 * if there is none, the reason lists the possible owners.
 */
export async function takenReason(kind: DeclarableKind, name: string, reader: Reader): Promise<string> {
  const found = await archivedWith(kind, name, reader)
  if (found) return heldText(kind, 'its', found)
  return `its ${identityField(kind)} is taken, but no list shows which object has it: ${unseen(kind)}`
}

/** The same for the new name of an existing object. */
export async function newNameTakenReason(
  kind: DeclarableKind,
  name: string,
  reader: Reader,
): Promise<string> {
  const field = identityField(kind)
  const listed = await unlessRefused(() => locate(kind, name, {}, reader))
  const isPlain = listed && !listed.isSoftDeleted && !isListedApart(kind, listed)
  const found = isPlain
    ? { what: `a ${kind.title} ${nameOf(kind, listed.id, reader.client.target)} that exists by now` }
    : await archivedWith(kind, name, reader)
  if (!found) return `its new ${field} is taken, but no list shows which object has it: ${unseen(kind)}`
  const remedy = `take another ${field}, or rename that object first`
  return heldText(kind, 'its new', { ...found, remedy })
}

function unseen(kind: DeclarableKind): string {
  const { title } = kind
  const what = `an archived ${title}, a ${title} of a survey or a product tour, one that this key may not see, or a soft-deleted one`
  return `${what}; ask someone who may see all of them, or choose another ${identityField(kind)}`
}

/** The reason for an object that exists already and differs from the one to create. */
export function thereReason(kind: DeclarableKind, live: Live, target: ClientTarget): string {
  if (isListedApart(kind, live)) return apartReason(kind, live, target)
  return `it exists ${nameOf(kind, live.id, target)} and differs from the plan; someone else wrote it`
}

export function apartReason(kind: DeclarableKind, live: Live, target: ClientTarget): string {
  return heldText(kind, 'its', heldApart(kind, live, target))
}

function heldApart(kind: DeclarableKind, live: Live, target: ClientTarget): Held {
  const apart = kind.lifecycle.listedApart?.field ?? ''
  const remedy = `declare \`id: ${live.id}\` to adopt it: with \`${apart}: true\` it stays ${apart}, without that it is restored`
  return { what: `an ${apart} ${kind.title} ${nameOf(kind, live.id, target)}`, remedy }
}

async function archivedWith(
  kind: DeclarableKind,
  name: string,
  { client, signal }: Reader,
): Promise<Held | undefined> {
  const { listedApart } = kind.lifecycle
  if (!listedApart) return undefined
  const { profile, known } = client.target
  const mayBe = known === 'assumed' || profilesWith(listedApart.behaviour, listedApart.is).includes(profile)
  if (!mayBe) return undefined
  return unlessRefused(async () => {
    const query = { ...queryFor(kind, name, client), [listedApart.field]: true }
    for await (const live of liveIn(kind, client.list(kind.name, { query, asAnswered: true, signal })))
      if (live.identity === name && isListedApart(kind, live)) return heldApart(kind, live, client.target)
    return undefined
  })
}

function heldText(kind: DeclarableKind, whose: string, { what, remedy }: Held): string {
  return `${whose} ${identityField(kind)} belongs to ${what}; ${remedy}`
}

/** `(id 12, https://…/project/1/feature_flags/12)` */
function nameOf({ lifecycle: { page } }: DeclarableKind, id: string, target: ClientTarget): string {
  const { baseUrl, projectId } = target
  if (page === undefined || projectId === undefined) return `(id ${id})`
  return `(id ${id}, ${baseUrl}${fillPath(page, { project_id: projectId, id })})`
}
