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
  /** The live edits of the plan. A field that is behind has the commit of its live value. */
  readonly liveEdits: readonly LiveEdit[]
  /** Finds how commits are related to the planned one, if the plan has asked already. */
  readonly askAncestry?: AskAncestry | undefined
}

/**
 * Whether the planned commit is older than the commit that was last applied to the same place. If so, one
 * line shows both commits and what to do.
 *
 * | the commit of the newest recorded apply          | planned folder    | older |
 * |--------------------------------------------------|-------------------|-------|
 * | is a descendant of the planned commit            | is as committed   | yes   |
 * | is a descendant of it                            | has local changes | no    |
 * | is the same, an ancestor, or on another line     |                   | no    |
 * | is not in this clone, or its relation is unknown |                   | no    |
 * | does not exist                                   |                   | no    |
 *
 * The planned commit is also older if a live value is from a descendant of it: a late pipeline may have
 * applied since, without that commit. If a person allowed that late apply, its commit counts as the newest.
 *
 * A folder with local changes is never older: the person who works in it knows its state.
 */
export async function olderCommit(host: Pick<Host, 'env'>, planned: Planned): Promise<string | undefined> {
  return isOfCleanCommit(planned)
    ? olderThan(host, planned, await newestApply(planned.directory, planned.target))
    : undefined
}

/** Warns that the planned commit is older than the applied one; without `--allow`, ends the apply. */
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
 * One line about the records that cannot be read, with what to do; undefined if all can be read. They stop
 * no command, but the folder must not look as if it had no runs.
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

/** A note about a run whose end is in the future by the clock here; undefined for any other run. */
export function futureNote(
  { run, at }: { readonly run: string; readonly at: number },
  now: number,
): string | undefined {
  if (at <= now + clockTolerance) return undefined
  return `run ${run} is from the future: it ended ${durationText(at - now)} from now by the clock of its machine; that clock or the one here is wrong, and runs are taken in the order in which they knew of each other`
}
