import { existsSync, type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { globSync } from 'tinyglobby'
import { ServiceError } from '../../api/index.ts'
import { type LiveProject, LocalFlags, liveProject, localProfile } from '../../core/local-flags.ts'
import { stateFolder } from '../../core/record/run-folder.ts'
import { featureFlag } from '../../kinds/index.ts'
import { largestSaved } from '../../model/limits.ts'
import type { JsonObject } from '../../model/text/json.ts'
import {
  createSandbox,
  type PageNotes,
  parseAdditions,
  serveSandbox,
  type WorldFile,
  WorldFileError,
} from '../../sandbox/index.ts'
import type { WorldProject } from '../../schema/world-schema.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import { type Host, readNamedFile } from '../host/host.ts'
import { note, print } from '../host/output.ts'
import { failureOf } from '../plan/failure.ts'
import { noteDeclarations, openRepository, parseChanged } from '../repository/repository.ts'
import type { Repository } from '../repository/repository-settings.ts'
import { usingSession } from '../repository/session.ts'
import { pageFor, portIn } from './sandbox.ts'

type DevFlags = Flags & Required<Pick<Flags, 'port'>> & { readonly set?: readonly string[] }

/**
 * `vexil dev`: serves the declared flags of one environment to SDKs, and follows the files until a signal. Files
 * with mistakes change nothing: the last good flags stay.
 */
export async function runDev(host: Host, flags: DevFlags): Promise<ExitCode> {
  if (flags.app !== undefined) {
    const hint = 'name the stack with --stack, and synthesize it when its code changes'
    throw new CommandError(`dev does not run --app; ${hint}`, exitCode.usage)
  }
  const set = valuesIn(flags.set ?? [])
  const port = portIn(flags.port)
  const parse = parseChanged()
  const open = () => openRepository(host, flags, { parse })
  const first = await open()
  const local = new LocalFlags(flags.live ? await readLive(host, flags, first) : undefined)
  const projectIn = async (repository: Repository) => {
    const own = await readAdditions(host, repository)
    const { environment = 'dev', declarations, groupTypes } = repository
    const values = { ...own.set, ...set }
    const source = { name: environment, declarations, groupTypes }
    return { project: local.project(source, { ...own, set: values }), set: values }
  }
  const profile = localProfile(first.connection.profile)
  let current = await refusing(() => projectIn(first))
  let notes: PageNotes = { mistakes: [], changes: [], set: current.set }
  const title = `vexil dev: ${first.environment ?? 'flags'}`
  const page = await pageFor(flags, title, { canEdit: false, notes: () => notes })
  const sandbox = await createSandbox({
    runtime: host.runtime,
    profile,
    seed: worldOf(current.project),
    onlySdks: true,
    ...(page && { page }),
  })
  const served = await serveSandbox(sandbox, { port })
  const changes = new Changes(first.directory)
  const stopListening = host.onInterrupt(() => changes.stop())
  try {
    noteDeclarations(host, first, flags)
    await print(host, flags, {
      is: 'sandbox',
      profile,
      ...served.summary,
      flagsOf: current.project.name,
      ...(page && { page: `${served.url}/` }),
    })
    while (await changes.next(host)) {
      const next = await orMistakes(host, async () => projectIn(await open()))
      if ('mistakes' in next) {
        notes = { ...notes, mistakes: next.mistakes }
        continue
      }
      notes = { ...notes, set: next.set, mistakes: [] }
      if (isDeepStrictEqual(next.project, current.project)) continue
      const changed = changedFlags(current.project, next.project).map(change => ({
        ...change,
        at: host.runtime.now(),
      }))
      notes = { ...notes, changes: [...notes.changes, ...changed].slice(-mostChanges) }
      sandbox.replace(next.project)
      current = next
      host.log.info('the flags have changed')
    }
  } finally {
    stopListening()
    changes.stop()
    await served.close()
  }
  return exitCode.done
}

const mostChanges = 50

function worldOf(project: WorldProject): WorldFile {
  return { organizations: [{ name: 'dev', projects: [project] }] }
}

/** The flags that differ between two states. */
function changedFlags(before: WorldProject, after: WorldProject): readonly { flag: string; what: string }[] {
  const byKey = ({ feature_flags: all = [] }: WorldProject) => new Map(all.map(flag => [flag.key, flag]))
  const [old, young] = [byKey(before), byKey(after)]
  return [...new Set([...old.keys(), ...young.keys()])].flatMap(flag => {
    const [was, is] = [old.get(flag), young.get(flag)]
    if (isDeepStrictEqual(was, is)) return []
    return { flag, what: was === undefined ? 'created' : is === undefined ? 'deleted' : 'updated' }
  })
}

/** The mistakes are shown, and stay on the page. */
async function orMistakes<T extends object>(
  host: Host,
  make: () => Promise<T>,
): Promise<T | Pick<PageNotes, 'mistakes'>> {
  try {
    return await refusing(make)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const failure = await failureOf(error)
    if (failure.problems.length > 0) await note(host, { ...failure, line: undefined })
    const message = failure.line ?? error.message
    host.log.error(`${message}; the last good flags are still served`)
    const mistakes = failure.problems.map(({ problem: { source, message: what } }) => ({
      ...(source && { place: `${source.file}:${source.line}` }),
      message: what,
    }))
    return { mistakes: mistakes.length > 0 ? mistakes : [{ message }] }
  }
}

/** Turns errors in values and additions into errors of the command. */
async function refusing<T>(make: () => Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    const isOurs = error instanceof RangeError || error instanceof WorldFileError
    throw isOurs ? new CommandError(error.message) : error
  }
}

/** The file for one machine, which git ignores. Empty if there is none. */
async function readAdditions(host: Host, { directory, groupTypes }: Repository) {
  const file = join(stateFolder, 'dev.yaml')
  const path = join(directory, file)
  if (!existsSync(path)) return {}
  return parseAdditions(await readNamedFile(host, file, path, largestSaved), file, Object.keys(groupTypes))
}

/** The live flags of the environment, and the cohorts that they name; a key that may read them is enough. */
function readLive(host: Host, flags: Flags, repository: Repository): Promise<LiveProject> {
  const { name } = featureFlag
  return usingSession(host, flags, repository, { readOnly: true }, async ({ client }) => {
    const records: JsonObject[] = []
    for await (const record of client.list<string>(name)) records.push(record)
    try {
      const { body } = await client.call(name, 'localEvaluation', { query: { send_cohorts: 'true' } })
      return liveProject(records, body)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      host.log.warn(`cohorts and group types could not be read: ${error.message}`)
      return liveProject(records, null)
    }
  })
}

/** The values of `--set`, by key. */
function valuesIn(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map(text => {
      const [, key, value] = /^([^=]+)=(.+)$/s.exec(text) ?? []
      if (key !== undefined && value !== undefined) return [key, value]
      throw new CommandError(`--set takes FLAG=VALUE, not "${text}"`, exitCode.usage)
    }),
  )
}

/** Changes of declarations below a folder. Each folder is watched alone, since packages have very many. */
class Changes {
  readonly #root: string
  readonly #watchers = new Map<string, FSWatcher>()
  // A file may change before its folder is watched, so everything is read again first.
  #isChanged = true
  #isStopped = false
  #wake = () => {}

  constructor(root: string) {
    this.#root = root
    this.#watchFolders()
  }

  #watchFolders(): void {
    const all = new Set([
      this.#root,
      ...globSync('**', {
        cwd: this.#root,
        onlyDirectories: true,
        absolute: true,
        ignore: ['**/node_modules/**', '**/.*/**'],
      }),
      ...(existsSync(join(this.#root, stateFolder)) ? [join(this.#root, stateFolder)] : []),
    ])
    for (const [folder, watcher] of this.#watchers) {
      if (all.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    const added = [...all].filter(folder => !this.#watchers.has(folder))
    for (const folder of added) this.#watchers.set(folder, this.#watcherOf(folder))
    // A folder may have got another one before it was watched.
    if (added.length > 0) this.#watchFolders()
  }

  #watcherOf(folder: string): FSWatcher {
    const watcher = watch(folder, (_, file) => {
      // A name without an ending may be a new folder.
      if (!/\.(ya?ml|tf\.json)$|^[^.]+$|^\.vexil$/i.test(file ?? '')) return
      this.#isChanged = true
      this.#wake()
    })
    // The folder is gone, which its parent reports.
    return watcher.on('error', () => watcher.close())
  }

  /** Waits for the next change, and for those that come with it. False at the end. */
  async next({ runtime }: Host): Promise<boolean> {
    if (!this.#isChanged && !this.#isStopped) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
    // Editors write a file in several steps.
    if (!this.#isStopped) await runtime.sleep(20)
    this.#isChanged = false
    if (!this.#isStopped) this.#watchFolders()
    return !this.#isStopped
  }

  stop(): void {
    this.#isStopped = true
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#wake()
  }
}
