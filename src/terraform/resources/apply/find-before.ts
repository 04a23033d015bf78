import { canonicalIdentity, type Live } from '../../../core/live.ts'
import { readById } from '../../../core/read/read-record.ts'
import type { ReadOne, Shadowed } from '../../../core/read/shadowed.ts'
import { byKeys } from '../named-flags.ts'
import { findShadowed, grantsOf, type ResourceContext } from '../resource-context.ts'

/** What stands where something is to be created. */
export type Before =
  /** `shadowed`: what nobody can tell of, and what creating it may destroy. */
  | { readonly is: 'nothing'; readonly shadowed?: Shadowed }
  | { readonly is: 'soft_deleted'; readonly live: Live }
  | { readonly is: 'living'; readonly all: readonly Live[] }

/**
 * Looks whether an object is there already. What the service refuses to create twice is not looked for, unless it is
 * to be adopted: the refusal will tell. A soft-deleted one always is, because creating over it would destroy it; a living
 * one that is met by that is there. `read` has what a plan reads of it in common.
 */
export async function findBefore(
  context: ResourceContext,
  identity: string,
  isAdopting: boolean,
  read: ReadOne = (kind, id) => readById(kind, id, { client: context.run.client, signal: context.signal }),
): Promise<Before> {
  const { kind, run, signal } = context
  if (kind.lifecycle.parent) {
    const grants = (await grantsOf(context)) ?? []
    return living(grants.filter(grant => grant.identity === canonicalIdentity(kind, identity)))
  }
  const isUnique = kind.identity.by === 'field' && kind.identity.unique
  if (isAdopting || !isUnique || kind.lifecycle.create === undefined) {
    const all = await run.shared.byIdentity(kind, identity, signal)
    const found = living(await Promise.all(all.map(live => byKeys(context, live))))
    if (found.is === 'living') return found
  }
  const met: Live[] = []
  const shadowed = await findShadowed(context, async (named, id) => {
    const live = await read(named, id)
    if (live && !live.isSoftDeleted && live.identity === canonicalIdentity(kind, identity)) met.push(live)
    return live
  })(kind, identity)
  const found = living(await Promise.all(met.map(live => byKeys(context, live))))
  if (found.is === 'living') return found
  if (!shadowed) return { is: 'nothing' }
  if (shadowed.is !== 'deleted') return { is: 'nothing', shadowed }
  return { is: 'soft_deleted', live: await byKeys(context, shadowed.live) }
}

function living(all: readonly Live[]): Before {
  return all.length > 0 ? { is: 'living', all } : { is: 'nothing' }
}
