import type { Kinds, role } from '../kinds/index.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { isUuid } from '../model/uuid.ts'
import { type Answer, emptyAnswer, jsonAnswer } from './answer.ts'
import type { Call, KindHandlers, ProjectCall } from './call.ts'
import { flagRecord } from './flag-record.ts'
import { pageAnswer, windowOf } from './page.ts'
import { requireEdit } from './permission.ts'
import { conflict, invalid, missingField, notFound, serverError } from './refusal.ts'
import { integerId } from './row-id.ts'
import type { FlagRow, GrantRow, RoleRow } from './rows.ts'
import { isoTime } from './time.ts'
import { userRecord } from './user-record.ts'

type FlagParameter = 'project_id' | 'parent_lookup_feature_flag_id'

export const grantHandlers: KindHandlers<'feature_flag_role_access'> = {
  list: listGrants,
  create: createGrant,
  read: call => jsonAnswer(grantRecord(call, findGrant(call))),
  delete: call => {
    const grant = findGrant(call)
    const flag = call.store.flags.get(grant.flag_id)
    if (flag) requireEdit(call, flag)
    call.store.grants.remove(grant.id)
    return emptyAnswer(204)
  },
}

/** A role as it is answered. */
export function roleRecord({ store, quirks }: Call, row: RoleRow): JsonObject {
  const members = [...store.users.all()].filter(user => user.roles.includes(row.id))
  const flags = store.grantsOfRole.all(row.id).flatMap(grant => store.flags.get(grant.flag_id) ?? [])
  const real = quirks.shapes === 'real'
  return {
    id: row.id,
    name: row.name,
    feature_flags_access_level: row.feature_flags_access_level,
    created_at: row.created_at,
    created_by: userRecord(store, row.created_by),
    members: real
      ? members.map(member => ({ id: member.id, user: userRecord(store, member.id) }))
      : members.map(member => member.email).join(', '),
    associated_flags: real
      ? flags.map(flag => ({ id: flag.id, key: flag.key }))
      : flags.map(flag => flag.key).join(', '),
  } satisfies Readonly<Record<keyof typeof role.fields, Json>>
}

function listGrants(call: ProjectCall<FlagParameter>): Answer {
  const { store, quirks, url } = call
  const flagId = flagIdOf(call)
  const query = [...url.searchParams.keys()]
  if (quirks.role_access_query === 'error' && query.some(name => name !== 'role' && name !== 'role_id'))
    throw serverError()
  const role = url.searchParams.get('role_id') ?? url.searchParams.get('role')
  // The flag need not exist: nobody asks for it.
  const ofProject = store.flags.get(flagId)?.project_id === call.project.id
  const grants = ofProject ? store.grantsOfFlag.all(flagId) : []
  const found = role === null ? grants : grants.filter(grant => grant.role_id === role.toLowerCase())
  const window = windowOf(call)
  const rows = found.slice(window.offset, window.offset + window.limit)
  return pageAnswer(
    call,
    window,
    found.length,
    rows.map(row => grantRecord(call, row)),
  )
}

function createGrant(call: ProjectCall<FlagParameter>): Answer {
  const { store, quirks, body, now, project } = call
  const flag = store.flags.get(flagIdOf(call))
  if (flag?.project_id !== project.id) throw notFound()
  requireEdit(call, flag)
  const role = requestedRole(call, body.role_id)
  const existing = store.grantsOfFlag.all(flag.id).find(grant => grant.role_id === role.id)
  if (existing) {
    if (quirks.role_access_duplicate === 'existing') return jsonAnswer(grantRecord(call, existing), 201)
    throw duplicate(call)
  }
  const time = isoTime(now)
  const id = store.nextId(store.grants)
  const grant = store.grants.put({ id, flag_id: flag.id, role_id: role.id, added_at: time, updated_at: time })
  return jsonAnswer(grantRecord(call, grant), 201)
}

function requestedRole({ store }: Call, id: Json | undefined): RoleRow {
  if (id === undefined) throw missingField('role_id')
  if (typeof id !== 'string' || !isUuid(id)) throw invalid('role_id', 'Must be a valid UUID.')
  const role = store.roles.get(id.toLowerCase())
  if (!role) throw invalid('role_id', `Invalid pk "${id}" - object does not exist.`, 'does_not_exist')
  return role
}

function duplicate({ quirks }: Call): Error {
  switch (quirks.role_access_duplicate) {
    case 'error':
      return serverError()
    case 'conflict':
      return conflict('The role has access to the feature flag already.')
    case 'invalid':
    case 'existing':
      return invalid(null, 'The fields feature_flag, role must make a unique set.', 'unique')
  }
}

function grantRecord(call: ProjectCall, row: GrantRow): JsonObject {
  const { store } = call
  const [flag, role] = [store.flags.get(row.flag_id), store.roles.get(row.role_id)]
  return {
    id: row.id,
    feature_flag: flag ? flagRecord(call, flag) : null,
    role: role ? roleRecord(call, role) : null,
    added_at: row.added_at,
    updated_at: row.updated_at,
  } satisfies Readonly<Record<Exclude<keyof Kinds['feature_flag_role_access']['fields'], 'role_id'>, Json>>
}

function findGrant(call: ProjectCall<FlagParameter | 'id'>): GrantRow {
  const grant = call.store.grants.get(integerId(call.params.id) ?? -1)
  const flag: FlagRow | undefined = grant && call.store.flags.get(grant.flag_id)
  if (!grant || grant.flag_id !== flagIdOf(call) || flag?.project_id !== call.project.id) throw notFound()
  return grant
}

function flagIdOf(call: ProjectCall<FlagParameter>): number {
  const id = integerId(call.params.parent_lookup_feature_flag_id)
  if (id === undefined) throw notFound()
  return id
}
