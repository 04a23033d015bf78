import { isServiceError } from '../../api/index.ts'
import { kindBelow, roleKind } from '../../kinds/index.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { behaviourOf } from '../../services/index.ts'
import type { Desired, GrantsOfFlags } from '../desired.ts'
import { canonicalIdentity, type Live, toLive } from '../live.ts'
import type { SnapshotOptions } from './snapshot-options.ts'

/** The roles that each flag is granted to, by the id of the flag and then of the role, with the role as it was listed. */
export type RolesOfFlags = ReadonlyMap<string, ReadonlyMap<string, JsonObject>>

/**
 * Asks once, in place of once for each flag, which roles have which flags. Undefined where the answer does not say it for
 * certain: nothing but the lists of grants is gone by then.
 *
 * | service                        | the list of roles                                              |
 * |--------------------------------|----------------------------------------------------------------|
 * | the document                   | is not in it                                                   |
 * | early 2024                     | names the flags of each role [service-behaviour 0, 3]          |
 * | today's                        | no longer does, and no list has the levels [service-today 5]   |
 * | any, for a key without leave   | is refused                                                     |
 * | early 2024, more than one page | has no second page [service-behaviour 3]                       |
 */
export async function readRolesOfFlags({
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

/** Undefined as soon as one of the roles does not say which flags it has. */
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
 * The grants of a flag as the list of roles shows them, where they are as declared; undefined where they are not: what is going to
 * be changed has to be read, with its id.
 */
export function grantsAsDeclared(
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
    // A level is no part of what the roles show.
    declared.grants.every(({ fields }) => Object.keys(fields).length === 0)
  if (!isAsDeclared) return undefined
  return [...present].flatMap(id => {
    const { name = null } = live.get(id) ?? {}
    const parent = { key: flag.identity, id: flag.id }
    return toLive(kind, { id: `${flag.id}/${id}`, role: { id, name } }, parent) ?? []
  })
}
