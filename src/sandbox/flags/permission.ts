import { roleAccess } from '../../kinds/index.ts'
import { forbidden } from '../http/refusal.ts'
import type { Call } from '../resource/call.ts'
import type { FlagRow } from '../store/rows.ts'

/** What access controls say of a flag, from the least to the most. */
export const accessLevels = roleAccess.fields.access_level.oneOf

export type AccessLevel = (typeof accessLevels)[number]

/** Whether the caller may change a flag: everybody may, or the roles that are allowed to. */
export function canEdit(call: Call, flag: FlagRow): boolean {
  const { store, caller } = call
  const level = saidLevel(call, flag)
  if (level !== undefined) return accessLevels.indexOf(level) >= accessLevels.indexOf('editor')
  if (flag.editable) return true
  return store.grantsOfFlag.all(flag.id).some(({ role_id }) => caller.roles.includes(role_id))
}

export function requireEdit(call: Call, flag: FlagRow): void {
  if (!canEdit(call, flag)) throw forbidden()
}

/** Whether the caller is shown a flag; who is not meets its key all the same. */
export function canSee(call: Call, flag: FlagRow): boolean {
  return saidLevel(call, flag) !== 'none'
}

/** What the caller may do with a flag, in the words of access controls. */
export function accessLevel(call: Call, flag: FlagRow): AccessLevel {
  return saidLevel(call, flag) ?? (canEdit(call, flag) ? 'manager' : 'viewer')
}

/** What access controls say of the caller; nothing where there are none, or where the flag is the caller's own. */
function saidLevel({ store, quirks, caller }: Call, flag: FlagRow): AccessLevel | undefined {
  if (quirks.grants_route === 'role_access') return undefined
  if (store.accessOfProject.count(flag.project_id) === 0) return undefined
  if (flag.editable && flag.created_by === caller.id) return undefined
  const controls = store.accessOfFlag.all(flag.id)
  const own = controls.filter(
    ({ role, organization_member }) =>
      organization_member === caller.uuid || (role !== null && caller.roles.includes(role)),
  )
  const others = controls.filter(
    ({ role, organization_member }) => role === null && organization_member === null,
  )
  const said = (own.length > 0 ? own : others).map(({ access_level }) => access_level)
  return accessLevels.findLast(level => said.includes(level))
}
