import {
  isEmptyJson,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../model/text/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { documentedRules, type Facts, matchProperty, membershipOf, operatorOf } from '../operators.ts'
import { flagNames, type Release } from '../release.ts'
import { quoted } from '../value-words.ts'
import { allOf, inTurn, isUndecided, type Match, opposite, undecided } from './compared-values.ts'

export interface EvaluatedFlag {
  readonly id?: number
  readonly key: string
  readonly filters?: Json
  /** The parsed filters: parsing them for each evaluation would take a third of its time. */
  readonly release?: Release
  readonly active?: boolean | null
  readonly deleted?: boolean | null
  /** `device_id` if percentages count devices, on newer services. */
  readonly bucketing_identifier?: Json
  /** Whether people keep the value from an earlier id. */
  readonly ensure_experience_continuity?: Json
}

/**
 * The flags that conditions may refer to, prepared once for any number of evaluations. A condition refers to
 * a flag by its id or its key; a deleted flag does not exist. A flag depends on the flags in its conditions,
 * unless it is inactive: then it is off for everybody, whatever its conditions are.
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

  /** The flag that a condition refers to. Ids have priority: the service itself writes them. */
  find(name: string): EvaluatedFlag | undefined {
    return this.#byId.get(name) ?? this.#byKey.get(name)
  }

  /** Whether two flags depend on each other. */
  isCircular(waiting: string, other: EvaluatedFlag): boolean {
    return waiting === other.key || this.#turnOf(waiting) === this.#turnOf(other.key)
  }

  /** Every flag that the evaluation of these flags needs, each after its dependencies. */
  inOrder(names: readonly string[]): EvaluatedFlag[] {
    if (names.length === 0) return []
    const needed = new Set(this.#found(names))
    // The loop also visits elements that are added to the set during the loop.
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
  /** The earliest node that is reachable from here. */
  lowest: number
}

/**
 * The evaluation order of flags: each after its dependencies, and together with the flags in the same cycle.
 * Tarjan's algorithm for strongly connected components, without recursion, because a chain may be longer than
 * the stack allows.
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

export type MatchFlag = (property: JsonObject) => Match

interface Outcome {
  readonly value: boolean | string
  readonly undecided?: string
}

export interface FlagMatching {
  readonly flags: KnownFlags | undefined
  /** Whether these are all flags. */
  readonly isComplete: boolean
  readonly rules: EvaluationRules
  /** Evaluates one flag, whose conditions may refer to others. */
  readonly decide: (flag: EvaluatedFlag, matchFlag: MatchFlag) => Outcome
}

/**
 * How the properties of filters that name these flags match. Each of those flags is evaluated once, after
 * those that it waits for.
 *
 * | the flag that is named        | matches                                                        |
 * |-------------------------------|----------------------------------------------------------------|
 * | gives the person a value      | `true`: any but false; `false`: false; a text: that variant    |
 * | is off                        | like one that gives false                                      |
 * | does not exist                | nobody, even if negated; undecided outside the service         |
 * | waits for the one that asks   | nobody, even if negated                                        |
 */
export function matchFlags(
  names: readonly string[],
  asking: string | undefined,
  matching: FlagMatching,
): MatchFlag {
  const { flags, isComplete, rules, decide } = matching
  if (!flags) return () => undecided('other flags are unknown')
  const outcomes = new Map<EvaluatedFlag, Outcome>()
  const matchFor =
    (waiting: string | undefined): MatchFlag =>
    property => {
      const { key, negation, value = null, dependency_chain: chain } = property
      const by = rules.flag_conditions
      if (by === 'asked' || (by !== undefined && chain === null))
        return undecided('only the service evaluates conditions on other flags')
      const isRight = operatorOf(property) === 'flag_evaluates_to'
      if (!isRight && by === 'by_operator') return false
      if (typeof key !== 'string' || !(isRight || by === 'any_operator'))
        return undecided('a condition on another flag needs its key and flag_evaluates_to')
      if (by !== undefined && isJsonArray(chain) && !chain.includes(key))
        return by === 'any_operator'
          ? false
          : undecided(`the flag ${quoted(key)} is not among the flags that this flag waits for`)
      const other = flags.find(key)
      if (!other) return isComplete ? false : undecided(`the flag ${quoted(key)} is unknown`)
      if (waiting !== undefined && flags.isCircular(waiting, other)) return false
      const outcome = outcomes.get(other)
      // Cohorts are not searched for flags, so a flag that only a cohort refers to is not evaluated.
      if (!outcome) return undecided(`only a cohort names the flag ${quoted(other.key)}`)
      if (outcome.undecided !== undefined)
        return undecided(`the flag ${quoted(other.key)} is undecided: ${outcome.undecided}`)
      if (
        by === 'all_on' &&
        flags.inOrder([other.key]).some(each => each !== other && outcomes.get(each)?.value === false)
      )
        return false
      return isExpected(outcome.value, value) !== (negation === true)
    }
  for (const flag of flags.inOrder(names)) outcomes.set(flag, decide(flag, matchFor(flag.key)))
  return matchFor(asking)
}

/** A text is the key of a variant, even if it is "true". */
function isExpected(value: boolean | string, expected: Json): boolean {
  return expected === true ? value !== false : value === expected
}

export interface CohortFacts extends Facts {
  /** Cohorts by id, as in `local_evaluation`: `{ type: 'AND' | 'OR', values: [...] }`, nested. */
  readonly cohorts: JsonObject
  /** Matches properties that refer to other flags; without it, they are undecided. */
  readonly matchFlag?: MatchFlag
  /** Where a property of a different type is looked up; undefined for the usual properties. */
  readonly propertiesFor?: (entry: JsonObject) => JsonObject | undefined
}

/** Matches all properties of one condition. The first that fails decides, even if others are unknown. */
export function matchProperties(properties: readonly Json[], facts: CohortFacts): Match {
  const matches = new CohortMatches(facts)
  const all = facts.rules?.doubts === 'ends' ? inTurn : allOf
  return all(properties, property => matches.matchOwn(property))
}

/** Each cohort is matched once. One that refers back to itself is undecided, so the search ends. */
class CohortMatches {
  private readonly facts: CohortFacts
  private readonly decided = new Map<string, Match>()

  constructor(facts: CohortFacts) {
    this.facts = facts
  }

  /** Matches a property of the condition itself. Inside cohorts, all engines obey `negation`. */
  matchOwn(property: Json): Match {
    const { rules = documentedRules } = this.facts
    if (!isJsonObject(property)) return this.matchEntry(property)
    if (property.type !== 'cohort')
      return this.matchEntry(
        property.negation === true && rules.property_negation !== 'obeyed'
          ? { ...property, negation: false }
          : property,
      )
    const membership = membershipOf(property, rules)
    if (membership === undefined) return false
    const match = this.matchCohort(property.value)
    return membership === 'in' ? match : opposite(match)
  }

  matchEntry(entry: Json): Match {
    if (!isJsonObject(entry)) return undecided('a property of the condition is not an object')
    if (isJsonArray(entry.values)) return this.matchGroup(entry)
    if (entry.type === 'flag') return this.facts.matchFlag?.(entry) ?? undecided('other flags are unknown')
    const match = this.matchPlain(entry)
    return entry.negation === true ? opposite(match) : match
  }

  private matchPlain(entry: JsonObject): Match {
    switch (entry.type) {
      case 'cohort':
        return operatorOf(entry) === 'not_in'
          ? opposite(this.matchCohort(entry.value))
          : this.matchCohort(entry.value)
      case 'behavioral':
        return undecided('only the service knows what people did')
      default:
        return matchProperty(entry, this.factsFor(entry))
    }
  }

  private factsFor(entry: JsonObject): CohortFacts {
    const properties = this.facts.propertiesFor?.(entry)
    return properties === undefined || properties === this.facts.properties
      ? this.facts
      : { ...this.facts, properties }
  }

  private matchCohort(id: Json | undefined): Match {
    if (typeof id !== 'string' && !isJsonNumber(id)) return undecided('a cohort has no id')
    const name = String(id)
    const decided = this.decided.get(name)
    if (decided !== undefined) return decided
    this.decided.set(name, undecided(`the cohort ${name} refers back to itself`))
    const cohort = Object.hasOwn(this.facts.cohorts, name) ? this.facts.cohorts[name] : undefined
    const match = isJsonObject(cohort)
      ? this.matchGroup(cohort)
      : undecided(`the cohort ${quoted(name)} is unknown`)
    this.decided.set(name, match)
    return match
  }

  /** An empty group matches everybody. */
  private matchGroup({ type, values }: JsonObject): Match {
    if (isEmptyJson(values)) return true
    if (!isJsonArray(values)) return undecided('a cohort has no list of values')
    if (type === 'AND') return allOf(values, entry => this.matchMember(entry, 'AND'))
    return opposite(allOf(values, entry => opposite(this.matchMember(entry, 'OR'))))
  }

  /** If unknown counts as not met, it fails in a group of AND, and holds in a negated one of OR. */
  private matchMember(entry: Json, within: 'AND' | 'OR'): Match {
    const match = this.matchEntry(entry)
    const counts = this.facts.rules?.cohort_doubts === 'nobody' && isUndecided(match) && isJsonObject(entry)
    if (!counts || entry.type === 'cohort') return match
    const isTurned = entry.negation === true
    return (within === 'OR') === isTurned ? isTurned : match
  }
}
