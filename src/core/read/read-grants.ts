import pMap from 'p-map'
import { isNotFound, isServiceError } from '../../api/index.ts'
import { kindBelow } from '../../kinds/index.ts'
import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, objectAddress } from '../../model/kind.ts'
import { grantsOfFlags } from '../desired.ts'
import { keptRecord, type Live, toLive } from '../live.ts'
import type { SnapshotOptions } from './read-record.ts'

/** Reads the grants of flags with declared grants: one list per flag, and none for other flags. */
export async function readGrants(
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
        // The public service fails on every page after the first. With half a list, grants look missing.
        if (!isServiceError(error) || (error.status < 500 && error.status !== 403)) throw error
        refused.set(objectAddress(flag.kind, flag.identity), error.message)
        return []
      }
    },
    { concurrency: options.parallelism },
  )
  // If no flag has such a list, new flags will not have one either.
  const isNowhere = asked.length > 0 && notOffered.size === asked.length
  return { live: lists.flat(), notOffered: isNowhere ? new Set(declared.flags) : notOffered, refused }
}

/** The grants of one flag; undefined if the service has no such list. An empty list is different. */
export async function readGrantsOf(
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
    for await (const record of list) {
      const live = toLive(kind, record, { key: flag.identity, id: flag.id })
      if (live) grants.push({ ...live, record: grantRecord(kind, live.record, names?.get(live.identity)) })
    }
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
