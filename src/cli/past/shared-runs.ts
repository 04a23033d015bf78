import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  declaredPath,
  hasDeclared,
  isDeclaredName,
  isRunName,
  keepDeclared,
  keepRecordText,
  listRuns,
  readRun,
} from '../../core/record/run-folder.ts'
import { isSandbox } from '../../core/target.ts'
import { seemsRepository } from '../../git/run.ts'
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
} from '../../git/shared-files.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { counted } from '../../report/object-names.ts'
import type { SharedRuns } from '../../yaml/index.ts'
import type { Host } from '../host/host.ts'
import { settingsAt } from '../repository/repository.ts'

/**
 * Shares records on a ref of the repository's own remote: pipelines that delete their folders, and people
 * with their own clones, know each other's runs. A problem is one printed line, and the command continues.
 *
 * | file on the ref           | content                                       |
 * |---------------------------|-----------------------------------------------|
 * | `runs/202611/RUN.json`    | the record of a run that began in that month  |
 * | `declared/NAME.json`      | a table of what runs were asked for           |
 */
interface Place {
  readonly directory: string
  /** Undefined if the settings share no records. */
  readonly runs?: SharedRuns | undefined
}

/** Fetches the shared records into `.vexil/runs`. If it fails, prints the reason and returns it. */
export async function fetchRuns(host: Host, { directory, runs }: Place): Promise<string | undefined> {
  if (runs === undefined) return undefined
  const warn = warnsOnce(
    host,
    'records are not shared now, so those of others are not read, and a run stays here',
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
    return warn(error instanceof Error ? error.message : 'unknown reason')
  }
}

/** No repository has more records. A ref with more files was filled for another purpose. */
const mostFiles = 100_000

/** Takes tables first, so that no record is here without its table. Returns the paths that it skipped. */
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

/** Classifies a path on the ref. A path that is not exactly one of ours is never used. */
function partsOf(path: string): { readonly is: 'run' | 'declared' | 'other'; readonly name: string } {
  const [, month, run = ''] = /^runs\/(\d{6})\/([^/]+)\.json$/.exec(path) ?? []
  if (month !== undefined && isRunName(run) && run.startsWith(month)) return { is: 'run', name: run }
  const [, table = ''] = /^declared\/([^/]+)\.json$/.exec(path) ?? []
  return isDeclaredName(table) ? { is: 'declared', name: table } : { is: 'other', name: '' }
}

/** The largest number of records in one push. Runs without a network could not share theirs before. */
const mostLeftBehind = 200
const mostTries = 8

/** Shares the records that the ref lacks, including that of this run. Records of the sandbox stay here. */
export async function pushRuns(
  host: Host,
  { directory, runs }: Place,
  /** Why records could not be fetched before; this reason is not printed again. */
  unshared?: string,
): Promise<void> {
  // A remote that just timed out must not delay the user again.
  if (runs === undefined || unshared === failures.too_slow) return
  const warnOfAll = warnsOnce(host, 'this run is on record here alone')
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
      if (tries === mostTries) return warn('others share theirs at the same time, again and again')
    }
  } catch (error) {
    warn(error instanceof Error ? error.message : 'unknown reason')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The files of the newest records that the ref lacks, and of their tables, by their paths on the ref. */
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
  if (!(await seemsRepository(place))) return 'this folder is in no repository of git'
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

/**
 * Fetches the shared records, for a command that reads runs before it knows an environment. If it fails,
 * prints the reason and returns it.
 */
export async function fetchRunsOf(host: Host, directory: string): Promise<string | undefined> {
  // Problems of the settings are reported by the code that needs them.
  const settings = await settingsAt(host, directory)
  return settings && fetchRuns(host, { directory, runs: settings.runs })
}
