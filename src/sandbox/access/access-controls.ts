import { featureFlag } from '../../kinds/index.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import { type AccessLevel, accessLevels, requireEdit } from '../flags/permission.ts'
import { type Answer, emptyAnswer, jsonAnswer } from '../http/answer.ts'
import { invalid, notFound } from '../http/refusal.ts'
import type { Handlers, ProjectCall } from '../resource/call.ts'
import { integerId } from '../store/row-id.ts'
import type { AccessControlRow, FlagRow } from '../store/rows.ts'
import { isoTime } from '../time.ts'

/** Who may do what with a flag, as newer services have it; there is no such path with others. [service-today 5] */
export const accessControls: Handlers = {
  accessControls: call => controlsOf(call, flagIn(call)),
  setAccessControl: call => putControl(call, flagIn(call)),
}

function flagIn({ store, params, project }: ProjectCall): FlagRow {
  const flag = store.flags.get(integerId(params.parent_lookup_feature_flag_id ?? '') ?? -1)
  if (flag?.project_id !== project.id) throw notFound()
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

/** Says one level; null takes it back. Without a role or a person it is that of everybody else. */
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

/** Who made it is a number, as in no other record. */
function controlRecord({ id: _id, project_id: _place, flag_id, ...shown }: AccessControlRow): JsonObject {
  return { ...shown, resource: featureFlag.name, resource_id: String(flag_id) }
}

function roleIn({ store, organization, body }: ProjectCall): string | null {
  const { role = null } = body
  if (role === null) return null
  const found = store.roles.get(String(role).toLowerCase())
  if (found?.organization_id !== organization.id)
    throw invalid('role', `Invalid pk "${String(role)}" - object does not exist.`, 'does_not_exist')
  return found.id
}

function memberIn({ store, body }: ProjectCall): string | null {
  const { organization_member: member = null } = body
  if (member === null) return null
  const isKnown = [...store.users.all()].some(({ uuid }) => uuid === member)
  if (isKnown) return String(member)
  throw invalid(
    'organization_member',
    `Invalid pk "${String(member)}" - object does not exist.`,
    'does_not_exist',
  )
}

function isLevel(level: Json | undefined): level is AccessLevel {
  return accessLevels.some(known => known === level)
}
