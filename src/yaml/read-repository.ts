import { fromEnvironment, variables as serviceVariables } from '../api/settings.ts'
import type { TestedEnvironment } from '../core/declared-tests.ts'
import type { Declarations } from '../core/desired.ts'
import { dependencyProblems } from '../core/plan/flag-dependencies.ts'
import type { DeclaredProtection } from '../core/record/undo.ts'
import { servicesOf } from '../model/connection.ts'
import { hasErrors, type Problem } from '../model/problem.ts'
import { nothingShared, type ShortContext } from '../targeting/short/short-context.ts'
import {
  checkDefaults,
  checkDuplicates,
  checkManifests,
  checkRoles,
  checkSensitive,
  withManifestRules,
} from './check/check-across.ts'
import { checkAudiences } from './check/check-audiences.ts'
import { checkDeclaration } from './check/check-declaration.ts'
import { checkEnvironmentNames } from './check/check-environments.ts'
import { checkPolicies, checkTagMembers, checkTagsInForce } from './check/check-policies.ts'
import { missingSettings } from './check/check-settings.ts'
import { byPlace, withoutRepeats } from './check/problem-order.ts'
import { type FileDeclarations, hasPayloadSchemas, type ObjectDeclaration } from './declaration.ts'
import { areNamed, findDeclarationFiles } from './read/find-declaration-files.ts'
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
import { effectiveIn } from './resolve/effective.ts'
import { type DeclaredNames, declaredNames, namingFlags, noNames, UnknownNames } from './resolve/names.ts'
import { findDefaults, parseDeclarations } from './resolve/parse-declarations.ts'
import { resolveDeclarations, withoutBroken } from './resolve/resolve.ts'
import { Audiences, expandShortLayers } from './resolve/short-layers.ts'
import { type Environment, environmentsOf, ownKeyVariables, type Settings, servicesIn } from './settings.ts'
import { checkTests, unusedPersons } from './tests/check-tests.ts'
import { DeclaredTests } from './tests/declared-tests.ts'
import { failedDeclaredTests, hiddenValues, runDeclaredTests } from './tests/run-declared-tests.ts'

/** The declarations of a repository for one environment, ready to apply. */
export interface LoadedRepository extends CheckedRepository, Omit<LoadedSettings, 'texts'> {
  /** Empty while there are errors: half of a repository must never be applied. */
  readonly declarations: Declarations
  readonly protection: DeclaredProtection
  /** The other files that declarations take texts from. */
  readonly sourceFiles: readonly string[]
  /** Whether an existing part has a problem; missing parts do not count. */
  readonly hasErrors: boolean
}

const nothing: Declarations = { desired: [], ownedGrants: [] }

/** Checks a repository for every environment that it has. */
export async function checkRepository(options: RepositoryOptions): Promise<CheckedRepository> {
  const reading = await readRepository(options)
  const { settings, files, texts, names } = reading
  return { settings, problems: allProblems(reading, options), files, texts, names }
}

/** A repository whose tests have been run. */
export interface TestedRepository extends CheckedRepository {
  /** Each environment with its flags; none while there are errors, since the declarations are then unknown. */
  readonly tested: readonly TestedEnvironment[]
  /** The tests that did not pass; they are not among the problems. */
  readonly failed: readonly Problem[]
  /** Hides values of the environment in texts about a test. */
  readonly hide: (words: string) => string
}

/** Checks a repository, and runs its tests: for the requested environment, or for each. */
export async function testRepository(
  options: RepositoryOptions & Required<Pick<RepositoryOptions, 'testedAt'>>,
): Promise<TestedRepository> {
  const reading = await readRepository(options)
  const { settings, files, texts, names, tested, declared } = reading
  const problems = allProblems({ ...reading, tested: [] }, options)
  const failed = failedDeclaredTests(tested, declared)
  return { settings, problems, files, texts, names, tested, failed, hide: hiddenValues(declared) }
}

/** With the tests that did not pass. A requested environment has to exist; without one, all are checked. */
function allProblems(
  { problems, unsettled, tested, declared }: Reading,
  { environment }: RepositoryOptions,
): readonly Problem[] {
  const failed = failedDeclaredTests(tested, declared)
  return [
    ...(environment === undefined ? [] : unsettled),
    ...(failed.length === 0 ? problems : [...problems, ...failed].sort(byPlace)),
  ]
}

/** Checks a repository and reads what it declares for one environment: the only one, when it has one. */
export async function loadRepository(options: RepositoryOptions): Promise<LoadedRepository> {
  const {
    declared,
    sources,
    unsettled,
    absences,
    isPartial,
    audiences: _audiences,
    contextIn: _,
    tests,
    tested: __,
    ...repository
  } = await readRepository(options)
  const { environment, problems, settings, settingsProblems } = repository
  return {
    ...repository,
    sourceFiles: sources.files,
    problems: [...unsettled, ...problems],
    settingsProblems: [...unsettled, ...settingsProblems],
    declarations:
      environment === undefined || hasErrors(problems)
        ? nothing
        : withManifestRules(
            resolveDeclarations(declared, environment, sources.textOfFile, { problems, tests }),
          ),
    protection: declaredProtection(declared, environment ?? settings.shared, isPartial),
    hasErrors: hasErrors(problems.filter(problem => !absences.includes(problem))),
  }
}

/** The declarations of a repository for one environment. The repository may have errors. */
export interface UnbrokenRepository
  extends Pick<LoadedRepository, 'environment' | 'declarations' | 'files' | 'problems'> {
  /** Whether the settings can be used and select an environment; otherwise there are no declarations. */
  readonly isSettled: boolean
}

/** Reads the declarations for one environment, without those that have errors. They must not be applied. */
export async function loadUnbroken(options: RepositoryOptions): Promise<UnbrokenRepository> {
  const { declared, sources, tests, unsettled, environment, problems, files, settingsProblems } =
    await readRepository(options)
  const isSettled = !hasErrors([...unsettled, ...settingsProblems])
  return {
    environment,
    files,
    problems: [...unsettled, ...problems],
    isSettled: isSettled && environment !== undefined,
    declarations:
      isSettled && environment
        ? resolveDeclarations(withoutBroken(declared, problems), environment, sources.textOfFile, {
            problems,
            tests,
          })
        : nothing,
  }
}

/** A repository as it is written, for code that edits it. */
export interface DeclaredRepository extends CheckedRepository {
  readonly declared: readonly FileDeclarations[]
  /** The name of the settings file; undefined if there is none. */
  readonly settingsFile?: string
  readonly audiences: Reading['audiences']
  readonly contextIn: Reading['contextIn']
  readonly tests: Reading['tests']
}

/** Checks a repository like `checkRepository`, and returns its declarations, each with its file. */
export async function readDeclared(options: RepositoryOptions): Promise<DeclaredRepository> {
  const reading = await readRepository(options)
  const { settings, settingsFile, files, texts, names, declared, audiences, contextIn, tests } = reading
  const found = settingsFile === undefined ? {} : { settingsFile }
  return {
    ...{ settings, ...found, files, texts, names, declared, audiences, contextIn, tests },
    problems: allProblems(reading, options),
  }
}

/** The declarations of a repository for all environments, even if they must not be applied. */
export interface UncheckedRepository extends Pick<DeclaredRepository, 'settings' | 'declared'> {
  /** Whether the settings can be used; otherwise the environments are unknown. */
  readonly isSettled: boolean
}

/** Reads the declarations of a repository without checking them. They must not be applied. */
export async function readUnchecked(options: RepositoryOptions): Promise<UncheckedRepository> {
  const { declared, settings, settingsProblems } = await readRepository(options, true)
  return { settings, isSettled: !hasErrors(settingsProblems), declared }
}

function declaredProtection(
  files: readonly FileDeclarations[],
  environment: Environment,
  isPartial: boolean,
): DeclaredProtection {
  const [addresses, ids] = [new Set<string>(), new Set<string>()]
  for (const declaration of files.flatMap(({ objects }) => objects)) {
    const { protect, id } = effectiveIn(declaration, environment)?.layer ?? {}
    if (!protect) continue
    addresses.add(declaration.address)
    // A declaration may rename an object if it gives the object's id.
    if (id !== undefined) ids.add(`${declaration.kind.name}#${id}`)
  }
  return {
    has: ({ address, kind, id }) => addresses.has(address) || (id !== undefined && ids.has(`${kind}#${id}`)),
    isPartial,
  }
}

/** A repository of declarations, checked. */
export interface CheckedRepository {
  readonly settings: Settings
  /** Every problem of every file, by file and line. */
  readonly problems: readonly Problem[]
  /** The files that were read, relative to the repository. */
  readonly files: readonly string[]
  /** Their texts, for showing the lines with problems. */
  readonly texts: ReadonlyMap<string, string>
  /** The declared names of any environment, as far as the files can be read. */
  readonly names: DeclaredNames
}

/** All that was read of a repository, and its problems. */
interface Reading extends CheckedRepository, Omit<ResolvedSettings, 'texts'> {
  readonly declared: readonly FileDeclarations[]
  readonly audiences: readonly ObjectDeclaration[]
  /** The meaning of the names of audiences, cohorts and group types in an environment. */
  readonly contextIn: (environment: string | undefined) => ShortContext
  readonly sources: Sources
  readonly tests: DeclaredTests
  /** The results of the tests, if they were run. */
  readonly tested: readonly TestedEnvironment[]
  /** The problems about missing parts. */
  readonly absences: readonly Problem[]
  /** Whether there are files that cannot be read at all. */
  readonly isPartial: boolean
}

/**
 * Reads and checks everything, for every environment; nothing is resolved for a single one. The checks of
 * declarations take most of the time, and can be left out.
 */
async function readRepository(options: RepositoryOptions, isUnchecked = false): Promise<Reading> {
  const { directory, environment, env } = options
  const finder = await openFolder(options)
  if ('problem' in finder) return nothingIn(finder.problem)
  const settingsRead = await readSettings(finder, env, environment)
  const { settings } = settingsRead
  const search = await findDeclarationFiles(finder, settingsRead)
  const isNamed = areNamed(settings)
  const settled = resolveSettings(settingsRead, isNamed ? search.outside : [], options)
  const chosen = environment ?? settled.environment?.name
  const {
    parsed,
    foreign,
    problems: readProblems,
  } = await readFiles(search.files, finder, {
    areNamed: isNamed,
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
  const names = declaredNames(declared)
  const tests = new DeclaredTests(files.map(file => file.fixtures))
  const meant = chosen === undefined ? undefined : settled.environment
  const stated = options.profile ?? fromEnvironment(env, 'profile')
  const servicesFor = (name?: string) =>
    name === undefined && meant
      ? servicesIn([meant], stated, undefined)
      : servicesIn(environments, stated, name)
  // Without settings this may be any folder, with files of other tools.
  const ours = settingsRead.isMissing ? [] : foreign
  const isPartial =
    search.outside.length + readProblems.length > 0 ||
    [...parsed, ...ours.map(one => one.parsed)].some(({ value }) => value === undefined)
  const checked = isUnchecked ? [] : objects
  const shared = checkAudiences(checked, { ...short, servicesIn: servicesFor, isPartial })
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
    ...checked.flatMap(object =>
      checkDeclaration(object, { servicesIn: servicesFor, isTold: shared.isTold }),
    ),
    ...checked.flatMap(checkTagMembers),
    ...sources.problems,
    ...checkDuplicates(declared, settings),
    ...(knowsSettings
      ? checkEnvironmentNames([...declared, { objects: audiences.declared, grants: [] }], settings)
      : []),
    ...(knowsSettings ? checkRoles(declared, settings) : []),
  ]
  // Declarations need to be valid before their combined result can be checked.
  if (!isUnchecked && !hasErrors(found)) {
    found.push(...checkTagsInForce(objects, settings, options.today))
    found.push(...checkManifests(declared, settings, sources.textOfFile))
    found.push(...checkDependencies(declared, settings, names.isTaken))
    found.push(...checkSensitive(objects, settings))
    if (options.today !== undefined)
      for (const problem of checkPolicies(declared, settings, options.today))
        found.push(options.policiesWarn ? { ...problem, severity: 'warning' } : problem)
    // A failed test of earlier declarations must not stop a plan or an edit.
    if (options.testedAt !== undefined)
      found.push(...checkTests(objects, tests, settings), ...(isPartial ? [] : unusedPersons(objects, tests)))
    if (hasPayloadSchemas(objects)) {
      // This loads a compiler of schemas, which few repositories need.
      const { checkPayloads } = await import('./check/check-payloads.ts')
      found.push(...checkPayloads(objects, settings))
    }
  }
  // The process may have the variables of only one environment.
  const testedIn = isUnchecked || hasErrors(found) ? [] : meant ? [meant] : environments
  const { testedWith: sdks } = options
  const running = {
    now: options.testedAt,
    servicesIn: (name?: string) => (sdks ? servicesOf(servicesFor(name), sdks) : servicesFor(name)),
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
    texts: new Map([
      ...settled.texts,
      ...[...all, ...foreign.map(one => one.parsed)].map(({ file, text }) => [file, text] as const),
    ]),
    names,
    declared,
    audiences: audiences.declared,
    contextIn: name => audiences.contextIn(name),
    sources,
    tests,
    tested: runDeclaredTests(declared, tests, testedIn, running),
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
    audiences: [],
    contextIn: () => nothingShared,
    sources: { textOfFile: () => undefined, problems: [], files: [] },
    tests: new DeclaredTests([]),
    tested: [],
    absences: [],
    isPartial: true,
  }
}

/** How flags of a repository name each other, in any environment. Only files with such names need to be passed. */
function checkDependencies(
  declared: readonly FileDeclarations[],
  settings: Settings,
  isTaken: DeclaredNames['isTaken'],
): readonly Problem[] {
  const naming = namingFlags(declared)
  if (naming.every(({ objects }) => objects.length === 0)) return []
  const problems = environmentsOf(settings).flatMap(environment => {
    const { desired } = resolveDeclarations(naming, environment, () => undefined)
    return dependencyProblems(desired, isTaken)
  })
  // A problem that several environments share is reported once.
  return [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()]
}
