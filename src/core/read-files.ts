import pMap from 'p-map'
import type { Client } from '../api/index.ts'
import { declarableKind, type KindName } from '../kinds/index.ts'
import { isJsonObject } from '../model/json.ts'
import type { Live } from './live.ts'
import type { SnapshotOptions } from './snapshot-options.ts'

/** Adds the source files to those live objects whose declaration names some. */
export async function addFiles(objects: readonly Live[], options: SnapshotOptions): Promise<Live[]> {
  const declared = new Set(
    options.declarations.desired.flatMap(one => (one.files ? [`${one.kind}:${one.identity}`] : [])),
  )
  const asked = objects.filter(live => declared.has(`${live.kind}:${live.identity}`))
  const read = await pMap(asked, live => readFiles(live, options), { concurrency: options.parallelism })
  const files = new Map(asked.map((live, index) => [live, read[index]]))
  return objects.map(live => (files.has(live) ? { ...live, files: files.get(live) } : live))
}

/** The source files of one object, by name. */
export async function readFiles(
  live: Pick<Live, 'kind' | 'id'>,
  { client, signal }: { readonly client: Client; readonly signal?: AbortSignal },
): Promise<Record<string, string>> {
  const endpoint = declarableKind(live.kind).lifecycle.files?.read
  if (!endpoint) return {}
  const { body } = await client.call(live.kind as KindName, endpoint, { params: { id: live.id }, signal })
  const entries = isJsonObject(body) ? Object.entries(body) : []
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
