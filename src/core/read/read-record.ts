import { type Client, isLevelId, isServiceError, UnexpectedAnswerError } from '../../api/index.ts'
import { isJsonObject } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { keptRecord, type Live, toLive } from '../live.ts'
import { requestLine } from '../request-line.ts'
import type { SnapshotOptions } from './snapshot-options.ts'

interface Reader {
  readonly client: Client
  readonly signal?: AbortSignal
}

/**
 * Reads one object by its id; undefined when there is none.
 *
 * | the answer                    | there is                                                              |
 * |-------------------------------|-----------------------------------------------------------------------|
 * | a record that names itself    | one                                                                   |
 * | any other                     | nobody can tell: taken for none, a deletion of it would look done     |
 * | 404                           | none                                                                  |
 * | 5xx                           | none, where the whole list does not have it; else nobody can tell     |
 */
export async function readRecord(
  kind: DeclarableKind,
  params: Readonly<Record<string, string>>,
  reader: Reader,
): Promise<Live | undefined> {
  const { client, signal } = reader
  const { read } = kind.lifecycle
  if (isLevelId(params.id ?? '') && kind.lifecycle.levels) return readRow(kind, params, reader)
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

/** A row with a level has no path of its own: it is one of those of its parent. */
async function readRow(
  kind: DeclarableKind,
  { id, ...params }: Readonly<Record<string, string>>,
  { client, signal }: Reader,
): Promise<Live | undefined> {
  try {
    for await (const record of client.list(kind.name, { params, signal })) {
      const live = toLive(kind, record)
      if (live?.id === id) return live
    }
  } catch (error) {
    if (!isServiceError(error) || error.status !== 404) throw error
  }
  return undefined
}

/** The public service fails on the id of an event definition that it does not know, so its list decides. */
async function isUnlisted(
  kind: DeclarableKind,
  { id, ...params }: Readonly<Record<string, string>>,
  { client, signal }: Reader,
): Promise<boolean> {
  if (kind.lifecycle.softDelete) return false
  const list = client.list(kind.name, { params, signal })
  for await (const record of list) if (String(record.id) === id) return false
  return list.inventory.complete
}

function identityMember({ identity }: DeclarableKind): string {
  return identity.by === 'field' ? identity.field : identity.structure
}

/** Reads one object; undefined when the service does not know the id. */
export async function readById(
  kind: DeclarableKind,
  id: string,
  options: Pick<SnapshotOptions, 'client' | 'signal'>,
): Promise<Live | undefined> {
  const live = await readRecord(kind, { id }, options)
  return live && { ...live, record: keptRecord(kind, live.record) }
}
