/**
 * How a commit on record stands to the commit that is planned.
 *
 * | relation     | the recorded commit                                                              |
 * |--------------|----------------------------------------------------------------------------------|
 * | `same`       | is the one that is planned                                                       |
 * | `ancestor`   | is part of the history that is planned                                           |
 * | `descendant` | is newer: the commit that is planned is part of its history                      |
 * | `diverged`   | is on another line                                                               |
 * | `missing`    | is not in this clone, which is whole: it was not fetched, or squashed and pruned |
 * | `unknown`    | cannot be told: a shallow clone, no git, no commit on record                     |
 */
export type Relation = 'same' | 'ancestor' | 'descendant' | 'diverged' | 'missing' | 'unknown'

/** What git tells of commits on record. All of it was read before a plan is made: a plan reads nothing. */
export interface Lineage {
  relationOf(commit: string | undefined): Relation
  /**
   * The digest of a field where the two lines of a diverged commit part; undefined where it was not declared there, or
   * cannot be told.
   */
  digestAtFork(commit: string, address: string, field: string): string | undefined
  /**
   * Whether the history that is planned declared a field with this digest before; undefined where that cannot be told.
   * Asked where the commit on record is missing. With `since`, only what came after that commit counts: the repository has
   * taken over what is live since then.
   */
  wasDeclared(address: string, field: string, digest: string, since?: string): boolean | undefined
}

/** Where git tells nothing. */
export const noLineage: Lineage = {
  relationOf: () => 'unknown',
  digestAtFork: () => undefined,
  wasDeclared: () => undefined,
}
