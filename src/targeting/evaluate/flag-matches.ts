import { isJsonArray, type Json, type JsonObject } from '../../model/json/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { quoted } from '../describe/value-words.ts'
import { flagNames } from '../flag-names.ts'
import { operatorOf } from '../operators.ts'
import type { EvaluatedFlag, KnownFlags } from './known-flags.ts'
import { type Match, undecided } from './match.ts'

/** Matches a property that names another flag. */
export type MatchFlag = (property: JsonObject) => Match

interface Outcome {
  readonly value: boolean | string
  readonly undecided?: string
}

export interface FlagMatching {
  readonly flags: KnownFlags | undefined
  /** True where these are all the flags there are. */
  readonly isComplete: boolean
  readonly rules: EvaluationRules
  /** Works out one flag, whose own conditions may name others. */
  readonly decide: (flag: EvaluatedFlag, matchFlag: MatchFlag) => Outcome
}

/**
 * How the properties of filters that name other flags match. Each of those flags is worked out once, after those
 * that it waits for.
 *
 * | the flag that is named        | matches                                                        |
 * |-------------------------------|----------------------------------------------------------------|
 * | gives the person a value      | `true`: any but false; `false`: false; a text: that variant    |
 * | is off                        | as one that gives false                                        |
 * | is not there                  | nobody, not even turned around; undecided outside the service  |
 * | waits for the one that asks   | nobody, not even turned around                                 |
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
      // Cohorts are not looked through for flags: what only they name has not been worked out.
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

/** A text is the key of a variant, even when it reads "true". */
function isExpected(value: boolean | string, expected: Json): boolean {
  return expected === true ? value !== false : value === expected
}
