import type { Json, JsonObject } from '../model/json.ts'
import { type EvaluatedFlag, flagNames, type KnownFlags } from './known-flags.ts'
import { type Match, operatorOf } from './operators.ts'

/** Matches a property that names another flag. */
export type MatchFlag = (property: JsonObject) => Match

interface Outcome {
  readonly value: boolean | string
  readonly undecided?: true
}

export interface FlagMatching {
  readonly flags: KnownFlags | undefined
  /** True where these are all the flags there are. */
  readonly isComplete: boolean
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
  const { flags, isComplete, decide } = matching
  if (!flags) return () => 'undecided'
  const outcomes = new Map<EvaluatedFlag, Outcome>()
  const matchFor =
    (waiting: string | undefined): MatchFlag =>
    property => {
      const { key, negation, value = null } = property
      if (typeof key !== 'string' || operatorOf(property) !== 'flag_evaluates_to') return 'undecided'
      const other = flags.find(key)
      if (!other) return isComplete ? false : 'undecided'
      if (waiting !== undefined && flags.isCircular(waiting, other)) return false
      const outcome = outcomes.get(other)
      // Cohorts are not looked through for flags: what only they name has not been worked out.
      if (!outcome || outcome.undecided) return 'undecided'
      return isExpected(outcome.value, value) !== (negation === true)
    }
  for (const flag of flags.inOrder(flagNames(filters))) outcomes.set(flag, decide(flag, matchFor(flag.key)))
  return matchFor(asking)
}

/** A text is the key of a variant, even when it reads "true". */
function isExpected(value: boolean | string, expected: Json): boolean {
  return expected === true ? value !== false : value === expected
}
