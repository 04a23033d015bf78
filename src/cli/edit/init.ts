import { appendFile, lstat, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fromEnvironment } from '../../api/settings.ts'
import { variables } from '../../model/connection.ts'
import { codeOf, FileError, isMarkedUtf16, makeFolder, textFrom } from '../../model/files.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import type { InitDocument } from '../../report/document.ts'
import { examplePath, ignoredByGit, type StarterFile, starterFiles } from '../../yaml/write/init.ts'
import { runPlan } from '../commands/plan.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'
import { type Host, interruptible } from '../host/host.ts'
import type { Log } from '../host/log.ts'
import { isForPeople, print } from '../host/output.ts'
import { askUntilStopped, canAsk } from '../plan/approval.ts'
import { runDoctor } from '../tools/doctor.ts'
import { runExport } from './export.ts'

/**
 * `vexil init [DIRECTORY]`: writes the first files of a repository. Existing files are kept, except the
 * schemas for editors: those are always of this version.
 */
export async function runInit(host: Host, directory: string, flags: Flags): Promise<ExitCode> {
  if (flags.fromLive) return runInitFromLive(host, directory, flags)
  const root = resolve(host.directory, directory)
  const starters = starterFiles({
    environment: flags.env,
    baseUrl: flags.baseUrl ?? fromEnvironment(host.env, 'baseUrl'),
    project: flags.project ?? fromEnvironment(host.env, 'project'),
    organization: flags.organization ?? fromEnvironment(host.env, 'organization'),
  })
  const started = new StartedFiles(root)
  await started.orNothing(host.log, async () => {
    for (const starter of starters) await started.write({ ...starter, text: host.secrets.hide(starter.text) })
    return exitCode.done
  })
  const { files } = started
  const where = directory === '.' ? '' : ` -C ${shellWord(directory)}`
  await print(host, flags, { is: 'init', directory, files, next: `vexil plan${where} --sandbox` })
  return exitCode.done
}

/** The folder for the declarations of live objects. */
const flagsFolder = 'flags'

/**
 * `vexil init --from-live`: the settings, the checks of `doctor`, an export and a first plan, in this order.
 *
 * | reason to stop                                | what remains                                             |
 * |-----------------------------------------------|----------------------------------------------------------|
 * | a repository exists already                   | that repository, unchanged                               |
 * | no service is named, or there is no key       | nothing                                                  |
 * | `doctor` fails, the export fails, or a signal | nothing: written files are removed again                 |
 * | the plan fails                                | the settings and the complete export                     |
 */
export async function runInitFromLive(host: Host, directory: string, flags: Flags): Promise<ExitCode> {
  const root = resolve(host.directory, directory)
  requireName(flags.env)
  await refuseRepository(root)
  const place = await askForPlace(host, flags)
  return interruptible(host, async held => {
    const files = new StartedFiles(root)
    // Messages before the result are for people. If the result is a document, they go to standard error.
    const outputHost = isForPeople(flags) ? held : { ...held, stdout: held.stderr }
    const { baseUrl, project, organization, color } = flags
    const here = { baseUrl, project, organization, color, chdir: directory }
    const code = await files.orNothing(held.log, async () => {
      const starters = starterFiles({ environment: flags.env, ...place }).filter(
        ({ path }) => path !== examplePath,
      )
      for (const starter of starters) await files.write({ ...starter, text: held.secrets.hide(starter.text) })
      const checked = await runDoctor(outputHost, here)
      if (checked !== exitCode.done) return checked
      held.stop?.throwIfAborted()
      await files.makeFolder(flagsFolder)
      outputHost.stdout.write('\n')
      const exported = await runExport(outputHost, [], {
        ...here,
        directory: join(directory, flagsFolder),
        grants: true,
      })
      held.stop?.throwIfAborted()
      return exported
    })
    if (code !== exitCode.done && code !== exitCode.refused) {
      held.log.warn('what was written is taken back; mend that, and run the same again')
      return code
    }
    outputHost.stdout.write('\n')
    const planned = await runPlan(outputHost, here)
    outputHost.stdout.write('\n')
    const next = nextSteps(directory)
    await print(held, flags, { is: 'init', directory, files: await files.list(flagsFolder), next })
    return planned === exitCode.done ? code : planned
  })
}

function requireName(name: string | undefined): void {
  if (name === undefined || /^[A-Za-z][\w-]*$/.test(name)) return
  const words = `${JSON.stringify(name)} cannot be the name of an environment; take letters, digits, "_" and "-"`
  throw new CommandError(words, exitCode.usage)
}

/** Files that already exist there are kept. */
async function refuseRepository(root: string): Promise<void> {
  const has = await Promise.all([isThere(join(root, 'vexil.yaml')), hasEntries(join(root, flagsFolder))])
  const found = ['vexil.yaml', `${flagsFolder}/`].filter((_, index) => has[index])
  if (found.length === 0) return
  const words = `${found.join(' and ')} is there already, and nothing is overwritten; \`vexil export -d ${flagsFolder}\` adds what is not declared yet`
  throw new CommandError(words, exitCode.refused)
}

async function isThere(path: string): Promise<boolean> {
  return (await orAbsent(stat(path))) !== undefined
}

async function hasEntries(folder: string): Promise<boolean> {
  return ((await orAbsent(readdir(folder))) ?? []).length > 0
}

/** Undefined if nothing exists. A folder that cannot be read is not empty. */
async function orAbsent<T>(looking: Promise<T>): Promise<T | undefined> {
  return looking.catch(error => {
    if (codeOf(error, '') === 'ENOENT') return undefined
    throw error
  })
}

function nextSteps(directory: string): string {
  const where = directory === '.' ? '' : ` -C ${shellWord(directory)}`
  return `read the files and commit them (.vexil/ is ignored), then vexil apply${where}; docs/ci.md has pipelines that plan and apply`
}

export type Place = Required<Pick<Flags, 'baseUrl' | 'project' | 'organization'>>

/** The settings of a service, in the order in which a person is asked for them. */
const asked = [
  {
    setting: 'baseUrl',
    option: '--base-url',
    question: 'Address of the service, such as https://us.posthog.com: ',
  },
  { setting: 'organization', option: '--organization', question: 'Id of the organization, a UUID: ' },
  { setting: 'project', option: '--project', question: 'Id of the project, a number: ' },
] as const

/**
 * The place of a service: from options and variables, else from the person at the terminal. It
 * never asks for the key, since the key would be visible on the screen.
 */
export async function askForPlace(host: Host, flags: Flags): Promise<Place> {
  const known = new Map<string, string>()
  const missing = asked.filter(({ setting }) => {
    const value = flags[setting] ?? fromEnvironment(host.env, setting)
    if (value !== undefined) known.set(setting, value)
    return value === undefined
  })
  const key =
    fromEnvironment(host.env, 'apiKey') === undefined ? [variables.apiKey.slice(0, 2).join(' or ')] : []
  const isAsked = canAsk(host, flags.input)
  const absent = isAsked ? key : [...missing.map(optionOf), ...key]
  if (absent.length > 0)
    throw new CommandError(
      `nothing says ${absent.join(', ')}; give it and run the same again`,
      exitCode.usage,
    )
  for (const one of missing) {
    const answer = (await askUntilStopped(host, one.question)).trim()
    if (answer === '')
      throw new CommandError(`nothing says ${optionOf(one)}; nothing was written`, exitCode.usage)
    known.set(one.setting, answer)
  }
  const of = (setting: string) => known.get(setting) ?? ''
  return { baseUrl: of('baseUrl'), project: of('project'), organization: of('organization') }
}

function optionOf({ option, setting }: (typeof asked)[number]): string {
  return `${option} (${variables[setting][0]})`
}

/** Files that can be removed again if a later step fails. */
export class StartedFiles {
  readonly #root: string
  readonly #files: InitDocument['files'][number][] = []
  /** The undo functions, in the order of the steps. */
  readonly #back: (() => Promise<unknown>)[] = []

  constructor(root: string) {
    this.#root = root
  }

  /**
   * Keeps the files if `write` ends in 0, or in 3 for skipped objects. Otherwise it removes them all. It
   * warns of files that it cannot remove, and the original failure is still reported.
   */
  async orNothing(log: Log, write: () => Promise<ExitCode>): Promise<ExitCode> {
    let isKept = false
    try {
      const code = await write()
      isKept = code === exitCode.done || code === exitCode.refused
      return code
    } finally {
      if (!isKept) await this.#takeBack(log)
    }
  }

  async #takeBack(log: Log): Promise<void> {
    for (const back of this.#back.toReversed()) {
      await back().catch(error =>
        log.warn(`some of what was written stays (${codeOf(error, 'unknown reason')})`),
      )
    }
  }

  async write(starter: StarterFile): Promise<void> {
    const path = join(this.#root, starter.path)
    await this.#makeFolder(dirname(path))
    const state = await writeStarter(path, starter, before => {
      this.#back.push(() => (before === undefined ? rm(path, { force: true }) : writeFile(path, before)))
    })
    this.#files.push({ path: starter.path, state })
  }

  /** Makes a missing folder, so that files which others write into it can be removed too. */
  async makeFolder(folder: string): Promise<void> {
    await this.#makeFolder(join(this.#root, folder))
  }

  /** Those that were written or kept here. */
  get files(): InitDocument['files'] {
    return this.#files
  }

  /** All files, with those that others wrote into one of the folders. */
  async list(folder: string): Promise<InitDocument['files']> {
    const found = await readdir(join(this.#root, folder), { recursive: true, withFileTypes: true })
    const paths = found
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(this.#root.length + 1))
    return [...this.#files, ...paths.sort().map(path => ({ path, state: 'wrote' as const }))]
  }

  async #makeFolder(path: string): Promise<void> {
    const made = await makeFolder(path)
    if (made !== undefined) this.#back.push(() => rm(made, { recursive: true, force: true }))
  }
}

/** What happened to a file of a new repository. */
export type FileState = InitDocument['files'][number]['state']

/** The bytes of a file right before it is written; undefined if there is no file. */
type OnWrite = (before: Buffer | undefined) => void

/**
 * Writes one file. An existing file that belongs to people is kept, and not read.
 * @throws CommandError naming the file, if it is not a regular file or the system does not allow the write.
 */
export async function writeStarter(path: string, starter: StarterFile, onWrite: OnWrite): Promise<FileState> {
  const write = starter.path === '.gitignore' ? addToIgnored : starter.isComputed ? writeComputed : writeNew
  try {
    return await write(path, starter, onWrite)
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error && 'code' in error)) throw error
    throw new CommandError(`"${starter.path}" cannot be written (${codeOf(error, '')})`)
  }
}

async function writeComputed(path: string, starter: StarterFile, onWrite: OnWrite): Promise<FileState> {
  const before = await bytesOf(path, starter)
  if (before?.equals(Buffer.from(starter.text))) return 'kept'
  onWrite(before)
  await writeFile(path, starter.text)
  return 'wrote'
}

async function writeNew(path: string, starter: StarterFile, onWrite: OnWrite): Promise<FileState> {
  const file = await open(path, 'wx').catch(error => {
    if (codeOf(error, '') === 'EEXIST') return undefined
    throw error
  })
  if (!file) {
    await requireFile(path, starter)
    return 'kept'
  }
  try {
    onWrite(undefined)
    await file.writeFile(starter.text)
  } finally {
    await file.close()
  }
  return 'wrote'
}

/** The next steps can only read a regular file. */
async function requireFile(path: string, starter: StarterFile): Promise<void> {
  await refuseDangling(path, starter)
  if ((await stat(path).catch(() => undefined))?.isDirectory())
    throw new CommandError(`"${starter.path}" is a folder`)
}

/** A broken link would be written through, or be removed without having been written. */
async function refuseDangling(path: string, starter: StarterFile): Promise<void> {
  const isThere = (look: Promise<unknown>) =>
    look.then(
      () => true,
      error => codeOf(error, '') !== 'ENOENT',
    )
  if ((await isThere(lstat(path))) && !(await isThere(stat(path))))
    throw new CommandError(`"${starter.path}" is a link that leads nowhere`)
}

/** Only adds lines to the file: it may be in another encoding, so it is never rewritten. */
async function addToIgnored(path: string, starter: StarterFile, onWrite: OnWrite): Promise<FileState> {
  const before = await bytesOf(path, starter)
  // Git ignores a byte order mark.
  if (before && linesIn(before).includes(ignoredByGit)) return 'kept'
  const isWhole = before === undefined || before.length === 0 || before.at(-1) === 0x0a
  onWrite(before)
  await appendFile(path, `${isWhole ? '' : '\n'}${ignoredByGit}\n`)
  return 'wrote'
}

function linesIn(bytes: Buffer): readonly string[] {
  try {
    return textFrom(bytes).split(/\r?\n/)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    // Git would find two encodings in one file, and read neither correctly.
    if (isMarkedUtf16(bytes)) throw new CommandError(`".gitignore" ${error.message}`)
    return bytes.toString('latin1').split(/\r?\n/)
  }
}

async function bytesOf(path: string, starter: StarterFile): Promise<Buffer | undefined> {
  await refuseDangling(path, starter)
  return readFile(path).catch(error => {
    const code = codeOf(error, 'unknown reason')
    if (code === 'ENOENT') return undefined
    throw new CommandError(`"${starter.path}" cannot be read (${code})`)
  })
}
