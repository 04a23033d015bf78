import pMap from 'p-map'
import type { DeclarableKind } from '../model/kind.ts'
import type { Desired } from './desired.ts'
import type { Live } from './live.ts'
import { readById } from './read-by-id.ts'
import { noTrail, readTrail, type Trail } from './read-trail.ts'
import type { SnapshotOptions } from './snapshot-options.ts'

export interface Hidden {
  readonly live: readonly Live[]
  /** What creating a missing object may destroy unseen, by `kind.identity`. */
  readonly beneath: readonly (readonly [string, string])[]
}

const nothing: Hidden = { live: [], beneath: [] }

/**
 * Objects that the list did not show although a declaration is about them: those declared by id, and soft-deleted
 * ones that the activity trail names. Creating a flag over its tombstone would destroy the old one with its grants.
 * Only a kind that has tombstones hides anything from its list.
 */
export async function readHidden(
  kind: DeclarableKind,
  found: readonly Live[],
  options: SnapshotOptions,
): Promise<Hidden> {
  if (!kind.lifecycle.tombstone) return nothing
  const seen = new Set(found.filter(live => live.kind === kind.name).map(live => live.identity))
  const seenIds = new Set(found.filter(live => live.kind === kind.name).map(live => live.id))
  const ofKind = options.declarations.desired.filter(desired => desired.kind === kind.name)
  const byId = ofKind.flatMap(({ id }) => (id === undefined || seenIds.has(id) ? [] : [id]))
  const missing = ofKind.filter(
    ({ id, ensure, identity }) => id === undefined && ensure === 'present' && !seen.has(identity),
  )
  if (missing.length === 0 && byId.length === 0) return nothing
  const identities = new Set(missing.map(({ identity }) => identity))
  const trail = missing.length > 0 ? await readTrail(kind, identities, options) : noTrail
  const ids = [...new Set([...byId, ...trail.rows.map(({ id }) => id)])].filter(id => !seenIds.has(id))
  const read = await pMap(ids, id => readById(kind, id, options), { concurrency: options.parallelism })
  const live = read.filter(
    (one): one is Live =>
      one !== undefined && (byId.includes(one.id) || (one.isTombstone && identities.has(one.identity))),
  )
  const readIds = new Set(read.flatMap(one => (one ? [one.id] : [])))
  const lost = trail.rows.filter(({ id }) => !readIds.has(id) && !seenIds.has(id))
  return { live, beneath: missing.flatMap(desired => wordsBeneath(desired, live, lost, trail)) }
}

function wordsBeneath(
  { kind, identity }: Desired,
  live: readonly Live[],
  lost: Trail['rows'],
  { refusal }: Trail,
): Hidden['beneath'] {
  if (live.some(one => one.identity === identity)) return []
  const ids = [...new Set(lost.filter(({ name }) => name === identity).map(({ id }) => id))]
  const address = `${kind}.${identity}`
  if (refusal !== undefined)
    return [[address, `replaces a deleted one, if there is one: the activity trail was refused (${refusal})`]]
  if (ids.length === 0) return []
  const words = `an earlier one (id ${ids.join(', ')}) was deleted and cannot be read: it is not restored`
  return [[address, words]]
}
