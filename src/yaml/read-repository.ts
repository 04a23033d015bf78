import { fromEnvironment, variables as serviceVariables } from '../api/settings.ts'
import { failedTests, runTests, type TestedEnvironment } from '../core/declared-tests.ts'
import type { Declarations } from '../core/desired.ts'
import { dependencyProblems } from '../core/plan/flag-dependencies.ts'
import type { DeclaredProtection } from '../core/record/undo.ts'
import { type Services, servicesOf } from '../model/connection.ts'
import { hasErrors, type Problem } from '../model/problem.ts'
import { nothingShared, type ShortContext } from '../targeting/short/short-form.ts'
import {
  checkAudiences,
  checkDefaults,
  checkDuplicates,
  checkManifests,
  checkNumbered,
  checkRoles,
  checkSensitive,
  withManifestRules,
} from './check/check-across.ts'
import { checkDeclaration } from './check/check-declaration.ts'
import { checkPolicies, checkTagMembers, checkTagsInForce } from './check/check-policies.ts'
import { checkEnvironmentNames, missingSettings } from './check/check-settings.ts'
import { byPlace, once, withoutRepeats } from './check/problem-order.ts'
import { type FileDeclarations, hasPayloadSchemas, type ObjectDeclaration } from './declaration.ts'
import {
  areNamed,
  findDeclarationFiles,
  openFolder,
  type RepositoryOptions,
  type ResolvedSettings,
  readSettings,
  resolveSettings,
  settingsOfNoFolder,
} from './read/open-folder.ts'
import { foreignProblems, readFiles, readSources, type Sources } from './read/read-repository-files.ts'
import { checkTests, DeclaredTests, unusedPersons } from './resolve/declared-tests.ts'
import { redact } from './resolve/interpolate.ts'
import { Audiences, effectiveIn, expandShortLayers } from './resolve/layers.ts'
import { type DeclaredNames, declaredNames, namingFlags, noNames } from './resolve/names.ts'
import {
  findDefaults,
  parseDeclarations,
  placeDesired,
  resolveDeclarations,
  withoutBroken,
} from './resolve/resolve.ts'
import { type Environment, environmentsOf, ownKeyVariables, type Settings, servicesIn } from './settings.ts'

/** A repository of declarations as written, with its problems. */
export interface DeclaredRepository extends ResolvedSettings {
  /** Every problem of every file, by file and line. */
  readonly problems: readonly Problem[]
  /** The files that were read, relative to the repository. */
  readonly files: readonly string[]
  /** The declared names of any environment, as far as the files can be read. */
  readonly names: DeclaredNames
  readonly declared: readonly FileDeclarations[]
  readonly audiences: readonly ObjectDeclaration[]
  /** The meaning of the names of audiences, cohorts and group types in an environment. */
  readonly contextIn: (environment: string | undefined) => ShortContext
  readonly sources: Sources
  readonly tests: DeclaredTests
  /** Each environment with the results of its tests; empty without `testedAt`, or with errors. */
  readonly tested: readonly TestedEnvironment[]
  /** Hides values of environment variables in texts about a test. */
  readonly hide: (words: string) => string
  /** The problems about missing parts. */
  readonly absences: readonly Problem[]
  /** Whether some files cannot be read at all. */
  readonly isPartial: boolean
}

/** Checks a repository for every environment; a requested one has to exist. Failed tests are problems. */
export async function readDeclared(options: RepositoryOptions): Promise<DeclaredRepository> {
  const reading = await testRepository(options)
  const { tested, problems, hide } = reading
  const failed = failedTests(tested).map(problem => ({ ...problem, message: hide(problem.message) }))
  return { ...reading, problems: [...problems, ...failed].sort(byPlace) }
}

/** The same, but tests that do not pass are no problems. Tests run for the requested environment, or for each. */
export async function testRepository(
  options: RepositoryOptions,
  readings = new Readings(),
): Promise<DeclaredRepository> {
  const reading = await readings.of(options)
  const { problems, unsettled } = reading
  return { ...reading, problems: options.environment === undefined ? problems : [...unsettled, ...problems] }
}

/** The declarations of a repository for one environment, ready to apply. */
export interface LoadedRepository extends DeclaredRepository {
  /** Empty while there are errors: a partial repository must never be applied. */
  readonly declarations: Declarations
  readonly protection: DeclaredProtection
  /** Whether an existing part has an error; missing parts do not count. */
  readonly hasErrors: boolean
}

const nothing: Declarations = { desired: [], ownedGrants: [] }

/** Checks a repository and reads its declarations for one environment: the requested one, or the only one. */
export async function loadRepository(
  options: RepositoryOptions,
  readings = new Readings(),
): Promise<LoadedRepository> {
  const reading = await readings.of(options)
  const { declared, environment, problems, settings, unsettled, absences } = reading
  return {
    ...reading,
    problems: [...unsettled, ...problems],
    settingsProblems: [...unsettled, ...reading.settingsProblems],
    declarations:
      environment === undefined || hasErrors(problems)
        ? nothing
        : withManifestRules(resolved(reading, declared, environment)),
    protection: declaredProtection(declared, environment ?? settings.shared, reading.isPartial),
    hasErrors: hasErrors(problems.filter(problem => !absences.includes(problem))),
  }
}

function resolved(
  { sources, problems, tests }: DeclaredRepository,
  declared: readonly FileDeclarations[],
  environment: Environment,
): Declarations {
  return resolveDeclarations(declared, environment, sources.textOfFile, { problems, tests })
}

/** The declarations of a repository for one environment. The repository may have errors. */
export interface UnbrokenRepository extends DeclaredRepository {
  /** Whether the settings are usable and select an environment; otherwise there are no declarations. */
  readonly isSettled: boolean
  readonly declarations: Declarations
}

/** Reads the declarations for one environment, except those with errors. The result must not be applied. */
export async function loadUnbroken(options: RepositoryOptions): Promise<UnbrokenRepository> {
  const reading = (await readFolder(options)).in(options)
  const { environment, declared, unsettled, problems, settingsProblems } = reading
  const isSettled = environment !== undefined && !hasErrors([...unsettled, ...settingsProblems])
  return {
    ...reading,
    problems: [...unsettled, ...problems],
    isSettled,
    declarations: isSettled ? resolved(reading, withoutBroken(declared, problems), environment) : nothing,
  }
}

/** Reads the declarations of a repository without checks. The result must not be applied. */
export async function readUnchecked(
  options: RepositoryOptions,
): Promise<Omit<UnbrokenRepository, 'declarations'>> {
  const reading = (await readFolder(options, true)).in(options)
  return { ...reading, isSettled: !hasErrors(reading.settingsProblems) }
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

/**
 * Reads the files once for several environments. Two environments share what was read if they have the same
 * service and SDKs, and if no file names a variable that is not set: all checks then find the same.
 */
export class Readings {
  readonly #folders: Promise<ReadFolder>[] = []

  async of(options: RepositoryOptions): Promise<DeclaredRepository> {
    for (const reading of this.#folders) {
      const folder = await reading
      if (folder.suits(options)) return folder.in(options)
    }
    const reading = readFolder(options)
    this.#folders.push(reading)
    return (await reading).in(options)
  }
}

/** The files of a folder, read and checked for one environment. */
interface ReadFolder {
  /** Whether the same was found for the environment of these options, which differ in nothing else. */
  suits(options: Pick<RepositoryOptions, 'environment'>): boolean
  in(options: RepositoryOptions): DeclaredRepository
}

/**
 * Reads and checks everything for every environment, without resolving a single one. `isUnchecked` skips the
 * checks of declarations, which take most of the time.
 */
async function readFolder(options: RepositoryOptions, isUnchecked = false): Promise<ReadFolder> {
  const { directory, environment, env } = options
  const finder = await openFolder(options)
  if ('problem' in finder) {
    const nothing = nothingIn(finder.problem)
    return { suits: () => false, in: () => nothing }
  }
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
  const short = { environments, audiences }
  const declared = files.map(file => expandShortLayers(file.declared, short))
  const objects = declared.flatMap(file => file.objects)
  const sources = await readSources(objects, finder)
  const names = declaredNames(declared)
  const tests = new DeclaredTests(files.map(file => file.fixtures))
  const meant = chosen === undefined ? undefined : settled.environment
  const stated = options.profile ?? fromEnvironment(env, 'profile')
  const services = new Map<string | undefined, Services>()
  const servicesFor = (name?: string) => {
    const known = services.get(name)
    if (known) return known
    const found = servicesIn(name === undefined && meant ? [meant] : environments, stated, name)
    services.set(name, found)
    return found
  }
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
    ...defaults.problems(parsed.map(({ file }) => file)),
    ...shared.problems,
    ...checked.flatMap(object =>
      checkDeclaration(object, { servicesIn: servicesFor, isReported: shared.isReported }),
    ),
    ...checked.flatMap(checkTagMembers),
    ...sources.problems,
    ...checkDuplicates(declared, settings),
    // Without the settings, every name would be unknown.
    ...(knowsSettings
      ? [
          ...checkDefaults(settings, settingsRead.parsed),
          ...checkEnvironmentNames([...declared, { objects: audiences.declared, grants: [] }], settings),
          ...checkRoles(declared, settings),
          ...checkNumbered([...checked, ...shared.expanded], settings),
        ]
      : []),
  ]
  // Only valid declarations can be combined and checked together.
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
  const runIn = (meantIn: Environment, now: number): TestedEnvironment => {
    const { name } = meantIn
    const flags = declared.map(file => ({ objects: file.objects, grants: [] }))
    const placed = placeDesired(flags, meantIn, () => undefined, { tests })
    const { testedWith: sdks } = options
    const tested = sdks ? servicesOf(servicesFor(name), sdks) : servicesFor(name)
    return {
      ...(name === undefined ? {} : { name }),
      flags: runTests(
        placed.map(one => one.declared),
        { now, services: tested },
      ),
    }
  }
  const hasFiles = parsed.length + readProblems.length > 0
  const noSettings = settingsRead.isMissing
    ? missingSettings(directory, { hasFiles, found, repositories: search.repositories })
    : []
  const all = [...(settingsRead.parsed ? [settingsRead.parsed] : []), ...parsed]
  const whole = {
    problems: withoutRepeats([...noSettings, ...found]).sort(byPlace),
    files: all.map(({ file }) => file),
    texts: new Map([
      ...settled.texts,
      ...[...all, ...foreign.map(one => one.parsed)].map(({ file, text }) => [file, text] as const),
    ]),
    names,
    declared,
    audiences: audiences.declared,
    contextIn: (name: string | undefined) => audiences.contextIn(name),
    sources,
    tests,
    absences: [...noSettings, ...search.missing],
    hide: (words: string) => redact(words, new Map(objects.flatMap(({ file }) => [...file.secrets]))),
    isPartial,
  }
  const serviceOf = (one: Environment | undefined) =>
    JSON.stringify([one?.connection.profile, one?.policy.sdks])
  const isFilled = !settingsRead.isUnfilled && files.every(file => !file.isUnfilled)
  return {
    suits({ environment: wanted }) {
      const other = settings.environments.find(({ name }) => name === wanted)
      return isFilled && meant !== undefined && other !== undefined && serviceOf(other) === serviceOf(meant)
    },
    in(asked) {
      const chosenHere = resolveSettings(settingsRead, isNamed ? search.outside : [], asked)
      const named = asked.environment ?? chosenHere.environment?.name
      const only = named === undefined ? undefined : chosenHere.environment
      // The process may have the variables of only one environment.
      const testedIn = isUnchecked || hasErrors(found) ? [] : only ? [only] : environments
      const { testedAt } = asked
      const tested = testedAt === undefined ? [] : testedIn.map(each => runIn(each, testedAt))
      return { ...chosenHere, ...whole, tested }
    },
  }
}

function nothingIn(problem: Problem): DeclaredRepository {
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
    hide: words => words,
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
  return once(
    environmentsOf(settings).flatMap(environment => {
      const { desired } = resolveDeclarations(naming, environment, () => undefined)
      return dependencyProblems(desired, isTaken)
    }),
  )
}
