import type { Profile } from '../../model/connection/profile.ts'
import type { Kind } from '../../model/kind.ts'
import { profilesWith } from '../../services/index.ts'

/** How a service holds the objects of a kind: as records of their own, or as rows that give each a level. */
export type Way = 'records' | 'levels'

/**
 * Which way a service goes, as far as its answers have shown. Until then one asks at a time and all others wait, whether
 * they read or write, so that a service is asked the wrong way once.
 */
export class Ways {
  readonly #known = new Map<string, Way>()
  readonly #asking = new Map<string, Promise<void>>()

  known(kind: string): Way | undefined {
    return this.#known.get(kind)
  }

  /** An answer has shown it. What was shown first counts, where a service goes both ways. */
  saw(kind: string, way: Way): void {
    if (!this.#known.has(kind)) this.#known.set(kind, way)
  }

  /** Takes what an operation was answered with for what it shows. */
  sawAnswer({ name, lifecycle }: Kind, endpoint: string): void {
    if (!lifecycle?.levels) return
    const { list, put } = lifecycle.levels
    this.saw(name, endpoint === list || endpoint === put ? 'levels' : 'records')
  }

  /** The ways to try, one after the other where the service answers 404: that of the profile comes first. */
  toTry({ name, lifecycle }: Kind, profile: Profile): readonly [Way, ...Way[]] {
    const known = this.#known.get(name)
    if (known) return [known]
    const { behaviour = '', is = '' } = lifecycle?.levels ?? {}
    return profilesWith(behaviour, is).includes(profile) ? ['levels', 'records'] : ['records', 'levels']
  }

  /**
   * Waits while somebody else asks, until the way is known or nobody asks any more. Whose turn it is says when that is over,
   * whatever came of it.
   */
  async turn(kind: string): Promise<() => void> {
    while (!this.#known.has(kind)) {
      const asking = this.#asking.get(kind)
      if (!asking) return this.#begin(kind)
      await asking
    }
    return () => {}
  }

  #begin(kind: string): () => void {
    let resolve = () => {}
    const asking = new Promise<void>(done => {
      resolve = done
    })
    this.#asking.set(kind, asking)
    return () => {
      if (this.#asking.get(kind) === asking) this.#asking.delete(kind)
      resolve()
    }
  }
}
