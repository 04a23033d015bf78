import type { Desired } from '../../core/desired.ts'
import { canonicalIdentity, type Live } from '../../core/live.ts'
import { findLive, indexLive } from '../../core/live-index.ts'
import { defaultPolicy } from '../../core/policy.ts'
import { readHidden } from '../../core/read-hidden.ts'
import { grantsOf, type Place } from './object-place.ts'

/** What stands where something is to be created. */
export type Before =
  /** `beneath`: what nobody can see may be there, and what becomes of it. */
  | { readonly is: 'nothing'; readonly beneath?: string }
  | { readonly is: 'tombstone'; readonly live: Live }
  | { readonly is: 'living'; readonly all: readonly Live[] }

/**
 * Looks whether an object is there already. What the service refuses to create twice is not looked for, unless it is
 * to be adopted: the refusal will tell. A tombstone always is, because creating over it would destroy it for good.
 */
export async function findBefore(place: Place, identity: string, isAdopting: boolean): Promise<Before> {
  const { kind, run, signal } = place
  if (kind.lifecycle.parent) {
    const grants = (await grantsOf(place)) ?? []
    return living(grants.filter(grant => grant.identity === canonicalIdentity(kind, identity)))
  }
  const isUnique = kind.identity.by === 'field' && kind.identity.unique
  if (isAdopting || !isUnique || kind.lifecycle.create === undefined) {
    const found = living(await run.shared.byIdentity(kind, identity, signal))
    if (found.is === 'living') return found
  }
  return findDeleted(place, identity)
}

/** The newest soft-deleted object of an identity that the service is known to hold. */
async function findDeleted({ kind, run, signal }: Place, identity: string): Promise<Before> {
  if (!kind.lifecycle.tombstone) return { is: 'nothing' }
  const wanted = canonicalIdentity(kind, identity)
  const address = `${kind.name}.${wanted}`
  const desired: Desired = { address, kind: kind.name, identity: wanted, ensure: 'present', fields: {} }
  const { live, beneath } = await readHidden(kind, [], {
    client: run.client,
    declarations: { desired: [desired], ownedGrants: [] },
    policy: defaultPolicy,
    parallelism: 4,
    signal,
  })
  const [newest] = findLive(indexLive(live), kind, desired)
  if (newest) return { is: 'tombstone', live: newest }
  const [words] = beneath
  return words ? { is: 'nothing', beneath: words[1] } : { is: 'nothing' }
}

function living(all: readonly Live[]): Before {
  return all.length > 0 ? { is: 'living', all } : { is: 'nothing' }
}
