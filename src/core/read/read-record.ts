import pMap from 'p-map'
import {
  type Client,
  isLevelId,
  isNotFound,
  isServiceError,
  UnexpectedAnswerError,
  unlessRefused,
} from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { fillPath } from '../../model/endpoint.ts'
import type { DeclarableKind, IdentifiedKind } from '../../model/kind.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { profilesWith } from '../../services/differences.ts'
import type { Change } from '../change.ts'
import type { Declarations } from '../desired.ts'
import { canonicalIdentity, keptRecord, type Live, toLive } from '../live.ts'
import type { Policy } from '../policy.ts'

export interface Reader {
  readonly client: Client
  readonly signal?: AbortSignal
}

/**
 * Reads one object by its id; undefined when there is none.
 *
 * | the answer                 | there is                                         |
 * |----------------------------|--------------------------------------------------|
 * | a record that names itself | one                                              |
 * | any other record           | unknown: "none" would make a deletion look done  |
 * | 404                        | none                                             |
 * | 5xx                        | none if the complete list lacks it; else unknown |
 *
 * If a service may store a kind in two forms, a 404 may mean that it now uses the other form, with other ids.
 * Then the object is searched by identity among those of its parent.
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
      reason: `is not a ${kind.title}: it has no "id" or no "${identityMember(kind)}"`,
    })
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (error.status === 404) return undefined
    if (error.status >= 500 && (await isUnlisted(kind, params, reader))) return undefined
    throw error
  }
}

/** The objects of a list. Rows without an id or a name are skipped. */
export async function* liveIn(
  kind: IdentifiedKind,
  list: AsyncIterable<JsonObject>,
  parent?: Live['parent'],
): AsyncGenerator<Live, void> {
  for await (const record of list) {
    const live = toLive(kind, record, parent)
    if (live) yield live
  }
}

/** Reads an object from its parent's list. Grants with levels have no path. */
async function readAmong(
  kind: IdentifiedKind,
  { id = '', ...params }: Readonly<Record<string, string>>,
  { client, signal }: Reader,
  identity: string | undefined,
): Promise<Live | undefined> {
  const all: Live[] = []
  try {
    for await (const live of liveIn(kind, client.list(kind.name, { params, signal }))) all.push(live)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  return withId(kind, all, id, identity)
}

/** By id or, if the service has changed to another form with other ids, by identity. */
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

export interface SnapshotOptions {
  readonly client: Client
  readonly declarations: Declarations
  readonly policy: Policy
  readonly parallelism: number
  readonly signal?: AbortSignal
}

/** Finds the first live object with an identity in the list. */
export async function locate(
  kind: DeclarableKind,
  identity: string,
  params: Readonly<Record<string, string>>,
  { client, signal }: Reader,
): Promise<Live | undefined> {
  const wanted = canonicalIdentity(kind, identity)
  const query = queryFor(kind, wanted, client)
  for await (const live of liveIn(kind, client.list(kind.name, { params, query, signal })))
    if (live.identity === wanted && !live.isSoftDeleted) return live
  return undefined
}

/** A query for one identity, if the service supports it or it is only tried. */
export function queryFor(
  { lifecycle: { findBy } }: DeclarableKind,
  identity: string,
  { target }: Client,
  isTried = false,
): Readonly<Record<string, string>> | undefined {
  if (!findBy) return undefined
  const isTaken = isTried || profilesWith(findBy.behaviour, findBy.is).includes(target.profile)
  return isTaken ? { [findBy.parameter]: identity } : undefined
}

/** All live objects with an identity, and whether the list is complete. */
export async function locateAll(
  kind: DeclarableKind,
  identity: string,
  params: Readonly<Record<string, string>>,
  { client, signal }: Reader,
): Promise<{ readonly living: readonly Live[]; readonly isComplete: boolean }> {
  const wanted = canonicalIdentity(kind, identity)
  const list = client.list(kind.name, { params, signal })
  const living: Live[] = []
  for await (const live of liveIn(kind, list))
    if (live.identity === wanted && !live.isSoftDeleted) living.push(live)
  return { living, isComplete: list.inventory.complete }
}

/**
 * Reads the object of a change again, with its files if the change writes files. Undefined if the object no
 * longer exists. An object that was just read is not requested again.
 */
export async function readAgain(
  kind: DeclarableKind,
  change: Change,
  reader: Reader,
  seen?: Live,
): Promise<Live | undefined> {
  const { parent } = change
  const parameter = kind.lifecycle.parent?.parameter
  const params: Record<string, string> = {
    id: change.id ?? '',
    ...(parent?.id && parameter ? { [parameter]: parent.id } : {}),
  }
  const found = seen ?? (await readRecord(kind, params, reader, change.identity))
  if (!found) return undefined
  const { files: known, filesUnreadable: _, ...live } = found
  if (!change.files) return live
  const files = known ? { files: known } : await readFilesOf(live, reader)
  return files === 'gone' ? undefined : { ...live, ...files }
}

/** One live object, or the names of the existing ones. */
export type LookedUp = { readonly live: Live } | { readonly names: readonly string[] }

/**
 * Finds one live object by its name, with as few requests as possible.
 *
 * | the service                       | requests                               | if the name is not found          |
 * |-----------------------------------|----------------------------------------|-----------------------------------|
 * | accepts a name in its list query  | one for the name                       | reads its list, to suggest a name |
 * | is not identified yet             | the same; a service without this query | nothing more, if the service      |
 * |                                   | answers with its whole list            | lacks the query                   |
 * | does not accept it, or refuses it | its list, until it is found            | nothing more                      |
 *
 * Lists may omit archived flags. These are requested separately if the service is not identified.
 */
export async function lookUp(kind: DeclarableKind, name: string, reader: Reader): Promise<LookedUp> {
  const wanted = canonicalIdentity(kind, name)
  const { client } = reader
  const queryNow = () => queryFor(kind, wanted, client, client.target.known === 'assumed')
  const query = queryNow()
  const answered = query && (await unlessRefused(() => readUntil(kind, wanted, reader, query)))
  if (answered && ('live' in answered || !queryNow())) return answered
  const listed = await readUntil(kind, wanted, reader)
  if ('live' in listed || client.target.known !== 'assumed' || !kind.lifecycle.listedApart) return listed
  return readUntil(kind, wanted, reader, { [kind.lifecycle.listedApart.field]: true })
}

async function readUntil(
  kind: DeclarableKind,
  identity: string,
  { client, signal }: Reader,
  query?: Readonly<Record<string, string | boolean>>,
): Promise<LookedUp> {
  const names: string[] = []
  const list = client.list(kind.name, { signal, ...(query && { query, asAnswered: true }) })
  for await (const live of liveIn(kind, list)) {
    if (live.isSoftDeleted) continue
    if (live.identity === identity) return { live }
    names.push(live.identity)
  }
  return { names }
}

/** Adds source files to live objects if their declaration has files. */
export async function addFiles(objects: readonly Live[], options: SnapshotOptions): Promise<Live[]> {
  const named = options.declarations.desired.filter(one => one.files)
  if (named.length === 0) return [...objects]
  const declared = new Set(
    named.flatMap(({ kind, identity, id }) => [
      `${kind}:${identity}`,
      ...(id === undefined ? [] : [`${kind}#${id}`]),
    ]),
  )
  const asked = objects.filter(
    live => declared.has(`${live.kind}:${live.identity}`) || declared.has(`${live.kind}#${live.id}`),
  )
  const read = await pMap(asked, live => readFilesOf(live, options), { concurrency: options.parallelism })
  const files = new Map(asked.map((live, index) => [live, read[index]]))
  return objects.flatMap(live => {
    const own = files.get(live)
    return own === 'gone' ? [] : [{ ...live, ...own }]
  })
}

/** The files of an object that may have been deleted since it was read. */
async function readFilesOf(
  live: Pick<Live, 'kind' | 'id'>,
  reader: Reader,
): Promise<Pick<Live, 'files' | 'filesUnreadable'> | 'gone'> {
  try {
    return await readFiles(live, reader)
  } catch (error) {
    const isMissing = isNotFound(error)
    if (isMissing && !(await readById(declarableKind(live.kind), live.id, reader))) return 'gone'
    throw error
  }
}

/**
 * The source files of one object, by name, or the reason if they cannot be read. By the API document, this
 * operation returns the object itself; then files cannot be compared.
 */
export async function readFiles(
  live: Pick<Live, 'kind' | 'id'>,
  { client, signal }: Reader,
): Promise<Pick<Live, 'files' | 'filesUnreadable'>> {
  const endpoint = declarableKind(live.kind).lifecycle.files?.read
  if (!endpoint) return {}
  try {
    const { body } = await client.call(live.kind, endpoint, { params: { id: live.id }, signal })
    return areTexts(body) ? { files: body } : { filesUnreadable: 'the service does not show them' }
  } catch (error) {
    if (isServiceError(error) && error.status === 403) return { filesUnreadable: error.message }
    throw error
  }
}

function areTexts(body: Json): body is Readonly<Record<string, string>> {
  return isJsonObject(body) && Object.values(body).every(text => typeof text === 'string')
}
