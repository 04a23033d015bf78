import { relative } from 'node:path'
import { clockTolerance } from '../../core/live-edits/authors.ts'
import type { LiveEdit } from '../../core/live-edits/live-edit.ts'
import { type NewestApply, newestApply } from '../../core/record/history.ts'
import type { PlanMeta } from '../../core/record/plan-file.ts'
import type { UnreadFile } from '../../core/record/run-folder.ts'
import { type AskAncestry, rememberingAncestry } from '../../git/commits.ts'
import { durationText } from '../../model/text/duration-text.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { shortCommit } from './past-declarations.ts'

interface Planned extends Pick<PlanMeta, 'target' | 'commit' | 'dirty'> {
  readonly directory: string
  /** What the plan leaves as another commit declared it. */
  readonly liveEdits: readonly LiveEdit[]
  /** How commits stand to the one that is planned, where the plan has asked already. */
  readonly askAncestry?: AskAncestry | undefined
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
 * So is what was planned where something is live by a commit that leads to it: a pipeline that was late may have been the
 * newest apply since, and have known nothing of that commit. Where somebody has allowed that apply, it is the newest.
 *
 * A dirty folder is no older state: somebody works in it, and knows.
 */
export async function olderCommit(host: Pick<Host, 'env'>, planned: Planned): Promise<string | undefined> {
  return isOfCleanCommit(planned)
    ? olderThan(host, planned, await newestApply(planned.directory, planned.target))
    : undefined
}

/** Says that what is planned is older than what was applied, and ends an apply that nobody has allowed. */
export async function refuseOlder(
  { env, log }: Pick<Host, 'env' | 'log'>,
  planned: Planned,
  { allowed, isSaved = false }: Pick<PlanMeta, 'allowed'> & { readonly isSaved?: boolean },
): Promise<void> {
  if (!isOfCleanCommit(planned)) return
  const newest = await newestApply(planned.directory, planned.target)
  // The plan has just printed the notes about all records.
  const unread = isSaved ? unreadNote(planned.directory, newest.unread) : undefined
  if (unread !== undefined) log.warn(unread)
  const words = await olderThan({ env }, planned, newest)
  if (words === undefined) return
  if (!allowed?.includes('older_commit')) throw new CommandError(words, exitCode.stale)
  log.warn(words)
}

function isOfCleanCommit<Some extends Planned>(planned: Some): planned is Some & { readonly commit: string } {
  return planned.commit !== undefined && planned.dirty === false
}

async function olderThan(
  { env }: Pick<Host, 'env'>,
  { directory, commit, liveEdits, askAncestry }: Planned & { readonly commit: string },
  { apply: newest }: NewestApply,
): Promise<string | undefined> {
  if (!newest) return undefined
  const isAllowedSince = newest.revision.commit === commit && newest.allowed?.includes('older_commit')
  if (isAllowedSince) return undefined
  const live = liveEdits.flatMap(({ fields }) => fields.flatMap(field => field.commit ?? []))
  const ask = askAncestry ?? rememberingAncestry({ directory, env }, commit)
  const { relationOf } = await ask([newest.revision.commit, ...live])
  const newer = [newest.revision.commit, ...live].find(each => relationOf(each) === 'descendant')
  if (newer === undefined) return undefined
  const run = newer === newest.revision.commit ? `run ${newest.run}` : 'an earlier run'
  return `older_commit: ${shortCommit(commit)} is older than ${shortCommit(newer)}, which ${run} applied here; apply that one or a newer one, or --allow older_commit`
}

/**
 * What of the records is there and says nothing, in one line with what to do; undefined where all of them can be read.
 * Nobody is held up by it, and nobody takes it for a folder without runs.
 */
export function unreadNote(directory: string, unread: readonly UnreadFile[]): string | undefined {
  if (unread.length === 0) return undefined
  return `${unreadText(directory, unread)}, so what it tells is not known; bring it back as it was, or move it away`
}

/** `".vexil/runs/RUN.json": it is no record of a run: ...`, and how many more there are. */
export function unreadText(directory: string, [first, ...more]: readonly UnreadFile[]): string {
  if (!first) return ''
  const others = more.length === 0 ? '' : ` (and ${more.length} more like it)`
  return `"${relative(directory, first.path)}"${others}: ${first.unreadable}`
}

/** What is to be known of a run that ended later than it is now; undefined of any other. */
export function futureNote(
  { run, at }: { readonly run: string; readonly at: number },
  now: number,
): string | undefined {
  if (at <= now + clockTolerance) return undefined
  return `run ${run} is from the future: it ended ${durationText(at - now)} from now by the clock of its machine; that clock or the one here is wrong, and runs are taken in the order in which they knew of each other`
}
