import { fromEnvironment, variables as serviceVariables } from '../api/environment.ts'
import type { Declarations } from '../core/desired.ts'
import type { DeclaredProtection } from '../core/record/undo/protected-today.ts'
import { hasErrors, type Problem } from '../model/problem.ts'
import { nothingShared, type ShortContext } from '../targeting/short/short-context.ts'
import { checkAudiences } from './check/check-audiences.ts'
import { checkDeclaration } from './check/check-declaration.ts'
import { checkDefaults } from './check/check-defaults.ts'
import { checkDependencies } from './check/check-dependencies.ts'
import { checkDuplicates } from './check/check-duplicates.ts'
import { checkEnvironmentNames } from './check/check-environments.ts'
import { checkManifests, withManifestRules } from './check/check-manifests.ts'
import { checkRoles } from './check/check-roles.ts'
import { checkTagMembers, checkTagsInForce } from './check/check-tag-members.ts'
import { hasPayloadSchemas } from './check/has-payload-schemas.ts'
import { missingSettings } from './check/missing-settings.ts'
import { byPlace, withoutRepeats } from './check/problem-order.ts'
import type { FileDeclarations } from './declaration.ts'
import { findDeclarationFiles } from './read/find-declaration-files.ts'
import { foreignProblems } from './read/foreign-file.ts'
import {
  type LoadedSettings,
  openFolder,
  type RepositoryOptions,
  type ResolvedSettings,
  resolveSettings,
  settingsOfNoFolder,
} from './read/load-settings.ts'
import { readFiles } from './read/read-repository-files.ts'
import { readSettings } from './read/read-settings.ts'
import { readSources, type Sources } from './read/read-sources.ts'
import { Audiences } from './resolve/audiences.ts'
import { type DeclaredNames, declaredNames, noNames } from './resolve/declared-names.ts'
import { declaredProtection } from './resolve/declared-protection.ts'
import { findDefaults } from './resolve/file-defaults.ts'
import { parseDeclarations } from './resolve/parse-declarations.ts'
import { resolveDeclarations } from './resolve/resolve.ts'
import { expandShortLayers } from './resolve/short-layers.ts'
import { withoutBroken } from './resolve/unbroken.ts'
import { UnknownNames } from './resolve/unknown-names.ts'
import { environmentsOf, ownKeyVariables, type Settings, servicesIn } from './settings.ts'

/** A repository of declarations, checked. */
export interface CheckedRepository {
  readonly settings: Settings
  /** Every problem of every file, by file and line. */
  readonly problems: readonly Problem[]
  /** The files that were read, relative to the repository. */
  readonly files: readonly string[]
  /** Their texts, for showing the lines that problems are about. */
  readonly texts: ReadonlyMap<string, string>
  /** What is declared for any environment, as far as the files can be read. */
  readonly names: DeclaredNames
}

/** A repository as it is applied to one environment. */
export interface LoadedRepository extends CheckedRepository, Omit<LoadedSettings, 'texts'> {
  /** Empty as long as there are errors: half of a repository must never be applied. */
  readonly declarations: Declarations
  readonly protection: DeclaredProtection
  /** Whether anything that is there has a problem in it; what is not there yet has none. */
  readonly hasErrors: boolean
}

const nothing: Declarations = { desired: [], ownedGrants: [] }

/** Checks a repository for every environment that it has. */
export async function checkRepository(options: RepositoryOptions): Promise<CheckedRepository> {
  const { settings, problems, files, texts, names, unsettled } = await read(options)
  // An environment that is asked for has to be there; when none is, all of them are checked.
  const asked = options.environment === undefined ? [] : unsettled
  return { settings, problems: [...asked, ...problems], files, texts, names }
}

/** Checks a repository and reads what it declares for one environment: the only one, when it has one. */
export async function loadRepository(options: RepositoryOptions): Promise<LoadedRepository> {
  const {
    declared,
    sources,
    unsettled,
    absences,
    isPartial,
    contextIn: _,
    ...repository
  } = await read(options)
  const { environment, problems, settings, settingsProblems } = repository
  return {
    ...repository,
    problems: [...unsettled, ...problems],
    settingsProblems: [...unsettled, ...settingsProblems],
    declarations:
      environment === undefined || hasErrors(problems)
        ? nothing
        : withManifestRules(resolveDeclarations(declared, environment, sources.textOfFile, problems)),
    protection: declaredProtection(declared, environment ?? settings.shared, isPartial),
    hasErrors: hasErrors(problems.filter(problem => !absences.includes(problem))),
  }
}

/** What a repository declares for one environment, of a state in which there may be errors. */
export interface UnbrokenRepository
  extends Pick<LoadedRepository, 'environment' | 'declarations' | 'files' | 'problems'> {
  /** Whether the settings can be used, and tell which environment is meant; without that nothing is declared. */
  readonly isSettled: boolean
}

/** Reads what a repository declares for one environment, without whatever an error is about. Nothing may be applied of it. */
export async function loadUnbroken(options: RepositoryOptions): Promise<UnbrokenRepository> {
  const { declared, sources, unsettled, environment, problems, files, settingsProblems } = await read(options)
  const isSettled = !hasErrors([...unsettled, ...settingsProblems])
  return {
    environment,
    files,
    problems: [...unsettled, ...problems],
    isSettled: isSettled && environment !== undefined,
    declarations:
      isSettled && environment
        ? resolveDeclarations(withoutBroken(declared, problems), environment, sources.textOfFile, problems)
        : nothing,
  }
}

/** A repository as it is written, for whoever changes what is written. */
export interface DeclaredRepository extends CheckedRepository {
  readonly declared: readonly FileDeclarations[]
  /** The name of the settings file; undefined where there is none. */
  readonly settingsFile?: string
  /** What the names of audiences, cohorts and group types mean in an environment. */
  readonly contextIn: (environment: string | undefined) => ShortContext
}

/** Checks a repository as `checkRepository` does, and gives what it declares, each with its file. */
export async function readDeclared(options: RepositoryOptions): Promise<DeclaredRepository> {
  const { problems, unsettled, sources, absences, isPartial, ...repository } = await read(options)
  const asked = options.environment === undefined ? [] : unsettled
  return { ...repository, problems: [...asked, ...problems] }
}

interface Reading extends CheckedRepository, Omit<ResolvedSettings, 'texts'> {
  readonly declared: readonly FileDeclarations[]
  readonly contextIn: DeclaredRepository['contextIn']
  readonly sources: Sources
  /** Those of the problems that are about what is not there. */
  readonly absences: readonly Problem[]
  /** Whether there are files that cannot be read at all. */
  readonly isPartial: boolean
}

async function read(options: RepositoryOptions): Promise<Reading> {
  const { directory, environment, env } = options
  const finder = await openFolder(options)
  if ('problem' in finder) return nothingIn(finder.problem)
  const settingsRead = await readSettings(finder, env, environment)
  const { settings } = settingsRead
  const search = await findDeclarationFiles(finder, settingsRead)
  const areNamed = settings.files !== undefined
  const settled = resolveSettings(settingsRead, areNamed ? search.outside : [], options)
  const chosen = environment ?? settled.environment?.name
  const isSettled = settled.environment !== undefined && !hasErrors(settled.settingsProblems)
  const onFile = isSettled ? await options.onSettled?.(settled) : undefined
  const {
    parsed,
    foreign,
    problems: readProblems,
  } = await readFiles(search.files, finder, {
    areNamed,
    onFile,
    unwritten: options.unwritten,
    parse: options.parse,
  })
  const defaults = await findDefaults(finder, settings, settingsRead.parsed)
  const keyNames = [...serviceVariables.apiKey, ...ownKeyVariables(settings)]
  const files = parsed.map(file =>
    parseDeclarations(file, { env, keyNames, defaults: defaults.of(file.file) }, chosen),
  )
  const environments = environmentsOf(settings)
  const knowsSettings = !hasErrors(settingsRead.problems)
  const audiences = new Audiences(
    files.flatMap(file => file.audiences),
    environments,
  )
  // Without the settings every name would be unknown.
  const unknownNames = knowsSettings ? new UnknownNames(environments) : undefined
  const short = { environments, audiences, unknownNames }
  const declared = files.map(file => expandShortLayers(file.declared, short))
  const objects = declared.flatMap(file => file.objects)
  const sources = await readSources(objects, finder)
  const meant = chosen === undefined ? undefined : settled.environment
  const stated = options.profile ?? fromEnvironment(env, 'profile')
  const servicesFor = (name?: string) =>
    name === undefined && meant
      ? servicesIn([meant], stated, undefined)
      : servicesIn(environments, stated, name)
  // Without settings this may be any folder, and its files those of anybody.
  const ours = settingsRead.isMissing ? [] : foreign
  const isPartial =
    search.outside.length + readProblems.length > 0 ||
    [...parsed, ...ours.map(one => one.parsed)].some(({ value }) => value === undefined)
  const shared = checkAudiences(objects, { ...short, servicesIn: servicesFor, isPartial })
  const found = [
    ...settingsRead.problems,
    ...search.outside,
    ...search.missing,
    ...readProblems,
    ...ours.flatMap(one => foreignProblems(one.parsed, one.verdict)),
    ...files.flatMap(file => file.problems),
    ...(knowsSettings ? checkDefaults(settings, settingsRead.parsed) : []),
    ...defaults.problems(parsed.map(({ file }) => file)),
    ...shared.problems,
    ...objects.flatMap(object =>
      checkDeclaration(object, { servicesIn: servicesFor, isTold: shared.isTold }),
    ),
    ...objects.flatMap(checkTagMembers),
    ...sources.problems,
    ...checkDuplicates(declared, settings),
    ...(knowsSettings
      ? checkEnvironmentNames([...declared, { objects: audiences.declared, grants: [] }], settings)
      : []),
    ...(knowsSettings ? checkRoles(declared, settings) : []),
  ]
  // What is declared has to be in order before it can be told what it comes to.
  if (!hasErrors(found)) {
    found.push(...checkTagsInForce(objects, settings, options.today))
    found.push(...checkManifests(declared, settings, sources.textOfFile))
    found.push(...checkDependencies(declared, settings))
    if (hasPayloadSchemas(objects)) {
      // It brings a compiler of schemas, which few repositories need.
      const { checkPayloads } = await import('./check/check-payloads.ts')
      found.push(...checkPayloads(objects, settings))
    }
  }
  const hasFiles = parsed.length + readProblems.length > 0
  const noSettings = settingsRead.isMissing
    ? missingSettings(directory, { hasFiles, found, repositories: search.repositories })
    : []
  const all = [...(settingsRead.parsed ? [settingsRead.parsed] : []), ...parsed]
  return {
    ...settled,
    problems: withoutRepeats([...noSettings, ...found]).sort(byPlace),
    files: all.map(({ file }) => file),
    texts: new Map([...all, ...foreign.map(one => one.parsed)].map(({ file, text }) => [file, text])),
    names: declaredNames(declared),
    declared,
    contextIn: name => audiences.contextIn(name),
    sources,
    absences: [...noSettings, ...search.missing],
    isPartial,
  }
}

function nothingIn(problem: Problem): Reading {
  return {
    ...settingsOfNoFolder(problem),
    problems: [problem],
    files: [],
    names: noNames,
    declared: [],
    contextIn: () => nothingShared,
    sources: { textOfFile: () => undefined, problems: [] },
    absences: [],
    isPartial: true,
  }
}
