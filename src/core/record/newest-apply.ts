import { isSameTarget, type Target } from '../target.ts'
import type { RunCommit, RunRecord } from './run.ts'
import { listRuns, readRun } from './run-folder.ts'

/** An apply that went through to its end, of a known commit. */
export interface CommittedApply extends RunRecord {
  readonly revision: RunCommit
}

/** So many of the newest runs are looked through; others may be for other places. */
const mostRead = 200

/** The newest apply of a target whose commit is on record; undefined where there is none. What cannot be read is none. */
export async function newestApply(directory: string, target: Target): Promise<CommittedApply | undefined> {
  const files = await listRuns(directory).catch(() => [])
  for (const file of files.filter(({ isJournal }) => !isJournal).slice(0, mostRead)) {
    const reading = await readRun(file)
    if (!('record' in reading)) continue
    const { record } = reading
    const { revision, command, isComplete } = record
    if (command !== 'apply' || !isComplete || !revision) continue
    if (isSameTarget(record.target, target)) return { ...record, revision }
  }
  return undefined
}
