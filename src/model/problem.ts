import type { Json, JsonObject } from './text/json.ts'

/** A position in a file that a person wrote. Lines and columns count from 1. */
export interface Source {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A problem in user input. It is data, so that all problems can be shown at once. */
export interface Problem {
  /** A stable code, such as `unknown-key`. */
  readonly code: string
  readonly severity: 'error' | 'warning'
  /** The problem, on one line in lower case, with quoted values. */
  readonly message: string
  /** The remedy. */
  readonly hint?: string
  /**
   * The message without hidden values, for cases in which removing quoted parts is not enough. It replaces
   * the message.
   */
  readonly hidden?: string
  readonly source?: Source
  /** The problem concerns the whole file, so its source is only the start of the file. */
  readonly isOfWholeFile?: true
  /** The address of the affected object: `feature_flag.checkout_v2`. */
  readonly address?: string
  /** A warning that becomes an error in a plan, unless the live object already has the same problem. */
  readonly conditional?: true
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(problem => problem.severity === 'error')
}

/** Makes an error a conditional warning: the live objects are still unknown. The plan decides. */
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

/** The sentence that explains such a warning. */
export const unlessLiveText = 'a plan accepts this only if the live object already has it'

/** Where a value comes from: the declaration, an override for the environment, a default, or an audience. */
export type ValueSource = 'declaration' | 'override' | 'default' | 'audience'

/** A written value of a declared object, and its position. */
export interface ShownLeaf {
  /** From the object: `/release/rest/rollout_percentage`. Values of an audience are below its name. */
  readonly pointer: string
  /** A value from an environment variable is shown as its reference. */
  readonly value: Json
  readonly source: Source
  readonly by: ValueSource
  /** The audience that contains the value. */
  readonly audience?: string
}

/** A declared object for one environment, with the position of each of its values. */
export interface ShownObject {
  readonly address: string
  readonly kind: string
  /** Its section in the file, and its name there. */
  readonly section: string
  readonly name: string
  readonly environment?: string
  readonly source: Source
  readonly value: JsonObject
  readonly leaves: readonly ShownLeaf[]
}
