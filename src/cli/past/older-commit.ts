import { newestApply } from '../../core/record/newest-apply.ts'
import type { PlanMeta } from '../../core/record/plan-file.ts'
import { readAncestry } from '../../git/ancestry.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { shortCommit } from './past-notes.ts'

interface Planned extends Pick<PlanMeta, 'target' | 'commit' | 'dirty'> {
  readonly directory: string
}

/**
 * Whether the commit that is planned is older than the one that was applied last to the same place: one line of what is
 * older than what, with what to do.
 *
 * | the commit of the newest apply on record           | and what is planned | older |
 * |----------------------------------------------------|---------------------|-------|
 * | leads to the one that is planned                   | is as committed     | yes   |
 * | leads to it                                        | has local changes   | no    |
 * | is the same, before it, on another line            |                     | no    |
 * | is not in this clone, or nobody can tell           |                     | no    |
 * | there is none                                      |                     | no    |
 *
 * A dirty folder is no older state: somebody works in it, and knows.
 */
export async function olderCommit(
  { env }: Pick<Host, 'env'>,
  { directory, target, commit, dirty }: Planned,
): Promise<string | undefined> {
  if (commit === undefined || dirty !== false) return undefined
  const newest = await newestApply(directory, target)
  if (!newest || newest.revision.commit === commit) return undefined
  const newer = newest.revision.commit
  const { relationOf } = await readAncestry({ directory, env }, commit, [newer])
  if (relationOf(newer) !== 'descendant') return undefined
  return `older_commit: ${shortCommit(commit)} is older than ${shortCommit(newer)}, which run ${newest.run} applied here; apply that one or a newer one, or --allow older_commit`
}

/** Says that what is planned is older than what was applied, and ends an apply that nobody has allowed. */
export async function refuseOlder(
  host: Pick<Host, 'env' | 'stderr'>,
  planned: Planned,
  allowed: PlanMeta['allowed'],
): Promise<void> {
  const words = await olderCommit(host, planned)
  if (words === undefined) return
  if (!allowed?.includes('older_commit')) throw new CommandError(words, exitCode.stale)
  host.stderr.write(`${words}\n`)
}
