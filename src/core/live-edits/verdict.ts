import type { Relation } from './lineage.ts'

/** What became of one declared field, by the three values that decide: base, declared and live. */
export type Verdict =
  | 'unchanged'
  | 'repository_changed'
  | 'live_changed'
  | 'both_the_same'
  | 'conflict'
  /** Another line has declared what is live, and this one has not taken part in that. */
  | 'behind'
  /** Without a base declared and live are compared, and nobody can tell which of them changed. */
  | 'two_way'

/** Digests of the canonical forms of one field. */
export interface Three {
  /** Undefined where nothing is known. */
  readonly base: string | undefined
  readonly declared: string
  readonly live: string
}

/**
 * The verdict on one field.
 *
 * | base = declared | base = live | declared = live | verdict              |
 * |-----------------|-------------|-----------------|----------------------|
 * | yes             | yes         | yes             | `unchanged`          |
 * | no              | yes         | no              | `repository_changed` |
 * | yes             | no          | no              | `live_changed`       |
 * | no              | no          | yes             | `both_the_same`      |
 * | no              | no          | no              | `conflict`           |
 * | no base         |             | yes             | `unchanged`          |
 * | no base         |             | no              | `two_way`            |
 */
export function verdictOf({ base, declared, live }: Three): Exclude<Verdict, 'behind'> {
  if (base === undefined) return declared === live ? 'unchanged' : 'two_way'
  if (declared === live) return base === live ? 'unchanged' : 'both_the_same'
  if (base === live) return 'repository_changed'
  return base === declared ? 'live_changed' : 'conflict'
}

/** How the base of a field stands to the commit that is planned. */
export interface Standing {
  readonly relation: Relation
  /** Whether the planned line declares the field as it was where a diverged line parted from it. */
  readonly isAsAtFork?: boolean
  /** Of a missing commit: whether the planned line has declared the field as the base has it before. */
  readonly wasDeclared?: boolean
}

/**
 * Whether what is declared is older than the base: then a difference is no wish of the repository, and applying it would
 * take back what another commit has brought.
 *
 * | the commit of the base | and the planned line                             | behind |
 * |------------------------|--------------------------------------------------|--------|
 * | same, ancestor         |                                                  | no     |
 * | descendant             |                                                  | yes    |
 * | diverged               | has left the field as it was where they parted   | yes    |
 * | diverged               | has changed the field as well                    | no     |
 * | missing                | has declared the field so before                 | no     |
 * | missing                | has never declared it so                         | yes    |
 * | missing, unknown       | cannot be looked at                              | no     |
 */
export function isBehind({ relation, isAsAtFork, wasDeclared }: Standing): boolean {
  switch (relation) {
    case 'same':
    case 'ancestor':
    case 'unknown':
      return false
    case 'descendant':
      return true
    case 'diverged':
      return isAsAtFork === true
    case 'missing':
      return wasDeclared === false
  }
}
