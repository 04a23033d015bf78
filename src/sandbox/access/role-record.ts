import type { role } from '../../kinds/index.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import type { Call } from '../resource/call.ts'
import { userRecord } from '../resource/user-record.ts'
import type { RoleRow } from '../store/rows.ts'

/** A role as it is answered: in grants, and where the roles of an organization are listed. */
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
