import pMap from 'p-map'
import { type Client, isNotFound, isServiceError } from '../../api/index.ts'
import { declarableKind, declarableKinds, kindBelow } from '../../kinds/index.ts'
import type { Profile } from '../../model/connection.ts'
import { type DeclarableKind, identityField, managedFields, objectAddress } from '../../model/kind.ts'
import { isJsonObject, type JsonObject, pickMembers } from '../../model/text/json.ts'
import { isOpen } from '../../services/differences.ts'
import { isFlagId } from '../../targeting/index.ts'
import type { InventoryProof } from '../change.ts'
import { type Declarations, type Desired, grantsOfFlags, parentKey } from '../desired.ts'
import { type FlagLink, keysOf, linkOf, namesIn, type Rename, renamedLive, sameNames } from '../flag-links.ts'
import {
  type Exportable,
  idKey,
  isListedApart,
  isRecognizable,
  keptRecord,
  type Live,
  labelOf,
  toLive,
} from '../live.ts'
import { nothingHidden, type ReadTrail, readHidden, type Shadowed } from './find-soft-deleted.ts'
import { addFiles, liveIn, readById, readFiles, type SnapshotOptions } from './read-record.ts'

/** The live objects that the declarations are about. */
export interface Snapshot {
  readonly live: readonly Live[]
  /** Flags that conditions name, or whose conditions name others, declared or not. */
  readonly links?: readonly FlagLink[]
  /** The service of the snapshot, whose rules evaluate flags; the documented one if absent. */
  readonly profile?: Profile
  /** Whether the service is only assumed. */
  readonly isGuessed?: boolean
  /**
   * Undeclared live objects, if a declared object is not live: one of them may be that object with its old
   * name. At most 1,000, and none if `live` has all objects.
   */
  readonly undeclared?: readonly Live[]
  /** By kind: whether its list is complete. Kinds without declarations are not read. */
  readonly inventory: Readonly<Record<string, InventoryProof>>
  /** Identities of flags whose grants the service does not offer: a 404 there is not an empty list. */
  readonly withoutGrants: ReadonlySet<string>
  /** Whether the service has levels of roles; undefined if unknown. */
  readonly hasLevels?: boolean
  /** Kinds and flags (`kind.key`) whose list or grants the service refuses, each with its message. */
  readonly unreadable: ReadonlyMap<string, string>
  /** The hidden owners of names, by `kind.identity`. */
  readonly shadowed: ReadonlyMap<string, Shadowed>
  /** The activity trails that were read to find them. */
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
    // Computed last: the answers have shown it by now.
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

/** Whether the service has levels, according to the lists. */
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
  /** Whether the list has all declared objects, so none is hidden. */
  readonly isAllThere: boolean
}

/** Returns the refusal if key or billing plan excludes a kind: other kinds can still be planned. */
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

/** 100,000 complete records would not fit into memory, and hints need only some. */
const mostUndeclared = 1000

export interface Links {
  readonly links: readonly FlagLink[]
  readonly toKey: Rename
}

/** The objects that were read from lists, with their links, and all others. */
interface Shown {
  readonly found: readonly Live[]
  readonly hidden: readonly Live[]
}

/**
 * Resolves the flags that conditions name, by key. If declared conditions contain an id that is in no list,
 * this flag is read by id.
 *
 * | the id belongs to                        | the condition names it by |
 * |------------------------------------------|---------------------------|
 * | a live flag                              | its key                   |
 * | a soft-deleted one that will be restored | the key that it will have |
 * | another soft-deleted one, or no flag     | the id                    |
 */
async function readLinks(
  listed: readonly FlagLink[],
  { found, hidden }: Shown,
  options: SnapshotOptions,
): Promise<Links> {
  const shown = [...found, ...hidden]
  // In most lists no condition names another flag, and lists may be long.
  const isNamedInList = listed.some(({ names }) => names.length > 0)
  const asked = namesAsked(options.declarations.desired, isNamedInList ? shown : hidden)
  if (asked.size === 0 && !isNamedInList) return { links: [], toKey: sameNames }
  const ofShown = shown.flatMap(live => linkOf(declarableKind(live.kind), live) ?? [])
  const known = byId([...ofShown, ...listed])
  const unknown = [...asked].filter(name => !known.has(name) && isFlagId(idIn(name)))
  const read = await pMap(unknown, name => readLink(name, options), { concurrency: options.parallelism })
  for (const link of read.flat()) known.set(`${link.kind}#${link.id}`, link)
  for (const link of await unseenArchived(asked, known, options)) known.set(`${link.kind}#${link.id}`, link)
  const links = [...known.values()].map(link => withKey(link, options))
  const toKey = keysOf(links.filter(({ hasKey }) => hasKey))
  return { links: connected(links, asked).map(link => byKeys(link, toKey)), toKey }
}

/** The flags that conditions of declared or shown objects name, by kind and name. */
function namesAsked(desired: readonly Desired[], shown: readonly Live[]): Set<string> {
  const asked = new Set<string>()
  const add = (kind: string, fields: JsonObject) => {
    for (const name of namesIn(declarableKind(kind), fields)) asked.add(`${kind}#${name}`)
  }
  for (const { kind, fields } of desired) add(kind, fields)
  for (const { kind, record } of shown) add(kind, record)
  return asked
}

/** Keeps flags in conditions, flags with such conditions, and declared flags: a list may have 100,000. */
function connected(links: readonly FlagLink[], asked: ReadonlySet<string>): FlagLink[] {
  const named = new Set([
    ...asked,
    ...links.flatMap(({ kind, names }) => names.map(name => `${kind}#${name}`)),
  ])
  return links.filter(
    ({ kind, id, identity, names }) =>
      names.length > 0 || named.has(`${kind}#${id}`) || named.has(`${kind}#${identity}`),
  )
}

function byKeys(link: FlagLink, toKey: Rename): FlagLink {
  return { ...link, names: link.names.map(name => toKey(link.kind, name)) }
}

/** A soft-deleted flag with its later name, if it will be restored. */
function withKey(link: FlagLink, { declarations }: SnapshotOptions): FlagLink {
  if (!link.isDeleted) return link
  const restored = declarations.desired.find(
    ({ kind, ensure, id, identity }) =>
      kind === link.kind &&
      ensure === 'present' &&
      (id === undefined ? identity === link.identity : id === link.id),
  )
  return restored ? { ...link, identity: restored.identity, hasKey: true } : link
}

async function readLink(name: string, options: SnapshotOptions): Promise<FlagLink[]> {
  const kind = declarableKind(name.slice(0, name.lastIndexOf('#')))
  const live = await readById(kind, idIn(name), options)
  const link = live && linkOf(kind, live)
  return link ? [link] : []
}

/**
 * The archived flags, if a condition names an unknown flag and the service is not identified yet. Lists omit
 * them, even if all flags are archived.
 */
async function unseenArchived(
  asked: ReadonlySet<string>,
  known: ReadonlyMap<string, FlagLink>,
  { client, declarations, signal }: SnapshotOptions,
): Promise<FlagLink[]> {
  if (client.target.known !== 'assumed') return []
  const there = [...known.values(), ...declarations.desired].map(
    ({ kind, identity }) => `${kind}#${identity}`,
  )
  const missing = [...asked].filter(name => !isFlagId(idIn(name)) && !there.includes(name))
  const kinds = new Set(missing.map(name => name.slice(0, name.lastIndexOf('#'))))
  const found: FlagLink[] = []
  for (const name of kinds) {
    const kind = declarableKind(name)
    const { listedApart } = kind.lifecycle
    if (!listedApart) continue
    const query = { [listedApart.field]: true }
    for await (const live of liveIn(kind, client.list(name, { query, asAnswered: true, signal }))) {
      const link = isListedApart(kind, live) ? linkOf(kind, live) : undefined
      if (link) found.push(link)
    }
  }
  return found
}

function idIn(name: string): string {
  return name.slice(name.lastIndexOf('#') + 1)
}

function byId(links: readonly FlagLink[]): Map<string, FlagLink> {
  return new Map(links.map(link => [`${link.kind}#${link.id}`, link]))
}

/**
 * Uses the new name of a renamed object everywhere, because its grants and conditions of other flags use it
 * before and after the rename. Records keep the live name, so the rename is a difference.
 *
 * | the object            | has the name                     | name that is used             |
 * |-----------------------|----------------------------------|-------------------------------|
 * | is renamed, by its id | before the rename                | the new one                   |
 * | the same              | any other                        | the live name                 |
 * | is another object     | the old name of a renamed object | none: no declaration names it |
 */
class NewNames {
  readonly #renamed: ReadonlyMap<string, Desired>
  readonly #given: ReadonlySet<string>

  constructor(desired: readonly Desired[]) {
    const renamed = desired.filter(({ id, renamedFrom }) => id !== undefined && renamedFrom !== undefined)
    this.#renamed = new Map(renamed.map(one => [idKey(one.kind, one.id ?? ''), one]))
    this.#given = new Set(renamed.map(({ kind, identity }) => objectAddress(kind, identity)))
  }

  /** An object under its name in declarations. */
  of(live: Live): Live {
    // Usually nothing is renamed, and a list may have a hundred thousand rows.
    if (this.#renamed.size === 0) return live
    const meant = this.#renamed.get(idKey(live.kind, live.id))
    return meant && meant.renamedFrom === live.identity ? { ...live, identity: meant.identity } : live
  }

  /** Whether declarations use the name of this object for another one. */
  isGivenAway({ kind, id, identity }: Live): boolean {
    if (this.#given.size === 0) return false
    return !this.#renamed.has(idKey(kind, id)) && this.#given.has(objectAddress(kind, identity))
  }
}

export interface ReadAllOptions {
  readonly client: Client
  readonly kinds: readonly DeclarableKind[]
  /** Whether grants are read too: one request per flag. */
  readonly withGrants: boolean
  /** The objects whose grants and files are read; all if absent. */
  readonly isWanted?: (object: Omit<Exportable, 'grants' | 'files'>) => boolean
  readonly parallelism: number
  readonly signal?: AbortSignal
}

/** A live object without a name, which cannot be declared. */
export interface Nameless {
  readonly kind: string
  readonly id: string
}

/** Reads all live objects of some kinds, with the proof that each list is complete. */
export async function readAll(options: ReadAllOptions): Promise<{
  readonly objects: readonly Exportable[]
  readonly nameless: readonly Nameless[]
  readonly inventory: Readonly<Record<string, InventoryProof>>
}> {
  const lists = await Promise.all(options.kinds.map(kind => readExportable(kind, options)))
  return {
    objects: lists.flatMap(({ objects }) => objects),
    nameless: lists.flatMap(({ nameless }) => nameless),
    inventory: Object.fromEntries(lists.map(({ kind, inventory }) => [kind.name, inventory])),
  }
}

async function readExportable(kind: DeclarableKind, options: ReadAllOptions) {
  const list = options.client.list(kind.name, { signal: options.signal })
  const living: Live[] = []
  const nameless: Nameless[] = []
  for await (const record of list) {
    const live = toLive(kind, record)
    if (live && !live.isSoftDeleted) living.push(live)
    if (!live) nameless.push({ kind: kind.name, id: String(record.id) })
  }
  const toKey = keysOf(living)
  const objects = await pMap(living, live => exportableOf(kind, renamedLive(kind, live, toKey), options), {
    concurrency: options.parallelism,
  })
  const { seen, count, complete } = list.inventory
  return { kind, objects, nameless, inventory: { seen, count, complete } }
}

async function exportableOf(kind: DeclarableKind, live: Live, options: ReadAllOptions): Promise<Exportable> {
  const managed = new Set(managedFields(kind))
  const identity = identityField(kind)
  const object = {
    kind: kind.name,
    identity: live.identity,
    id: live.id,
    fields: pickMembers(live.record, (_, name) => managed.has(name) && name !== identity),
  }
  if (options.isWanted?.(object) === false) return object
  const grants = options.withGrants && kindBelow(kind.name) ? await readGrantsOf(live, options) : undefined
  const { files } = await readFiles(live, options)
  return {
    ...object,
    ...(grants ? { grants: grants.map(roleOf) } : {}),
    ...(files ? { files } : {}),
  }
}

function roleOf(live: Live): NonNullable<Exportable['grants']>[number] {
  const name = labelOf(live)
  const level = live.record[declarableKind(live.kind).lifecycle.levels?.field ?? '']
  return {
    id: live.identity,
    ...(name === undefined ? {} : { name }),
    ...(typeof level === 'string' ? { level } : {}),
  }
}

/** Reads the grants of flags with declared grants: one list per flag, and none for other flags. */
async function readGrants(
  objects: readonly Live[],
  options: SnapshotOptions,
): Promise<{ live: Live[]; notOffered: Set<string>; refused: Map<string, string> }> {
  const { declarations } = options
  const declared = grantsOfFlags(declarations)
  const notOffered = new Set<string>()
  const refused = new Map<string, string>()
  const asked = objects.filter(live => kindBelow(live.kind) && declared.of(live.identity))
  const lists = await pMap(
    asked,
    async flag => {
      try {
        const grants = await readGrantsOf(flag, options, declarations.roleNames)
        if (grants === undefined) notOffered.add(flag.identity)
        return grants ?? []
      } catch (error) {
        // The public service fails on every page after the first. An incomplete list would make grants look
        // missing.
        if (!isServiceError(error) || (error.status < 500 && error.status !== 403)) throw error
        refused.set(objectAddress(flag.kind, flag.identity), error.message)
        return []
      }
    },
    { concurrency: options.parallelism },
  )
  // If no flag has a list of grants, new flags will not have one either.
  const isNowhere = asked.length > 0 && notOffered.size === asked.length
  return { live: lists.flat(), notOffered: isNowhere ? new Set(declared.flags) : notOffered, refused }
}

/** The grants of one flag; undefined if the service has no such list. An empty list is different. */
async function readGrantsOf(
  flag: Pick<Live, 'kind' | 'id' | 'identity'>,
  { client, signal }: Pick<SnapshotOptions, 'client' | 'signal'>,
  names?: ReadonlyMap<string, string>,
): Promise<Live[] | undefined> {
  const kind = kindBelow(flag.kind)
  if (!kind) return undefined
  const parameter = kind.lifecycle.parent?.parameter ?? ''
  const grants: Live[] = []
  try {
    const list = client.list(kind.name, { params: { [parameter]: flag.id }, signal })
    for await (const live of liveIn(kind, list, { key: flag.identity, id: flag.id }))
      grants.push({ ...live, record: grantRecord(kind, live.record, names?.get(live.identity)) })
    return grants
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** A grant nests its whole flag; only the granted role is kept. */
function grantRecord(kind: DeclarableKind, record: JsonObject, known: string | undefined): JsonObject {
  const { identity } = kind
  if (identity.by === 'field') return record
  const { structure, member, sentAs } = identity
  const role = record[structure]
  const kept = isJsonObject(role)
    ? { [member]: role[member] ?? null, name: role.name ?? known ?? null }
    : null
  return { ...keptRecord(kind, record), [structure]: kept, [sentAs]: record[sentAs] ?? null }
}
