import type { Kind } from '../model/kind.ts'
import { kinds } from './index.ts'

/** The values of a service's behaviours, by behaviour name. */
type Behaviour = Readonly<Record<string, string | number | boolean>>

/**
 * The scope that a scoped key needs for an operation, such as `feature_flag:write`. Undefined if no scope is
 * enough. [service-behaviour 8] [service-today 9]
 */
export function scopeFor(
  { name, keyScope = name, endpoints, lifecycle }: Kind,
  operation: string,
  behaviour: Behaviour,
): string | undefined {
  const endpoint = endpoints[operation]
  if (!endpoint) return undefined
  const { scopedKeys } = endpoint
  if (scopedKeys === false || (scopedKeys && behaviour[scopedKeys.behaviour] !== scopedKeys.is)) {
    return undefined
  }
  const isReading = endpoint.method === 'GET' || operation === lifecycle?.estimate
  return `${endpoint.keyScope ?? keyScope}:${isReading ? 'read' : 'write'}`
}

/** All scopes that operations of the interface can need, sorted. */
export function knownScopes(): string[] {
  const names = Object.values<Kind>(kinds).flatMap(kind =>
    [kind, ...Object.values(kind.endpoints)].map(({ keyScope }) => keyScope ?? kind.keyScope ?? kind.name),
  )
  const all = names.flatMap(name => [`${name}:read`, `${name}:write`])
  return [...new Set(all)].sort()
}

/** Whether a key with these scopes has the given scope. Write includes read, and `*` includes everything. */
export function holdsScope(scopes: readonly string[], scope: string): boolean {
  const writing = scope.replace(/:read$/, ':write')
  return scopes.some(held => held === scope || held === writing || held === '*')
}
