import { kindBelow } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, type Json, pickMembers } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { resolveRole } from '../resolve/roles.ts'
import type { Environment } from '../settings.ts'

/** One grant as it is live: gone, or at a level. */
export interface LiveGrant {
  /** The id of its role. */
  readonly role: string
  readonly isLive: boolean
  readonly level?: string
}

/**
 * `role_access` once one of its grants is as it is live: a role that it does not name and that was granted stands at its end.
 * Undefined where it cannot say it.
 */
export function pulledRoles(
  kind: DeclarableKind,
  written: Json | undefined,
  { role, isLive, level }: LiveGrant,
  environment: Pick<Environment, 'roles'>,
): Json | undefined {
  const isMeant = (name: string) => resolveRole(name, environment)?.id.toLowerCase() === role.toLowerCase()
  // A list says the usual level of each of its roles.
  const below = kindBelow(kind.name)
  const assumed = below?.fields[below.lifecycle.levels?.field ?? '']?.assumed ?? null
  if (isJsonObject(written)) {
    const name = Object.keys(written).find(isMeant)
    if (isLive) {
      // Where the service gives roles no level, none can be said.
      const said = level ?? (name === undefined ? null : (written[name] ?? null))
      return { ...written, [name ?? nameOf(role, environment)]: said }
    }
    return name === undefined ? undefined : pickMembers(written, (_, each) => each !== name)
  }
  if (written === undefined || !isJsonArray(written)) return undefined
  const name = written.find(each => typeof each === 'string' && isMeant(each))
  if (!isLive) return name === undefined ? undefined : written.filter(each => each !== name)
  const named = name === undefined ? [...written, nameOf(role, environment)] : written
  if (level === undefined || level === assumed) return named
  const texts = named.filter(each => typeof each === 'string')
  return Object.fromEntries(texts.map(each => [each, isMeant(each) ? level : assumed]))
}

/** What a role is called in the files of a repository. */
function nameOf(role: string, environment: Pick<Environment, 'roles'>): string {
  return resolveRole(role, environment)?.label ?? role
}
