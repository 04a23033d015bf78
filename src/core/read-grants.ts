import pMap from 'p-map'
import { isServiceError } from '../api/index.ts'
import { declarableKind } from '../kinds/index.ts'
import { isJsonObject, type JsonObject } from '../model/json.ts'
import { type Live, toLive } from './live.ts'
import type { SnapshotOptions } from './snapshot-options.ts'

/** Reads the grants of the flags whose grants are declared: one list per flag, and no list for any other flag. */
export async function readGrants(
  objects: readonly Live[],
  options: SnapshotOptions,
): Promise<{ live: Live[]; notOffered: Set<string>; refused: Map<string, string> }> {
  const { declarations } = options
  const flags = new Set([
    ...declarations.ownedGrants.map(({ flag }) => flag),
    ...declarations.desired.flatMap(({ parent }) => (parent === undefined ? [] : [parent])),
  ])
  const notOffered = new Set<string>()
  const refused = new Map<string, string>()
  const asked = objects.filter(live => live.kind === 'feature_flag' && flags.has(live.identity))
  const lists = await pMap(
    asked,
    async flag => {
      try {
        const grants = await readGrantsOf(flag, options)
        if (grants === undefined) notOffered.add(flag.identity)
        return grants ?? []
      } catch (error) {
        // The public service fails on every page but the first; half a list would take grants for missing.
        if (!isServiceError(error) || (error.status < 500 && error.status !== 403)) throw error
        refused.set(flag.identity, error.message)
        return []
      }
    },
    { concurrency: options.parallelism },
  )
  // Where no flag has such a list, a flag that is yet to be created will have none either.
  const isNowhere = asked.length > 0 && notOffered.size === asked.length
  return { live: lists.flat(), notOffered: isNowhere ? flags : notOffered, refused }
}

/** The grants of one flag; undefined when the service has no such list, which is not the same as an empty one. */
export async function readGrantsOf(
  flag: Pick<Live, 'id' | 'identity'>,
  { client, signal }: Pick<SnapshotOptions, 'client' | 'signal'>,
): Promise<Live[] | undefined> {
  const kind = declarableKind('feature_flag_role_access')
  const parameter = kind.lifecycle.parent?.parameter ?? ''
  const grants: Live[] = []
  try {
    const list = client.list('feature_flag_role_access', { params: { [parameter]: flag.id }, signal })
    for await (const record of list) {
      const live = toLive(kind, record as JsonObject, { identity: flag.identity, id: flag.id })
      if (live) grants.push({ ...live, record: grantRecord(live.record) })
    }
    return grants
  } catch (error) {
    if (isServiceError(error) && error.status === 404) return undefined
    throw error
  }
}

/** A grant nests its whole flag; only who was granted is kept. */
function grantRecord({ id, role, role_id }: JsonObject): JsonObject {
  const kept = isJsonObject(role) ? { id: role.id ?? null, name: role.name ?? null } : null
  return { id: id ?? null, role: kept, role_id: role_id ?? null }
}
