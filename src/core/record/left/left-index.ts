import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import pMap from 'p-map'
import { readRegularFile } from '../../../model/files/read-regular-file.ts'
import { isJsonObject } from '../../../model/json/json.ts'
import { largestSaved } from '../../../model/limits.ts'
import { digestOf, shortDigest } from '../../fingerprint.ts'
import { isSameTarget, type Target, targetIdentity } from '../../target.ts'
import type { RunRecord } from '../run.ts'
import {
  type DeclaredReading,
  listRunsThere,
  type RunFile,
  readDeclared,
  readRun,
  stateFolder,
  type UnreadFile,
  writePrivately,
} from '../run-folder.ts'
import { inChain } from './in-chain.ts'
import type { LeftByRuns, RunOnRecord } from './left.ts'
import { leftByRuns } from './left-by-runs.ts'
import { leftFromJson, leftToJson } from './left-json.ts'

/**
 * What all runs together left behind, kept so that a plan need not read thousands of records. It is made of the records,
 * their tables and the journals of runs that were cut off, and of nothing else: without it, or when it does not fit the
 * files that are there, they are read instead.
 *
 * | the files that sort up to its newest one     | read                                       |
 * |----------------------------------------------|--------------------------------------------|
 * | are those that it is made of                 | the index, and the files that are newer    |
 * | are others: one was added, removed, grew     | all files                                  |
 * | are those, but a newer run knew not of them  | all files                                  |
 */
interface LeftIndex {
  readonly left: LeftByRuns
  /** The newest file that it is made of. */
  readonly through: string
  /** A digest of the names of all of them, and of the sizes of those that may grow. */
  readonly names: string
}

/** So many files at a time; all at once would be more than many systems let a process open. */
const mostOpen = 32

/** So many files may be newer than the index before a run makes it anew. */
const mostUnread = 20

/** To be raised whenever `leftByRuns` makes something else of the same records. */
const currentRules = 8

/**
 * How the runs on record left the objects of a target: what plans are measured from. What of them cannot be read is told
 * beside it: it holds nobody up, and is not the same as no run.
 */
export async function readLeft(directory: string, target: Target): Promise<LeftReading> {
  return read(directory, await look(directory, target), target)
}

/** Brings the index up to date at the end of a run, once too many files are newer: by their names, not one is read. */
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
  // Somebody may bring such a file back as it was, under the same name. Until then it is told of each time.
  if (unread.length > 0) return
  const names = await namesDigest(found.files)
  const index = { rules: currentRules, through, names, ...leftToJson(left) }
  await writePrivately(indexPath(directory, target), `${JSON.stringify(index)}\n`)
}

interface Found {
  /** Those that are there, the oldest first. */
  readonly files: readonly RunFile[]
  /** Those that the index is not made of. */
  readonly newer: readonly RunFile[]
  /** Undefined where there is none that fits the files. */
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

/** Whether each run knew of some others, or of a run that did. */
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

/** Runs that were asked for the same share one reading. */
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
        // It may have been for any target.
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
    const value: unknown = JSON.parse(String(await readRegularFile(path, largestSaved)))
    if (!isJsonObject(value) || value.rules !== currentRules) return undefined
    const { through, names } = value
    const left = leftFromJson(value)
    return left && typeof through === 'string' && typeof names === 'string'
      ? { left, through, names }
      : undefined
  } catch {
    return undefined
  }
}

/** The journal of a run that is still under way elsewhere grows, and then becomes a record. */
async function namesDigest(files: readonly RunFile[]): Promise<string> {
  const names = files.map(async ({ run, path, isJournal }) =>
    isJournal ? `${run} ${(await stat(path).catch(() => undefined))?.size ?? 0}` : run,
  )
  return digestOf(await Promise.all(names))
}

function indexPath(directory: string, target: Target): string {
  return join(directory, stateFolder, 'left', `${shortDigest(targetIdentity(target))}.json`)
}
