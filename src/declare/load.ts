import type { Declarations } from '../core/desired.ts'
import { hasErrors, type Problem } from '../model/problem.ts'
import { checkDuplicates } from './check-duplicates.ts'
import { checkEnvironmentNames } from './check-environments.ts'
import { checkFile } from './check-file.ts'
import { checkObject } from './check-object.ts'
import { checkRoles } from './check-roles.ts'
import { chooseEnvironment, onlyEnvironment } from './choose-environment.ts'
import { type FileDeclarations, readDeclarations } from './declaration.ts'
import type { DeclarationFile } from './declaration-file.ts'
import { findDeclarationFiles } from './find-declaration-files.ts'
import { createFinder } from './find-files.ts'
import { interpolate, type Variables } from './interpolate.ts'
import { concernsEnvironment } from './other-environment.ts'
import type { ParsedYaml } from './parse.ts'
import { byPlace } from './problem-order.ts'
import { readFiles } from './read-files.ts'
import { readSettings } from './read-settings.ts'
import { readSources, type Sources } from './read-sources.ts'
import { resolveDeclarations } from './resolve.ts'
import type { Environment, Settings } from './settings.ts'

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
  const { settings, problems, files, texts } = await read(options)
  return { settings, problems, files, texts }
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
  const finder = await createFinder(directory)
  const settingsRead = await readSettings(finder, env, environment)
  const { settings } = settingsRead
  const chosen = environment ?? onlyEnvironment(settings)
  const search = await findDeclarationFiles(finder, settingsRead)
  const { parsed, problems: readProblems } = await readFiles(search.files, finder)
  const files = parsed.map(file => takeApart(file, env, chosen))
  const declared = files.map(file => file.declared)
  const objects = declared.flatMap(file => file.objects)
  const sources = await readSources(objects, finder)
  const knowsSettings = !hasErrors(settingsRead.problems)
  const problems = [
    ...settingsRead.problems,
    ...search.problems,
    ...readProblems,
    ...files.flatMap(file => file.problems),
    ...objects.flatMap(checkObject),
    ...sources.problems,
    ...checkDuplicates(declared, settings),
    // Without the settings every name would be unknown.
    ...(knowsSettings ? declared.flatMap(file => checkEnvironmentNames(file, settings)) : []),
    ...(knowsSettings ? declared.flatMap(file => checkRoles(file, settings)) : []),
  ]
  const all = [...(settingsRead.parsed ? [settingsRead.parsed] : []), ...parsed]
  return {
    settings,
    problems: problems.sort(byPlace),
    files: all.map(({ file }) => file),
    texts: new Map(all.map(({ file, text }) => [file, text])),
    declared,
    sources,
    knowsSettings,
  }
}

interface TakenApart {
  readonly declared: FileDeclarations
  readonly problems: readonly Problem[]
}

/** Everything about one file that does not need the others. */
function takeApart(parsed: ParsedYaml, env: Variables, chosen: string | undefined): TakenApart {
  if (parsed.value === undefined) {
    return { declared: { objects: [], grants: [] }, problems: parsed.problems }
  }
  // Filling in walks through everything, and few files ask for it. A backslash may hide the dollar sign.
  const asks = parsed.text.includes('${') || parsed.text.includes('\\')
  const { value, failures, secrets } = asks
    ? interpolate(parsed.value, env)
    : { value: parsed.value, failures: [], secrets: new Map<string, string>() }
  const file: DeclarationFile = { parsed, value, secrets }
  const declared = readDeclarations(file)
  const unset = failures
    // What only holds anchors is not used itself; where it is, the alias is found.
    .filter(({ pointer }) => !pointer.startsWith('/x-'))
    .filter(({ pointer }) => chosen === undefined || concernsEnvironment(declared, pointer, chosen))
    .map(
      ({ pointer, code, message, hint }): Problem => ({
        code,
        severity: 'error',
        message,
        hint,
        source: parsed.locate(pointer),
      }),
    )
  const violations = checkFile(parsed, value, new Set(failures.map(({ pointer }) => pointer)))
  return { declared, problems: [...parsed.problems, ...unset, ...violations] }
}
