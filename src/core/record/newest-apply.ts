import { isSameTarget, isSandbox, type Target } from '../target.ts'
import type { RunCommit, RunRecord } from './run.ts'
import { listRunsThere, readRun, type UnreadFile } from './run-folder.ts'

/** An apply that went through to its end, of a known commit. */
export interface CommittedApply extends RunRecord {
  readonly revision: RunCommit
}

export interface NewestApply {
  /** Undefined where there is none. */
  readonly apply: CommittedApply | undefined
  /** Records that are newer than it and cannot be read, the newest first. */
  readonly unread: readonly UnreadFile[]
}

/** So many of the newest runs are looked through; others may be for other places. */
const mostRead = 200

/** The newest apply of a target whose commit is on record. */
export async function newestApply(directory: string, target: Target): Promise<NewestApply> {
  const unread: UnreadFile[] = []
  for await (const found of appliesIn(directory)) {
    if ('unreadable' in found) {
      unread.push(found)
      continue
    }
    const { revision } = found
    if (revision && isSameTarget(found.target, target)) return { apply: { ...found, revision }, unread }
  }
  return { apply: undefined, unread }
}

/** The newest apply of an environment, whatever place it had then; those of the sandbox are of none. */
export async function newestApplyOf(directory: string, environment: string): Promise<RunRecord | undefined> {
  for await (const found of appliesIn(directory)) {
    if (!('unreadable' in found) && found.environment === environment && !isSandbox(found.target))
      return found
  }
  return undefined
}

/** Applies that went through to their end, the newest first, with the records among them that cannot be read. */
async function* appliesIn(directory: string): AsyncGenerator<RunRecord | UnreadFile> {
  const { listed, unread } = await listRunsThere(directory)
  yield* unread
  for (const file of listed.filter(({ isJournal }) => !isJournal).slice(0, mostRead)) {
    const reading = await readRun(file)
    if (!('record' in reading)) yield { path: file.path, unreadable: reading.unreadable }
    else if (reading.record.command === 'apply' && reading.record.isComplete) yield reading.record
  }
}
