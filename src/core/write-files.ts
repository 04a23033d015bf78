import type { KindName } from '../kinds/index.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { Change } from './change.ts'
import type { PerformContext } from './performed.ts'
import { requestLine } from './request-line.ts'

/** Sends the source files that a change names, where it names any. */
export async function writeFiles(
  kind: DeclarableKind,
  { files }: Change,
  id: string,
  { client, attempting, signal }: PerformContext,
): Promise<void> {
  const endpoint = kind.lifecycle.files?.write
  if (!files || !endpoint) return
  await attempting({ requestLine: requestLine(kind, endpoint, { id }, client.target), endpoint, id })
  // Naming the same files with the same texts again changes nothing, so a lost answer costs one more request.
  await client.call(kind.name as KindName, endpoint, { params: { id }, body: files, signal })
}
