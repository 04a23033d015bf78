import type { TestedEnvironment } from '../core/declared-tests.ts'
import type { Declarations } from '../core/desired.ts'
import type { DeclaredProtection } from '../core/record/undo.ts'
import { hasErrors, type Problem } from '../model/problem.ts'
import { withManifestRules } from './check/check-manifests.ts'
import { byPlace } from './check/problem-order.ts'
import type { FileDeclarations } from './declaration.ts'
import type { LoadedSettings, RepositoryOptions } from './read/load-settings.ts'
import { type CheckedRepository, type Reading, readRepository } from './read-repository.ts'
import { effectiveIn } from './resolve/effective.ts'
import { resolveDeclarations } from './resolve/resolve.ts'
import { withoutBroken } from './resolve/unbroken.ts'
import type { Environment } from './settings.ts'
import { failedDeclaredTests, hiddenValues } from './tests/run-declared-tests.ts'

/** A repository as it is applied to one environment. */
export interface LoadedRepository extends CheckedRepository, Omit<LoadedSettings, 'texts'> {
  /** Empty as long as there are errors: half of a repository must never be applied. */
  readonly declarations: Declarations
  readonly protection: DeclaredProtection
  /** The files besides that declarations take texts from. */
  readonly sourceFiles: readonly string[]
  /** Whether anything that is there has a problem in it; what is not there yet has none. */
  readonly hasErrors: boolean
}

export type { CheckedRepository } from './read-repository.ts'

const nothing: Declarations = { desired: [], ownedGrants: [] }

/** Checks a repository for every environment that it has. */
export async function checkRepository(options: RepositoryOptions): Promise<CheckedRepository> {
  const reading = await readRepository(options)
  const { settings, files, texts, names } = reading
  return { settings, problems: allProblems(reading, options), files, texts, names }
}

/** A repository whose tests have been run. */
export interface TestedRepository extends CheckedRepository {
  /** Each environment with its flags; none as long as there are errors, for then it is not known what is declared. */
  readonly tested: readonly TestedEnvironment[]
  /** The tests that did not pass; they are not among the problems. */
  readonly failed: readonly Problem[]
  /** Hides what came out of the environment in words about a test. */
  readonly hide: (words: string) => string
}

/** Checks a repository, and runs its tests: for the environment that is asked for, or for each. */
export async function testRepository(
  options: RepositoryOptions & Required<Pick<RepositoryOptions, 'testedAt'>>,
): Promise<TestedRepository> {
  const reading = await readRepository(options)
  const { settings, files, texts, names, tested, declared } = reading
  const problems = allProblems({ ...reading, tested: [] }, options)
  const failed = failedDeclaredTests(tested, declared)
  return { settings, problems, files, texts, names, tested, failed, hide: hiddenValues(declared) }
}

/** With the tests that did not pass. An environment that is asked for has to be there; when none is, all of them are checked. */
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

/** What a repository declares for one environment, of a state in which there may be errors. */
export interface UnbrokenRepository
  extends Pick<LoadedRepository, 'environment' | 'declarations' | 'files' | 'problems'> {
  /** Whether the settings can be used, and tell which environment is meant; without that nothing is declared. */
  readonly isSettled: boolean
}

/** Reads what a repository declares for one environment, without whatever an error is about. Nothing may be applied of it. */
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

/** A repository as it is written, for whoever changes what is written. */
export interface DeclaredRepository extends CheckedRepository {
  readonly declared: readonly FileDeclarations[]
  /** The name of the settings file; undefined where there is none. */
  readonly settingsFile?: string
  readonly audiences: Reading['audiences']
  readonly contextIn: Reading['contextIn']
  readonly tests: Reading['tests']
}

/** Checks a repository as `checkRepository` does, and gives what it declares, each with its file. */
export async function readDeclared(options: RepositoryOptions): Promise<DeclaredRepository> {
  const reading = await readRepository(options)
  const { settings, settingsFile, files, texts, names, declared, audiences, contextIn, tests } = reading
  const found = settingsFile === undefined ? {} : { settingsFile }
  return {
    ...{ settings, ...found, files, texts, names, declared, audiences, contextIn, tests },
    problems: allProblems(reading, options),
  }
}

/** What a repository declares for all environments, whether or not it may be applied. */
export interface UncheckedRepository extends Pick<DeclaredRepository, 'settings' | 'declared'> {
  /** Whether the settings can be used; without that nothing is known of environments. */
  readonly isSettled: boolean
}

/** Reads what a repository declares without looking for what is wrong with it. Nothing may be applied of it. */
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
    // A declaration may call an object otherwise, where it says which one is meant.
    if (id !== undefined) ids.add(`${declaration.kind.name}#${id}`)
  }
  return {
    has: ({ address, kind, id }) => addresses.has(address) || (id !== undefined && ids.has(`${kind}#${id}`)),
    isPartial,
  }
}
