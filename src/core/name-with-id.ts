import type { Desired } from './desired.ts'
import type { Live } from './live.ts'

/**
 * What a further object of a name that is taken is declared as: `geoip (12)`. With `id: 12` beside it, the name alone
 * is meant.
 */
export function nameWithId(identity: string, id: string): string {
  return `${identity} (${id})`
}

/** The name that a declaration means by one that may hold its id, where nobody has looked at what is live. */
export function nameWithoutId({ identity, id }: Pick<Desired, 'identity' | 'id'>): string {
  const plain = identity.trim().replace(/\++$/, '')
  const end = id === undefined ? undefined : nameWithId('', id)
  return end !== undefined && plain.endsWith(end) ? plain.slice(0, -end.length) : identity
}

/** What a declaration calls an object, without the id in it that only told its name from another's. */
export function meantIdentity({ identity, id }: Desired, found: readonly Live[]): string {
  const live = found.find(one => one.id === id)
  // Where even that was taken, signs were added until it was not.
  const isSame = live && identity.trim().replace(/\++$/, '') === nameWithId(live.identity, live.id)
  return isSame ? live.identity : identity
}
