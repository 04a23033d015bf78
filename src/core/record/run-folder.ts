import { access, chmod, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Redact } from '../../api/redact.ts'
import { codeOf, FileError, makeFolder, readRegularFile, readTextFile, textFrom } from '../../model/files.ts'
import { isJsonObject } from '../../model/json/json.ts'
import { readJsonIfAny, writeJson } from '../../model/json/json-text.ts'
import { largestSaved } from '../../model/limits.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { valuesFrom, withValues } from './change-json.ts'
import { type DeclaredDigests, declaredName, isDeclaredDigests } from './declared.ts'
import { readJournal } from './journal.ts'
import type { RunRecord } from './run.ts'
import { recordFromJson, recordToJson } from './run-json.ts'

/**
 * The folder in which runs are recorded. Nothing in it is needed to plan or to apply.
 *
 * | below it                   | is                                                                     |
 * |----------------------------|------------------------------------------------------------------------|
 * | `runs/RUN.json`            | the record of a run, written at its end                                |
 * | `runs/RUN.jsonl`           | its journal; without a record the run was cut off, or is under way     |
 * | `runs/values/RUN.json`     | the values of a run whose record and journal hide them                  |
 * | `runs/declared/NAME.json`  | what runs were asked for: digests, one table for all that are the same |
 * | `left/TARGET.json`         | how all of them left the objects of a target, to save reading them     |
 * | `lock-TARGET`              | the lock of whoever writes to a target now                             |
 */
export const stateFolder = '.vexil'

/** A run on record, by the files that tell of it. */
export interface RunFile {
  readonly run: string
  /** What is to be read: the record or, where there is none, the journal. */
  readonly path: string
  readonly isJournal: boolean
}

/** What a file of a run says, or why it says nothing. */
export type RunReading =
  | {
      readonly file: RunFile
      readonly record: RunRecord
      /** The file with the values that it hides, where that is there and says nothing. */
      readonly unreadValues?: UnreadFile
    }
  | { readonly file: RunFile; readonly unreadable: string }

/** A file of the folder, or a folder in it, that is there and says nothing. */
export interface UnreadFile {
  readonly path: string
  /** Why: a sentence about it. */
  readonly unreadable: string
}

/** A name for a run that sorts by time: `20261121T020000123Z-1f2e3d4c`. */
export function runName(nowMs: number, uniqueId: string): string {
  return `${new Date(nowMs).toISOString().replace(/[-:.]/g, '')}-${uniqueId.slice(0, 8)}`
}

/** A name for a new run: it sorts after those that are there, also where the clocks of their machines were ahead. */
export async function nextRunName(directory: string, nowMs: number, uniqueId: string): Promise<string> {
  const times = (await listRunsThere(directory)).listed.map(({ run }) => timeIn(run))
  const latest = times.find(at => at < nowMs + farthestAhead) ?? 0
  return runName(Math.max(nowMs, latest + 1), uniqueId)
}

/** A year. What claims more than that has a broken clock, or was made up, and no name follows it. */
const farthestAhead = 366 * 24 * 60 * 60_000

/** Milliseconds since 1970; those of no time sort before all others. */
function timeIn(run: string): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-/.exec(run)?.map(Number) ?? []
  const [year = 1970, month = 1, ...others] = parts
  return Date.UTC(year, month - 1, ...others)
}

export function recordPath(directory: string, run: string): string {
  return join(directory, stateFolder, 'runs', `${run}.json`)
}

export function journalPath(directory: string, run: string): string {
  return join(directory, stateFolder, 'runs', `${run}.jsonl`)
}

/**
 * Every run on record, the newest first. Only names are read. Throws where the folder is there and cannot be looked into:
 * the newest run may be in it.
 */
export async function listRuns(directory: string): Promise<RunFile[]> {
  const found = await filesIn(join(directory, stateFolder, 'runs'))
  const recorded = new Set(found.filter(({ isJournal }) => !isJournal).map(({ run }) => run))
  return found.filter(({ run, isJournal }) => !isJournal || !recorded.has(run)).sort(newestFirst)
}

/** The same for those who go on without: a folder that cannot be looked into is told of like a record that cannot be read. */
export async function listRunsThere(directory: string): Promise<{
  readonly listed: readonly RunFile[]
  readonly unread: readonly UnreadFile[]
}> {
  try {
    return { listed: await listRuns(directory), unread: [] }
  } catch (error) {
    const code = codeOf(error instanceof Error ? error.cause : error, 'unknown reason')
    const unreadable = `its runs cannot be listed (${code})`
    return { listed: [], unread: [{ path: join(directory, stateFolder), unreadable }] }
  }
}

/** Reads a run. What is broken is told of: it may have been the one that counts. */
export async function readRun(file: RunFile): Promise<RunReading> {
  const text = await (file.isJournal ? readJournalText : readText)(file.path).catch(unopened)
  if (typeof text !== 'string') return { file, ...text }
  const reading = file.isJournal ? readJournal(text) : readRecord(text)
  if ('unreadable' in reading) return { file, ...reading }
  return { file, ...(await withOwnValues(file.path, reading.record)) }
}

/** A record with the values that it hides, where the file with them is at hand. */
async function withOwnValues(
  beside: string,
  record: RunRecord,
): Promise<{ readonly record: RunRecord; readonly unreadValues?: UnreadFile }> {
  if (!record.entries.some(({ change }) => change.hidden) || !isRunName(record.run)) return { record }
  const path = join(dirname(beside), 'values', `${record.run}.json`)
  try {
    const values = valuesFrom(await readText(path))
    if (typeof values === 'string') return { record, unreadValues: { path, unreadable: values } }
    const { changes } = values
    if (!isJsonObject(changes)) return { record }
    const entries = record.entries.map(entry => ({ ...entry, change: withValues(entry.change, changes) }))
    return { record: { ...record, entries } }
  } catch (error) {
    return codeOf(error, '') === 'ENOENT'
      ? { record }
      : { record, unreadValues: { path, ...unopened(error) } }
  }
}

function readRecord(text: string): { readonly record: RunRecord } | { readonly unreadable: string } {
  const record = recordFrom(text)
  return typeof record === 'string' ? { unreadable: `it is no record of a run: ${record}` } : { record }
}

function unopened(error: unknown): { readonly unreadable: string } {
  if (error instanceof FileError) return { unreadable: `it ${error.message}` }
  throw error
}

/** Keeps the values of a run whose record and journal hide them, for its owner alone. */
export function writeRunValues(directory: string, run: string, text: string): Promise<void> {
  return writePrivately(join(directory, stateFolder, 'runs', 'values', `${run}.json`), text)
}

/** The record or the journal in a file that may be anywhere. */
export function runFileAt(path: string): RunFile {
  const isJournal = path.endsWith('.jsonl')
  return { run: path, path, isJournal }
}

/** Writes the record of a run, without what `hide` takes out of it. */
export async function writeRecord(directory: string, record: RunRecord, hide?: Redact): Promise<string> {
  const path = recordPath(directory, record.run)
  await writePrivately(path, `${writeJson(recordToJson(record), 2)}\n`, { hide })
  return path
}

/** Keeps a table of what was declared and answers with its name; one that is there already is not written again. */
export async function writeDeclared(
  directory: string,
  declared: DeclaredDigests,
  run: string,
): Promise<string> {
  const name = declaredName(declared)
  if ((await readDeclared(directory, name)).declared) return name
  const path = declaredPath(directory, name)
  // A run for another place may be writing the same table now, so each has a draft of its own.
  const unfinished = `${path}.${run}.unfinished`
  await writePrivately(path, `${JSON.stringify(declared)}\n`, { unfinished })
  return name
}

/** A table of what was declared, or why its file says nothing; neither where there is no file. */
export interface DeclaredReading {
  readonly declared?: DeclaredDigests
  readonly unread?: UnreadFile
}

export async function readDeclared(directory: string, name: string): Promise<DeclaredReading> {
  if (!isDeclaredName(name)) return {}
  const path = declaredPath(directory, name)
  try {
    const declared = declaredFrom(name, await readText(path))
    return declared
      ? { declared }
      : { unread: { path, unreadable: 'it is not the table that its name says' } }
  } catch (error) {
    return codeOf(error, '') === 'ENOENT' ? {} : { unread: { path, ...unopened(error) } }
  }
}

/** Whether there is a table of this name; what is in it is not looked at. */
export function hasDeclared(directory: string, name: string): Promise<boolean> {
  return access(declaredPath(directory, name)).then(
    () => true,
    () => false,
  )
}

/** Keeps the text of a table that comes from elsewhere, by a draft of this name; false where it is not what its name says. */
export async function keepDeclared(directory: string, name: string, text: string, draft: string) {
  if (!isDeclaredName(name) || declaredFrom(name, text) === undefined) return false
  await writeForeign(declaredPath(directory, name), text, draft)
  return true
}

/** Keeps the text of a record that comes from elsewhere, by a draft of this name; false where it is none, or of another run. */
export async function keepRecordText(directory: string, run: string, text: string, draft: string) {
  const record = recordFrom(text)
  if (!isRunName(run) || typeof record === 'string' || record.run !== run) return false
  await writeForeign(recordPath(directory, run), text, draft)
  return true
}

/** Two commands may take over the same file at once, so each has a draft of its own. */
function writeForeign(path: string, text: string, draft: string): Promise<void> {
  return writePrivately(path, text, { unfinished: `${path}.${draft}.unfinished` })
}

/** Whether a text is a name that `runName` gives, and so no path. */
export function isRunName(text: string): boolean {
  return /^\d{8}T\d{9}Z-[0-9A-Za-z-]{1,8}$/.test(text)
}

/** Whether a text is a name that `declaredName` gives, and so no path. */
export function isDeclaredName(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

function declaredFrom(name: string, text: string): DeclaredDigests | undefined {
  const value = readJsonIfAny(text)
  if (value === undefined || !isDeclaredDigests(value)) return undefined
  // Its shape was looked at.
  const declared = value as unknown as DeclaredDigests
  return declaredName(declared) === name ? declared : undefined
}

export interface PrivateWriting {
  readonly hide?: Redact
  /** Where the file stands until it is whole. */
  readonly unfinished?: string
}

/** Writes a file that only its owner can read, whole or not at all, and without what `hide` takes out of it. */
export async function writePrivately(
  path: string,
  text: string,
  { hide = all => all, unfinished = `${path}.unfinished` }: PrivateWriting = {},
): Promise<void> {
  await makeFolder(dirname(path))
  await writeFile(unfinished, hide(text), { mode: 0o600 })
  // The mode above does not count for a file that was there already.
  await chmod(unfinished, 0o600)
  await rename(unfinished, path)
}

async function readText(path: string): Promise<string> {
  return await readTextFile(path, largestSaved)
}

/** A run that was killed may have left half a character at the end of its last line. */
async function readJournalText(path: string): Promise<string> {
  const bytes = await readRegularFile(path, largestSaved)
  const lastLine = bytes.lastIndexOf(0x0a) + 1
  return textFrom(bytes.subarray(0, lastLine)) + bytes.toString('utf8', lastLine)
}

/** Where a table of this name is kept. */
export function declaredPath(directory: string, name: string): string {
  return join(directory, stateFolder, 'runs', 'declared', `${name}.json`)
}

function recordFrom(text: string): RunRecord | string {
  const value = readJsonIfAny(text)
  return value === undefined ? 'it is no JSON, or was cut off' : recordFromJson(value)
}

async function filesIn(folder: string): Promise<RunFile[]> {
  try {
    return (await readdir(folder)).flatMap(name => fileOf(folder, name))
  } catch (error) {
    const code = codeOf(error, 'unknown reason')
    if (code === 'ENOENT') return []
    throw new Error(`the runs on record cannot be listed: "${folder}" (${code})`, { cause: error })
  }
}

function fileOf(folder: string, name: string): RunFile[] {
  const [, run, extension] = /^(.+)\.(json|jsonl)$/.exec(name) ?? []
  if (run === undefined) return []
  return [{ run, path: join(folder, name), isJournal: extension === 'jsonl' }]
}

function newestFirst(left: RunFile, right: RunFile): number {
  return compareTexts(right.run, left.run)
}
