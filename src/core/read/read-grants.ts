import pMap from 'p-map'
import { isNotFound, isServiceError } from '../../api/index.ts'
import { kindBelow, roleKind } from '../../kinds/index.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, objectAddress } from '../../model/kind.ts'
import { behaviourOf } from '../../services/index.ts'
import { type Desired, type GrantsOfFlags, grantsOfFlags } from '../desired.ts'
import { canonicalIdentity, keptRecord, type Live, toLive } from '../live.ts'
import type { SnapshotOptions } from './read-record.ts'

/**
 * Reads the grants of the flags whose grants are declared: one list per flag, and no list for any other flag.
 * If the list of roles shows that the grants of a flag are as declared, that is enough.
 */
export async function readGrants(
  objects: readonly Live[],
  options: SnapshotOptions,
): Promise<{ live: Live[]; notOffered: Set<string>; refused: Map<string, string> }> {
  const { declarations } = options
  const declared = grantsOfFlags(declarations)
  const notOffered = new Set<string>()
  const refused = new Map<string, string>()
  const asked = objects.filter(live => kindBelow(live.kind) && declared.of(live.identity))
  const roles =
    asked.length >= fewestLists && !options.readsEachGrant ? await readRolesOfFlags(options) : undefined
  const lists = await pMap(
    asked,
    async flag => {
      const known = roles && grantsAsDeclared(flag, { declared, roles })
      if (known) return known
      try {
        const grants = await readGrantsOf(flag, options, declarations.roleNames)
        if (grants === undefined) notOffered.add(flag.identity)
        return grants ?? []
      } catch (error) {
        // The public service fails on every page but the first; half a list would make grants look missing.
        if (!isServiceError(error) || (error.status < 500 && error.status !== 403)) throw error
        refused.set(objectAddress(flag.kind, flag.identity), error.message)
        return []
      }
    },
    { concurrency: options.parallelism },
  )
  // If no flag has such a list, a flag that is yet to be created will have none either.
  const isNowhere = asked.length > 0 && notOffered.size === asked.length
  return { live: lists.flat(), notOffered: isNowhere ? new Set(declared.flags) : notOffered, refused }
}

/** For so few lists, reading them costs hardly more than the list of roles, after which some may still be needed. */
const fewestLists = 3

/** The grants of one flag; undefined when the service has no such list, which is not the same as an empty one. */
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

/** The roles of each flag, by the id of the flag and then of the role, with the role as listed. */
export type RolesOfFlags = ReadonlyMap<string, ReadonlyMap<string, JsonObject>>

/**
 * Asks once which roles have which flags, instead of once for each flag. Undefined if the answer is not
 * certain: then only the lists of grants are missing.
 *
 * | service                        | the list of roles                                          |
 * |--------------------------------|------------------------------------------------------------|
 * | the document                   | is not in it                                               |
 * | early 2024                     | names the flags of each role [service-behaviour 0, 3]      |
 * | today's                        | no longer names them; no list has levels [service-today 5] |
 * | any, for a key without access  | is refused                                                 |
 * | early 2024, more than one page | has no second page [service-behaviour 3]                   |
 */
async function readRolesOfFlags({
  client,
  signal,
}: Pick<SnapshotOptions, 'client' | 'signal'>): Promise<RolesOfFlags | undefined> {
  const { profile, known, organizationId } = client.target
  const { shapes, grants_route } = behaviourOf(profile)
  if (known === 'assumed' || organizationId === undefined) return undefined
  if (shapes !== 'real' || grants_route !== 'role_access') return undefined
  const roles: JsonObject[] = []
  try {
    const list = client.list(roleKind.name, { signal })
    for await (const role of list) roles.push(role)
    return list.inventory.complete ? byFlag(roles) : undefined
  } catch (error) {
    if (isServiceError(error)) return undefined
    throw error
  }
}

/** Undefined as soon as one of the roles does not name its flags. */
function byFlag(roles: readonly JsonObject[]): RolesOfFlags | undefined {
  const flags = new Map<string, Map<string, JsonObject>>()
  for (const role of roles) {
    const { id, associated_flags: granted } = role
    if (typeof id !== 'string' || !isJsonArray(granted)) return undefined
    for (const flag of granted) {
      if (!isJsonObject(flag) || !isJsonNumber(flag.id)) return undefined
      const of = flags.get(String(flag.id)) ?? new Map<string, JsonObject>()
      flags.set(String(flag.id), of.set(id.toLowerCase(), role))
    }
  }
  return flags
}

/**
 * The grants of a flag from the list of roles, if they are as declared; undefined if they are not: a grant
 * that is to be changed has to be read, with its id.
 */
function grantsAsDeclared(
  flag: Live,
  { declared: all, roles }: { readonly declared: GrantsOfFlags; readonly roles: RolesOfFlags },
): Live[] | undefined {
  const kind = kindBelow(flag.kind)
  const declared = all.of(flag.identity)
  if (!kind || !declared) return undefined
  const live = roles.get(flag.id) ?? new Map<string, JsonObject>()
  const identityOf = ({ identity }: Desired) => canonicalIdentity(kind, identity)
  const present = new Set(declared.grants.filter(({ ensure }) => ensure === 'present').map(identityOf))
  const absent = declared.grants.filter(({ ensure }) => ensure === 'absent').map(identityOf)
  const isAsDeclared =
    [...present].every(id => live.has(id)) &&
    !absent.some(id => live.has(id)) &&
    (!declared.isWhole || live.size === present.size) &&
    // The list of roles does not show levels.
    declared.grants.every(({ fields }) => Object.keys(fields).length === 0)
  if (!isAsDeclared) return undefined
  return [...present].flatMap(id => {
    const { name = null } = live.get(id) ?? {}
    const parent = { key: flag.identity, id: flag.id }
    return toLive(kind, { id: `${flag.id}/${id}`, role: { id, name } }, parent) ?? []
  })
}
