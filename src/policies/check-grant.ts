import { roleAccess } from '../kinds/index.ts'
import type { PolicedGrant, PolicyRule, Verdict } from './policy.ts'

type GrantsOnlyTo = Extract<PolicyRule, { readonly policy: 'GrantsOnlyTo' }>

/** The levels of a grant, the lowest first. */
export const accessLevels: readonly string[] = roleAccess.fields.access_level.oneOf

/** Only these roles get grants, and none gets more than a level. */
export function checkGrant({ roles, atMost }: GrantsOnlyTo, { role, level }: PolicedGrant): Verdict[] {
  return [...checkRole(roles, role), ...(atMost === undefined ? [] : checkLevel(atMost, level))]
}

function checkRole(allowed: readonly string[], { id, name }: PolicedGrant['role']): Verdict[] {
  if (allowed.some(each => each === name || each.toLowerCase() === id?.toLowerCase())) return []
  if (id === undefined) return [{ is: 'unknown', what: 'its role' }]
  const shown = JSON.stringify(name ?? id)
  const listed = allowed.length === 0 ? 'no role' : allowed.map(each => JSON.stringify(each)).join(', ')
  return [{ is: 'refused', what: `the role ${shown} gets a grant; only ${listed} may` }]
}

function checkLevel(atMost: string, level: string | undefined): Verdict[] {
  if (level === undefined) return [{ is: 'unknown', what: 'its level' }]
  return accessLevels.indexOf(level) > accessLevels.indexOf(atMost)
    ? [
        {
          is: 'refused',
          what: `the level is ${JSON.stringify(level)}; at most ${JSON.stringify(atMost)} is allowed`,
        },
      ]
    : []
}
