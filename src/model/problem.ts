import type { Json, JsonObject } from './text/json.ts'

/** A place in a file a person wrote. Lines and columns count from 1. */
export interface Source {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A problem in what a person wrote: data, so that all of them can be shown at once. */
export interface Problem {
  /** A stable name, such as `unknown-key`. */
  readonly code: string
  readonly severity: 'error' | 'warning'
  /** One line, lower case, values quoted: what is wrong. */
  readonly message: string
  /** The remedy. */
  readonly hint?: string
  /** The message without hidden values, if removing quoted parts is not enough; never shown beside it. */
  readonly hidden?: string
  readonly source?: Source
  /** It is about the whole file; its source is only the beginning. */
  readonly isOfWholeFile?: true
  /** The address of its object: `feature_flag.checkout_v2`. */
  readonly address?: string
  /** A warning that a plan turns into an error, unless the live object is like this already. */
  readonly conditional?: true
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(problem => problem.severity === 'error')
}

/** An error as it is reported before the live objects are known: the plan knows them, and decides. */
export function unlessLive<Found extends Pick<Problem, 'hint'>>(
  problem: Found,
): Found & { readonly severity: 'warning'; readonly hint: string; readonly conditional: true } {
  const { hint } = problem
  return {
    ...problem,
    severity: 'warning',
    hint: `${hint === undefined ? '' : `${hint}; `}${unlessLiveText}`,
    conditional: true,
  }
}

/** The decision of a plan about it. */
export const unlessLiveText = 'a plan takes this only where it is live already'

/** Where a value is defined: the declaration, an override for the environment, a default, or an audience. */
export type ValueSource = 'declaration' | 'override' | 'default' | 'audience'

/** A value of a declared object, as written, and its place. */
export interface ShownLeaf {
  /** From the object on: `/release/rest/rollout_percentage`. The values of an audience are below its name. */
  readonly pointer: string
  /** A text from an environment variable is shown as its reference. */
  readonly value: Json
  readonly source: Source
  readonly by: ValueSource
  /** The audience that defines it. */
  readonly audience?: string
}

/** An object as it is declared for one environment, with the place of each of its values. */
export interface ShownObject {
  readonly address: string
  readonly kind: string
  /** Its section in a file, and its name there. */
  readonly section: string
  readonly name: string
  readonly environment?: string
  readonly source: Source
  readonly value: JsonObject
  readonly leaves: readonly ShownLeaf[]
}
