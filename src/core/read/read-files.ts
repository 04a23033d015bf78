import pMap from 'p-map'
import { isNotFound, isServiceError } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isJsonObject, type Json } from '../../model/json/json.ts'
import type { Live } from '../live.ts'
import { type Reader, readById } from './read-record.ts'
import type { SnapshotOptions } from './snapshot-options.ts'

/** Adds the source files to those live objects whose declaration names some. */
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

/** The same for an object that was read a moment ago: somebody may have deleted it since. */
export async function readFilesOf(
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
 * The source files of one object, by name, or why they cannot be told. The interface document has this operation
 * answer with the object itself; where a service does, nobody can compare files.
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
