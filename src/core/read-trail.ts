import { isServiceError } from '../api/index.ts'
import type { KindName } from '../kinds/index.ts'
import { isJsonArray, isJsonObject } from '../model/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { SnapshotOptions } from './snapshot-options.ts'

/** What the activity trail says of some identities. */
export interface Trail {
  readonly rows: readonly { readonly id: string; readonly name: string }[]
  /** What the service said instead. */
  readonly refusal?: string
}

export const noTrail: Trail = { rows: [] }

/** Without a number the public service answers with ten rows. The document knows no query here. */
const mostTrailRows = 1000

/** Ids that the activity trail gives to some identities. All rows count: an id is read before it is believed. */
export async function readTrail(
  kind: DeclarableKind,
  identities: ReadonlySet<string>,
  { client, signal }: Pick<SnapshotOptions, 'client' | 'signal'>,
): Promise<Trail> {
  const trail = kind.lifecycle.tombstone?.trail
  if (!trail) return noTrail
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
