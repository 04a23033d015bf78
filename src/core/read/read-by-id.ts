import type { DeclarableKind } from '../../model/kind.ts'
import { keptRecord, type Live } from '../live.ts'
import { readRecord } from './read-record.ts'
import type { SnapshotOptions } from './snapshot-options.ts'

/** Reads one object; undefined when the service does not know the id. */
export async function readById(
  kind: DeclarableKind,
  id: string,
  options: Pick<SnapshotOptions, 'client' | 'signal'>,
): Promise<Live | undefined> {
  const live = await readRecord(kind, { id }, options)
  return live && { ...live, record: keptRecord(kind, live.record) }
}
