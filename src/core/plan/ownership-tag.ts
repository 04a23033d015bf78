import { declarableKind } from '../../kinds/index.ts'
import { tagSet } from '../../model/json/canonical.ts'
import { isJsonArray, type JsonArray, type JsonObject } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import type { Declarations, Desired } from '../desired.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { findLive, indexLive } from './live-index.ts'

/**
 * What has to be declared so that nothing changes but the ownership tag: put on every live object that is declared, whatever
 * else differs. The policy's tag does the rest; an object that is not live is not created for it.
 */
export function claimedDeclarations(declarations: Declarations, snapshot: Snapshot): Declarations {
  const index = indexLive(snapshot.live)
  const desired = taggable(declarations).filter(
    each =>
      // The plan says that nothing is known of it.
      snapshot.unreadable.has(each.kind) ||
      findLive(index, declarableKind(each.kind), each).filter(live => !live.isSoftDeleted).length === 1,
  )
  return { desired: desired.map(each => ({ ...each, fields: {} })), ownedGrants: [] }
}

/** The same for taking the ownership tag off: each live object's tags without it, and nothing else. */
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

/** Those of some live objects that could carry the ownership tag and do not: declared, they are going to be claimed. */
export function untaggedOf<Object extends { readonly kind: string; readonly fields: JsonObject }>(
  objects: readonly Object[],
  tag: string,
): Object[] {
  return objects.filter(({ kind: name, fields }) => {
    const kind = declarableKind(name)
    return kind.lifecycle.ownedBy !== undefined && !hasOwnershipTag(kind, fields, tag)
  })
}

/** Whether an object carries the ownership tag among its tags. */
export function hasOwnershipTag(kind: DeclarableKind, fields: JsonObject, tag: string): boolean {
  return tagsOf(kind, fields).includes(ownershipTagOf(tag))
}

/** Whether a change puts the ownership tag on an object that did not carry it. */
export function getsOwnershipTag(
  kind: DeclarableKind,
  before: JsonObject,
  after: JsonObject,
  tag: string,
): boolean {
  return hasOwnershipTag(kind, after, tag) && !hasOwnershipTag(kind, before, tag)
}

/** The tags of an object but for the ownership tag. */
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

/** The ownership tag as the service keeps it. */
function ownershipTagOf(tag: string): string {
  return tag.trim().toLowerCase()
}
