import pMap from 'p-map'
import { declarableKind } from '../../kinds/index.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { objectAddress } from '../../model/kind.ts'
import { isFlagId } from '../../targeting/index.ts'
import type { Desired } from '../desired.ts'
import { type FlagLink, keysOf, linkOf, namesIn, type Rename, sameNames } from '../flag-links.ts'
import { isListedApart, type Live, toLive } from '../live.ts'
import { idKey } from '../plan/live-index.ts'
import { readById, type SnapshotOptions } from './read-record.ts'

export interface Links {
  /** Flags that conditions name, or whose conditions name others. */
  readonly links: readonly FlagLink[]
  readonly toKey: Rename
}

/** The objects that were read: those from lists, each with its links, and others. */
interface Shown {
  readonly found: readonly Live[]
  readonly hidden: readonly Live[]
}

/**
 * Collects which flags conditions name, by key. The list resolves nearly all ids. A flag that declared
 * conditions name by an id, and that no list shows, is read by that id.
 *
 * | the id is of                               | the condition names it by |
 * |--------------------------------------------|---------------------------|
 * | a living flag                              | its key                   |
 * | a soft-deleted one that will be restored   | the key that it will have |
 * | another soft-deleted one, or no flag       | the id                    |
 */
export async function readLinks(
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

/** Only flags in conditions, flags with such conditions, and declared names: a list may hold 100,000. */
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
 * The archived flags, if a condition names an unknown flag while the service is not identified yet: a
 * project whose flags are all archived shows none of them.
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
    for await (const record of client.list(name, { query, asAnswered: true, signal })) {
      const live = toLive(kind, record)
      const link = live && isListedApart(kind, live) ? linkOf(kind, live) : undefined
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
 * Uses the new name of a renamed object everywhere: its grants are declared below it, and conditions of
 * other flags use it, before and after the rename. Records keep the live name, so the rename is a difference.
 *
 * | the object                        | has the name        | name that is used             |
 * |-----------------------------------|---------------------|-------------------------------|
 * | is renamed, by its id             | before the rename   | the new one                   |
 * | the same                          | any other           | that one                      |
 * | is another                        | of a renamed object | none: no declaration means it |
 */
export class NewNames {
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

  /** Whether declarations use the object's name for another object. */
  isGivenAway({ kind, id, identity }: Live): boolean {
    if (this.#given.size === 0) return false
    return !this.#renamed.has(idKey(kind, id)) && this.#given.has(objectAddress(kind, identity))
  }
}
