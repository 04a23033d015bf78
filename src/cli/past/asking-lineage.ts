import type { Lineage } from '../../core/live-edits/lineage.ts'
import type { Ancestry } from '../../git/commits.ts'

/** A field, and what it may have been declared as. */
export interface AskedField {
  readonly address: string
  readonly field: string
  readonly digest: string
  /** Only in commits after this one. */
  readonly since?: string
}

/** What a plan has asked of the history of its repository. */
export interface Asked {
  /** Commits on record of which it was asked how they stand to the one that is planned. */
  readonly relations: ReadonlySet<string>
  /** Diverged commits of which it was asked what was declared where the lines part. */
  readonly forks: ReadonlySet<string>
  readonly declared: readonly AskedField[]
}

/**
 * A lineage that tells how commits stand to one another, and notes what else it is asked for. A plan is pure, so it can
 * be made once to see what it needs, and again with that: mostly it needs nothing more.
 */
export function askingLineage({ relationOf }: Ancestry): {
  readonly lineage: Lineage
  readonly asked: Asked
} {
  const relations = new Set<string>()
  const forks = new Set<string>()
  const declared: AskedField[] = []
  return {
    asked: { relations, forks, declared },
    lineage: {
      relationOf(commit) {
        if (commit === undefined) return 'unknown'
        relations.add(commit)
        return relationOf(commit)
      },
      digestAtFork(commit) {
        forks.add(commit)
        return undefined
      },
      wasDeclared(address, field, digest, since) {
        declared.push({ address, field, digest, ...(since === undefined ? {} : { since }) })
        return undefined
      },
    },
  }
}
