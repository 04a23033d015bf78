import type { Client } from '../../api/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { profilesWith } from '../../services/index.ts'
import type { Change } from '../change.ts'
import { canonicalIdentity, type Live, toLive } from '../live.ts'
import { readFilesOf } from './read-files.ts'
import { type Reader, readRecord } from './read-record.ts'

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

/** A question for one identity, where the service takes one; a service that does not answers with its whole list. */
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
 * Reads the object of a change once more, in the form in which the plan saw it: with its files when the change
 * touches some. Undefined when the service does not know it any more. What was seen of it a moment ago is not asked for.
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
