import type { SdkVersions } from '../../model/connection.ts'
import { codeOf, FileError } from '../../model/files.ts'
import { mostEntriesWithoutSettings } from '../../model/limits.ts'
import { hasErrors, type Problem } from '../../model/problem.ts'
import { chooseEnvironment } from '../check/check-environments.ts'
import { noSettings } from '../check/check-settings.ts'
import { byPlace, quote } from '../check/problem-order.ts'
import type { ParseYaml } from '../parse/parse-yaml.ts'
import type { Variables } from '../resolve/interpolate.ts'
import { type Environment, type Settings, toSettings } from '../settings.ts'
import { findDeclarationFiles } from './find-declaration-files.ts'
import { createFinder, diskTree, type FileTree, type Finder } from './find-files.ts'
import { type ReadSettings, readSettings, settingsFiles } from './read-settings.ts'

export interface RepositoryOptions {
  /** The folder that holds the settings file. Nothing outside of it is read. */
  readonly directory: string
  /** The environment to read for; all of them are checked in any case. */
  readonly environment?: string
  /** The environment to use if there are several and none is requested. */
  readonly fallback?: string
  /** The service to use, whatever the settings name. */
  readonly profile?: string
  /** The current day, as in 2026-11-21; without it, expiry dates and policies are not checked. */
  readonly today?: string
  /** Makes errors of policies warnings, for commands that neither check nor apply declarations. */
  readonly policiesWarn?: boolean
  /** The time of the tests of flags, in milliseconds since 1970; without it they are not run. */
  readonly testedAt?: number
  /** The SDKs for tests, instead of those of the settings. */
  readonly testedWith?: SdkVersions | undefined
  /** The variables for `${env:NAME}`. */
  readonly env: Variables
  /** Texts of files that are not written yet, by their names in the repository: read instead of those on the disk. */
  readonly unwritten?: ReadonlyMap<string, string>
  /** The place of its files; the disk if absent. */
  readonly tree?: FileTree
  /** How a file of declarations is parsed; without a cache if absent. */
  readonly parse?: ParseYaml
}

/** The settings of a repository for one environment. */
export interface LoadedSettings {
  readonly settings: Settings
  /** The name of their file; undefined if there is none. */
  readonly settingsFile?: string
  /** Undefined when no environment could be selected; the problems report why. */
  readonly environment: Environment | undefined
  /** All problems of the settings, whatever the declarations contain. */
  readonly settingsProblems: readonly Problem[]
  /** The texts of the files that were read, for showing the lines that problems are about. */
  readonly texts: ReadonlyMap<string, string>
}

/** Reads the settings of a repository and no declaration. */
export async function loadSettings(options: RepositoryOptions): Promise<LoadedSettings> {
  const finder = await openFolder(options)
  if ('problem' in finder) return settingsOfNoFolder(finder.problem)
  const read = await readSettings(finder, options.env, options.environment)
  // Without file patterns in the settings, no file can be a problem of theirs.
  const { outside } = read.settings.files ? await findDeclarationFiles(finder, read) : { outside: [] }
  const { unsettled, ...settled } = resolveSettings(read, outside, options)
  return { ...settled, settingsProblems: [...unsettled, ...settled.settingsProblems] }
}

export interface ResolvedSettings extends LoadedSettings {
  /** Why no environment could be selected; not yet among the problems. */
  readonly unsettled: readonly Problem[]
}

/** `outside` has the paths in the patterns of the settings that lead out of the repository. */
export function resolveSettings(
  { settings, parsed, problems, texts = new Map() }: ReadSettings,
  outside: readonly Problem[],
  { environment, fallback }: Pick<RepositoryOptions, 'environment' | 'fallback'>,
): ResolvedSettings {
  const choice = chooseEnvironment(settings, environment, fallback)
  return {
    settings,
    ...(parsed ? { settingsFile: parsed.file } : {}),
    environment: 'environment' in choice ? choice.environment : undefined,
    settingsProblems: [...problems, ...outside].sort(byPlace),
    // If the settings have problems, intended environments may be missing.
    unsettled: 'problem' in choice && !hasErrors(problems) ? [choice.problem] : [],
    texts: new Map([...texts, ...(parsed ? [[parsed.file, parsed.text] as const] : [])]),
  }
}

/** The settings if there is no folder to read them from. */
export function settingsOfNoFolder(problem: Problem): ResolvedSettings {
  return {
    settings: toSettings({}),
    environment: undefined,
    settingsProblems: [problem],
    unsettled: [],
    texts: new Map(),
  }
}

/** The finder of a folder, if that folder exists. */
export async function openFolder({
  directory,
  tree = diskTree,
}: Pick<RepositoryOptions, 'directory' | 'tree'>): Promise<Finder | { readonly problem: Problem }> {
  try {
    const entries = await tree.entriesOf(await tree.realpath(directory))
    const hasSettings = entries.some(({ name }) => settingsFiles.some(file => file === name))
    return await createFinder(directory, tree, hasSettings ? undefined : mostEntriesWithoutSettings)
  } catch (error) {
    if (error instanceof FileError && error.code === 'too_many')
      return { problem: noSettings(directory, `, and it ${error.message}`) }
    const message = `the folder ${quote(directory)} cannot be read (${codeOf(error, 'unknown reason')})`
    return { problem: { code: 'unreadable-folder', severity: 'error', message, hint: 'check its name' } }
  }
}
