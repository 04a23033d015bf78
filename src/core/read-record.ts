import { type Client, isServiceError, UnexpectedAnswerError } from '../api/index.ts'
import type { KindName } from '../kinds/index.ts'
import { isJsonObject } from '../model/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import { type Live, toLive } from './live.ts'
import { requestLine } from './request-line.ts'

/**
 * Reads one object by its id; undefined when the service says that there is none. A record that does not name itself
 * is no such answer: taken for one, it would make a deletion of what is still there look done.
 */
export async function readRecord(
  kind: DeclarableKind,
  params: Readonly<Record<string, string>>,
  { client, signal }: { readonly client: Client; readonly signal?: AbortSignal },
): Promise<Live | undefined> {
  const { read } = kind.lifecycle
  try {
    const { status, body } = await client.call(kind.name as KindName, read, { params, signal })
    const live = isJsonObject(body) ? toLive(kind, body) : undefined
    if (live) return live
    throw new UnexpectedAnswerError({
      requestLine: requestLine(kind, read, params, client.target),
      status,
      code: 'no_identity',
      reason: `names no ${kind.title}: it has no "id" or no "${identityMember(kind)}"`,
    })
  } catch (error) {
    if (isServiceError(error) && error.status === 404) return undefined
    throw error
  }
}

function identityMember({ identity }: DeclarableKind): string {
  return identity.by === 'field' ? identity.field : identity.structure
}
