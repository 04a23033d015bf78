import { createHash, timingSafeEqual } from 'node:crypto'
import { holdsScope } from '../../kinds/key-scopes.ts'
import type { Quirks } from '../behaviour/quirks.ts'
import { integerId } from '../store/row-id.ts'
import type { OrganizationRow, ProjectRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { forbidden, notFound, unauthenticated } from './refusal.ts'

/** Refuses a request without the right key. Neither key is ever repeated. */
export function requireKey(headers: Headers, apiKey: string): void {
  const authorization = headers.get('authorization')
  if (!authorization)
    throw unauthenticated('not_authenticated', 'Authentication credentials were not provided.')
  const [, given] = /^Bearer\s+(\S+)\s*$/i.exec(authorization) ?? []
  if (given === undefined || !isSameKey(given, apiKey))
    throw unauthenticated(
      'authentication_failed',
      'Personal API key found in request Authorization header is invalid.',
    )
}

/** Takes as long for a wrong key as for the right one. Digests, because only equal lengths can be compared so. */
function isSameKey(given: string, right: string): boolean {
  const digest = (key: string) => createHash('sha256').update(key).digest()
  return timingSafeEqual(digest(given), digest(right))
}

interface ScopedKey {
  readonly quirks: Quirks
  /** The scopes of the key; without them it may do everything. */
  readonly scopes?: readonly string[]
}

/**
 * Refuses a key with scopes where the one that is needed is missing, or where none lets a key in. A key without scopes
 * may do whatever its owner may.
 */
export function requireScope(
  { quirks, scopes = quirks.scoped_key ? ['*'] : undefined }: ScopedKey,
  scope: string | undefined,
): void {
  if (!scopes) return
  if (scope === undefined) throw forbidden('This action does not support personal API key access.')
  if (!holdsScope(scopes, scope)) throw forbidden(`API key missing required scope '${scope}'`)
}

/** Where a path leads. */
export interface Owner {
  readonly organization: OrganizationRow
  readonly project?: ProjectRow
}

/** The project or organization that a path names; `@current` is the first one. */
export function ownerOf(store: Store, params: Readonly<Record<string, string>>): Owner {
  const { project_id: projectId, parent_lookup_organization_id: organizationId } = params
  if (projectId !== undefined) {
    const project = findProject(store, projectId)
    const organization = project && store.organizations.get(project.organization_id)
    if (!project || !organization) throw notFound('Project not found.')
    return { organization, project }
  }
  const organization =
    organizationId === '@current'
      ? store.firstOrganization
      : store.organizations.get((organizationId ?? '').toLowerCase())
  if (!organization) throw notFound('Organization not found.')
  return { organization }
}

export function findProject(store: Store, id: string): ProjectRow | undefined {
  if (id !== '@current') return store.projects.get(integerId(id) ?? -1)
  return store.projectsOfOrganization.first(store.firstOrganization?.id ?? '', 0, 1)[0]
}
