import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { clockTolerance } from '../../core/live-edits/authors.ts'
import type { LiveEdit } from '../../core/live-edits/live-edit.ts'
import { type NewestApply, newestApply } from '../../core/record/history.ts'
import type { PlanMeta } from '../../core/record/plan-file.ts'
import {
  declaredPath,
  hasDeclared,
  isDeclaredName,
  isRunName,
  keepDeclared,
  keepJournalText,
  keepRecordText,
  listRuns,
  readRun,
  type UnreadFile,
} from '../../core/record/run-folder.ts'
import { isSandbox, type Target, targetIdentity } from '../../core/target.ts'
import { type AskAncestry, rememberingAncestry } from '../../git/commits.ts'
import {
  failures,
  fetchShared,
  largestShared,
  listShared,
  pushShared,
  readShared,
  remoteOf,
  type SharedFile,
  type SharedRef,
  tipOf,
} from '../../git/files.ts'
import { seemsRepository } from '../../git/run.ts'
import { readTextFile } from '../../model/files.ts'
import { largestSaved } from '../../model/limits.ts'
import { messageOf } from '../../model/text/message-of.ts'
import { durationText, escapeText } from '../../model/text/printable.ts'
import { counted } from '../../report/line-text.ts'
import type { SharedRuns } from '../../yaml/index.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { settingsAt } from '../repository/repository.ts'
import { storeOf } from '../repository/shared-store.ts'
import { shortCommit } from './past-declarations.ts'

/**
 * Shares records on a ref of the repository's remote, between pipelines that delete their folders and people
 * with their own clones. A failure is printed as one line, and the command continues.
 *
 * | file on the ref        | content                                      |
 * |------------------------|----------------------------------------------|
 * | `runs/202611/RUN.json` | the record of a run that began in that month |
 * | `declared/NAME.json`   | a table of declarations of runs              |
 */
interface Place {
  readonly directory: string
  /** Undefined if the settings share no records on a ref. */
  readonly runs?: SharedRuns | undefined
  /** The shared store in the settings. It shares the records instead of the ref. */
  readonly store?: string | undefined
}

/**
 * Fetches the shared records into `.vexil/runs`; from a store, only those of the target, if one is given. If
 * it fails, prints the reason and returns it.
 */
export function fetchRuns(host: Host, place: Place, target?: Target): Promise<string | undefined> {
  const address = storeOf(host, place)
  const isOfTarget = address !== undefined && target !== undefined
  const fetch = () =>
    address === undefined ? fetchNow(host, place) : fetchStored(host, place.directory, address, target)
  return host.several?.once(`fetch runs ${isOfTarget ? targetIdentity(target) : ''}`, fetch) ?? fetch()
}

/** The most runs that one fetch reads from a store for all targets. */
const mostOfAll = 200
const mostAtOnce = 50

async function fetchStored(
  host: Host,
  directory: string,
  address: string,
  target: Target | undefined,
): Promise<string | undefined> {
  const warn = warnsOnce(host, 'going on without the shared store, so runs of others are not known')
  try {
    const store = await host.stores.open(address)
    const listed = await store.runs.list(target, target ? mostFiles : mostOfAll)
    const here = new Map((await listRuns(directory)).map(file => [file.run, file]))
    const wanted = listed.filter(
      ({ run, hasRecord }) => isRunName(run) && (!hasRecord || (here.get(run)?.isJournal ?? true)),
    )
    const draft = host.runtime.uniqueId()
    const tables = [...new Set(wanted.flatMap(({ declared }) => declared ?? []))]
    const has = await Promise.all(tables.map(name => hasDeclared(directory, name)))
    for (const [name, content] of await store.runs.declared(tables.filter((_, at) => !has[at])))
      await keepDeclared(directory, name, content, draft)
    for (let at = 0; at < wanted.length; at += mostAtOnce) {
      const runs = wanted.slice(at, at + mostAtOnce).map(({ run }) => run)
      for (const { run, isJournal, text } of await store.runs.read(runs))
        await (isJournal ? keepJournalText : keepRecordText)(directory, run, text, draft)
    }
    return undefined
  } catch (error) {
    return warn(messageOf(error))
  }
}

/** Stores the records that the store lacks, except for runs in the sandbox. */
async function pushStored(host: Host, directory: string, address: string): Promise<void> {
  try {
    const store = await host.stores.open(address)
    const files = (await listRuns(directory)).filter(({ run, isJournal }) => !isJournal && isRunName(run))
    const newest = files.slice(0, mostLeftBehind)
    const missing = new Set(await store.runs.withoutRecord(newest.map(({ run }) => run)))
    for (const file of newest.filter(({ run }) => missing.has(run)).reverse()) {
      const reading = await readRun(file)
      if (!('record' in reading) || isSandbox(reading.record.target)) continue
      const { record } = reading
      const { declared } = record
      if (declared !== undefined && (await hasDeclared(directory, declared)))
        await store.runs.keepDeclared(
          declared,
          await readTextFile(declaredPath(directory, declared), largestSaved),
        )
      await store.runs.end(record, await readTextFile(file.path, largestSaved))
    }
  } catch (error) {
    const why = escapeText(messageOf(error))
    host.log.warn(`this run is recorded only on this machine: ${why}`)
  }
}

async function fetchNow(host: Host, { directory, runs }: Place): Promise<string | undefined> {
  if (runs === undefined) return undefined
  const warn = warnsOnce(
    host,
    'records are not shared now: those of others are not read, and new ones stay on this machine',
  )
  try {
    const shared = await sharedRef(host, directory, runs)
    if (typeof shared === 'string') return warn(shared)
    const fetched = await fetchShared(shared)
    if (fetched.is === 'not') return warn(fetched.why)
    if (fetched.tip === undefined) return undefined
    const listed = await listShared(shared.place, fetched.tip)
    if (listed.is === 'not') return warn(listed.why)
    const draft = host.runtime.uniqueId()
    const skipped = await takeOver(directory, shared, listed.files, draft)
    if (skipped.length > 0) {
      const first = escapeText(skipped[0] ?? '')
      const files = counted(skipped.length, 'file')
      host.log.warn(
        `${files} on ${shared.ref} of "${shared.remote}" cannot be read as records and are skipped, such as "${first}"`,
      )
    }
    return undefined
  } catch (error) {
    return warn(messageOf(error))
  }
}

/** A ref with more files is used for another purpose. */
const mostFiles = 100_000

/** Copies tables first, so that no record lacks its table. Returns skipped paths. */
async function takeOver(
  directory: string,
  { place }: SharedRef,
  files: readonly SharedFile[],
  draft: string,
): Promise<string[]> {
  const known = new Set(
    (await listRuns(directory)).filter(({ isJournal }) => !isJournal).map(({ run }) => run),
  )
  const named = files.slice(0, mostFiles).map(file => ({ ...file, ...partsOf(file.path) }))
  const skipped = named
    .filter(({ is, bytes }) => is === 'other' || bytes > largestShared)
    .map(({ path }) => path)
  const wanted = async (is: 'run' | 'declared') => {
    const all = named.filter(file => file.is === is && file.bytes <= largestShared)
    if (is === 'run') return all.filter(({ name }) => !known.has(name))
    const has = await Promise.all(all.map(({ name }) => hasDeclared(directory, name)))
    return all.filter((_, at) => !has[at])
  }
  for await (const { path, content } of readShared(place, await wanted('declared'))) {
    const { name } = partsOf(path)
    if (!(await keepDeclared(directory, name, content.toString('utf8'), draft))) skipped.push(path)
  }
  for await (const { path, content } of readShared(place, await wanted('run'))) {
    const { name } = partsOf(path)
    if (!(await keepRecordText(directory, name, content.toString('utf8'), draft))) skipped.push(path)
  }
  return skipped
}

/** Classifies a path on the ref. Unknown paths are never used. */
function partsOf(path: string): { readonly is: 'run' | 'declared' | 'other'; readonly name: string } {
  const [, month, run = ''] = /^runs\/(\d{6})\/([^/]+)\.json$/.exec(path) ?? []
  if (month !== undefined && isRunName(run) && run.startsWith(month)) return { is: 'run', name: run }
  const [, table = ''] = /^declared\/([^/]+)\.json$/.exec(path) ?? []
  return isDeclaredName(table) ? { is: 'declared', name: table } : { is: 'other', name: '' }
}

/** The largest number of records in one push; runs without a network may have left several. */
const mostLeftBehind = 200
const mostTries = 8

/** Shares the records that the ref lacks, except for runs in the sandbox. */
export async function pushRuns(
  host: Host,
  place: Place,
  /** Why records could not be fetched, which is not printed again. */
  unshared?: string,
): Promise<void> {
  const address = storeOf(host, place)
  const push = () =>
    address === undefined ? pushNow(host, place, unshared) : pushStored(host, place.directory, address)
  // One push has the records of all environments.
  if (host.several) host.several.atEnd('push runs', push)
  else await push()
}

async function pushNow(host: Host, { directory, runs }: Place, unshared: string | undefined): Promise<void> {
  // A remote that has timed out must not delay the user again.
  if (runs === undefined || unshared === failures.too_slow) return
  const warnOfAll = warnsOnce(host, 'this run is recorded only on this machine')
  const warn = (why: string) => {
    if (why !== unshared) warnOfAll(why)
  }
  const folder = await mkdtemp(join(tmpdir(), 'vexil-runs-'))
  try {
    const shared = await sharedRef(host, directory, runs)
    if (typeof shared === 'string') return warn(shared)
    for (let tries = 1; ; tries++) {
      const tip = await tipOf(shared)
      const listed =
        tip === undefined ? { is: 'done' as const, files: [] } : await listShared(shared.place, tip)
      if (listed.is === 'not') return warn(listed.why)
      const files = await filesToShare(directory, new Set(listed.files.map(({ path }) => path)))
      if (files.size === 0) return
      const message = `Record ${counted([...files.keys()].filter(path => path.startsWith('runs/')).length, 'run')}`
      const pushed = await pushShared(shared, { tip, files, message, index: join(folder, `index-${tries}`) })
      if (pushed.is === 'done') return
      if (pushed.is === 'not') return warn(pushed.why)
      if (tries === mostTries) return warn('other commands keep sharing theirs at the same time')
    }
  } catch (error) {
    warn(messageOf(error))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The newest records that the ref lacks, and their tables, by path on the ref. */
async function filesToShare(directory: string, there: ReadonlySet<string>): Promise<Map<string, string>> {
  const records = (await listRuns(directory)).filter(
    ({ run, isJournal }) => !isJournal && isRunName(run) && !there.has(runPath(run)),
  )
  const files = new Map<string, string>()
  for (const file of records.slice(0, mostLeftBehind)) {
    const reading = await readRun(file)
    if (!('record' in reading) || isSandbox(reading.record.target)) continue
    const { declared } = reading.record
    if (
      declared !== undefined &&
      !there.has(`declared/${declared}.json`) &&
      (await hasDeclared(directory, declared))
    ) {
      files.set(`declared/${declared}.json`, declaredPath(directory, declared))
    }
    files.set(runPath(file.run), file.path)
  }
  return files
}

function runPath(run: string): string {
  return `runs/${run.slice(0, 6)}/${run}.json`
}

/** The ref, or why there is none. */
async function sharedRef(
  host: Host,
  directory: string,
  { ref, remote }: SharedRuns,
): Promise<SharedRef | string> {
  const place = { directory, env: host.env }
  if (!(await seemsRepository(place))) return 'this folder is not in a git repository'
  const name = remote ?? (await remoteOf(place))
  if (name === undefined) return 'the repository has no remote; `runs.remote` in the settings names one'
  return { place, remote: name, ref }
}

function warnsOnce(host: Host, what: string): (why: string) => string {
  return why => {
    host.log.warn(`${what}: ${escapeText(why)}`)
    return why
  }
}

/** `fetchRuns` for a command without an environment. */
export async function fetchRunsOf(host: Host, directory: string): Promise<string | undefined> {
  // Other code reports problems of the settings.
  const settings = await settingsAt(host, directory)
  if (!settings) return undefined
  return fetchRuns(host, { directory, runs: settings.runs, store: settings.store })
}

interface Planned extends Pick<PlanMeta, 'target' | 'commit' | 'dirty'> {
  readonly directory: string
  readonly liveEdits: readonly LiveEdit[]
  /** Finds relations to the planned commit, if the plan has already used it. */
  readonly askAncestry?: AskAncestry | undefined
}

/**
 * One line with a remedy if the planned commit is older than the commit that was last applied to the same
 * target; else undefined.
 *
 * | the commit of the newest recorded apply          | planned folder    | older |
 * |--------------------------------------------------|-------------------|-------|
 * | is a descendant of the planned commit            | is as committed   | yes   |
 * | the same                                         | has local changes | no    |
 * | is the same, an ancestor, or on another line     |                   | no    |
 * | is not in this clone, or its relation is unknown |                   | no    |
 * | does not exist                                   |                   | no    |
 *
 * The planned commit is also older if a live value is from a descendant of it: a late pipeline may have
 * applied an older commit since. If that apply was allowed, its commit counts as the newest.
 *
 * A folder with local changes never counts as older.
 */
export async function olderCommit(host: Pick<Host, 'env'>, planned: Planned): Promise<string | undefined> {
  return isOfCleanCommit(planned)
    ? olderThan(host, planned, await newestApply(planned.directory, planned.target))
    : undefined
}

/** Warns if the planned commit is older than the applied one; throws unless this is allowed. */
export async function refuseOlder(
  { env, log }: Pick<Host, 'env' | 'log'>,
  planned: Planned,
  { allowed, isSaved = false }: Pick<PlanMeta, 'allowed'> & { readonly isSaved?: boolean },
): Promise<void> {
  if (!isOfCleanCommit(planned)) return
  const newest = await newestApply(planned.directory, planned.target)
  // A plan has just printed notes about all records.
  const unread = isSaved ? unreadNote(planned.directory, newest.unread) : undefined
  if (unread !== undefined) log.warn(unread)
  const words = await olderThan({ env }, planned, newest)
  if (words === undefined) return
  if (!allowed?.includes('older_commit')) throw new CommandError(words, exitCode.stale)
  log.warn(words)
}

function isOfCleanCommit<Some extends Planned>(planned: Some): planned is Some & { readonly commit: string } {
  return planned.commit !== undefined && planned.dirty === false
}

async function olderThan(
  { env }: Pick<Host, 'env'>,
  { directory, commit, liveEdits, askAncestry }: Planned & { readonly commit: string },
  { apply: newest }: NewestApply,
): Promise<string | undefined> {
  if (!newest) return undefined
  const isAllowedSince = newest.revision.commit === commit && newest.allowed?.includes('older_commit')
  if (isAllowedSince) return undefined
  const live = liveEdits.flatMap(({ fields }) => fields.flatMap(field => field.commit ?? []))
  const ask = askAncestry ?? rememberingAncestry({ directory, env }, commit)
  const { relationOf } = await ask([newest.revision.commit, ...live])
  const newer = [newest.revision.commit, ...live].find(each => relationOf(each) === 'descendant')
  if (newer === undefined) return undefined
  const run = newer === newest.revision.commit ? `run ${newest.run}` : 'an earlier run'
  return `older_commit: ${shortCommit(commit)} is older than ${shortCommit(newer)}, which ${run} applied here; apply that commit or a newer one, or use --allow older_commit`
}

/** One line about records that cannot be read, with a remedy; undefined if there are none. */
export function unreadNote(directory: string, unread: readonly UnreadFile[]): string | undefined {
  if (unread.length === 0) return undefined
  return `${unreadText(directory, unread)}, so its content is unknown; restore that file, or move it away`
}

/** `".vexil/runs/RUN.json": it is not the record of a run: ...`, and how many more there are. */
export function unreadText(directory: string, [first, ...more]: readonly UnreadFile[]): string {
  if (!first) return ''
  const others = more.length === 0 ? '' : ` (and ${more.length} more like it)`
  return `"${relative(directory, first.path)}"${others}: ${first.unreadable}`
}

/** A note if the end of a run is in the future by the local clock. */
export function futureNote(
  { run, at }: { readonly run: string; readonly at: number },
  now: number,
): string | undefined {
  if (at <= now + clockTolerance) return undefined
  return `run ${run} is from the future: it ended ${durationText(at - now)} from now by the clock of its machine; that clock or this one is wrong, so runs are ordered by the earlier runs that each of them knew`
}
