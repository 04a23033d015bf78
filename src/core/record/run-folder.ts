import { access, chmod, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Redact } from '../../api/redact.ts'
import { declarableKind } from '../../kinds/index.ts'
import { byFileField, fileOfField } from '../../model/field.ts'
import { codeOf, FileError, makeFolder, readRegularFile, readTextFile, textFrom } from '../../model/files.ts'
import { largestSaved } from '../../model/limits.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { readJsonIfAny, writeJson } from '../../model/text/json-text.ts'
import { compareTexts } from '../../model/text/names.ts'
import type { Desired } from '../desired.ts'
import { digestOf, ignoredIn } from '../diff.ts'
import type { Live } from '../live.ts'
import { declaredFieldDigests, declaredFileDigests } from '../live-edits/three-values.ts'
import type { Policy } from '../policy.ts'
import { valuesFrom, withValues } from './change-json.ts'
import { readJournal } from './journal.ts'
import { type Run, type RunRecord, recordFromJson, toRunJson } from './run.ts'

/**
 * The folder for records of runs. Commands also work without it.
 *
 * | path in it                | content                                                          |
 * |---------------------------|------------------------------------------------------------------|
 * | `runs/RUN.json`           | the record of a run, written at its end                          |
 * | `runs/RUN.jsonl`          | its journal; without a record the run was cut off, or still runs |
 * | `runs/values/RUN.json`    | the hidden values of a run                                       |
 * | `runs/declared/NAME.json` | the declarations of runs as digests; equal ones share a table    |
 * | `left/TARGET.json`        | the state after all runs of a target, as an index                |
 * | `lock-TARGET`             | the lock of the process that is writing to a target              |
 */
export const stateFolder = '.vexil'

export interface RunFile {
  readonly run: string
  /** The file to read: the record or, if there is none, the journal. */
  readonly path: string
  readonly isJournal: boolean
}

/** The content of a run's file, or the reason if it cannot be read. */
export type RunReading =
  | {
      readonly file: RunFile
      readonly record: RunRecord
      /** The file with the values that it hides, if that exists and cannot be read. */
      readonly unreadValues?: UnreadFile
    }
  | { readonly file: RunFile; readonly unreadable: string }

/** A file or folder that exists but cannot be read. */
export interface UnreadFile {
  readonly path: string
  /** Why: a sentence about it. */
  readonly unreadable: string
}

/** A name for a run that sorts by time: `20261121T020000123Z-1f2e3d4c`. */
export function runName(nowMs: number, uniqueId: string): string {
  return `${new Date(nowMs).toISOString().replace(/[-:.]/g, '')}-${uniqueId.slice(0, 8)}`
}

/** A name for a new run. It sorts after existing names, even if the clocks of their machines were ahead. */
export async function nextRunName(directory: string, nowMs: number, uniqueId: string): Promise<string> {
  const times = (await listRunsThere(directory)).listed.map(({ run }) => timeIn(run))
  const latest = times.find(at => at < nowMs + farthestAhead) ?? 0
  return runName(Math.max(nowMs, latest + 1), uniqueId)
}

/** One year. New names ignore times further ahead: these come from a broken clock. */
const farthestAhead = 366 * 24 * 60 * 60_000

/** Milliseconds since 1970; a name without a time sorts before all others. */
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

/** All recorded runs, the newest first. Reads only names. Throws if the folder exists but cannot be read. */
export async function listRuns(directory: string): Promise<RunFile[]> {
  const found = await filesIn(join(directory, stateFolder, 'runs'))
  const recorded = new Set(found.filter(({ isJournal }) => !isJournal).map(({ run }) => run))
  return found.filter(({ run, isJournal }) => !isJournal || !recorded.has(run)).sort(newestFirst)
}

/** The same, but reports an unreadable folder like a broken record. */
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

/**
 * Whether a run without changes has the same result as the newest run of its target: the same commit, the same
 * declarations and the same held fields.
 */
export async function repeatsNewest(directory: string, run: Run): Promise<boolean> {
  const [newest, ...others] = run.after ?? []
  if (newest === undefined || others.length > 0 || run.changes.length > 0) return false
  const reading = await readRun({ run: newest, path: recordPath(directory, newest), isJournal: false }).catch(
    () => undefined,
  )
  if (!reading || !('record' in reading)) return false
  const { record } = reading
  const isWhole = record.isComplete && record.entries.every(({ outcome }) => outcome === 'done')
  const result = ({
    command,
    revision,
    declared,
    held,
    blocked,
    notTargeted,
    allowed,
  }: Omit<Run, 'changes'>) =>
    JSON.stringify([command, revision, declared, held, blocked, notTargeted, allowed])
  return isWhole && result(run) === result(record)
}

/** A run from its text, as another place keeps it. */
export function runFromText(run: string, text: string, isJournal: boolean, path: string): RunReading {
  return { file: { run, path, isJournal }, ...(isJournal ? readJournal(text) : readRecord(text)) }
}

/** Reads a run. A broken file is reported, since that run may matter. */
export async function readRun(file: RunFile): Promise<RunReading> {
  const text = await (file.isJournal ? readJournalText : readText)(file.path).catch(unopened)
  if (typeof text !== 'string') return { file, ...text }
  const reading = file.isJournal ? readJournal(text) : readRecord(text)
  if ('unreadable' in reading) return { file, ...reading }
  return { file, ...(await withOwnValues(file.path, reading.record)) }
}

/** A record with its hidden values, if their file is available. */
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
  return typeof record === 'string' ? { unreadable: `it is not the record of a run: ${record}` } : { record }
}

function unopened(error: unknown): { readonly unreadable: string } {
  if (error instanceof FileError) return { unreadable: `it ${error.message}` }
  throw error
}

/** Stores the hidden values of a run. Only the owner can read them. */
export function writeRunValues(directory: string, run: string, text: string): Promise<void> {
  return writePrivately(join(directory, stateFolder, 'runs', 'values', `${run}.json`), text)
}

/** The record or the journal in a file from anywhere. */
export function runFileAt(path: string): RunFile {
  const isJournal = path.endsWith('.jsonl')
  return { run: path, path, isJournal }
}

/** Writes the record of a run, after `hide` has removed the secrets. */
export async function writeRecord(directory: string, record: RunRecord, hide?: Redact): Promise<string> {
  const path = recordPath(directory, record.run)
  await writePrivately(path, `${writeJson(toRunJson(record), 2)}\n`, { hide })
  return path
}

/** Stores a table of declarations if it does not exist yet, and returns its name. */
export async function writeDeclared(
  directory: string,
  declared: DeclaredDigests,
  run: string,
): Promise<string> {
  const name = declaredName(declared)
  if ((await readDeclared(directory, name)).declared) return name
  const path = declaredPath(directory, name)
  // Another run may be writing the same table now, so each uses its own draft.
  const unfinished = `${path}.${run}.unfinished`
  await writePrivately(path, `${JSON.stringify(declared)}\n`, { unfinished })
  return name
}

/** A table of declarations, or the reason if its file cannot be read; neither if there is no file. */
export interface DeclaredReading {
  readonly declared?: DeclaredDigests
  readonly unread?: UnreadFile
}

export async function readDeclared(directory: string, name: string): Promise<DeclaredReading> {
  if (!isDeclaredName(name)) return {}
  const path = declaredPath(directory, name)
  try {
    const declared = declaredFrom(name, await readText(path))
    return declared ? { declared } : { unread: { path, unreadable: 'its content does not match its name' } }
  } catch (error) {
    return codeOf(error, '') === 'ENOENT' ? {} : { unread: { path, ...unopened(error) } }
  }
}

/** Whether a table with this name exists; its content is not read. */
export function hasDeclared(directory: string, name: string): Promise<boolean> {
  return access(declaredPath(directory, name)).then(
    () => true,
    () => false,
  )
}

/** Stores the text of another machine's table, through this draft; false if it does not match its name. */
export async function keepDeclared(directory: string, name: string, text: string, draft: string) {
  if (!isDeclaredName(name) || declaredFrom(name, text) === undefined) return false
  await writeForeign(declaredPath(directory, name), text, draft)
  return true
}

/** Stores the text of another machine's record, through this draft; false if it is not that record. */
export async function keepRecordText(directory: string, run: string, text: string, draft: string) {
  const record = recordFrom(text)
  if (!isRunName(run) || typeof record === 'string' || record.run !== run) return false
  await writeForeign(recordPath(directory, run), text, draft)
  return true
}

/** Stores the text of another machine's journal, unless there is a longer one or a record. */
export async function keepJournalText(directory: string, run: string, text: string, draft: string) {
  const reading = readJournal(text)
  if (!isRunName(run) || !('record' in reading) || reading.record.run !== run) return false
  const here = await readRegularFile(journalPath(directory, run), largestSaved).catch(() => undefined)
  if (here !== undefined && here.length >= Buffer.byteLength(text)) return true
  await writeForeign(journalPath(directory, run), text, draft)
  return true
}

/** Two commands may copy the same file at once, so each uses its own draft. */
function writeForeign(path: string, text: string, draft: string): Promise<void> {
  return writePrivately(path, text, { unfinished: `${path}.${draft}.unfinished` })
}

/** Whether a text is a name from `runName`, so it is not a path. */
export function isRunName(text: string): boolean {
  return /^\d{8}T\d{9}Z-[0-9A-Za-z-]{1,8}$/.test(text)
}

/** Whether a text is a name from `declaredName`, so it is not a path. */
export function isDeclaredName(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

function declaredFrom(name: string, text: string): DeclaredDigests | undefined {
  const value = readJsonIfAny(text)
  if (value === undefined || !isDeclaredDigests(value)) return undefined
  // Its shape was checked.
  const declared = value as unknown as DeclaredDigests
  return declaredName(declared) === name ? declared : undefined
}

export interface PrivateWriting {
  readonly hide?: Redact
  /** The path of the file until it is complete. */
  readonly unfinished?: string
}

/** Writes a complete file or none, after `hide` has removed the secrets. Only its owner can read it. */
export async function writePrivately(
  path: string,
  text: string,
  { hide = all => all, unfinished = `${path}.unfinished` }: PrivateWriting = {},
): Promise<void> {
  await makeFolder(dirname(path))
  await writeFile(unfinished, hide(text), { mode: 0o600 })
  // The mode above has no effect on an existing file.
  await chmod(unfinished, 0o600)
  await rename(unfinished, path)
}

async function readText(path: string): Promise<string> {
  return await readTextFile(path, largestSaved)
}

/** After a kill, the last line may end within a character. */
async function readJournalText(path: string): Promise<string> {
  const bytes = await readRegularFile(path, largestSaved)
  const lastLine = bytes.lastIndexOf(0x0a) + 1
  return textFrom(bytes.subarray(0, lastLine)) + bytes.toString('utf8', lastLine)
}

export function declaredPath(directory: string, name: string): string {
  return join(directory, stateFolder, 'runs', 'declared', `${name}.json`)
}

function recordFrom(text: string): RunRecord | string {
  const value = readJsonIfAny(text)
  return value === undefined ? 'it is not JSON, or was cut off' : recordFromJson(value)
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

/**
 * The declarations of a run, by address: a short digest of each declared field and file, or `absent`. Values
 * are not stored: the commit has them, and the digests show whether they are still the same.
 */
export type DeclaredDigests = Readonly<Record<string, DeclaredObject>>

export type DeclaredObject =
  | { readonly ensure: 'absent' }
  | {
      readonly fields: Readonly<Record<string, string>>
      readonly files?: Readonly<Record<string, string>>
      /** The id by which the object was found. For created objects, the record has the id. */
      readonly id?: string
      /** Ignored paths, which no digest includes. */
      readonly ignore?: readonly string[]
      /** The ids of the roles in its list of grants, if the whole list was compared. */
      readonly grants?: readonly string[]
    }

/** The digests of an object's declared fields and source files, by field. */
export function digestsByField(
  declared: Extract<DeclaredObject, { fields: unknown }>,
): Readonly<Record<string, string>> {
  return { ...declared.fields, ...byFileField(declared.files) }
}

/** The digests of compared declarations, with the role ids of completely compared lists of grants. */
export function declaredDigests(
  compared: readonly ComparedDeclaration[],
  grants: ReadonlyMap<string, readonly string[]> = new Map(),
): DeclaredDigests {
  return Object.fromEntries(
    compared.map(one => [one.desired.address, digestsOf(one, grants.get(one.desired.address))]),
  )
}

/** Whether a value is such a table; another machine may have written it. */
export function isDeclaredDigests(value: Json): boolean {
  return isJsonObject(value) && Object.values(value).every(isDeclaredObject)
}

function isDeclaredObject(value: Json): boolean {
  if (!isJsonObject(value)) return false
  const { ensure, fields, files, id, ignore, grants } = value
  if (ensure !== undefined) return ensure === 'absent'
  return (
    isTexts(fields) &&
    (files === undefined || isTexts(files)) &&
    (id === undefined || typeof id === 'string') &&
    (ignore === undefined || isTextList(ignore)) &&
    (grants === undefined || isTextList(grants))
  )
}

function isTextList(value: Json): boolean {
  return isJsonArray(value) && value.every(text => typeof text === 'string')
}

function isTexts(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.values(value).every(text => typeof text === 'string')
}

interface ComparedDeclaration {
  readonly desired: Desired
  readonly found: readonly Pick<Live, 'id' | 'filesUnreadable'>[]
  readonly policy: Pick<Policy, 'ownership'>
}

/** The name of a table is its digest, so that runs with the same declarations share it. */
export function declaredName(declared: DeclaredDigests): string {
  // Tables of texts, which JSON keeps unchanged.
  return digestOf(declared as unknown as JsonObject).slice(7, 39)
}

function digestsOf(
  { desired, found, policy }: ComparedDeclaration,
  grants: readonly string[] | undefined,
): DeclaredObject {
  const { kind: name, ensure, fields, files, ignore } = desired
  if (ensure === 'absent') return { ensure }
  const kind = declarableKind(name)
  const ignored = ignore ? Object.keys(fields).flatMap(field => ignoredIn(desired, field)) : []
  const [live, other] = found
  return {
    fields: declaredFieldDigests(kind, desired, policy.ownership.tag),
    ...(files && live?.filesUnreadable === undefined ? { files: filesOf(desired) } : {}),
    ...(live && !other ? { id: live.id } : {}),
    ...(ignored.length > 0 ? { ignore: ignored } : {}),
    ...(grants === undefined ? {} : { grants }),
  }
}

/** Declared files. Without those that the service does not show: their state after a run is unknown. */
function filesOf(desired: Desired): Record<string, string> {
  return Object.fromEntries(
    Object.entries(declaredFileDigests(desired)).map(([field, digest]) => [
      fileOfField(field) ?? field,
      digest,
    ]),
  )
}
