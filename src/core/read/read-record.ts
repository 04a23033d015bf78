import { type Client, isLevelId, isServiceError, UnexpectedAnswerError } from '../../api/index.ts'
import { fillPath } from '../../model/endpoint.ts'
import { isJsonObject } from '../../model/json/json.ts'
import type { IdentifiedKind } from '../../model/kind.ts'
import type { Declarations } from '../desired.ts'
import { canonicalIdentity, keptRecord, type Live, toLive } from '../live.ts'
import type { Policy } from '../policy.ts'

/** The context for reading one object. */
export interface Reader {
  readonly client: Client
  readonly signal?: AbortSignal
}

/**
 * Reads one object by its id; undefined when there is none.
 *
 * | the answer                 | there is                                                  |
 * |----------------------------|-----------------------------------------------------------|
 * | a record that names itself | one                                                       |
 * | any other                  | unknown: with "none", a deletion would look done          |
 * | 404                        | none                                                      |
 * | 5xx                        | none if the complete list lacks it; else unknown          |
 *
 * If a service may hold a kind in two forms, a 404 may also mean that it has changed to the other form, with
 * other ids. If the requested form may be wrong, the object is searched among those of its
 * parent, and the identity decides.
 */
export async function readRecord(
  kind: IdentifiedKind,
  params: Readonly<Record<string, string>>,
  reader: Reader,
  identity?: string,
): Promise<Live | undefined> {
  const { client, signal } = reader
  const { read, levels } = kind.lifecycle
  if (levels && (isLevelId(params.id ?? '') || client.routes.known(kind.name) !== 'records'))
    return readAmong(kind, params, reader, identity)
  try {
    const { status, body } = await client.call(kind.name, read, { params, signal })
    const live = isJsonObject(body) ? toLive(kind, body) : undefined
    if (live) return live
    throw new UnexpectedAnswerError({
      requestLine: requestLine(kind, read, params, client.target),
      status,
      code: 'no_identity',
      reason: `names no ${kind.title}: it has no "id" or no "${identityMember(kind)}"`,
    })
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (error.status === 404) return undefined
    if (error.status >= 500 && (await isUnlisted(kind, params, reader))) return undefined
    throw error
  }
}

/** Reads an object among those of its parent: a row with a level has no path of its own. */
async function readAmong(
  kind: IdentifiedKind,
  { id = '', ...params }: Readonly<Record<string, string>>,
  { client, signal }: Reader,
  identity: string | undefined,
): Promise<Live | undefined> {
  const all: Live[] = []
  try {
    for await (const record of client.list(kind.name, { params, signal })) {
      const live = toLive(kind, record)
      if (live) all.push(live)
    }
  } catch (error) {
    if (!isServiceError(error) || error.status !== 404) throw error
  }
  return withId(kind, all, id, identity)
}

/**
 * The object with an id. If the service has changed to another form since then, the ids are different: then
 * it is the object with the same identity.
 */
export function withId(
  kind: IdentifiedKind,
  all: readonly Live[],
  id: string,
  identity?: string,
): Live | undefined {
  const name = identity === undefined ? undefined : canonicalIdentity(kind, identity)
  const isMoved = (live: Live) => isLevelId(live.id) !== isLevelId(id) && live.identity === name
  return all.find(live => live.id === id) ?? all.find(isMoved)
}

/** The public service fails on the id of an event definition that it does not know, so its list decides. */
async function isUnlisted(
  kind: IdentifiedKind,
  { id, ...params }: Readonly<Record<string, string>>,
  { client, signal }: Reader,
): Promise<boolean> {
  if (kind.lifecycle.softDelete) return false
  const list = client.list(kind.name, { params, signal })
  for await (const record of list) if (String(record.id) === id) return false
  return list.inventory.complete
}

function identityMember({ identity }: IdentifiedKind): string {
  return identity.by === 'field' ? identity.field : identity.structure
}

/** Reads one object; undefined when the service does not know the id. */
export async function readById(
  kind: IdentifiedKind,
  id: string,
  options: Pick<SnapshotOptions, 'client' | 'signal'>,
): Promise<Live | undefined> {
  const live = await readRecord(kind, { id }, options)
  return live && { ...live, record: keptRecord(kind, live.record) }
}

interface Owner {
  readonly projectId?: string
  readonly organizationId?: string
}

/** `PATCH /api/projects/1/feature_flags/7`: the request that a journal announces. */
export function requestLine(
  kind: IdentifiedKind,
  endpoint: string,
  params: Readonly<Record<string, string>>,
  { projectId = '', organizationId = '' }: Owner,
): string {
  const described = kind.endpoints[endpoint]
  if (!described) throw new RangeError(`${kind.name} has no endpoint "${endpoint}"`)
  const owner = { project_id: projectId, parent_lookup_organization_id: organizationId }
  return `${described.method} ${fillPath(described.path, { ...owner, ...params })}`
}

/** What to read, for which declarations, and how. */
export interface SnapshotOptions {
  readonly client: Client
  readonly declarations: Declarations
  readonly policy: Policy
  readonly parallelism: number
  readonly signal?: AbortSignal
}
