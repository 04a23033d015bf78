import { join } from 'node:path'
import pMap from 'p-map'
import { readRegularFile } from '../../model/files/read-regular-file.ts'
import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { largestAnswer } from '../../model/limits.ts'
import { digestOf, shortDigest } from '../fingerprint.ts'
import { isSameTarget, type Target, targetIdentity } from '../target.ts'
import { endOf, type LastWritten, lastWrittenBy } from './last-written.ts'
import type { RunRecord } from './run.ts'
import { listRuns, type RunFile, readRun, stateFolder, writePrivately } from './run-folder.ts'

/**
 * What all runs together left behind, kept so that a plan need not read thousands of records. It is made of the records
 * and of nothing else: without it, or when it does not fit the records that are there, they are read instead.
 *
 * | the records that sort up to its newest one   | read                                       |
 * |----------------------------------------------|--------------------------------------------|
 * | are those that it is made of                 | the index, and the records that are newer  |
 * | are others: one was added later, or removed  | all records                                |
 * | are those, but a newer run ended before them | all records                                |
 */
interface LastWrittenIndex extends LastWritten {
  /** By which rules it is made; another version may have others. */
  readonly rules: number
  /** The newest record that it is made of. */
  readonly through: string
  /** A digest of the names of all of them. */
  readonly names: string
  /** When the last of them ended; what ended before that does not go on top of it. */
  readonly until: number
}

/** So many files at a time; all at once would be more than many systems let a process open. */
const mostOpen = 32

/** So many records may be newer than the index before a run makes it anew. */
const mostUnread = 20

/** To be raised whenever `lastWrittenBy` makes something else of the same records. */
const currentRules = 4

/** How the runs on record left the objects of a target. */
export async function readLastWritten(directory: string, target: Target): Promise<LastWritten> {
  return (await read(await look(directory, target), target)).left
}

/** Brings the index up to date at the end of a run, once too many records are newer: by their names, not one is read. */
export async function updateLastWritten(
  directory: string,
  { target, finishedAt, startedAt }: Pick<RunRecord, 'target' | 'finishedAt' | 'startedAt'>,
): Promise<void> {
  const found = await look(directory, target)
  const goesOnTop = endOf({ finishedAt, startedAt }) >= (found.index?.until ?? 0)
  const unread = goesOnTop ? found.newer : found.files
  const through = found.files.at(-1)?.run
  if (unread.length <= mostUnread || through === undefined) return
  const { left, until } = await read(found, target)
  const names = namesDigest(found.files)
  const index: LastWrittenIndex = { ...left, rules: currentRules, through, names, until }
  await writePrivately(indexPath(directory, target), `${JSON.stringify(index)}\n`)
}

interface Found {
  /** The records that are there, the oldest first. */
  readonly files: readonly RunFile[]
  /** Those that the index is not made of. */
  readonly newer: readonly RunFile[]
  /** Undefined where there is none that fits the names of the records. */
  readonly index: LastWrittenIndex | undefined
}

async function look(directory: string, target: Target): Promise<Found> {
  const [listed, index] = await Promise.all([
    // What cannot be listed tells nothing, as what cannot be read.
    listRuns(directory).catch(() => []),
    readIndex(indexPath(directory, target)),
  ])
  const files = listed.filter(({ isJournal }) => !isJournal).reverse()
  const covered = index ? files.filter(({ run }) => run <= index.through) : []
  return index && namesDigest(covered) === index.names
    ? { files, newer: files.slice(covered.length), index }
    : { files, newer: files, index: undefined }
}

interface LeftReading {
  readonly left: LastWritten
  readonly until: number
}

async function read({ files, newer, index }: Found, target: Target): Promise<LeftReading> {
  if (index) {
    const records = await readRecords(newer, target)
    if (records.every(record => endOf(record) >= index.until)) {
      const { base, notKept, pending } = index
      const left = lastWrittenBy(records, { base, notKept, pending })
      return { left, until: lastEnd(records, index.until) }
    }
  }
  const records = await readRecords(files, target)
  return { left: lastWrittenBy(records), until: lastEnd(records, 0) }
}

function lastEnd(records: readonly RunRecord[], before: number): number {
  return records.reduce((last, record) => Math.max(last, endOf(record)), before)
}

/** What cannot be read tells nothing; nobody is held up by it. */
async function readRecords(files: readonly RunFile[], target: Target): Promise<RunRecord[]> {
  const readings = await pMap(files, readRun, { concurrency: mostOpen })
  return readings.flatMap(reading =>
    'record' in reading && isSameTarget(reading.record.target, target) ? [reading.record] : [],
  )
}

async function readIndex(path: string): Promise<LastWrittenIndex | undefined> {
  try {
    const value: unknown = JSON.parse(String(await readRegularFile(path, largestAnswer)))
    // Only a run writes it, and only this version reads it.
    return isJsonObject(value) && isIndex(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isIndex(value: JsonObject): value is JsonObject & LastWrittenIndex {
  const { rules, through, names, until, base, notKept, pending } = value
  return (
    rules === currentRules &&
    typeof through === 'string' &&
    typeof names === 'string' &&
    typeof until === 'number' &&
    [base, notKept, pending].every(table => isJsonObject(table) && Object.values(table).every(isJsonObject))
  )
}

function namesDigest(files: readonly RunFile[]): string {
  return digestOf(files.map(({ run }) => run))
}

function indexPath(directory: string, target: Target): string {
  return join(directory, stateFolder, 'left', `${shortDigest(targetIdentity(target))}.json`)
}
