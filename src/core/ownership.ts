import { declarableKind } from '../kinds/index.ts'
import { tagSet } from '../model/canonical.ts'
import { memberOfTag } from '../model/field.ts'
import type { DeclarableKind } from '../model/kind.ts'
import { isJsonArray, type JsonArray, type JsonObject } from '../model/text/json.ts'
import type { Change, Plan } from './change.ts'
import { type Declarations, type Desired, declaredParent } from './desired.ts'
import { findLive, indexLive } from './live.ts'
import type { Snapshot } from './read/snapshot.ts'
import type { RunRecord } from './record/run.ts'

/** The owners of a declared object: the declared one, or else those in its tags such as `owner:payments`. */
export function ownersOf({ kind, owner, fields, tags = [] }: Desired): readonly string[] {
  return owner === undefined ? ownersInTags(declarableKind(kind), fields, tags) : [owner]
}

/** The owners in the tags of some fields, and in additional tags. */
export function ownersInTags(
  { lifecycle: { ownedBy } }: DeclarableKind,
  fields: JsonObject,
  beside: readonly string[] = [],
): readonly string[] {
  const own = ownedBy === undefined ? [] : (fields[ownedBy] ?? [])
  const tags = tagSet([...(isJsonArray(own) ? own : []), ...beside])
  return (isJsonArray(tags) ? tags : []).flatMap(tag => {
    const member = typeof tag === 'string' ? memberOfTag(tag) : undefined
    return member?.member === 'owner' && member.value !== '' ? [member.value] : []
  })
}

/**
 * Declarations that only add the ownership tag (of the policy) to declared objects. Objects that are not live
 * are not created.
 */
export function claimedDeclarations(declarations: Declarations, snapshot: Snapshot): Declarations {
  const index = indexLive(snapshot.live)
  const desired = taggable(declarations).filter(
    each =>
      // The plan reports unreadable kinds.
      snapshot.unreadable.has(each.kind) ||
      findLive(index, declarableKind(each.kind), each).filter(live => !live.isSoftDeleted).length === 1,
  )
  return { desired: desired.map(each => ({ ...each, fields: {} })), ownedGrants: [] }
}

/** Declarations that only remove the ownership tag from live objects. */
export function unclaimedDeclarations(
  declarations: Declarations,
  snapshot: Snapshot,
  tag: string,
): Declarations {
  const index = indexLive(snapshot.live)
  const desired = taggable(declarations).flatMap(each => {
    if (snapshot.unreadable.has(each.kind)) return [{ ...each, fields: {} }]
    const kind = declarableKind(each.kind)
    const [live] = findLive(index, kind, each)
    if (!live || live.isSoftDeleted || !hasOwnershipTag(kind, live.record, tag)) return []
    const { ownedBy = '' } = kind.lifecycle
    return [{ ...each, fields: { [ownedBy]: withoutOwnershipTag(kind, live.record, tag) } }]
  })
  return { desired, ownedGrants: [] }
}

export function hasOwnershipTag(kind: DeclarableKind, fields: JsonObject, tag: string): boolean {
  return tagsOf(kind, fields).includes(ownershipTagOf(tag))
}

export function getsOwnershipTag(
  kind: DeclarableKind,
  before: JsonObject,
  after: JsonObject,
  tag: string,
): boolean {
  return hasOwnershipTag(kind, after, tag) && !hasOwnershipTag(kind, before, tag)
}

export function withoutOwnershipTag(kind: DeclarableKind, fields: JsonObject, tag: string): JsonArray {
  return tagsOf(kind, fields).filter(label => label !== ownershipTagOf(tag))
}

function taggable({ desired }: Declarations): Desired[] {
  return desired
    .filter(
      ({ kind, ensure }) => ensure === 'present' && declarableKind(kind).lifecycle.ownedBy !== undefined,
    )
    .map(({ files: _files, tags: _tags, prefixedTags: _prefixedTags, ...each }) => each)
}

function tagsOf({ lifecycle: { ownedBy } }: DeclarableKind, fields: JsonObject): JsonArray {
  const labels = ownedBy === undefined ? [] : tagSet(fields[ownedBy] ?? [])
  return isJsonArray(labels) ? labels : []
}

/** The ownership tag as the service stores it. */
function ownershipTagOf(tag: string): string {
  return tag.trim().toLowerCase()
}

/**
 * The owners of the objects in a plan, by address: as declared, or from the live tags of an undeclared
 * object. A grant has the owners of its flag.
 */
export function ownersOfPlan(
  { changes, blocked, drift, liveEdits }: Pick<Plan, 'changes' | 'blocked' | 'drift' | 'liveEdits'>,
  desired: readonly Desired[],
): Plan['owners'] {
  const mentioned = new Set([...changes, ...blocked, ...drift, ...liveEdits].map(({ address }) => address))
  if (mentioned.size === 0) return undefined
  const declared = new Map(desired.map(one => [one.address, one]))
  const changed = new Map(changes.map(change => [change.address, change]))
  const owned = [...mentioned].sort().flatMap((address): [string, readonly string[]][] => {
    const change = changed.get(address)
    const one = declared.get(changedParent(declared.get(address), change) ?? address)
    const owners = one ? ownersOf(one) : change ? liveOwners(change) : []
    return owners.length === 0 ? [] : [[address, owners]]
  })
  return owned.length === 0 ? undefined : Object.fromEntries(owned)
}

/** For a grant: the address of its flag. */
function changedParent(desired: Desired | undefined, change: Change | undefined): string | undefined {
  const declared = desired && declaredParent(declarableKind(desired.kind), desired)
  return declared ?? change?.parent?.$ref
}

function liveOwners({ kind, before, after }: Change): readonly string[] {
  return ownersInTags(declarableKind(kind), { ...before, ...after })
}

/**
 * The declarations that undo a run, with owners: those declared today, or else those in the tags before and
 * after the run. A grant has the owner of its flag.
 */
export function withOwners(
  undoing: Declarations,
  { desired: today }: Declarations,
  { entries }: RunRecord,
): Declarations {
  const owners = new Map<string, string>()
  const know = (address: string, [owner]: readonly string[]) => {
    if (owner !== undefined) owners.set(address, owner)
  }
  for (const { change } of entries) {
    const fields = { ...change.before, ...change.after }
    know(change.address, ownersInTags(declarableKind(change.kind), fields))
  }
  for (const desired of today) know(desired.address, ownersOf(desired))
  return {
    ...undoing,
    desired: undoing.desired.map(desired => {
      const owner = owners.get(declaredParent(declarableKind(desired.kind), desired) ?? desired.address)
      return owner === undefined ? desired : { ...desired, owner }
    }),
  }
}
