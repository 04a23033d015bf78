import { isServiceError } from '../../api/index.ts'
import { roleKind } from '../../kinds/index.ts'
import type { Reader } from './read-record.ts'

/** The ids of roles by their names; several roles may have one name. */
export type RoleIds = ReadonlyMap<string, readonly string[]>

/** Reads which roles there are; undefined where the service lists none, or not to this key. */
export async function readRoleIds({
  client,
  signal,
}: Pick<Reader, 'client' | 'signal'>): Promise<RoleIds | undefined> {
  const ids = new Map<string, readonly string[]>()
  try {
    for await (const { id, name } of client.list(roleKind.name, { signal }))
      if (typeof id === 'string' && typeof name === 'string')
        ids.set(name, [...(ids.get(name) ?? []), id.toLowerCase()])
  } catch (error) {
    if (isServiceError(error) && (error.status === 403 || error.status === 404)) return undefined
    throw error
  }
  return ids
}
