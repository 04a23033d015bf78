import { objectAddress } from '../../model/address.ts'
import type { Desired } from '../desired.ts'
import type { Live } from '../live.ts'
import { idKey } from '../plan/live-index.ts'

/**
 * Has what is declared under a new name go by it: its grants are declared below that name, and conditions of other flags
 * name it so, before the rename and after it. Records keep the name that is live, so that the rename is a difference.
 *
 * | the object                        | has the name        | goes by                                 |
 * |-----------------------------------|---------------------|-----------------------------------------|
 * | is the one of a rename, by its id | from before         | the new one                             |
 * | the same                          | any other           | that one                                |
 * | is another                        | that a rename gives | none: nothing that is declared means it |
 */
export class NewNames {
  readonly #renamed: ReadonlyMap<string, Desired>
  readonly #given: ReadonlySet<string>

  constructor(desired: readonly Desired[]) {
    const renamed = desired.filter(({ id, renamedFrom }) => id !== undefined && renamedFrom !== undefined)
    this.#renamed = new Map(renamed.map(one => [idKey(one.kind, one.id ?? ''), one]))
    this.#given = new Set(renamed.map(({ kind, identity }) => objectAddress(kind, identity)))
  }

  /** An object as declarations call it. */
  of(live: Live): Live {
    // Mostly nothing is renamed, and a list may have a hundred thousand rows.
    if (this.#renamed.size === 0) return live
    const meant = this.#renamed.get(idKey(live.kind, live.id))
    return meant && meant.renamedFrom === live.identity ? { ...live, identity: meant.identity } : live
  }

  /** Whether an object has a name by which declarations mean another one. */
  isGivenAway({ kind, id, identity }: Live): boolean {
    if (this.#given.size === 0) return false
    return !this.#renamed.has(idKey(kind, id)) && this.#given.has(objectAddress(kind, identity))
  }
}
