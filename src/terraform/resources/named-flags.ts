import { type FlagLink, keysOf, linkOf, namesIn, renamedLive } from '../../core/flag-links.ts'
import type { Live } from '../../core/live.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { IdentifiedKind } from '../../model/kind.ts'
import { isFlagId } from '../../targeting/index.ts'
import type { RunClient } from '../session/run-client.ts'

interface Asking {
  readonly kind: IdentifiedKind
  readonly run: RunClient
  readonly signal: AbortSignal
}

/**
 * A live object as configurations and states speak of it: its conditions name flags by key. A flag that cannot be read
 * is named by its id.
 */
export async function byKeys({ kind, run, signal }: Asking, live: Live): Promise<Live> {
  const ids = namesIn(kind, live.record).filter(isFlagId)
  if (ids.length === 0) return live
  const keys = await Promise.all(
    [...new Set(ids)].map(async id => ({ id, key: await run.shared.identityOf(kind, id, signal) })),
  )
  const known = keys.flatMap(({ id, key }) =>
    key === undefined ? [] : [{ kind: kind.name, id, identity: key }],
  )
  return renamedLive(kind, live, keysOf(known))
}

/** The flags that conditions of some fields name, by id or key. */
export async function linksIn(
  { kind, run, signal }: Asking,
  fields: readonly JsonObject[],
): Promise<readonly FlagLink[]> {
  const names = new Set(fields.flatMap(each => namesIn(kind, each)))
  const found = await Promise.all(
    [...names].map(async name =>
      isFlagId(name)
        ? [await run.shared.byId(kind, name, signal)]
        : run.shared.byIdentity(kind, name, signal),
    ),
  )
  return found.flat().flatMap(live => (live && linkOf(kind, live)) ?? [])
}
