import { readdir, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fromEnvironment } from '../../api/settings.ts'
import { variables } from '../../model/connection.ts'
import { codeOf, FileError, makeFolder, readTextFile } from '../../model/files.ts'
import { largestFile } from '../../model/limits.ts'
import { shellWord } from '../../model/text/printable.ts'
import type { InitDocument } from '../../report/document.ts'
import type { EditedFile } from '../../yaml/write/edit-declarations.ts'
import { examplePath, ignoredByGit, type StarterFile, starterFiles } from '../../yaml/write/init.ts'
import type { Flags } from '../command-options.ts'
import { runPlan } from '../commands/plan.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import { type Host, interruptible, isThere } from '../host/host.ts'
import { isForPeople, print } from '../host/output.ts'
import { askUntilStopped, canAsk } from '../plan/run-record.ts'
import { runDoctor } from '../tools/doctor.ts'
import { runExport } from './export.ts'
import { type NewFile, placeFiles } from './write-edit.ts'

/**
 * `vexil init [DIRECTORY]`: writes the first files of a repository. Existing files are kept, except for the
 * schemas for editors.
 */
export async function runInit(host: Host, directory: string, flags: Flags): Promise<ExitCode> {
  if (flags.fromLive) return runInitFromLive(host, directory, flags)
  const starters = starterFiles({
    environment: flags.env,
    baseUrl: flags.baseUrl ?? fromEnvironment(host.env, 'baseUrl'),
    project: flags.project ?? fromEnvironment(host.env, 'project'),
    organization: flags.organization ?? fromEnvironment(host.env, 'organization'),
  })
  const files = await writeStarters(host, resolve(host.directory, directory), starters)
  await print(host, flags, {
    is: 'init',
    directory,
    files,
    next: `vexil plan${optionFor(directory)} --sandbox`,
  })
  return exitCode.done
}

const flagsFolder = 'flags'

/**
 * `vexil init --from-live`: runs `doctor`, an export and a first plan, and writes the settings.
 *
 * | stops if                                      | what remains                         |
 * |-----------------------------------------------|--------------------------------------|
 * | a repository exists                           | that repository, unchanged           |
 * | no service is named, or there is no key       | nothing                              |
 * | `doctor` fails, the export fails, or a signal | the empty folder                     |
 * | the plan fails                                | the settings and the complete export |
 */
async function runInitFromLive(host: Host, directory: string, flags: Flags): Promise<ExitCode> {
  const root = resolve(host.directory, directory)
  requireName(flags.env)
  await refuseRepository(root)
  const place = await askForPlace(host, flags)
  return interruptible(host, async held => {
    await makeFolder(root)
    // Messages before a document go to standard error.
    const outputHost = isForPeople(flags) ? held : { ...held, stdout: held.stderr }
    const here = { ...place, color: flags.color, chdir: directory }
    const checked = await runDoctor(outputHost, here)
    if (checked !== exitCode.done) return checked
    held.stop?.throwIfAborted()
    outputHost.stdout.write('\n')
    const folder = join(directory, flagsFolder)
    const code = await runExport(outputHost, [], { ...here, directory: folder, grants: true })
    if (code !== exitCode.done && code !== exitCode.refused) return code
    const starters = starterFiles({ environment: flags.env, ...place })
    const started = await writeStarters(
      held,
      root,
      starters.filter(({ path }) => path !== examplePath),
    )
    outputHost.stdout.write('\n')
    const { baseUrl, project, organization } = flags
    const planned = await runPlan(outputHost, { ...here, baseUrl, project, organization })
    outputHost.stdout.write('\n')
    const exported = await filesBelow(root, flagsFolder)
    const files = [...started, ...exported.map(path => ({ path, state: 'wrote' as const }))]
    const next = `read the files and commit them (.vexil/ is ignored), then vexil apply${optionFor(directory)}; docs/ci.md has pipelines that plan and apply`
    await print(held, flags, { is: 'init', directory, files, next })
    return planned === exitCode.done ? code : planned
  })
}

function optionFor(directory: string): string {
  return directory === '.' ? '' : ` -C ${shellWord(directory)}`
}

/** The files below a folder, relative to the root; none if it does not exist. */
async function filesBelow(root: string, folder: string): Promise<readonly string[]> {
  const found = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(error => {
    if (codeOf(error, '') === 'ENOENT') return []
    throw error
  })
  return found
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

function requireName(name: string | undefined): void {
  if (name === undefined || /^[A-Za-z][\w-]*$/.test(name)) return
  const words = `${JSON.stringify(name)} cannot be the name of an environment; use letters, digits, "_" and "-"`
  throw new CommandError(words, exitCode.usage)
}

/** Throws if the folder already has settings or declarations. */
async function refuseRepository(root: string): Promise<void> {
  const found = [
    ...((await isThere(join(root, 'vexil.yaml'))) ? ['vexil.yaml'] : []),
    ...((await filesBelow(root, flagsFolder)).length > 0 ? [`${flagsFolder}/`] : []),
  ]
  if (found.length === 0) return
  const words = `${found.join(' and ')} already exists, and nothing is overwritten; \`vexil export -d ${flagsFolder}\` adds objects that are not declared yet`
  throw new CommandError(words, exitCode.refused)
}

type Place = Required<Pick<Flags, 'baseUrl' | 'project' | 'organization'>>

/** The settings of a service, in the order of the questions. */
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
 * The place of a service, from options and variables, or else from questions at the terminal. It never asks
 * for the key, which would be visible on the screen.
 */
async function askForPlace(host: Host, flags: Flags): Promise<Place> {
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
    throw new CommandError(`missing: ${absent.join(', ')}; set it and run the command again`, exitCode.usage)
  for (const one of missing) {
    const answer = (await askUntilStopped(host, one.question)).trim()
    if (answer === '')
      throw new CommandError(`missing: ${optionOf(one)}; nothing was written`, exitCode.usage)
    known.set(one.setting, answer)
  }
  const of = (setting: string) => known.get(setting) ?? ''
  return { baseUrl: of('baseUrl'), project: of('project'), organization: of('organization') }
}

function optionOf({ option, setting }: (typeof asked)[number]): string {
  return `${option} (${variables[setting][0]})`
}

/** Writes the first files of a repository. Reads all existing files first. */
async function writeStarters(
  host: Host,
  root: string,
  starters: readonly StarterFile[],
): Promise<InitDocument['files']> {
  const files: (EditedFile | NewFile)[] = []
  for (const starter of starters) {
    const file = starter.path
    const text = host.secrets.hide(starter.text)
    const before = await textAt(join(root, file), starter)
    if (before === undefined) files.push({ file, after: text })
    else if (starter.isComputed && before !== text) files.push({ file, before, after: text })
    else if (file === '.gitignore' && !before.split(/\r?\n/).includes(ignoredByGit))
      files.push({ file, before, after: `${before}${/(?:^|\n)$/.test(before) ? '' : '\n'}${text}` })
  }
  await placeFiles(root, files, host.runtime.uniqueId())
  const written = new Set(files.map(({ file }) => file))
  return starters.map(({ path }) => ({ path, state: written.has(path) ? 'wrote' : 'kept' }))
}

/** The text of an existing file; for a file that is never replaced, an empty text. */
async function textAt(path: string, { path: name, isComputed }: StarterFile): Promise<string | undefined> {
  try {
    if (isComputed || name === '.gitignore') return await readTextFile(path, largestFile)
    if ((await stat(path)).isDirectory()) throw new FileError('EISDIR', 'is a folder')
    return ''
  } catch (error) {
    if (codeOf(error, '') === 'ENOENT') return undefined
    throw error instanceof FileError ? new CommandError(`"${name}" ${error.message}`) : error
  }
}
