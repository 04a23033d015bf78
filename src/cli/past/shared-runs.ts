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
import { hasErrors } from '../../model/problem.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { counted } from '../../report/object-names.ts'
import { loadSettings, type SharedRuns } from '../../yaml/index.ts'
import type { Host } from '../host/host.ts'

/**
 * Records on a ref of the repository's own remote, so that pipelines that throw their folders away, and people with
 * clones of their own, know of each other's runs. If anything goes wrong, it prints one line and goes on.
 *
 * | on the ref                | is                                            |
 * |---------------------------|-----------------------------------------------|
 * | `runs/202611/RUN.json`    | the record of a run that began in that month  |
 * | `declared/NAME.json`      | a table of what runs were asked for           |
 */
interface Place {
  readonly directory: string
  /** Undefined where the settings share none. */
  readonly runs?: SharedRuns | undefined
}

/** Puts the records that others have shared into `.vexil/runs`. Returns why it could not, after printing it. */
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

/** More than these nobody has; whoever puts more there wants something else. */
const mostFiles = 100_000

/** Tables first: a record is never there without its own. Answers with what is no record and no table. */
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

/** What a path on the ref is: a path that is not exactly one of ours leads nowhere. */
function partsOf(path: string): { readonly is: 'run' | 'declared' | 'other'; readonly name: string } {
  const [, month, run = ''] = /^runs\/(\d{6})\/([^/]+)\.json$/.exec(path) ?? []
  if (month !== undefined && isRunName(run) && run.startsWith(month)) return { is: 'run', name: run }
  const [, table = ''] = /^declared\/([^/]+)\.json$/.exec(path) ?? []
  return isDeclaredName(table) ? { is: 'declared', name: table } : { is: 'other', name: '' }
}

/** So many records that were not shared before go along: those of runs for which there was no network. */
const mostLeftBehind = 200
const mostTries = 8

/** Shares the records that the ref lacks, those of this run among them. Records of the sandbox stay here. */
export async function pushRuns(
  host: Host,
  { directory, runs }: Place,
  /** Why they could not be fetched before: it is not printed again. */
  unshared?: string,
): Promise<void> {
  // A remote that was silent a moment ago holds nobody up again.
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

/** By their paths on the ref, where the newest records that it lacks are, and their tables. */
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
 * Fetches the records that others have shared, for a command that looks at runs before it knows any environment. Answers
 * with why it could not, after printing it.
 */
export async function fetchRunsOf(host: Host, directory: string): Promise<string | undefined> {
  const { settings, settingsProblems } = await loadSettings({ directory, env: host.env })
  // Whoever needs them reports what else is wrong with them.
  if (hasErrors(settingsProblems.filter(({ code }) => code !== 'no-environment'))) return undefined
  return fetchRuns(host, { directory, runs: settings.runs })
}
