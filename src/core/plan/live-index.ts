import type { DeclarableKind } from '../../model/kind.ts'
import { once } from '../../model/runtime.ts'
import { type Desired, parentKey } from '../desired.ts'
import { canonicalIdentity, type Live } from '../live.ts'

/** Live objects by the identifiers that a declaration may give. */
export interface LiveIndex {
  /** By kind, and in it by identity, for objects whose parent has that identity. */
  readonly byName: ReadonlyMap<string, ReadonlyMap<string, readonly Live[]>>
  /** Few declarations give an id. */
  readonly byId: () => ReadonlyMap<string, Live>
  readonly all: readonly Live[]
}

/** An id that is unique among all kinds, whatever the object's name. */
export function idKey(kind: string, id: string): string {
  return `${kind}#${id}`
}

export function indexLive(live: readonly Live[]): LiveIndex {
  const byName = new Map<string, Map<string, Live[]>>()
  for (const one of live) {
    const ofKind = byName.get(one.kind) ?? new Map<string, Live[]>()
    if (ofKind.size === 0) byName.set(one.kind, ofKind)
    const name = nameOf(one.identity, one.parent?.key)
    const same = ofKind.get(name)
    if (same) same.push(one)
    else ofKind.set(name, [one])
  }
  const byId = once(() => new Map(live.map(one => [idKey(one.kind, one.id), one])))
  return { byName, byId, all: live }
}

/**
 * The live objects that a declaration can mean. Living ones hide soft-deleted ones of the same identity. Of
 * several soft-deleted ones, the newest by id is the one to restore.
 */
export function findLive(index: LiveIndex, kind: DeclarableKind, desired: Desired): readonly Live[] {
  if (desired.id !== undefined) {
    const live = index.byId().get(idKey(kind.name, desired.id))
    return live ? [live] : []
  }
  const name = nameOf(canonicalIdentity(kind, desired.identity), parentKey(desired))
  const same = index.byName.get(kind.name)?.get(name) ?? []
  const [only] = same
  if (only && same.length === 1 && isLiving(only)) return same
  const living = same.filter(isLiving)
  if (living.length > 0) return living
  return [...same].sort((left, right) => Number(right.id) - Number(left.id)).slice(0, 1)
}

function isLiving({ isSoftDeleted }: Live): boolean {
  return !isSoftDeleted
}

/** The flag of a grant, living or not. */
export function findParent(index: LiveIndex, parentKind: string, identity: string): Live | undefined {
  const same = index.byName.get(parentKind)?.get(identity) ?? []
  return same.find(live => !live.isSoftDeleted) ?? same[0]
}

/** Only grants have parents, and their identities are ids, which contain no slash. */
function nameOf(identity: string, parent: string | undefined): string {
  return parent === undefined ? identity : `${parent}/${identity}`
}

/**
 * What the service took and did not keep: by address, the digest of each such value. A plan of tags without
 * the tagging feature, for example, drops them silently, and sending them again would change nothing.
 */
export type NotKept = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The changes that wait for approval: by address, the id of the request in the service, and a digest of the request. */
export type Pending = Readonly<Record<string, PendingChange | undefined>>

export interface PendingChange {
  readonly changeRequest: string
  readonly askedFor: string
}
