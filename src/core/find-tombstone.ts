import type { Client } from '../api/index.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { Change } from './change.ts'
import { canonicalIdentity, type Live } from './live.ts'
import { readById } from './read-by-id.ts'
import { readTrail, type Trail } from './read-trail.ts'

/** Finds the tombstone that a create would destroy, if anybody can tell that there is one. */
export type FindTombstone = (kind: DeclarableKind, identity: string) => Promise<Live | undefined>

/**
 * Looks for what was deleted after a plan was made, when there was nothing to restore yet. The trail is read when the
 * first object is about to be created, and once for all of a kind that the run creates.
 */
export function tombstoneFinder(
  changes: readonly Change[],
  reader: { readonly client: Client; readonly signal?: AbortSignal },
): FindTombstone {
  const trails = new Map<string, Promise<Trail>>()
  return async (kind, identity) => {
    if (!kind.lifecycle.tombstone?.trail) return undefined
    const trail = trails.get(kind.name) ?? readTrail(kind, createdOf(kind, changes), reader)
    trails.set(kind.name, trail)
    const { rows } = await trail
    const wanted = canonicalIdentity(kind, identity)
    const ids = new Set(rows.filter(({ name }) => name === wanted).map(({ id }) => id))
    for (const id of ids) {
      const live = await readById(kind, id, reader)
      if (live?.isTombstone && live.identity === wanted) return live
    }
    return undefined
  }
}

function createdOf(kind: DeclarableKind, changes: readonly Change[]): ReadonlySet<string> {
  const created = changes.filter(change => change.action === 'create' && change.kind === kind.name)
  return new Set(created.map(({ identity }) => canonicalIdentity(kind, identity)))
}
