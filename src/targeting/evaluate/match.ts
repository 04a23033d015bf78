import type { Json } from '../../model/json/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'

/** A property of somebody, and the value of a condition that it is compared with. */
export interface Compared {
  readonly key: string
  readonly known: Json
  readonly value: Json
  /** Milliseconds since 1970. */
  readonly now: number
  readonly rules: EvaluationRules
  /** How far the time zone of the project is ahead of UTC; undefined if it is not known. */
  readonly zoneOffsetMinutes: number | undefined
}

/**
 * Whether something matches, or why only the service can decide: it knows more about the person, or the
 * operator, pattern or date is not evaluated here.
 */
export type Match = boolean | Undecided

export interface Undecided {
  readonly undecided: string
}

export function undecided(why: string): Undecided {
  return { undecided: why }
}

export function isUndecided(match: Match | object): match is Undecided {
  return typeof match === 'object' && 'undecided' in match
}

export function opposite(match: Match): Match {
  return isUndecided(match) ? match : !match
}

/** The first that fails or is undecided decides; the others do not matter. */
export function inTurn<Entry>(entries: readonly Entry[], match: (entry: Entry) => Match): Match {
  for (const entry of entries) {
    const one = match(entry)
    if (one !== true) return one
  }
  return true
}

/** The first that fails decides, even if others are unknown; otherwise the first that is undecided. */
export function allOf<Entry>(entries: readonly Entry[], match: (entry: Entry) => Match): Match {
  let all: Match = true
  for (const entry of entries) {
    const one = match(entry)
    if (one === false) return false
    if (all === true) all = one
  }
  return all
}
