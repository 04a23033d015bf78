import type { JsonObject } from '../../model/json.ts'
import type { DeclaredDigests } from './declared.ts'
import { type ObjectOutcome, outcomeCounts, type RunRecord } from './run.ts'
import { listRuns, type RunReading, readRun } from './run-folder.ts'
import { recordToJson } from './run-json.ts'

/**
 * How a run ended.
 *
 * | state      | means                                                                                  |
 * |------------|----------------------------------------------------------------------------------------|
 * | complete   | it went through to its end, whatever came of its changes                               |
 * | stopped    | it was told to stop, or its journal failed, and it left a record                       |
 * | cut_off    | it left a journal and no record: it was killed, or is still under way                  |
 * | unreadable | its record or journal says nothing                                                     |
 */
export type RunState = 'complete' | 'stopped' | 'cut_off' | 'unreadable'

export interface HistoryChoice {
  readonly limit: number
  readonly environment?: string
}

export const historyFormat = '1.0'

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

export function stateOf(reading: RunReading): RunState {
  if ('unreadable' in reading) return 'unreadable'
  if (reading.file.isJournal) return 'cut_off'
  return reading.record.isComplete ? 'complete' : 'stopped'
}

/** How each object came out of a run: what it was asked for and neither changed nor left out, was as declared. */
export function outcomesOf(
  { entries, blocked, notTargeted }: RunRecord,
  declared: DeclaredDigests = {},
): Readonly<Record<string, ObjectOutcome>> {
  return {
    ...Object.fromEntries(Object.keys(declared).map(address => [address, 'unchanged' as const])),
    ...Object.fromEntries(notTargeted.map(address => [address, 'not_targeted' as const])),
    ...Object.fromEntries(blocked.map(({ address }) => [address, 'blocked' as const])),
    ...Object.fromEntries(entries.map(({ change, outcome }) => [change.address, outcome])),
  }
}

/** What `vexil history --json` prints. */
export function historyDocument(
  readings: readonly RunReading[],
  objects?: Readonly<Record<string, ObjectOutcome>>,
): JsonObject {
  return {
    format_version: historyFormat,
    runs: readings.map(reading => ({ ...runJson(reading), ...(objects === undefined ? {} : { objects }) })),
  }
}

function runJson(reading: RunReading): JsonObject {
  const { file } = reading
  const about = { run: file.run, state: stateOf(reading), path: file.path }
  if ('unreadable' in reading) return { ...about, reason: reading.unreadable }
  const { command, environment, target, commit, dirty, who, started_at, finished_at, undoes } = recordToJson(
    reading.record,
  )
  const known = Object.entries({
    command,
    environment,
    target,
    commit,
    dirty,
    who,
    started_at,
    finished_at,
    undoes,
  })
  return {
    ...about,
    ...Object.fromEntries(known.filter(([, value]) => value !== undefined)),
    counts: { ...outcomeCounts(reading.record) },
  }
}
