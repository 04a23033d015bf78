/** Since when something is as it is, and from where that is known. */
export interface Since {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly from: 'commit' | 'run' | 'trail'
  /** The commit, or the run. */
  readonly name?: string
  /** Whether it may have been so before: what is older is not known. */
  readonly isAtLeast: boolean
}

/**
 * The later of what git and records of runs tell.
 *
 * | git tells of      | records tell of             | since                                       |
 * |-------------------|-----------------------------|---------------------------------------------|
 * | a commit          | a run that changed it       | the later one                               |
 * | a commit          | no run that changed it      | the commit                                  |
 * | nothing           | a run that changed it       | the run                                     |
 * | nothing           | runs that found it so       | at least the oldest of them                 |
 * | nothing           | nothing                     | not known                                   |
 */
export function laterOf(commit: Since | undefined, run: Since | undefined): Since | undefined {
  if (!commit || !run) return commit ?? run
  return run.isAtLeast || commit.at >= run.at ? commit : run
}

/** Whole days from one time to another. */
export function daysBetween(from: number, to: number): number {
  return Math.floor((to - from) / dayMs)
}

export const dayMs = 86_400_000
