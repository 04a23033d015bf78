import { fromEnvironment, variables as serviceVariables } from '../api/settings.ts'
import type { TestedEnvironment } from '../core/declared-tests.ts'
import { dependencyProblems } from '../core/plan/flag-dependencies.ts'
import { servicesOf } from '../model/connection.ts'
import { hasErrors, type Problem } from '../model/problem.ts'
import { nothingShared, type ShortContext } from '../targeting/short/short-context.ts'
import { checkAudiences } from './check/check-audiences.ts'
import { checkDeclaration } from './check/check-declaration.ts'
import { checkDefaults } from './check/check-defaults.ts'
import { checkDuplicates } from './check/check-duplicates.ts'
import { checkEnvironmentNames } from './check/check-environments.ts'
import { checkManifests } from './check/check-manifests.ts'
import { checkPolicies } from './check/check-policies.ts'
import { checkRoles } from './check/check-roles.ts'
import { checkSensitive } from './check/check-sensitive.ts'
import { checkTagMembers, checkTagsInForce } from './check/check-tag-members.ts'
import { hasPayloadSchemas } from './check/has-payload-schemas.ts'
import { missingSettings } from './check/missing-settings.ts'
import { withoutPlain } from './check/plain-declarations.ts'
import { byPlace, withoutRepeats } from './check/problem-order.ts'
import type { FileDeclarations, ObjectDeclaration } from './declaration.ts'
import { areNamed, findDeclarationFiles } from './read/find-declaration-files.ts'
import { foreignProblems } from './read/foreign-file.ts'
import {
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
import { findDefaults } from './resolve/file-defaults.ts'
import { namingFlags } from './resolve/naming-flags.ts'
import { parseDeclarations } from './resolve/parse-declarations.ts'
import { resolveDeclarations } from './resolve/resolve.ts'
import { expandShortLayers } from './resolve/short-layers.ts'
import { UnknownNames } from './resolve/unknown-names.ts'
import { environmentsOf, ownKeyVariables, type Settings, servicesIn } from './settings.ts'
import { checkTests, unusedPersons } from './tests/check-tests.ts'
import { DeclaredTests } from './tests/declared-tests.ts'
import { runDeclaredTests } from './tests/run-declared-tests.ts'

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

/** All that was read of a repository, and what is wrong with it. */
export interface Reading extends CheckedRepository, Omit<ResolvedSettings, 'texts'> {
  readonly declared: readonly FileDeclarations[]
  readonly audiences: readonly ObjectDeclaration[]
  /** What the names of audiences, cohorts and group types mean in an environment. */
  readonly contextIn: (environment: string | undefined) => ShortContext
  readonly sources: Sources
  readonly tests: DeclaredTests
  /** How the tests came out, where they were run. */
  readonly tested: readonly TestedEnvironment[]
  /** Those of the problems that are about what is not there. */
  readonly absences: readonly Problem[]
  /** Whether there are files that cannot be read at all. */
  readonly isPartial: boolean
}

/**
 * Reads and checks everything, for every environment; nothing of it is resolved for one. To look for what is wrong with declarations
 * takes most of the time, and can be left out.
 */
export async function readRepository(options: RepositoryOptions, isUnchecked = false): Promise<Reading> {
  const { directory, environment, env } = options
  const finder = await openFolder(options)
  if ('problem' in finder) return nothingIn(finder.problem)
  const settingsRead = await readSettings(finder, env, environment)
  const { settings } = settingsRead
  const search = await findDeclarationFiles(finder, settingsRead)
  const isNamed = areNamed(settings)
  const settled = resolveSettings(settingsRead, isNamed ? search.outside : [], options)
  const chosen = environment ?? settled.environment?.name
  const isSettled = settled.environment !== undefined && !hasErrors(settled.settingsProblems)
  const onFile = isSettled ? await options.onSettled?.(settled) : undefined
  const {
    parsed,
    foreign,
    problems: readProblems,
  } = await readFiles(search.files, finder, {
    areNamed: isNamed,
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
  const toCheck = isUnchecked ? declared : declared.map(withoutPlain)
  const unusual = toCheck.flatMap(file => file.objects)
  const sources = await readSources(unusual, finder)
  const names = declaredNames(declared)
  const tests = new DeclaredTests(files.map(file => file.fixtures))
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
  const checked = isUnchecked ? [] : unusual
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
      ? checkEnvironmentNames([...toCheck, { objects: audiences.declared, grants: [] }], settings)
      : []),
    ...(knowsSettings ? checkRoles(toCheck, settings) : []),
  ]
  // What is declared has to be in order before it can be told what it comes to.
  if (!isUnchecked && !hasErrors(found)) {
    found.push(...checkTagsInForce(unusual, settings, options.today))
    found.push(...checkManifests(toCheck, settings, sources.textOfFile))
    found.push(...checkDependencies(toCheck, settings, names.isTaken))
    found.push(...checkSensitive(unusual, settings))
    if (options.today !== undefined)
      for (const problem of checkPolicies(declared, settings, options.today))
        found.push(options.policiesWarn ? { ...problem, severity: 'warning' } : problem)
    // Whoever plans or edits files is not kept from it by a test of what was declared before.
    if (options.testedAt !== undefined)
      found.push(...checkTests(objects, tests, settings), ...(isPartial ? [] : unusedPersons(objects, tests)))
    if (hasPayloadSchemas(unusual)) {
      // It brings a compiler of schemas, which few repositories need.
      const { checkPayloads } = await import('./check/check-payloads.ts')
      found.push(...checkPayloads(unusual, settings))
    }
  }
  // Values of the environment may be there for one alone.
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

/** How flags of a repository name each other, in any environment. Files need to have those alone that name any. */
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
  // What holds in several environments is one problem.
  return [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()]
}
