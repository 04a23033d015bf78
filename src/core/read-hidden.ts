import pMap from 'p-map'
import { isServiceError } from '../api/index.ts'
import type { KindName } from '../kinds/index.ts'
import { isJsonArray, isJsonObject } from '../model/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { Desired } from './desired.ts'
import { keptRecord, type Live, toLive } from './live.ts'
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
  const trail = missing.length > 0 ? await readTrail(kind, missing, options) : noTrail
  const ids = [...new Set([...byId, ...trail.rows.map(({ id }) => id)])].filter(id => !seenIds.has(id))
  const read = await pMap(ids, id => readById(kind, id, options), { concurrency: options.parallelism })
  const identities = new Set(missing.map(({ identity }) => identity))
  const live = read.filter(
    (one): one is Live =>
      one !== undefined && (byId.includes(one.id) || (one.isTombstone && identities.has(one.identity))),
  )
  const readIds = new Set(read.flatMap(one => (one ? [one.id] : [])))
  const lost = trail.rows.filter(({ id }) => !readIds.has(id) && !seenIds.has(id))
  return { live, beneath: missing.flatMap(desired => wordsBeneath(desired, live, lost, trail)) }
}

interface Trail {
  readonly rows: readonly { readonly id: string; readonly name: string }[]
  /** What the service said instead. */
  readonly refusal?: string
}

const noTrail: Trail = { rows: [] }

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

/** Without a number the public service answers with ten rows. The document knows no query here. */
const mostTrailRows = 1000

/** Ids that the activity trail gives to the missing identities. All rows count: an id is read before it is believed. */
async function readTrail(
  kind: DeclarableKind,
  missing: readonly Desired[],
  { client, signal }: SnapshotOptions,
): Promise<Trail> {
  const trail = kind.lifecycle.tombstone?.trail
  if (!trail) return noTrail
  const identities = new Set(missing.map(({ identity }) => identity))
  try {
    const query = { limit: mostTrailRows }
    const { body } = await client.call(kind.name as KindName, trail, { query, signal })
    const rows = isJsonObject(body) && isJsonArray(body.results) ? body.results : []
    return {
      rows: rows.flatMap(row => {
        const id = isJsonObject(row) ? row.item_id : undefined
        const name = isJsonObject(row) && isJsonObject(row.detail) ? row.detail.name : undefined
        const isKnown = typeof name === 'string' && identities.has(name)
        return isKnown && (typeof id === 'string' || typeof id === 'number') ? [{ id: String(id), name }] : []
      }),
    }
  } catch (error) {
    // The trail is a help, not a right: keys without its scope are refused.
    if (isServiceError(error)) return { rows: [], refusal: `${error.status}` }
    throw error
  }
}

/** Reads one object; undefined when the service does not know the id. */
export async function readById(
  kind: DeclarableKind,
  id: string,
  { client, signal }: Pick<SnapshotOptions, 'client' | 'signal'>,
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
