import { resolve } from 'node:path'
import type { Desired } from '../../../core/desired.ts'
import { ownersOf } from '../../../core/owners.ts'
import { failedTests, type TestedEnvironment } from '../../../core/tests/failed-tests.ts'
import { redactedTests } from '../../../core/tests/redacted-tests.ts'
import type { RunTest } from '../../../core/tests/run-tests.ts'
import type { SdkVersions } from '../../../model/connection/profile.ts'
import type { Problem } from '../../../model/problem.ts'
import { once } from '../../../model/runtime/once.ts'
import { dayOf } from '../../../model/tag-member.ts'
import type { CoverageDocument, TestedCase, ToldTest } from '../../../report/document.ts'
import { personText } from '../../../targeting/index.ts'
import { testRepository } from '../../../yaml/index.ts'
import type { RepositoryFlags } from '../../connection/repository-settings.ts'
import { requireProfile } from '../../connection/resolve-connection.ts'
import { CommandError, type ExitCode, exitCode } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { type OutputFlags, print } from '../../host/output/output.ts'
import { requireOwners, resolveAddresses } from '../../plan/target-filter.ts'
import { refuseProblems } from '../../repository/refuse-problems.ts'
import { learnSecrets, notePolicies, readsStack } from '../../repository/repository.ts'
import { type ProblemFiles, toldProblems } from '../../repository/told-problems.ts'
import { answerOf } from '../evaluate/answer-of.ts'
import { coverageDocument } from './coverage-document.ts'
import { answerMatrix, type RunIn, sdksAsked } from './sdk-answers.ts'

export interface TestFlags extends RepositoryFlags, OutputFlags {
  readonly owner?: readonly string[]
  readonly coverage?: boolean
  /** The SDKs that tests hold for, and whose answers are shown: `all`, a name, or one with its version. */
  readonly sdk?: readonly string[]
  /** How much of conditions and variants tests have to reach, in percent. */
  readonly minCoverage?: string
}

/** `vexil test [FLAG ...]`: whether people get what tests say of the declared flags, without asking the service. */
export async function runTest(host: Host, named: readonly string[], flags: TestFlags): Promise<ExitCode> {
  const least = leastCoverage(flags.minCoverage)
  const directory = resolve(host.directory, flags.chdir ?? '.')
  const sdks = flags.sdk && sdksAsked(flags.sdk)
  const { tested, files, hide } = await runAll(host, flags, directory, sdks)
  const chosen = redactedTests(chooseFlags(tested, named, flags.owner), host.redaction)
  const isCovered = flags.coverage === true || least !== undefined
  const coverage = isCovered ? coverageDocument(chosen) : undefined
  const problems = [
    ...failedTests(chosen).map(problem => ({ ...problem, message: hide(problem.message) })),
    ...tooLow(coverage, least),
  ]
  const code = problems.length > 0 ? exitCode.error : exitCode.done
  const runs = runsOf(chosen)
  const cases = once(() => runs.map(caseOf))
  const told = once(() => runs.map(one => toldTest(one, hide)))
  await print(host, flags, {
    is: 'tests',
    exitCode: code,
    ...(flags.env === undefined ? {} : { environment: flags.env }),
    results: runs.map(({ desired: { address }, run: { verdict } }) => ({ address, verdict })),
    get tests() {
      return cases()
    },
    get told() {
      return told()
    },
    problems: toldProblems(host, problems, files),
    ...(coverage ? { coverage } : {}),
    ...(sdks ? { matrix: answerMatrix(runs, host.redaction) } : {}),
  })
  return code
}

interface Tested {
  readonly tested: readonly TestedEnvironment[]
  readonly files: ProblemFiles
  /** Hides what came out of the environment. */
  readonly hide: (words: string) => string
}

async function runAll(
  host: Host,
  flags: TestFlags,
  directory: string,
  sdks: SdkVersions | undefined,
): Promise<Tested> {
  const { env: environment } = flags
  if (readsStack(flags)) {
    const { testStack } = await import('../../repository/test-stack.ts')
    const { problems, texts, tested } = await testStack(host, flags, { policiesWarn: true, sdks })
    const files = { directory, texts }
    refuseProblems(host, problems, files)
    notePolicies(host, problems, flags)
    return { tested, files, hide: words => words }
  }
  const profile = flags.profile === undefined ? {} : { profile: requireProfile(flags.profile) }
  const now = host.runtime.now()
  const options = { directory, ...(environment === undefined ? {} : { environment }), ...profile }
  const repository = await testRepository({
    ...options,
    today: dayOf(now),
    testedAt: now,
    env: host.env,
    policiesWarn: true,
    testedWith: sdks,
  })
  const meant = repository.settings.environments.find(({ name }) => name === environment)
  const learned = meant ? { environment: meant } : {}
  await learnSecrets(host, { settings: repository.settings, ...learned })
  const files = { directory, texts: repository.texts }
  refuseProblems(host, repository.problems, files)
  notePolicies(host, repository.problems, flags)
  return { tested: repository.tested, files, hide: repository.hide }
}

/** The flags that are meant, in each environment in which they are declared. */
function chooseFlags(
  tested: readonly TestedEnvironment[],
  targets: readonly string[],
  owners: readonly string[] | undefined,
): readonly TestedEnvironment[] {
  const all = tested.flatMap(({ flags }) => flags.map(({ desired }) => desired))
  const known = [...new Set(all.map(({ address }) => address))]
  const named = new Set(targets.flatMap(target => resolveAddresses(target, known)))
  if (owners) requireOwners(owners, all.flatMap(ownersOf))
  const isMeant = (desired: Desired) =>
    (targets.length === 0 || named.has(desired.address)) &&
    (!owners || ownersOf(desired).some(owner => owners.includes(owner)))
  if (owners && targets.length > 0 && !all.some(isMeant))
    throw new CommandError(
      `nothing that is named is of ${owners.map(owner => JSON.stringify(owner)).join(' or ')}`,
      exitCode.usage,
    )
  return tested.map(({ flags, ...environment }) => ({
    ...environment,
    flags: flags.filter(({ desired }) => isMeant(desired)),
  }))
}

function runsOf(tested: readonly TestedEnvironment[]): readonly RunIn[] {
  return tested.flatMap(({ name = null, flags }) =>
    flags.flatMap(({ desired, tests }) => tests.map(run => ({ desired, environment: name, run }))),
  )
}

function caseOf({ desired: { address, fields }, environment, run }: RunIn): TestedCase {
  const { test, verdict, evaluation } = run
  const { person = null, value, payload, because } = test
  const { by, others } = evaluation
  return {
    address,
    environment,
    person,
    verdict,
    expected: {
      value,
      ...(payload === undefined ? {} : { payload }),
      ...(because === undefined ? {} : { because: reasonOf(because) }),
    },
    got: { ...answerOf(fields.filters ?? null, evaluation), by, others },
    source: test.sourceOf?.() ?? null,
  }
}

function toldTest({ desired, environment, run }: RunIn, hide: Tested['hide']): ToldTest {
  const { test, verdict } = run
  const { expected, got, why } = run.words()
  return {
    address: desired.address,
    environment,
    verdict,
    person: personText(test),
    expected: hide(expected),
    got: hide(got),
    why: hide(why),
    source: test.sourceOf?.() ?? null,
  }
}

function reasonOf(
  because: NonNullable<RunTest['test']['because']>,
): NonNullable<TestedCase['expected']['because']> {
  return 'reason' in because ? { reason: because.reason } : { condition: because.condition + 1 }
}

function leastCoverage(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const least = Number(given)
  if (/^\d+(\.\d+)?$/.test(given) && least <= 100) return least
  throw new CommandError(
    `--min-coverage takes a percentage from 0 to 100; not ${JSON.stringify(given)}`,
    exitCode.usage,
  )
}

function tooLow(coverage: CoverageDocument | undefined, least: number | undefined): readonly Problem[] {
  if (coverage === undefined || least === undefined || coverage.percent >= least) return []
  return [
    {
      code: 'low-coverage',
      severity: 'error',
      message: `tests reach ${coverage.percent}% of conditions and variants, less than the ${least}% of --min-coverage`,
      hint: 'write tests for what is listed as not reached',
    },
  ]
}
