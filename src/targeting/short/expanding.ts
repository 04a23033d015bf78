import type { FilterProblem } from '../check/filter-problem.ts'
import type { AudiencePart, ShortContext, UsedName } from './short-context.ts'

/** What comes to light while a short form is expanded. */
export interface Expanding {
  /** Where each part of the filters is said; undefined where nobody asks. */
  readonly places: Map<string, string> | undefined
  readonly problems: FilterProblem[]
  readonly audiences: (UsedAudience & { readonly isBroken: boolean })[]
  readonly names: UsedName[]
  readonly context: ShortContext
}

/** The audience of a condition. */
export interface UsedAudience {
  readonly name: string
  /** Which condition it is, from 0 on. */
  readonly condition: number
  /** How many properties it has; the condition's own come after them. */
  readonly properties: number
  readonly parts: readonly AudiencePart[]
}

export function newExpanding(context: ShortContext, places?: Map<string, string>): Expanding {
  return { places, problems: [], audiences: [], names: [], context }
}
