import { createHash, timingSafeEqual } from 'node:crypto'
import { holdsScope } from '../../kinds/key-scopes.ts'
import type { Runtime } from '../../model/runtime.ts'
import type { FaultPlan } from '../behaviour/faults.ts'
import type { Quirks } from '../behaviour/quirks.ts'
import type { Call } from '../resource/resource.ts'
import { integerId, type OrganizationRow, type ProjectRow, type UserRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { forbidden, notFound, serverError, unauthenticated, wronglyAuthenticated } from './answer.ts'
import type { Throttle } from './request-counter.ts'

/**
 * The key of a user, so that somebody else can change things beside a program. The first user has the key of
 * the sandbox; any other has the same with the user's id after it. Kept sandboxes need nothing more.
 */
function keyOfUser({ store, apiKey }: Service, { id }: UserRow): string {
  return id === store.owner?.id ? apiKey : `${apiKey}_user_${id}`
}

/** The owner of a key. Refuses a request without a valid one. No key is ever repeated in a message. */
export function callerOf(headers: Headers, service: Service): UserRow {
  const authorization = headers.get('authorization')
  if (!authorization) throw unauthenticated()
  const [, given] = /^Bearer\s+(\S+)\s*$/i.exec(authorization) ?? []
  if (given !== undefined)
    for (const user of service.store.users.all()) if (isSameKey(given, keyOfUser(service, user))) return user
  throw wronglyAuthenticated()
}

/** Takes the same time for wrong and right keys. This comparison needs equal lengths, hence the digests. */
function isSameKey(given: string, right: string): boolean {
  const digest = (key: string) => createHash('sha256').update(key).digest()
  return timingSafeEqual(digest(given), digest(right))
}

/**
 * Refuses a key with scopes if it lacks the needed one, or if no scope allows the operation. A key without scopes
 * allows everything that its owner may do. Keys of other users have no scopes: they stand for people who click.
 */
export function requireScope({ store, scopes }: Service, scope: string | undefined, caller: UserRow): void {
  if (!scopes || caller.id !== store.owner?.id) return
  if (scope === undefined) throw forbidden('This action does not support personal API key access.')
  if (!holdsScope(scopes, scope)) throw forbidden(`API key missing required scope '${scope}'`)
}

/** The target of a path. */
interface Owner {
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
  return store.firstProject
}

/** The context of an answer. */
export interface Service {
  readonly store: Store
  readonly quirks: Quirks
  readonly runtime: Runtime
  readonly throttle: Throttle
  readonly faults: FaultPlan
  readonly apiKey: string
  /** The scopes of that key; without them it allows everything. */
  readonly scopes?: readonly string[]
  readonly onError: (error: unknown) => void
}

/** One request in its context; without a caller, it is the first user's. */
export function callFor<P extends Owner>(
  { store, quirks, runtime }: Service,
  place: P,
  { caller = store.owner, params = {}, url, body = {} }: Pick<Call, 'url'> & Partial<Call>,
): Call & P {
  if (!caller) throw serverError()
  const random = () => runtime.random()
  return { store, quirks, now: runtime.now(), random, caller, params, url, body, ...place }
}
