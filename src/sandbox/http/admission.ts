import { createHash, timingSafeEqual } from 'node:crypto'
import { holdsScope } from '../../kinds/key-scopes.ts'
import type { Profile } from '../../model/connection.ts'
import type { Runtime } from '../../model/runtime.ts'
import type { FaultPlan } from '../faults.ts'
import type { Quirks } from '../quirks.ts'
import type { Call } from '../resource/resource.ts'
import { integerId, type OrganizationRow, type ProjectRow, type UserRow } from '../rows.ts'
import type { Store } from '../store.ts'
import {
  forbidden,
  notFound,
  serverError,
  throttled,
  unauthenticated,
  wronglyAuthenticated,
} from './messages.ts'

/**
 * The key of a user, so that somebody else can change things beside a program. The first user has the key of
 * the sandbox; any other has the same with the user's id after it. Kept sandboxes need nothing more.
 */
export function keyOfUser({ store, apiKey }: Service, { id }: UserRow): string {
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

export interface Service {
  readonly store: Store
  readonly profile: Profile
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

/** The requests that arrived, for tests and benches. */
export interface RequestCounts {
  readonly total: number
  /** By method and path template: `GET /api/projects/{project_id}/feature_flags`. */
  readonly templates: Readonly<Record<string, number>>
  /** By method and path: `GET /api/projects/1/feature_flags`. */
  readonly paths: Readonly<Record<string, number>>
  /** The latest request lines, oldest first. */
  readonly recent: readonly string[]
  /**
   * The number of full answers that today's service bills as local evaluation: each page of a list of flags,
   * and the definitions for SDKs, but no 304. They are counted in every profile.
   * [service-today 1, 6]
   */
  readonly billed: number
}

const remembered = 1000

/** Counts requests on arrival, whatever happens to them; billed ones after their answer. */
export class RequestCounter {
  #total = 0
  readonly #templates = new Map<string, number>()
  readonly #paths = new Map<string, number>()
  #recent: string[] = []
  #billed = 0

  /** Takes a request such as `GET /flags`, and the same with the template of its path. */
  count(line: string, template: string | undefined): void {
    this.#total += 1
    addOne(this.#paths, line)
    if (template !== undefined) addOne(this.#templates, template)
    this.#recent.push(line)
    if (this.#recent.length >= 2 * remembered) this.#recent = this.#recent.slice(-remembered)
  }

  bill(): void {
    this.#billed += 1
  }

  reset(): void {
    this.#total = 0
    this.#billed = 0
    this.#templates.clear()
    this.#paths.clear()
    this.#recent = []
  }

  counts(): RequestCounts {
    return {
      total: this.#total,
      templates: Object.fromEntries(this.#templates),
      paths: Object.fromEntries(this.#paths),
      recent: this.#recent.slice(-remembered),
      billed: this.#billed,
    }
  }
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Allows a number of requests in each window of time and refuses the rest until it is over. */
export class Throttle {
  readonly #quirks: Quirks
  #windowEnd = 0
  #admitted = 0

  constructor(quirks: Quirks) {
    this.#quirks = quirks
  }

  admit(now: number): void {
    const { throttle: limit, throttle_seconds: seconds } = this.#quirks
    if (limit === 0) return
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + seconds * 1000
      this.#admitted = 0
    }
    this.#admitted += 1
    if (this.#admitted <= limit) return
    const waitSeconds = Math.max(Math.ceil((this.#windowEnd - now) / 1000), 1)
    throw throttled(waitSeconds)
  }
}

/** Whether a host name means this machine, whoever asks for its address. */
export function isLoopback(name: string): boolean {
  return /^(.+\.)?localhost$|^\[?::1\]?$|^127\.\d+\.\d+\.\d+$/.test(name)
}
