import type { Json } from '../../model/json/json.ts'
import { flagNames } from '../flag-names.ts'
import type { Release } from '../release.ts'

/** What is known of a flag to work out who gets what. */
export interface EvaluatedFlag {
  readonly id?: number
  readonly key: string
  readonly filters?: Json
  /** The filters, read already: whoever evaluates a flag often gives them, for it takes a third of the time. */
  readonly release?: Release
  readonly active?: boolean | null
  readonly deleted?: boolean | null
  /** `device_id` where percentages count devices, on newer services. */
  readonly bucketing_identifier?: Json
  /** Whether somebody who was counted under another id before goes on being counted under that. */
  readonly ensure_experience_continuity?: Json
}

/**
 * The flags that conditions may name, read once for any number of evaluations. A condition names a flag by its id or
 * by its key; one that is deleted is not there. A flag waits for those that its conditions name, unless it is
 * inactive: then it is off for everybody, whatever they say.
 */
export class KnownFlags {
  readonly #byId = new Map<string, EvaluatedFlag>()
  readonly #byKey = new Map<string, EvaluatedFlag>()
  #turns: ReadonlyMap<string, number> | undefined

  constructor(flags: Iterable<EvaluatedFlag>) {
    for (const flag of flags) {
      if (flag.deleted === true) continue
      this.#byKey.set(flag.key, flag)
      if (flag.id !== undefined) this.#byId.set(String(flag.id), flag)
    }
  }

  /** The flag that a condition names. Ids go first: they are what the service itself writes. */
  find(name: string): EvaluatedFlag | undefined {
    return this.#byId.get(name) ?? this.#byKey.get(name)
  }

  /** Whether a flag that waits for another is waited for by it. */
  isCircular(waiting: string, other: EvaluatedFlag): boolean {
    return waiting === other.key || this.#turnOf(waiting) === this.#turnOf(other.key)
  }

  /** Everything that has to be worked out for these names, each flag after those that it waits for. */
  inOrder(names: readonly string[]): EvaluatedFlag[] {
    if (names.length === 0) return []
    const needed = new Set(this.#found(names))
    // A set hands out what is added to it while it is gone through.
    for (const flag of needed) for (const other of this.#waitsFor(flag)) needed.add(other)
    return [...needed].sort((left, right) => (this.#turnOf(left.key) ?? 0) - (this.#turnOf(right.key) ?? 0))
  }

  #found(names: readonly string[]): EvaluatedFlag[] {
    return names.flatMap(name => this.find(name) ?? [])
  }

  #waitsFor(flag: EvaluatedFlag): EvaluatedFlag[] {
    return flag.active === false ? [] : this.#found(flagNames(flag.filters ?? null))
  }

  #turnOf(key: string): number | undefined {
    this.#turns ??= turnsOf([...this.#byKey.keys()], key => {
      const flag = this.#byKey.get(key)
      return flag ? this.#waitsFor(flag).map(other => other.key) : []
    })
    return this.#turns.get(key)
  }
}

interface Step {
  readonly key: string
  readonly place: number
  readonly left: Iterator<string>
  /** The earliest place that a way from here leads back to. */
  lowest: number
}

/**
 * The turn in which each flag can be worked out: after those that it waits for, and together with those that it is
 * in a circle with. Tarjan's way to find what is strongly connected; without recursion, since a chain may be as long
 * as a stack is large.
 */
function turnsOf(keys: readonly string[], needsOf: (key: string) => string[]): Map<string, number> {
  const places = new Map<string, number>()
  const turns = new Map<string, number>()
  const open: string[] = []
  let turn = 0
  for (const start of keys) {
    const path: Step[] = []
    const enter = (key: string) => {
      const place = places.size
      places.set(key, place)
      open.push(key)
      path.push({ key, place, left: needsOf(key).values(), lowest: place })
    }
    if (!places.has(start)) enter(start)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.left.next()
      if (!next.done) {
        const place = places.get(next.value)
        if (place === undefined) enter(next.value)
        else if (!turns.has(next.value)) top.lowest = Math.min(top.lowest, place)
        continue
      }
      path.pop()
      const before = path.at(-1)
      if (before) before.lowest = Math.min(before.lowest, top.lowest)
      if (top.lowest < top.place) continue
      for (const key of open.splice(open.lastIndexOf(top.key))) turns.set(key, turn)
      turn++
    }
  }
  return turns
}
