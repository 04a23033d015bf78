import { kindBelow } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
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

/** `role_access` once one of its grants is as it is live; undefined where it does not name that role. */
export function pulledRoles(
  kind: DeclarableKind,
  written: Json | undefined,
  { role, isLive, level }: LiveGrant,
  environment: Environment,
): Json | undefined {
  const isMeant = (name: string) => resolveRole(name, environment)?.id.toLowerCase() === role.toLowerCase()
  if (isJsonObject(written)) {
    const name = Object.keys(written).find(isMeant)
    if (name === undefined) return undefined
    const { [name]: _gone, ...others } = written
    return isLive ? { ...written, [name]: level ?? null } : others
  }
  if (written === undefined || !isJsonArray(written)) return undefined
  const name = written.find(each => typeof each === 'string' && isMeant(each))
  if (typeof name !== 'string') return undefined
  if (!isLive) return written.filter(each => each !== name)
  // A list says the usual level of each of its roles.
  const below = kindBelow(kind.name)
  const assumed = below?.fields[below.lifecycle.levels?.field ?? '']?.assumed ?? null
  return Object.fromEntries(
    written.flatMap(each =>
      typeof each === 'string' ? [[each, each === name ? (level ?? assumed) : assumed]] : [],
    ),
  )
}
