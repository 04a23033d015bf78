import { featureFlag, type role, roleAccess } from '../../kinds/index.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import { type AccessLevel, accessLevels, requireEdit } from '../flags/flag-policies.ts'
import { flagRecord } from '../flags/flag-record.ts'
import {
  type Answer,
  conflict,
  emptyAnswer,
  invalid,
  jsonAnswer,
  notFound,
  serverError,
  unknownReference,
} from '../http/answer.ts'
import { type AccessControlRow, type FlagRow, type GrantRow, integerId, type RoleRow } from '../store/rows.ts'
import { isoTime } from '../time.ts'
import type { Call, Handlers, ProjectCall, Resource } from './resource.ts'
import { userRecord } from './serve-kind.ts'

/** Grants: each lets a role change one flag, and belongs to that flag. */
export const grantResource: Resource<GrantRow, ProjectCall> = {
  kind: roleAccess,
  admit(call, operation) {
    const flag = flagOf(call)
    if (flag && operation === 'create') requireEdit(call, flag)
  },
  allow(call, operation, grant) {
    const flag = call.store.flags.get(grant.flag_id)
    if (flag && operation === 'remove') requireEdit(call, flag)
  },
  listed({ quirks, url }, all) {
    const query = [...url.searchParams.keys()]
    if (quirks.role_access_query === 'error' && query.some(name => name !== 'role' && name !== 'role_id'))
      throw serverError()
    const role = url.searchParams.get('role_id') ?? url.searchParams.get('role')
    return role === null ? undefined : all().filter(grant => grant.role_id === role.toLowerCase())
  },
  keep: { role_id: keptRole },
  taken({ quirks }, grant) {
    switch (quirks.role_access_duplicate) {
      case 'existing':
        return grant
      case 'error':
        throw serverError()
      case 'conflict':
        throw conflict('The role has access to the feature flag already.')
      case 'invalid':
        throw invalid(null, 'The fields feature_flag, role must make a unique set.', 'unique')
    }
  },
  show: {
    feature_flag(call, grant) {
      const flag = call.store.flags.get(grant.flag_id)
      return flag ? flagRecord(call, flag) : null
    },
    role(call, grant) {
      const role = call.store.roles.get(grant.role_id)
      return role ? roleRecord(call, role) : null
    },
  },
}

function flagOf({ store, params }: Call): FlagRow | undefined {
  return store.flags.get(integerId(params.parent_lookup_feature_flag_id ?? '') ?? -1)
}

function keptRole({ store }: Call, id: Json): string {
  const role = store.roles.get(String(id).toLowerCase())
  if (!role) throw unknownReference('role_id', id)
  return role.id
}

/** The levels of a flag, on newer services; others do not have this path. [service-today 5] */
export const accessControls: Handlers = {
  accessControls: call => controlsOf(call, flagIn(call)),
  setAccessControl: call => putControl(call, flagIn(call)),
}

function flagIn(call: ProjectCall): FlagRow {
  const flag = flagOf(call)
  if (flag?.project_id !== call.project.id) throw notFound()
  return flag
}

function controlsOf(call: ProjectCall, flag: FlagRow): Answer {
  const controls = call.store.accessOfFlag.all(flag.id).map(controlRecord)
  return jsonAnswer({
    access_controls: controls,
    available_access_levels: [...accessLevels],
    default_access_level: 'editor',
    user_can_edit_access_levels: true,
  })
}

/** Sets one level; null removes it. Without a role or a person it is that of everybody else. */
function putControl(call: ProjectCall, flag: FlagRow): Answer {
  requireEdit(call, flag)
  const { store, body, now, caller } = call
  const role = roleIn(call)
  const member = memberIn(call)
  if (role !== null && member !== null)
    throw invalid(null, 'You can not scope an access control to both a member and role.')
  const id = `${flag.id}/${role ?? member ?? ''}`
  const level = body.access_level
  if (level === null) {
    store.accessControls.remove(id)
    return emptyAnswer(204)
  }
  if (!isLevel(level)) throw invalid('access_level', 'Invalid access level.')
  const time = isoTime(now)
  const before = store.accessControls.get(id)
  const control = store.accessControls.put({
    id,
    flag_id: flag.id,
    project_id: flag.project_id,
    role,
    organization_member: member,
    access_level: level,
    created_by: before?.created_by ?? caller.id,
    created_at: before?.created_at ?? time,
    updated_at: time,
  })
  return jsonAnswer(controlRecord(control))
}

/** Its creator is a number, unlike in all other records. */
function controlRecord({ id: _id, project_id: _place, flag_id, ...shown }: AccessControlRow): JsonObject {
  return { ...shown, resource: featureFlag.name, resource_id: String(flag_id) }
}

function roleIn({ store, organization, body }: ProjectCall): string | null {
  const { role = null } = body
  if (role === null) return null
  const found = store.roles.get(String(role).toLowerCase())
  if (found?.organization_id !== organization.id) throw unknownReference('role', role)
  return found.id
}

function memberIn({ store, body }: ProjectCall): string | null {
  const { organization_member: member = null } = body
  if (member === null) return null
  const isKnown = [...store.users.all()].some(({ uuid }) => uuid === member)
  if (isKnown) return String(member)
  throw unknownReference('organization_member', member)
}

function isLevel(level: Json | undefined): level is AccessLevel {
  return accessLevels.some(known => known === level)
}

/** A role in an answer: in grants, and in the list of the roles of an organization. */
export function roleRecord({ store, quirks }: Call, row: RoleRow): JsonObject {
  const members = [...store.users.all()].filter(user => user.roles.includes(row.id))
  const flags = store.grantsOfRole.all(row.id).flatMap(grant => store.flags.get(grant.flag_id) ?? [])
  const real = quirks.shapes === 'real'
  const record = {
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
  if (quirks.grants_route !== 'access_controls') return record
  const { feature_flags_access_level: _level, associated_flags: _flags, ...own } = record
  return { ...own, is_default: false }
}
