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
