import { roleAccess } from '../../kinds/index.ts'
import type { Json } from '../../model/json/json.ts'
import { flagRecord } from '../flags/flag-record.ts'
import { requireEdit } from '../flags/permission.ts'
import { conflict, invalid, serverError } from '../http/refusal.ts'
import type { Call, ProjectCall } from '../resource/call.ts'
import type { Resource } from '../resource/resource.ts'
import { integerId } from '../store/row-id.ts'
import type { FlagRow, GrantRow } from '../store/rows.ts'
import { roleRecord } from './role-record.ts'

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
  if (!role) throw invalid('role_id', `Invalid pk "${String(id)}" - object does not exist.`, 'does_not_exist')
  return role.id
}
