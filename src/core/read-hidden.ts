import pMap from 'p-map'
import { isServiceError } from '../api/index.ts'
import type { KindName } from '../kinds/index.ts'
import { isJsonArray, isJsonObject } from '../model/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { Desired } from './desired.ts'
import { keptRecord, type Live, toLive } from './live.ts'
import type { SnapshotOptions } from './snapshot-options.ts'

/**
 * Objects that the list did not show although a declaration is about them: those declared by id, and soft-deleted
 * ones that the activity trail names. Creating a flag over its tombstone would destroy the old one with its grants.
 */
export async function readHidden(
  kind: DeclarableKind,
  found: readonly Live[],
  options: SnapshotOptions,
): Promise<Live[]> {
  const seen = new Set(found.filter(live => live.kind === kind.name).map(live => live.identity))
  const seenIds = new Set(found.filter(live => live.kind === kind.name).map(live => live.id))
  const missing = options.declarations.desired.filter(
    desired =>
      desired.kind === kind.name &&
      (desired.id === undefined
        ? desired.ensure === 'present' && !seen.has(desired.identity)
        : !seenIds.has(desired.id)),
  )
  const byId = missing.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const trail = missing.length > byId.length ? await readTrail(kind, missing, options) : []
  const ids = [...new Set([...byId, ...trail])].filter(id => !seenIds.has(id))
  const read = await pMap(ids, id => readById(kind, id, options), { concurrency: options.parallelism })
  const identities = new Set(missing.map(({ identity }) => identity))
  return read.filter(
    (live): live is Live =>
      live !== undefined && (byId.includes(live.id) || (live.isTombstone && identities.has(live.identity))),
  )
}

/** Ids that the activity trail gives to the missing identities. All rows count: an id is read before it is believed. */
async function readTrail(
  kind: DeclarableKind,
  missing: readonly Desired[],
  { client, signal }: SnapshotOptions,
): Promise<string[]> {
  const trail = kind.lifecycle.tombstone?.trail
  if (!trail) return []
  const identities = new Set(missing.map(({ identity }) => identity))
  try {
    const { body } = await client.call(kind.name as KindName, trail, { signal })
    const rows = isJsonObject(body) && isJsonArray(body.results) ? body.results : []
    return rows.flatMap(row => {
      const id = isJsonObject(row) ? row.item_id : undefined
      const name = isJsonObject(row) && isJsonObject(row.detail) ? row.detail.name : undefined
      const isKnown = typeof name === 'string' && identities.has(name)
      return isKnown && (typeof id === 'string' || typeof id === 'number') ? [String(id)] : []
    })
  } catch (error) {
    // The trail is a help, not a right: keys without its scope are refused.
    if (isServiceError(error)) return []
    throw error
  }
}

/** Reads one object; undefined when the service does not know the id. */
export async function readById(
  kind: DeclarableKind,
  id: string,
  { client, signal }: SnapshotOptions,
): Promise<Live | undefined> {
  try {
    const { body } = await client.call(kind.name as KindName, kind.lifecycle.read, { params: { id }, signal })
    const live = isJsonObject(body) ? toLive(kind, body) : undefined
    return live && { ...live, record: keptRecord(kind, live.record) }
  } catch (error) {
    if (isServiceError(error) && error.status === 404) return undefined
    throw error
  }
}
