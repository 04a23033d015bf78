import type { JsonObject } from '../../model/json/json.ts'
import type { LockOwner } from '../apply/lock/lock.ts'
import type { DeclaredDigests } from './declared.ts'
import { entryOutcome, type ObjectOutcome, outcomeCounts, type RunRecord } from './run.ts'
import { listRuns, type RunReading, readRun } from './run-folder.ts'
import { recordToJson } from './run-json.ts'

/**
 * How a run ended.
 *
 * | state      | means                                                                                  |
 * |------------|----------------------------------------------------------------------------------------|
 * | complete   | it went through to its end, whatever came of its changes                               |
 * | stopped    | it was told to stop, or its journal failed, and it left a record                       |
 * | cut_off    | it left a journal and no record: it was killed, or is still under way elsewhere        |
 * | under_way  | it has a journal and no record, and the process that holds its lock runs               |
 * | unreadable | its record or journal says nothing                                                     |
 */
const runStates = ['complete', 'stopped', 'cut_off', 'under_way', 'unreadable'] as const
export type RunState = (typeof runStates)[number]

/** A run, and how it ended. */
export interface ToldRun {
  readonly reading: RunReading
  readonly state: RunState
}

export interface HistoryChoice {
  readonly limit: number
  readonly environment?: string
}

const historyFormat = '1.0'

/** The newest runs, the newest first; only as many are read as are wanted. */
export async function readHistory(
  directory: string,
  { limit, environment }: HistoryChoice,
): Promise<RunReading[]> {
  const found: RunReading[] = []
  for (const file of await listRuns(directory)) {
    if (found.length >= limit) break
    const reading = await readRun(file)
    // What cannot be read may have been for any of them.
    const isMeant = environment === undefined || 'unreadable' in reading
    if (isMeant || reading.record.environment === environment) found.push(reading)
  }
  return found
}

/** `holder`: whoever holds the lock of its target and is known to run. A lock has one holder at a time. */
export function stateOf(reading: RunReading, holder: Pick<LockOwner, 'since'> | undefined): RunState {
  if ('unreadable' in reading) return 'unreadable'
  if (reading.file.isJournal) {
    return holder && reading.record.startedAt >= holder.since ? 'under_way' : 'cut_off'
  }
  return reading.record.isComplete ? 'complete' : 'stopped'
}

/** How each object came out of a run: what it was asked for and neither changed nor left out, was as declared. */
export function outcomesOf(
  { entries, blocked, held = [], notTargeted }: RunRecord,
  declared: DeclaredDigests = {},
): Readonly<Record<string, ObjectOutcome>> {
  return {
    ...Object.fromEntries(Object.keys(declared).map(address => [address, 'unchanged' as const])),
    ...Object.fromEntries(notTargeted.map(address => [address, 'not_targeted' as const])),
    ...Object.fromEntries(held.map(({ address }) => [address, 'held' as const])),
    ...Object.fromEntries(blocked.map(({ address }) => [address, 'blocked' as const])),
    ...Object.fromEntries(entries.map(entry => [entry.change.address, entryOutcome(entry)])),
  }
}

/** What `vexil history --json` prints. */
export function historyDocument(
  runs: readonly ToldRun[],
  objects?: Readonly<Record<string, ObjectOutcome>>,
): JsonObject {
  return {
    format_version: historyFormat,
    runs: runs.map(run => ({ ...runJson(run), ...(objects === undefined ? {} : { objects }) })),
  }
}

/** What is seldom is counted only where there is any. */
function countsJson(record: RunRecord): JsonObject {
  const { pending, held, ...counts } = outcomeCounts(record)
  return { ...counts, ...(held > 0 ? { held } : {}), ...(pending > 0 ? { pending } : {}) }
}

function runJson({ reading, state }: ToldRun): JsonObject {
  const { file } = reading
  const about = { run: file.run, state, path: file.path }
  if ('unreadable' in reading) return { ...about, reason: reading.unreadable }
  const record = recordToJson(reading.record)
  const { command, environment, target, commit, dirty, who, reason, started_at, finished_at, undoes, held } =
    record
  const known = Object.entries({
    command,
    environment,
    target,
    commit,
    dirty,
    who,
    reason,
    started_at,
    finished_at,
    undoes,
    held,
  })
  return {
    ...about,
    ...Object.fromEntries(known.filter(([, value]) => value !== undefined)),
    counts: countsJson(reading.record),
  }
}
