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
  /** What to do about it. */
  readonly hint?: string
  /** The message without hidden values, where that takes more than to leave out what is quoted; shown to nobody beside it. */
  readonly hidden?: string
  readonly source?: Source
  /** It is about the whole file, and its source only the beginning of that. */
  readonly isOfWholeFile?: true
  /** What the problem is about: `feature_flag.checkout_v2`. */
  readonly address?: string
  /** A warning that a plan turns into an error, unless the live object is like this already. */
  readonly conditional?: true
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(problem => problem.severity === 'error')
}

/** An error as it is told while nobody knows what is live: the plan knows, and decides. */
export function unlessLive<Told extends Pick<Problem, 'hint'>>(
  problem: Told,
): Told & { readonly severity: 'warning'; readonly hint: string; readonly conditional: true } {
  const { hint } = problem
  return {
    ...problem,
    severity: 'warning',
    hint: `${hint === undefined ? '' : `${hint}; `}${unlessLiveText}`,
    conditional: true,
  }
}

/** What a plan does with it. */
export const unlessLiveText = 'a plan takes this only where it is live already'
