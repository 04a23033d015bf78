import type { NotifiedState } from '../../model/connection.ts'
import { definedMembers } from '../../model/text/defined-members.ts'
import { type JsonObject, pickMembers } from '../../model/text/json.ts'
import type { LockOwner } from '../apply/locks.ts'
import { endOf, isKnown } from '../live-edits/base-of-runs.ts'
import { isSameTarget, isSandbox, type Target } from '../target.ts'
import {
  entryOutcome,
  type ObjectOutcome,
  outcomeCounts,
  type RunCommit,
  type RunRecord,
  toRunJson,
} from './run.ts'
import {
  type DeclaredDigests,
  listRuns,
  listRunsThere,
  type RunReading,
  readRun,
  type UnreadFile,
} from './run-folder.ts'

/**
 * How a run ended.
 *
 * | state      | means                                                                           |
 * |------------|---------------------------------------------------------------------------------|
 * | complete   | it ran to its end, whatever the result of its changes                           |
 * | stopped    | it was stopped, or its journal failed; it has a record                          |
 * | cut_off    | it has a journal but no record: it was killed, or still runs on another machine |
 * | under_way  | it has a journal but no record, and the process with its lock runs              |
 * | unreadable | its record or journal cannot be read                                            |
 */
const runStates = ['complete', 'stopped', 'cut_off', 'under_way', 'unreadable'] as const
export type RunState = (typeof runStates)[number]

export interface ShownRun {
  readonly reading: RunReading
  readonly state: RunState
}

export interface HistoryChoice {
  readonly limit: number
  readonly environment?: string
}

const historyFormat = '1.0'

/** The newest runs, the newest first; only the wanted number is read. */
export async function readHistory(
  directory: string,
  { limit, environment }: HistoryChoice,
): Promise<RunReading[]> {
  const found: RunReading[] = []
  for (const file of await listRuns(directory)) {
    if (found.length >= limit) break
    const reading = await readRun(file)
    // An unreadable run may belong to any environment.
    const isMeant = environment === undefined || 'unreadable' in reading
    if (isMeant || reading.record.environment === environment) found.push(reading)
  }
  return found
}

/** `holder`: the running process that holds the lock of the target. */
export function stateOf(reading: RunReading, holder: Pick<LockOwner, 'since'> | undefined): RunState {
  if ('unreadable' in reading) return 'unreadable'
  if (reading.file.isJournal) {
    return holder && reading.record.startedAt >= holder.since ? 'under_way' : 'cut_off'
  }
  return reading.record.isComplete ? 'complete' : 'stopped'
}

/** The outcome of each object of a run. Declared objects without an entry were as declared. */
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

/** The output of `vexil history --json`. */
export function historyDocument(
  runs: readonly ShownRun[],
  objects?: Readonly<Record<string, ObjectOutcome>>,
  states?: readonly ShownState[],
): JsonObject {
  return {
    format_version: historyFormat,
    runs: runs.map(run => ({ ...runJson(run), ...(objects === undefined ? {} : { objects }) })),
    ...(states && { states: states.map(stateJson) }),
  }
}

/** When `vexil reconcile` saw that an environment drifted, had a conflict or failed. Times in milliseconds since 1970. */
export interface ShownState {
  readonly environment: string
  readonly state: NotifiedState
  readonly begunAt: number
  readonly endedAt?: number
  readonly objects: number
  readonly reason?: string
  readonly commit?: string
}

function stateJson({
  environment,
  state,
  begunAt,
  endedAt,
  objects,
  reason,
  commit,
}: ShownState): JsonObject {
  const time = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString())
  const members = {
    environment,
    state,
    begun_at: time(begunAt),
    ended_at: time(endedAt),
    objects,
    reason,
    commit,
  }
  return definedMembers(members)
}

/** Rare counts are omitted if they are zero. */
function countsJson(record: RunRecord): JsonObject {
  const { pending, held, ...counts } = outcomeCounts(record)
  return { ...counts, ...(held > 0 ? { held } : {}), ...(pending > 0 ? { pending } : {}) }
}

function runJson({ reading, state }: ShownRun): JsonObject {
  const { file } = reading
  const about = { run: file.run, state, path: file.path }
  if ('unreadable' in reading) return { ...about, reason: reading.unreadable }
  const record = pickMembers(toRunJson(reading.record), (_, name) => shownMembers.includes(name))
  return { ...about, ...record, counts: countsJson(reading.record) }
}

const shownMembers = ['command', 'environment', 'target', 'commit', 'dirty', 'who', 'reason'].concat([
  'started_at',
  'finished_at',
  'undoes',
  'held',
])

/** An apply that ran to its end, of a known commit. */
export interface CommittedApply extends RunRecord {
  readonly revision: RunCommit
}

export interface NewestApply {
  readonly apply: CommittedApply | undefined
  /** Newer records that cannot be read, the newest first. */
  readonly unread: readonly UnreadFile[]
}

/** How many of the newest runs are searched. */
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

/** The newest apply of an environment, at any address. Applies to the sandbox have no environment. */
export async function newestApplyOf(directory: string, environment: string): Promise<RunRecord | undefined> {
  for await (const found of appliesIn(directory)) {
    if (!('unreadable' in found) && found.environment === environment && !isSandbox(found.target))
      return found
  }
  return undefined
}

/** Complete applies and unreadable records, the newest first. */
async function* appliesIn(directory: string): AsyncGenerator<RunRecord | UnreadFile> {
  const { listed, unread } = await listRunsThere(directory)
  yield* unread
  for (const file of listed.filter(({ isJournal }) => !isJournal).slice(0, mostRead)) {
    const reading = await readRun(file)
    if (!('record' in reading)) yield { path: file.path, unreadable: reading.unreadable }
    else if (reading.record.command === 'apply' && reading.record.isComplete) yield reading.record
  }
}

/** A flag's state after the newest run that changed it; its time is in milliseconds since 1970. */
export interface LastSwitch {
  readonly is: 'on' | 'off' | 'deleted'
  readonly at: number
}

/**
 * When a recorded run last turned a flag on or off, or deleted it. Undefined if no run did, if the result of
 * the last one is unknown, or if the folder cannot be read.
 */
export async function lastSwitch(
  directory: string,
  { address, field }: { readonly address: string; readonly field: string },
  isMeant: (record: RunRecord) => boolean,
): Promise<LastSwitch | undefined> {
  for (const file of await listRuns(directory).catch(() => [])) {
    const reading = await readRun(file)
    if ('unreadable' in reading || !isMeant(reading.record)) continue
    const { record } = reading
    const entry = record.entries.find(({ change }) => change.address === address)
    if (!entry) continue
    if (!isKnown(entry) && entry.maybeWritten) return undefined
    if (!isKnown(entry)) continue
    const { change } = entry
    const at = endOf(record)
    if (change.action === 'delete') return { is: 'deleted', at }
    const { [field]: turned } = change.after
    if (typeof turned === 'boolean') return { is: turned ? 'on' : 'off', at }
  }
  return undefined
}
