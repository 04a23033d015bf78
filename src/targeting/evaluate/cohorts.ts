import {
  isEmptyJson,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../model/json/json.ts'
import { quoted } from '../describe/value-words.ts'
import { documentedRules, type Facts, matchProperty, membershipOf, operatorOf } from '../operators.ts'
import type { MatchFlag } from './known-flags.ts'
import { allOf, inTurn, isUndecided, type Match, opposite, undecided } from './match.ts'

/** What is known, with the cohorts that conditions may name. */
export interface CohortFacts extends Facts {
  /** Cohorts by id, as `local_evaluation` carries them: `{ type: 'AND' | 'OR', values: [...] }`, nested. */
  readonly cohorts: JsonObject
  /** How properties match that name other flags; undecided if nothing is known about those. */
  readonly matchFlag?: MatchFlag
  /** Where a property of a different kind is looked up; undefined if it is with all others. */
  readonly propertiesFor?: (entry: JsonObject) => JsonObject | undefined
}

/** Matches all properties of one condition: the first that fails decides, whatever is not known about the others. */
export function matchProperties(properties: readonly Json[], facts: CohortFacts): Match {
  const matches = new CohortMatches(facts)
  const all = facts.rules?.doubts === 'ends' ? inTurn : allOf
  return all(properties, property => matches.matchOwn(property))
}

/**
 * Cohorts refer to each other. Each is matched once, however often it is named. A cohort that refers back to
 * itself is undecided, not endless.
 */
class CohortMatches {
  private readonly facts: CohortFacts
  private readonly decided = new Map<string, Match>()

  constructor(facts: CohortFacts) {
    this.facts = facts
  }

  /** A property of the condition itself: inside cohorts, everybody obeys negation. */
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
    if (!isJsonObject(entry)) return undecided('a property of the condition is no object')
    if (isJsonArray(entry.values)) return this.matchGroup(entry)
    if (entry.type === 'flag')
      return this.facts.matchFlag?.(entry) ?? undecided('nothing is known here of other flags')
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
        return undecided('what people did is known to the service alone')
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
    this.decided.set(name, undecided(`the cohort ${name} leads back to itself`))
    const cohort = Object.hasOwn(this.facts.cohorts, name) ? this.facts.cohorts[name] : undefined
    const match = isJsonObject(cohort)
      ? this.matchGroup(cohort)
      : undecided(`the cohort ${quoted(name)} is not known here`)
    this.decided.set(name, match)
    return match
  }

  /** An empty group is no restriction. */
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
