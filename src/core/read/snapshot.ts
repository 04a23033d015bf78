import { isServiceError } from '../../api/index.ts'
import { declarableKind, declarableKinds, kindBelow } from '../../kinds/index.ts'
import type { Profile } from '../../model/connection.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { isOpen } from '../../services/index.ts'
import type { InventoryProof } from '../change.ts'
import { type Declarations, parentKey } from '../desired.ts'
import { type FlagLink, linkOf, renamedLive } from '../flag-links.ts'
import { isRecognizable, keptRecord, type Live, toLive } from '../live.ts'
import { addFiles } from './locate.ts'
import { readGrants } from './read-grants.ts'
import { NewNames, readLinks } from './read-links.ts'
import type { SnapshotOptions } from './read-record.ts'
import { nothingHidden, type ReadTrail, readHidden, type Shadowed } from './shadowed.ts'

/** The objects of the service that the declarations are about, read once. */
export interface Snapshot {
  readonly live: readonly Live[]
  /** Flags that conditions name, or whose conditions name others, declared or not. */
  readonly links?: readonly FlagLink[]
  /** The service of the snapshot, whose rules evaluate flags; the documented one if absent. */
  readonly profile?: Profile
  /** Whether it may still turn out to be another service. */
  readonly isGuessed?: boolean
  /**
   * Living objects that no declaration names, if a declared object is not live: one of them may be that
   * object under its earlier name. At most 1,000, and none if `live` has all of them.
   */
  readonly undeclared?: readonly Live[]
  /** By kind: whether its list was read whole. Kinds without declarations are not read. */
  readonly inventory: Readonly<Record<string, InventoryProof>>
  /** Identities of flags whose grants the service does not offer: a 404 there is not an empty list. */
  readonly withoutGrants: ReadonlySet<string>
  /** Whether the service gives roles levels; undefined if that is not known yet. */
  readonly hasLevels?: boolean
  /** Kinds and flags (`kind.key`) whose list or grants the service refuses, each with its message. */
  readonly unreadable: ReadonlyMap<string, string>
  /** The hidden objects that have names which no list shows, by `kind.identity`. */
  readonly shadowed: ReadonlyMap<string, Shadowed>
  /** The activity trails that were read for this. */
  readonly trails?: readonly ReadTrail[]
}

/**
 * Reads one paged list per declared kind, then the objects that no list shows: grants of flags whose grants
 * are declared, objects declared by id, soft-deleted ones that the activity trail names, and source files.
 */
export async function takeSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  const { declarations } = options
  const wanted = wantedObjects(declarations)
  const names = new NewNames(declarations.desired)
  const kinds = declarableKinds.filter(({ name, lifecycle }) => !lifecycle.parent && wanted.has(name))
  const answers = await Promise.all(
    kinds.map(kind => tryReading(kind, { ...(wanted.get(kind.name) ?? noObjects), names }, options)),
  )
  const lists = answers.flatMap(answer => ('live' in answer ? [answer] : []))
  const refused = answers.flatMap(answer => ('refusal' in answer ? [answer] : []))
  // If a key may read nothing at all, it is the wrong key.
  if (lists.length === 0 && refused[0]) throw refused[0].refusal
  const found = lists.flatMap(({ live }) => live)
  const hidden = await Promise.all(
    lists.map(({ kind, isAllThere }) => (isAllThere ? nothingHidden : readHidden(kind, found, options))),
  )
  const behind = hidden.flatMap(({ live }) => live.map(each => names.of(each)))
  const listed = lists.flatMap(({ links }) => links)
  const { links, toKey } = await readLinks(listed, { found, hidden: behind }, options)
  const byKeys = (each: Live) => renamedLive(declarableKind(each.kind), each, toKey)
  const objects = await addFiles([...found, ...behind].map(byKeys), options)
  const grants = await readGrants(objects, options)
  return {
    live: [...objects, ...grants.live],
    links,
    // By now this is known, even if the first answers had to show it.
    ...serviceOf(options),
    undeclared: lists.flatMap(({ undeclared }) => undeclared.map(byKeys)),
    inventory: Object.fromEntries(lists.map(({ kind, inventory }) => [kind.name, inventory])),
    withoutGrants: grants.notOffered,
    ...levelsOf(options),
    unreadable: new Map([
      ...refused.map(({ kind, refusal }) => [kind.name, refusal.message] as const),
      ...grants.refused,
    ]),
    shadowed: new Map(hidden.flatMap(({ shadowed }) => shadowed)),
    trails: hidden.flatMap(({ trail }) => trail ?? []),
  }
}

/** The profile of the service, as far as its answers show it. */
export function serviceOf({
  client: { target },
}: Pick<SnapshotOptions, 'client'>): Pick<Snapshot, 'profile' | 'isGuessed'> {
  return { profile: target.profile, ...(target.known === 'assumed' ? { isGuessed: true } : {}) }
}

/** The result of the lists that were read. */
export function levelsOf({ client }: Pick<SnapshotOptions, 'client'>): Pick<Snapshot, 'hasLevels'> {
  const kind = declarableKinds.find(({ lifecycle }) => lifecycle.levels)
  const way = client.routes.known(kind?.name ?? '')
  return way === undefined ? {} : { hasLevels: way === 'levels' }
}

interface Wanted {
  readonly identities: ReadonlySet<string>
  readonly ids: ReadonlySet<string>
}

/** The same, with the names that declarations use for objects. */
interface Asked extends Wanted {
  readonly names: NewNames
}

const noObjects: Wanted = { identities: new Set(), ids: new Set() }

function wantedObjects({ desired, ownedGrants }: Declarations): Map<string, Wanted> {
  const wanted = new Map<string, { identities: Set<string>; ids: Set<string> }>()
  const of = (kind: string) => {
    const entry = wanted.get(kind) ?? { identities: new Set(), ids: new Set() }
    wanted.set(kind, entry)
    return entry
  }
  for (const one of desired) {
    const { kind, identity, id } = one
    const parentKind = declarableKind(kind).lifecycle.parent?.kind
    const parent = parentKey(one)
    if (parentKind && parent !== undefined) of(parentKind).identities.add(parent)
    else of(kind).identities.add(identity)
    if (id !== undefined) of(kind).ids.add(id)
  }
  const parents = declarableKinds.filter(({ name }) => kindBelow(name))
  for (const { flag } of ownedGrants) for (const { name } of parents) of(name).identities.add(flag)
  return wanted
}

interface ReadList {
  readonly kind: DeclarableKind
  readonly live: readonly Live[]
  readonly undeclared: readonly Live[]
  readonly links: readonly FlagLink[]
  readonly inventory: InventoryProof
  /** Whether it has all declared objects, so none is hidden. */
  readonly isAllThere: boolean
}

/** If the key or the billing plan excludes one kind, the others can still be planned. */
async function tryReading(
  kind: DeclarableKind,
  wanted: Asked,
  options: SnapshotOptions,
): Promise<ReadList | { readonly kind: DeclarableKind; readonly refusal: Error }> {
  try {
    return await readKind(kind, wanted, options)
  } catch (error) {
    if (isServiceError(error) && isRefusal(kind, error.status, options)) return { kind, refusal: error }
    throw error
  }
}

function isRefusal({ lifecycle }: DeclarableKind, status: number, { client }: SnapshotOptions): boolean {
  if (status === 404) return isOpen(lifecycle.mayBeGone ?? '', client.target.profile)
  return status === 402 || status === 403
}

async function readKind(
  kind: DeclarableKind,
  { names, ...wanted }: Asked,
  { client, policy, signal }: SnapshotOptions,
): Promise<ReadList> {
  const keepsAll = policy.ownership.prune !== 'never' || policy.ownership.tag !== undefined
  const live: Live[] = []
  const undeclared: Live[] = []
  const links: FlagLink[] = []
  const kept = (one: Live) => ({ ...one, record: keptRecord(kind, one.record) })
  const take = (row: Live) => {
    const one = names.of(row)
    const isGivenAway = names.isGivenAway(one)
    const link = linkOf(kind, one)
    if (link) links.push(isGivenAway ? { ...link, hasKey: false } : link)
    if (isGivenAway) return
    if (keepsAll || wanted.identities.has(one.identity) || wanted.ids.has(one.id)) {
      live.push(kept(one))
    } else if (isRecognizable(kind) && !one.isSoftDeleted && undeclared.length < mostUndeclared) {
      undeclared.push(kept(one))
    }
  }
  const list = client.list(kind.name, { signal })
  for await (const page of list.pages())
    for (const record of page) {
      const one = toLive(kind, record)
      if (one) take(one)
    }
  const { seen, count, complete } = list.inventory
  const found = new Set(live.map(({ identity }) => identity))
  const isAllThere = [...wanted.identities].every(identity => found.has(identity))
  return {
    kind,
    live,
    links,
    undeclared: isAllThere ? [] : undeclared,
    inventory: { seen, count, complete },
    isAllThere: isAllThere && wanted.ids.size === 0,
  }
}

/** Whole records of 100,000 flags would not fit, and a hint needs little. */
const mostUndeclared = 1000
