import { relative } from 'node:path'
import { clockTolerance } from '../../core/live-edits/authors.ts'
import type { UnreadFile } from '../../core/record/run-folder.ts'
import { durationText } from '../../model/text/duration-text.ts'

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
