import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import pMap from 'p-map'
import { declarableKind } from '../../kinds/index.ts'
import { readRegularFile } from '../../model/files.ts'
import { largestSaved } from '../../model/limits.ts'
import type { Change } from '../change.ts'
import { askedDigest, digestOf, sentDigests, shortDigest } from '../diff.ts'
import type { Pending } from '../live.ts'
import type { RunEntry, RunRecord } from '../record/run.ts'
import {
  type DeclaredReading,
  listRunsThere,
  type RunFile,
  readDeclared,
  readRun,
  stateFolder,
  type UnreadFile,
  writePrivately,
} from '../record/run-folder.ts'
import { isSameTarget, type Target, targetIdentity } from '../target.ts'
import {
  endOf,
  isApply,
  isKnown,
  type LeftByRuns,
  type LeftDraft,
  outsideCommand,
  type RunOnRecord,
  takeBase,
  takeGrantLists,
  takeHeld,
  takeOutside,
  withBelow,
} from './base-of-runs.ts'

/**
 * The stored result of all runs, so that a plan need not read thousands of records. It can always be computed
 * again from the records, their tables and the journals of cut-off runs. If it is missing or outdated, those
 * files are read.
 *
 * | the run files up to its newest file          | what is read                   |
 * |----------------------------------------------|--------------------------------|
 * | are those in the index                       | the index, and the newer files |
 * | differ: a file was added, removed, or grew   | all files                      |
 * | are those, but a newer run did not know them | all files                      |
 */
interface LeftIndex {
  readonly rules: number
  readonly left: LeftByRuns
  /** The newest file that it includes. */
  readonly through: string
  /** A digest of the names of its files, and of the sizes of journals. */
  readonly names: string
}

/** How many files are read at once; many systems limit the number of open files. */
const mostOpen = 32

/** If more files than this are newer than the index, a run creates it again. */
const mostUnread = 20

/** Increase this if `leftByRuns` changes its result for the same records. */
const currentRules = 9

/**
 * The state of a target's objects after the recorded runs: the base of plans. Unreadable records are returned
 * too: they do not stop a plan, but must not look like no runs.
 */
export async function readLeft(directory: string, target: Target): Promise<LeftReading> {
  return read(directory, await look(directory, target), target)
}

/** Updates the index at the end of a run, if too many files are newer. */
export async function updateLeft(
  directory: string,
  { target, after = [] }: Pick<RunRecord, 'target' | 'after'>,
): Promise<void> {
  const found = await look(directory, target)
  const heads = found.index?.left.heads ?? []
  const goesOnTop =
    heads.every(run => after.includes(run)) || found.newer.some(({ run }) => after.includes(run))
  const files = goesOnTop ? found.newer : found.files
  const through = found.files.at(-1)?.run
  if (files.length <= mostUnread || through === undefined) return
  const { left, unread } = await read(directory, found, target)
  // An unreadable file may be repaired later under the same name. Until then every plan reports it.
  if (unread.length > 0) return
  const names = await namesDigest(found.files)
  const index: LeftIndex = { rules: currentRules, through, names, left }
  await writePrivately(indexPath(directory, target), `${JSON.stringify(index)}\n`)
}

interface Found {
  /** The existing files, the oldest first. */
  readonly files: readonly RunFile[]
  /** The files that the index does not include. */
  readonly newer: readonly RunFile[]
  /** Undefined if no index matches the files. */
  readonly index: LeftIndex | undefined
  readonly unread: readonly UnreadFile[]
}

async function look(directory: string, target: Target): Promise<Found> {
  const [{ listed, unread }, index] = await Promise.all([
    listRunsThere(directory),
    readIndex(indexPath(directory, target)),
  ])
  const files = listed.toReversed()
  const covered = index ? files.filter(({ run }) => run <= index.through) : []
  return index && (await namesDigest(covered)) === index.names
    ? { files, newer: files.slice(covered.length), index, unread }
    : { files, newer: files, index: undefined, unread }
}

interface LeftReading {
  readonly left: LeftByRuns
  readonly unread: readonly UnreadFile[]
}

async function read(directory: string, found: Found, target: Target): Promise<LeftReading> {
  const { files, newer, index } = found
  if (index) {
    const since = await readRuns(directory, newer, target)
    if (areOnTop(since.runs, index.left.heads))
      return { left: leftByRuns(since.runs, index.left), unread: [...found.unread, ...since.unread] }
  }
  const { runs, unread } = await readRuns(directory, files, target)
  return { left: leftByRuns(runs), unread: [...found.unread, ...unread] }
}

/** Whether each run knew the others, directly or through another run. */
function areOnTop(runs: readonly RunOnRecord[], others: readonly string[]): boolean {
  const onTop = new Set<string>()
  for (const { record } of inChain(runs)) {
    const { run, after = [] } = record
    if (!others.every(each => after.includes(each)) && !after.some(each => onTop.has(each))) return false
    onTop.add(run)
  }
  return true
}

interface RunsReading {
  readonly runs: readonly RunOnRecord[]
  readonly unread: readonly UnreadFile[]
}

/** Reads each table of declarations once. */
async function readRuns(directory: string, files: readonly RunFile[], target: Target): Promise<RunsReading> {
  const tables = new Map<string, Promise<DeclaredReading>>()
  const tableOf = (name: string) => {
    const known = tables.get(name) ?? readDeclared(directory, name)
    tables.set(name, known)
    return known
  }
  const readings = await pMap(
    files,
    async (file): Promise<RunsReading> => {
      const reading = await readRun(file)
      if (!('record' in reading)) {
        const { unreadable } = reading
        // Its target is unknown, so it may matter.
        return { runs: [], unread: [{ path: file.path, unreadable }] }
      }
      const { record } = reading
      if (!isSameTarget(record.target, target)) return { runs: [], unread: [] }
      const { declared } = record.declared === undefined ? {} : await tableOf(record.declared)
      return { runs: [{ record, ...(declared ? { declared } : {}) }], unread: [] }
    },
    { concurrency: mostOpen },
  )
  const unreadTables = (await Promise.all(tables.values())).flatMap(({ unread }) => unread ?? [])
  return {
    runs: readings.flatMap(({ runs }) => runs),
    unread: [...readings.flatMap(({ unread }) => unread), ...unreadTables],
  }
}

async function readIndex(path: string): Promise<LeftIndex | undefined> {
  try {
    // Only a run writes it, and only this version reads it.
    const index: LeftIndex | null = JSON.parse(String(await readRegularFile(path, largestSaved)))
    return index?.rules === currentRules ? index : undefined
  } catch {
    return undefined
  }
}

/** Includes the sizes of journals: a journal grows while its run continues. */
async function namesDigest(files: readonly RunFile[]): Promise<string> {
  const names = files.map(async ({ run, path, isJournal }) =>
    isJournal ? `${run} ${(await stat(path).catch(() => undefined))?.size ?? 0}` : run,
  )
  return digestOf(await Promise.all(names))
}

function indexPath(directory: string, target: Target): string {
  return join(directory, stateFolder, 'left', `${shortDigest(targetIdentity(target))}.json`)
}

export const nothingLeft: LeftByRuns = {
  base: {},
  grantLists: {},
  outsideWrites: {},
  heldSince: {},
  notKept: {},
  pending: {},
  lost: {},
  isApplied: false,
  heads: [],
}

/** Adds the results of runs to those of earlier runs that all of them knew: see `inChain`. */
export function leftByRuns(runs: readonly RunOnRecord[], before: LeftByRuns = nothingLeft): LeftByRuns {
  const inOrder = inChain(runs)
  const draft: LeftDraft = {
    base: mapOf(before.base),
    grantLists: mapOf(before.grantLists),
    outsideWrites: mapOf(before.outsideWrites),
    heldSince: mapOf(before.heldSince),
    notKept: mapOf(before.notKept),
    lost: mapOf(before.lost),
  }
  for (const run of inOrder.filter((run, at) => !isRepeated(run, inOrder[at + 1]))) {
    takeBase(draft, run)
    takeGrantLists(draft, run)
    takeOutside(draft, run)
    takeHeld(draft, run)
    for (const entry of run.record.entries) takeNotKept(draft, entry)
  }
  return {
    base: Object.fromEntries(draft.base),
    grantLists: Object.fromEntries(draft.grantLists),
    outsideWrites: Object.fromEntries(draft.outsideWrites),
    heldSince: Object.fromEntries(draft.heldSince),
    notKept: Object.fromEntries(draft.notKept),
    lost: Object.fromEntries(draft.lost),
    pending: inOrder.reduce((pending, { record }) => pendingAfter(pending, record), before.pending),
    isApplied: before.isApplied || inOrder.some(({ record }) => isApply(record)),
    heads: headsOf(runs, before.heads),
    ...latestOf(runs, before.latest),
  }
}

function headsOf(runs: readonly RunOnRecord[], before: readonly string[]): readonly string[] {
  const known = new Set(runs.flatMap(({ record: { after = [] } }) => after))
  return [...before, ...runs.map(({ record: { run } }) => run)].filter(run => !known.has(run)).sort()
}

function latestOf(runs: readonly RunOnRecord[], before: LeftByRuns['latest']): Pick<LeftByRuns, 'latest'> {
  const all = runs.map(({ record }) => ({ run: record.run, at: endOf(record) }))
  const latest = [...(before ? [before] : []), ...all].reduce<LeftByRuns['latest']>(
    (late, one) => (late && late.at >= one.at ? late : one),
    undefined,
  )
  return latest ? { latest } : {}
}

/** Whether a run and the next one both found everything as declared: then the next one is enough. */
function isRepeated(run: RunOnRecord, next: RunOnRecord | undefined): boolean {
  const { declared } = run.record
  return next !== undefined && isStill(run) && isStill(next) && declared === next.record.declared
}

function isStill({ record, declared }: RunOnRecord): boolean {
  const { entries, blocked, notTargeted, held = [] } = record
  return (
    isApply(record) &&
    declared !== undefined &&
    [entries, blocked, notTargeted, held].every(({ length }) => length === 0)
  )
}

/** Notes values that the service accepted but did not store: sending them again would change nothing. */
function takeNotKept({ notKept }: LeftDraft, entry: RunEntry): void {
  const { change, notKept: lostNow = [] } = entry
  const { address, action, after, kind } = change
  if (action === 'delete') {
    if (!isKnown(entry) && !entry.maybeWritten) return
    for (const each of withBelow(change, notKept.keys())) notKept.delete(each)
    return
  }
  const before = notKept.get(address)
  if (!isKnown(entry) || (lostNow.length === 0 && before === undefined)) return
  const others = Object.entries(before ?? {}).filter(([name]) => !(name in after))
  const sent = Object.entries({ ...sentDigests(declarableKind(kind), after), ...change.digests })
  const now = [...others, ...sent.filter(([name]) => lostNow.includes(name))]
  if (now.length === 0) notKept.delete(address)
  else notKept.set(address, Object.fromEntries(now))
}

function mapOf<Value>(table: Readonly<Record<string, Value | undefined>>): Map<string, Value> {
  return new Map(
    Object.entries(table).flatMap(([address, value]) =>
      value === undefined ? [] : [[address, value] as const],
    ),
  )
}

/**
 * Sorts runs in the order of their effect. A run comes after the runs that it knew, regardless of clocks. For
 * two runs that did not know each other:
 *
 * | the two runs                                | the first is                                        |
 * |---------------------------------------------|-----------------------------------------------------|
 * | an undo or a disable, and any other command | the other command, because it did not know the undo |
 * | any other two                               | the one that ended first, or is given first         |
 */
export function inChain(runs: readonly RunOnRecord[]): RunOnRecord[] {
  const ranked = [...runs].sort(byRank)
  const ranks = new Map(ranked.map(({ record }, rank) => [record.run, rank]))
  const followers = ranked.map((): number[] => [])
  const open = ranked.map(({ record: { after = [] } }, rank) => {
    const before = new Set(after.flatMap(run => ranks.get(run) ?? []))
    for (const each of before) followers[each]?.push(rank)
    return before.size
  })
  // The ranks of runs that may come next, in reverse order.
  const ready = ranked.flatMap((_, rank) => (open[rank] === 0 ? [rank] : [])).reverse()
  const inOrder: RunOnRecord[] = []
  for (let rank = ready.pop(); rank !== undefined; rank = ready.pop()) {
    inOrder.push(...ranked.slice(rank, rank + 1))
    for (const next of followers[rank] ?? []) {
      open[next] = (open[next] ?? 0) - 1
      if (open[next] === 0) ready.splice(ready.findLastIndex(each => each > next) + 1, 0, next)
    }
  }
  // Only hand-written records can form a circle.
  return inOrder.length === ranked.length ? inOrder : ranked
}

function byRank({ record: left }: RunOnRecord, { record: right }: RunOnRecord): number {
  const isOutside = (record: RunOnRecord['record']) => (outsideCommand(record) === undefined ? 0 : 1)
  return isOutside(left) - isOutside(right) || endOf(left) - endOf(right)
}

/**
 * The changes that wait for approval after a run.
 *
 * | the object in the run                      | the change waits                           |
 * |--------------------------------------------|--------------------------------------------|
 * | is pending                                 | yes, by the request of that run            |
 * | is done, or already                        | no                                         |
 * | is not in a complete apply                 | no: it was as declared, so it was approved |
 * | is anything else: blocked, skipped, failed | as before                                  |
 */
function pendingAfter(before: Pending, { entries, command, isComplete, ...left }: RunRecord): Pending {
  const asked = entries.flatMap(({ change, changeRequest }) =>
    changeRequest === undefined ? [] : [[change.address, waitingFor(change, changeRequest)] as const],
  )
  const waiting = Object.entries(before)
  // Usually no change waits.
  if (waiting.length === 0) return asked.length === 0 ? before : Object.fromEntries(asked)
  const ended = entries.filter(isKnown).map(({ change }) => change.address)
  const open = new Set([
    ...entries.map(({ change }) => change.address),
    ...left.blocked.map(({ address }) => address),
    ...left.notTargeted,
    ...(left.held ?? []).map(({ address }) => address),
  ])
  const isOver = (address: string) =>
    ended.includes(address) || (command === 'apply' && isComplete && !open.has(address))
  return Object.fromEntries([...waiting.filter(([address]) => !isOver(address)), ...asked])
}

function waitingFor(change: Change, changeRequest: string): NonNullable<Pending[string]> {
  return { changeRequest, askedFor: askedDigest(declarableKind(change.kind), change) }
}
