import { resolve } from 'node:path'
import {
  coverageOf,
  coverageOfAll,
  failedTests,
  type RunTest,
  redactedTests,
  type TestedEnvironment,
} from '../../core/declared-tests.ts'
import type { Desired } from '../../core/desired.ts'
import { ownersOf } from '../../core/ownership.ts'
import type { Redaction } from '../../core/redaction.ts'
import { type SdkVersions, servicesOf } from '../../model/connection.ts'
import { dayOf } from '../../model/field.ts'
import type { Problem } from '../../model/problem.ts'
import { once } from '../../model/runtime.ts'
import type {
  AnswerMatrix,
  CoverageDocument,
  MissedFlag,
  TestedCase,
  TestResult,
} from '../../report/document.ts'
import { sdkNamed } from '../../services/engines.ts'
import { isVersionRange, notMeasured, sdkVersions } from '../../services/sdk-versions.ts'
import { sdks } from '../../services/sdks.ts'
import { answerText, conditionOf, newDisagreements, personText } from '../../targeting/index.ts'
import { testRepository } from '../../yaml/index.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { requireOwners, resolveAddresses } from '../plan/target-filter.ts'
import { requireProfile } from '../repository/connection.ts'
import { locateProblems, type ProblemFiles, refuseProblems } from '../repository/problems.ts'
import { learnSecrets, notePolicies, readsStack, sharedReadings } from '../repository/repository.ts'
import { answerOf } from './evaluate.ts'

/** `vexil test [FLAG ...]`: runs the tests of declared flags, without the service. */
export async function runTest(host: Host, named: readonly string[], flags: Flags): Promise<ExitCode> {
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
  const inWords = once(() => runs.map(one => testResult(one, hide)))
  await print(host, flags, {
    is: 'tests',
    exitCode: code,
    ...(flags.env === undefined ? {} : { environment: flags.env }),
    results: runs.map(({ desired: { address }, run: { verdict } }) => ({ address, verdict })),
    get tests() {
      return cases()
    },
    get inWords() {
      return inWords()
    },
    problems: locateProblems(host, problems, files),
    ...(coverage ? { coverage } : {}),
    ...(sdks ? { matrix: answerMatrix(runs, host.redaction) } : {}),
  })
  return code
}

interface Tested {
  readonly tested: readonly TestedEnvironment[]
  readonly files: ProblemFiles
  /** Hides values from environment variables. */
  readonly hide: (words: string) => string
}

async function runAll(
  host: Host,
  flags: Flags,
  directory: string,
  sdks: SdkVersions | undefined,
): Promise<Tested> {
  const { env: environment } = flags
  if (readsStack(flags)) {
    const { testStack } = await import('../repository/test-stack.ts')
    const { problems, texts, tested } = await testStack(host, flags, { policiesWarn: true, sdks })
    const files = { directory, texts }
    refuseProblems(host, problems, files)
    notePolicies(host, problems, flags)
    return { tested, files, hide: words => words }
  }
  const now = host.runtime.now()
  const options = {
    directory,
    environment,
    profile: flags.profile === undefined ? undefined : requireProfile(flags.profile),
    today: dayOf(now),
    testedAt: now,
    env: host.env,
    policiesWarn: true,
    testedWith: sdks,
  }
  const repository = await testRepository(options, sharedReadings(host))
  const { settings } = repository
  const meant = settings.environments.find(({ name }) => name === environment)
  await learnSecrets(host, { settings, environment: meant })
  const files = { directory, texts: repository.texts }
  refuseProblems(host, repository.problems, files)
  notePolicies(host, repository.problems, flags)
  return { ...repository, files }
}

/** The selected flags, in each environment that declares them. */
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
      `none of the named flags belongs to ${owners.map(owner => JSON.stringify(owner)).join(' or ')}`,
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

function testResult({ desired, environment, run }: RunIn, hide: Tested['hide']): TestResult {
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
      hint: 'write tests for the conditions and variants that are not reached',
    },
  ]
}

export interface RunIn {
  readonly desired: Desired
  readonly environment: string | null
  readonly run: RunTest
}

/** The SDKs of `--sdk`, each with the given version, or the newest known one. */
export function sdksAsked(asked: readonly string[]): SdkVersions {
  const named = asked.flatMap(each => (each === 'all' ? Object.keys(sdks) : [each]))
  return sdkVersions(
    Object.fromEntries(
      named.map(each => {
        const [, name = each, text = sdkNamed(name)?.newest ?? ''] = /^([^@]*)(?:@(.+))?$/.exec(each) ?? []
        const unknown = isVersionRange(text)
          ? notMeasured(name, text)
          : `${JSON.stringify(each)} names no version`
        if (unknown !== undefined && !sdkVersions({ [name]: text })[name]?.length)
          throw new CommandError(`--sdk: ${unknown}`, exitCode.usage)
        return [name, text]
      }),
    ),
  )
}

/** The answers of the service and each SDK for every test, with the reason if they differ. */
export function answerMatrix(runs: readonly RunIn[], redaction: Redaction): AnswerMatrix {
  const names = [...new Set(runs.flatMap(({ run }) => run.evaluation.sdks.map(({ by }) => by)))]
  const rows = runs.map(({ desired: { address }, environment, run: { test, evaluation } }) => {
    const { value, undecided, sdks } = evaluation
    const answers = names.map(name => sdks.find(({ by }) => by === name))
    return {
      address,
      environment,
      person: personText(test),
      service: undecided === undefined ? answerText(value) : 'undecided',
      sdks: answers.map(one => (one?.value === undefined ? (one ? 'asks' : '') : answerText(one.value))),
      differs: answers.some(one => one?.value !== undefined && one.value !== value),
    }
  })
  const differing = runs.filter((_, at) => rows[at]?.differs)
  const notes = new Map(
    differing.map(({ desired, run: { services } }) => [
      desired.address,
      newDisagreements(
        null,
        desired.fields.filters ?? null,
        servicesOf([services.at(-1)], services.sdks),
        redaction.of(desired)?.hides('values'),
      ),
    ]),
  )
  return { sdks: names, rows, notes: [...notes].map(([address, lines]) => ({ address, lines })) }
}

/** The coverage of flags, and the untested parts of each flag. */
export function coverageDocument(tested: readonly TestedEnvironment[]): CoverageDocument {
  const covered = tested.flatMap(({ name = null, flags }) =>
    flags.map(flag => ({ environment: name, flag, coverage: coverageOf(flag) })),
  )
  const missed = covered.flatMap(({ environment, flag: { desired, tests }, coverage }): MissedFlag[] => {
    const { missedConditions, missedVariants } = coverage
    if (missedConditions.length + missedVariants.length === 0) return []
    const filters = desired.fields.filters ?? null
    return [
      {
        address: desired.address,
        environment,
        tests: tests.length,
        conditions: missedConditions.flatMap(
          conditionIndex => conditionOf(filters, { conditionIndex }) ?? [],
        ),
        variants: missedVariants,
      },
    ]
  })
  return { ...coverageOfAll(covered.map(({ coverage }) => coverage)), missed }
}
