import pMap from 'p-map'
import { type Client, isNotFound, isServiceError } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isJsonObject, type Json } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { profilesWith } from '../../services/index.ts'
import type { Change } from '../change.ts'
import { canonicalIdentity, type Live, toLive } from '../live.ts'
import { type Reader, readById, readRecord, type SnapshotOptions } from './read-record.ts'

/** Looks an identity up in the live list, stopping at the first living object that has it. */
export async function locate(
  kind: DeclarableKind,
  identity: string,
  params: Readonly<Record<string, string>>,
  { client, signal }: Reader,
): Promise<Live | undefined> {
  const wanted = canonicalIdentity(kind, identity)
  const query = queryFor(kind, wanted, client)
  for await (const record of client.list(kind.name, { params, query, signal })) {
    const live = toLive(kind, record)
    if (live && live.identity === wanted && !live.isSoftDeleted) return live
  }
  return undefined
}

/** A query for one identity. Without support for it, the service answers with its whole list. */
export function queryFor(
  { lifecycle: { findBy } }: DeclarableKind,
  identity: string,
  { target }: Client,
): Readonly<Record<string, string>> | undefined {
  const isTaken = findBy && profilesWith(findBy.behaviour, findBy.is).includes(target.profile)
  return isTaken ? { [findBy.parameter]: identity } : undefined
}

/** Every living object that has an identity, and whether the whole list was seen. */
export async function locateAll(
  kind: DeclarableKind,
  identity: string,
  params: Readonly<Record<string, string>>,
  { client, signal }: Reader,
): Promise<{ readonly living: readonly Live[]; readonly isComplete: boolean }> {
  const wanted = canonicalIdentity(kind, identity)
  const list = client.list(kind.name, { params, signal })
  const living: Live[] = []
  for await (const record of list) {
    const live = toLive(kind, record)
    if (live && live.identity === wanted && !live.isSoftDeleted) living.push(live)
  }
  return { living, isComplete: list.inventory.complete }
}

/**
 * Reads the object of a change again, in the form that the plan used: with its files if the change
 * touches some. Undefined if the service no longer has it. Values just read are not requested again.
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

/** One living object by its name, or the names of the existing ones. */
export type LookedUp = { readonly live: Live } | { readonly names: readonly string[] }

/**
 * Looks one living object up by its name, with as few requests as the service allows.
 *
 * | the service                           | requests                           | if the name is not found         |
 * |---------------------------------------|------------------------------------|----------------------------------|
 * | accepts a name in its list query      | one for the name                   | its list, to suggest a name      |
 * | is not identified yet                 | the same; one without such a query | nothing more, if it turns out    |
 * |                                       | answers with its list              | to be one without                |
 * | does not accept it, or refuses it     | its list, until it is found        | nothing more                     |
 *
 * Objects that lists keep apart, such as archived flags, belong to its list. They are requested separately if
 * the list does not show which service it is.
 */
export async function lookUp(kind: DeclarableKind, name: string, reader: Reader): Promise<LookedUp> {
  const wanted = canonicalIdentity(kind, name)
  const query = questionFor(kind, wanted, reader.client)
  if (query !== undefined) {
    const answered = await unlessRefused(() => readUntil(kind, wanted, reader, query))
    const isSettled = answered !== undefined && ('live' in answered || !mayTakeName(kind, reader.client))
    if (isSettled) return answered
  }
  const listed = await readUntil(kind, wanted, reader)
  if ('live' in listed || reader.client.target.known !== 'assumed' || !kind.lifecycle.listedApart)
    return listed
  return readUntil(kind, wanted, reader, { [kind.lifecycle.listedApart.field]: true })
}

function questionFor(
  kind: DeclarableKind,
  identity: string,
  client: Client,
): Readonly<Record<string, string>> | undefined {
  const { findBy } = kind.lifecycle
  return findBy && mayTakeName(kind, client) ? { [findBy.parameter]: identity } : undefined
}

/** Whether the service accepts a name in its list query, or may do so. */
function mayTakeName({ lifecycle: { findBy } }: DeclarableKind, { target }: Client): boolean {
  if (!findBy) return false
  return target.known === 'assumed' || profilesWith(findBy.behaviour, findBy.is).includes(target.profile)
}

async function readUntil(
  kind: DeclarableKind,
  identity: string,
  { client, signal }: Reader,
  query?: Readonly<Record<string, string | boolean>>,
): Promise<LookedUp> {
  const names: string[] = []
  for await (const record of client.list(kind.name, { signal, ...(query && { query, asAnswered: true }) })) {
    const live = toLive(kind, record)
    if (!live || live.isSoftDeleted) continue
    if (live.identity === identity) return { live }
    names.push(live.identity)
  }
  return { names }
}

/** A service without such a query still has its list. */
async function unlessRefused(read: () => Promise<LookedUp>): Promise<LookedUp | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isServiceError(error) && error.status === 400) return undefined
    throw error
  }
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

/** The same for an object that was just read: somebody may have deleted it since. */
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
 * The source files of one object, by name, or the reason if they cannot be read. According to the API
 * document, this operation returns the object itself; with such a service, files cannot be compared.
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
