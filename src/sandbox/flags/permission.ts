import { forbidden } from '../http/refusal.ts'
import type { Call } from '../resource/call.ts'
import type { FlagRow } from '../store/rows.ts'

/** The level at which a role may change every flag. */
const editLevel = 37

/** Whether the caller may change a flag: everybody may, or its author and the roles that are allowed to. */
export function canEdit({ store, quirks, caller }: Call, flag: FlagRow): boolean {
  if (flag.editable && quirks.can_edit) return true
  const granted = store.grantsOfFlag.all(flag.id).map(grant => store.roles.get(grant.role_id))
  if (granted.some(role => role && caller.roles.includes(role.id))) return true
  if (!flag.editable) return false
  return (
    flag.created_by === caller.id ||
    caller.roles.some(id => store.roles.get(id)?.feature_flags_access_level === editLevel)
  )
}

export function requireEdit(call: Call, flag: FlagRow): void {
  if (!canEdit(call, flag)) throw forbidden()
}
