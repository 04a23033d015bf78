import { isSameTarget, isSandbox, type Target } from '../target.ts'
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
  for await (const record of appliesIn(directory)) {
    const { revision } = record
    if (revision && isSameTarget(record.target, target)) return { ...record, revision }
  }
  return undefined
}

/** The newest apply of an environment, whatever place it had then; those of the sandbox are of none. */
export async function newestApplyOf(directory: string, environment: string): Promise<RunRecord | undefined> {
  for await (const record of appliesIn(directory)) {
    if (record.environment === environment && !isSandbox(record.target)) return record
  }
  return undefined
}

/** Applies that went through to their end, the newest first. */
async function* appliesIn(directory: string): AsyncGenerator<RunRecord> {
  const files = await listRuns(directory).catch(() => [])
  for (const file of files.filter(({ isJournal }) => !isJournal).slice(0, mostRead)) {
    const reading = await readRun(file)
    if ('record' in reading && reading.record.command === 'apply' && reading.record.isComplete)
      yield reading.record
  }
}
