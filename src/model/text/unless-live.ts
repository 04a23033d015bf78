import type { Problem } from '../problem.ts'

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
