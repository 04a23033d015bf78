import type { Declarations } from '../core/desired.ts'
import { hasErrors, type Problem } from '../model/problem.ts'
import { checkDuplicates } from './check-duplicates.ts'
import { checkEnvironmentNames } from './check-environments.ts'
import { checkObject } from './check-object.ts'
import { checkRoles } from './check-roles.ts'
import { chooseEnvironment, onlyEnvironment } from './choose-environment.ts'
import type { FileDeclarations } from './declaration.ts'
import { type DeclaredNames, declaredNames, noNames } from './declared-names.ts'
import { findDeclarationFiles } from './find-declaration-files.ts'
import { createFinder, type Finder } from './find-files.ts'
import { foreignProblems } from './foreign-file.ts'
import type { Variables } from './interpolate.ts'
import { missingSettings } from './missing-settings.ts'
import { byPlace } from './problem-order.ts'
import { quote } from './quote.ts'
import { readFiles } from './read-files.ts'
import { readSettings } from './read-settings.ts'
import { readSources, type Sources } from './read-sources.ts'
import { resolveDeclarations } from './resolve.ts'
import { type Environment, type Settings, toSettings } from './settings.ts'
import { takeApart } from './take-apart.ts'

export interface RepositoryOptions {
  /** The folder that holds the settings file. Nothing outside of it is read. */
  readonly directory: string
  /** The environment to read for; all of them are checked in any case. */
  readonly environment?: string
  /** What `${env:NAME}` is filled in from. */
  readonly env: Variables
}

/** A repository of declarations, checked. */
export interface CheckedRepository {
  readonly settings: Settings
  /** Every mistake of every file, by file and line. */
  readonly problems: readonly Problem[]
  /** The files that were read, relative to the repository. */
  readonly files: readonly string[]
  /** Their texts, for showing the lines that problems are about. */
  readonly texts: ReadonlyMap<string, string>
  /** What is declared for any environment, as far as the files can be read. */
  readonly names: DeclaredNames
}

/** A repository as it is applied to one environment. */
export interface LoadedRepository extends CheckedRepository {
  /** Undefined when it could not be settled which one is meant; the problems say why. */
  readonly environment: Environment | undefined
  /** Empty as long as there are errors: half of a repository must never be applied. */
  readonly declarations: Declarations
}

const nothing: Declarations = { desired: [], ownedGrants: [] }

/** Checks a repository for every environment that it has. */
export async function checkRepository(options: RepositoryOptions): Promise<CheckedRepository> {
  const { settings, problems, files, texts, names } = await read(options)
  return { settings, problems, files, texts, names }
}

/** Checks a repository and reads what it declares for one environment: the only one, when it has one. */
export async function loadRepository(options: RepositoryOptions): Promise<LoadedRepository> {
  const { declared, sources, knowsSettings, ...repository } = await read(options)
  const choice = chooseEnvironment(repository.settings, options.environment)
  if ('problem' in choice) {
    // With mistakes in the settings, environments are missing that were meant to be there.
    const problems = knowsSettings ? [choice.problem, ...repository.problems] : repository.problems
    return { ...repository, problems, environment: undefined, declarations: nothing }
  }
  const { environment } = choice
  return {
    ...repository,
    environment,
    declarations: hasErrors(repository.problems)
      ? nothing
      : resolveDeclarations(declared, environment, sources.textOfFile),
  }
}

interface Reading extends CheckedRepository {
  readonly declared: readonly FileDeclarations[]
  readonly sources: Sources
  readonly knowsSettings: boolean
}

async function read({ directory, environment, env }: RepositoryOptions): Promise<Reading> {
  const finder = await openFolder(directory)
  if ('problem' in finder) return unreadable(finder.problem)
  const settingsRead = await readSettings(finder, env, environment)
  const { settings } = settingsRead
  const chosen = environment ?? onlyEnvironment(settings)
  const search = await findDeclarationFiles(finder, settingsRead)
  const areNamed = settings.files !== undefined
  const { parsed, foreign, problems: readProblems } = await readFiles(search.files, finder, { areNamed })
  const files = parsed.map(file => takeApart(file, env, chosen))
  const declared = files.map(file => file.declared)
  const objects = declared.flatMap(file => file.objects)
  const sources = await readSources(objects, finder)
  const knowsSettings = !hasErrors(settingsRead.problems)
  const found = [
    ...settingsRead.problems,
    ...search.problems,
    ...readProblems,
    // Without settings this may be any folder, and its files those of anybody.
    ...foreign.flatMap(one => (settingsRead.isMissing ? [] : foreignProblems(one.parsed, one.verdict))),
    ...files.flatMap(file => file.problems),
    ...objects.flatMap(checkObject),
    ...sources.problems,
    ...checkDuplicates(declared, settings),
    // Without the settings every name would be unknown.
    ...(knowsSettings ? declared.flatMap(file => checkEnvironmentNames(file, settings)) : []),
    ...(knowsSettings ? declared.flatMap(file => checkRoles(file, settings)) : []),
  ]
  const problems = settingsRead.isMissing
    ? [
        ...missingSettings(directory, {
          hasFiles: parsed.length + readProblems.length > 0,
          found,
          ...search,
        }),
        ...found,
      ]
    : found
  const all = [...(settingsRead.parsed ? [settingsRead.parsed] : []), ...parsed]
  return {
    settings,
    problems: problems.sort(byPlace),
    files: all.map(({ file }) => file),
    texts: new Map([...all, ...foreign.map(one => one.parsed)].map(({ file, text }) => [file, text])),
    names: declaredNames(declared),
    declared,
    sources,
    knowsSettings,
  }
}

/** The finder of a folder, unless there is no such folder. */
async function openFolder(directory: string): Promise<Finder | { readonly problem: Problem }> {
  try {
    return await createFinder(directory)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    const message = `the folder ${quote(directory)} cannot be read (${why})`
    return { problem: { code: 'unreadable-folder', severity: 'error', message, hint: 'check its name' } }
  }
}

function unreadable(problem: Problem): Reading {
  return {
    settings: toSettings({}),
    problems: [problem],
    files: [],
    texts: new Map(),
    names: noNames,
    declared: [],
    sources: { textOfFile: () => undefined, problems: [] },
    knowsSettings: false,
  }
}
