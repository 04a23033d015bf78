import { type Client, isServiceError } from '../../api/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { profilesWith } from '../../services/index.ts'
import { canonicalIdentity, type Live, toLive } from '../live.ts'
import type { Reader } from './read-record.ts'

/** One living object by its name, or the names of those that there are. */
export type LookedUp = { readonly live: Live } | { readonly names: readonly string[] }

/**
 * Looks one living object up by its name, with as few requests as the service allows.
 *
 * | the service                          | is asked                                | and where that has nothing of the name |
 * |--------------------------------------|-----------------------------------------|----------------------------------------|
 * | takes the name in the query of a list | for the name                           | for its list, to tell what was meant   |
 * | is not known yet                     | the same; one that does not take it     | nothing more, once it has turned out   |
 * |                                      | answers with its list                   | to be one that does not                |
 * | does not take it, or refuses to      | for its list, until the object comes    | nothing more                           |
 *
 * What lists keep apart, such as archived flags, is part of its list; it is asked for by itself where the list has
 * nothing to tell of what service it is.
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

/** Whether the service takes a name in the query of its list, or may yet turn out to. */
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

/** A service that takes no such question at all still has its list. */
async function unlessRefused(read: () => Promise<LookedUp>): Promise<LookedUp | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isServiceError(error) && error.status === 400) return undefined
    throw error
  }
}
