import { isUuid } from '../../model/text/uuid.ts'
import type { Environment } from '../settings.ts'

export interface ResolvedRole {
  readonly id: string
  /** The name, where one is known. */
  readonly label: string
}

/** The role that a name or UUID means in an environment. */
export function resolveRole(role: string, { roles }: Pick<Environment, 'roles'>): ResolvedRole | undefined {
  const name = role.trim()
  if (Object.hasOwn(roles, name)) return { id: roles[name] ?? '', label: name }
  const id = name.toLowerCase()
  if (!isUuid(id)) return undefined
  const label = Object.keys(roles).find(candidate => roles[candidate] === id)
  return { id, label: label ?? id }
}
