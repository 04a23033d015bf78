import { isJsonArray, type Json, type JsonObject } from '../../model/json/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { quoted } from '../describe/value-words.ts'
import { flagNames } from '../flag-names.ts'
import { operatorOf } from '../operators.ts'
import type { Release } from '../release.ts'
import { type Match, undecided } from './match.ts'

/** What is known about a flag for evaluation. */
export interface EvaluatedFlag {
  readonly id?: number
  readonly key: string
  readonly filters?: Json
  /** The filters, already read: reading them again for each evaluation would take a third of its time. */
  readonly release?: Release
  readonly active?: boolean | null
  readonly deleted?: boolean | null
  /** `device_id` if percentages count devices, on newer services. */
  readonly bucketing_identifier?: Json
  /** Whether people who were counted under an earlier id keep being counted under it. */
  readonly ensure_experience_continuity?: Json
}

/**
 * The flags that conditions may name, read once for any number of evaluations. A condition names a flag by
 * its id or by its key; a deleted one does not exist. A flag waits for those that its conditions name, unless
 * it is inactive: then it is off for everybody, whatever its conditions are.
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

  /** The flag that a condition names. Ids go first: the service itself writes them. */
  find(name: string): EvaluatedFlag | undefined {
    return this.#byId.get(name) ?? this.#byKey.get(name)
  }

  /** Whether two flags wait for each other. */
  isCircular(waiting: string, other: EvaluatedFlag): boolean {
    return waiting === other.key || this.#turnOf(waiting) === this.#turnOf(other.key)
  }

  /** Every flag that these names need for their evaluation, each after those that it waits for. */
  inOrder(names: readonly string[]): EvaluatedFlag[] {
    if (names.length === 0) return []
    const needed = new Set(this.#found(names))
    // A set also yields elements that are added during the loop.
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
  /** The earliest place that a path from here leads back to. */
  lowest: number
}

/**
 * The order in which each flag can be evaluated: after those that it waits for, and together with those in
 * the same circle. Tarjan's algorithm for strongly connected components, without recursion, since a chain may
 * be longer than the stack allows.
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

/** Matches a property that names another flag. */
export type MatchFlag = (property: JsonObject) => Match

interface Outcome {
  readonly value: boolean | string
  readonly undecided?: string
}

export interface FlagMatching {
  readonly flags: KnownFlags | undefined
  /** True if these are all the flags. */
  readonly isComplete: boolean
  readonly rules: EvaluationRules
  /** Evaluates one flag, whose own conditions may name others. */
  readonly decide: (flag: EvaluatedFlag, matchFlag: MatchFlag) => Outcome
}

/**
 * How the properties of filters that name other flags match. Each of those flags is evaluated once, after
 * those that it waits for.
 *
 * | the flag that is named        | matches                                                        |
 * |-------------------------------|----------------------------------------------------------------|
 * | gives the person a value      | `true`: any but false; `false`: false; a text: that variant    |
 * | is off                        | like one that gives false                                      |
 * | does not exist                | nobody, even if negated; undecided outside the service         |
 * | waits for the one that asks   | nobody, even if negated                                        |
 */
export function matchFlags(filters: Json, asking: string | undefined, matching: FlagMatching): MatchFlag {
  const { flags, isComplete, rules, decide } = matching
  if (!flags) return () => undecided('nothing is known here of other flags')
  const outcomes = new Map<EvaluatedFlag, Outcome>()
  const matchFor =
    (waiting: string | undefined): MatchFlag =>
    property => {
      const { key, negation, value = null, dependency_chain: chain } = property
      const by = rules.flag_conditions
      if (by === 'asked' || (by !== undefined && chain === null))
        return undecided('conditions on other flags are left to the service')
      const isRight = operatorOf(property) === 'flag_evaluates_to'
      if (!isRight && by === 'by_operator') return false
      if (typeof key !== 'string' || !(isRight || by === 'any_operator'))
        return undecided('a condition on another flag needs its key and flag_evaluates_to')
      if (by !== undefined && isJsonArray(chain) && !chain.includes(key))
        return by === 'any_operator'
          ? false
          : undecided(`the flag ${quoted(key)} is not among those that it waits for`)
      const other = flags.find(key)
      if (!other) return isComplete ? false : undecided(`the flag ${quoted(key)} is not known here`)
      if (waiting !== undefined && flags.isCircular(waiting, other)) return false
      const outcome = outcomes.get(other)
      // Cohorts are not searched for flags: a flag that only they name has not been evaluated.
      if (!outcome) return undecided(`the flag ${quoted(other.key)} is named by a cohort alone`)
      if (outcome.undecided !== undefined)
        return undecided(`the flag ${quoted(other.key)} is undecided: ${outcome.undecided}`)
      if (
        by === 'all_on' &&
        flags.inOrder([other.key]).some(each => each !== other && outcomes.get(each)?.value === false)
      )
        return false
      return isExpected(outcome.value, value) !== (negation === true)
    }
  for (const flag of flags.inOrder(flagNames(filters))) outcomes.set(flag, decide(flag, matchFor(flag.key)))
  return matchFor(asking)
}

/** A text is the key of a variant, even if it reads "true". */
function isExpected(value: boolean | string, expected: Json): boolean {
  return expected === true ? value !== false : value === expected
}
