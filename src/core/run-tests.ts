import { declarableKind } from '../kinds/index.ts'
import { hasTargeting } from '../model/kind.ts'
import type { Problem } from '../model/problem.ts'
import { listSome } from '../model/text/list-names.ts'
import { decidingCondition, judgeTest, KnownFlags, personText, type TestVerdict } from '../targeting/index.ts'
import { reachableVariants, readRelease } from '../targeting/release.ts'
import {
  asFarAsDeclared,
  type EvaluationPlace,
  evaluateAt,
  evaluatedFlag,
  type RunTest,
  type TestedEnvironment,
  type TestedFlag,
} from './declared-tests.ts'
import type { Desired } from './desired.ts'

/** Runs the tests of declared flags, each with all flags declared together with it; no request is sent. */
export function runTests(declared: readonly Desired[], place: EvaluationPlace): readonly TestedFlag[] {
  const flags = declared.filter(({ kind }) => hasTargeting(declarableKind(kind)))
  const known = new KnownFlags(flags.map(evaluatedFlag))
  return flags.map(desired => {
    const { tests = [] } = desired
    if (tests.length === 0) return { desired, tests: [] }
    const { filters = null, ...evaluated } = evaluatedFlag(desired)
    const flag = { ...evaluated, filters, release: readRelease(filters) }
    return {
      desired,
      tests: tests.map((test): RunTest => {
        const evaluation = asFarAsDeclared(desired, evaluateAt(place, flag, test.subject, known))
        const { services } = place
        return { test, evaluation, services, ...judgeTest(test, evaluation, filters, services) }
      }),
    }
  })
}

/** The tests that did not pass; a failure that several environments share is reported once. */
export function failedTests(tested: readonly TestedEnvironment[]): Problem[] {
  const found = new Map<string, { readonly problem: Problem; readonly names: string[] }>()
  for (const { name, flags } of tested)
    for (const { desired, tests } of flags)
      for (const run of tests) {
        if (run.verdict === 'passed') continue
        const problem = problemOf(run, desired.address)
        const key = JSON.stringify([problem.source, problem.address, problem.message])
        const known = found.get(key) ?? { problem, names: [] }
        found.set(key, known)
        if (name !== undefined) known.names.push(name)
      }
  return [...found.values()].map(({ problem, names }) =>
    names.length === 0
      ? problem
      : { ...problem, message: `in ${listSome(names, 'and')}, ${problem.message}` },
  )
}

function problemOf({ test, verdict, words }: RunTest, address: string): Problem {
  const { expected, got, why } = words()
  const source = test.sourceOf?.()
  const problem = { severity: 'error', ...(source ? { source } : {}), address } as const
  const because = why === '' ? '' : ` (${why})`
  const message = `test of ${personText(test)}: expected ${expected}, got ${got}${because}`
  return { code: codeOf(verdict), message, hint: remedies[verdict], ...problem }
}

/** Whether a problem with this code is a test that did not pass. */
export function isOfTest(code: string): boolean {
  return Object.keys(remedies).some(verdict => code === codeOf(verdict))
}

function codeOf(verdict: string): string {
  return `test-${verdict}`
}

/** The remedy for a test with this result. */
export const remedies: Readonly<Record<TestVerdict, string>> = {
  passed: '',
  failed: 'correct the flag or the test',
  undecided: 'give the person what is missing; what only the service knows cannot be tested here',
  differs:
    'write the flag so that all agree; name the service with "profile" in vexil.yaml, or what an SDK gives: expect: { value: true, sdks: { posthog-go: false } }',
}

/** The parts of a flag that the people of its tests reach. */
export interface FlagCoverage {
  /** Every condition, from 0, and those that decide for nobody in a test. */
  readonly conditions: number
  readonly missedConditions: readonly number[]
  /** How many variants somebody can get at all, and those that nobody in a test gets. */
  readonly variants: number
  readonly missedVariants: readonly string[]
}

/**
 * The conditions and variants of a flag that no test reaches; failing tests count too. A test reaches a condition if it
 * decides for the person of the test, also outside of its percentage. A flag that is off or absent does not count.
 */
export function coverageOf({ desired, tests }: TestedFlag): FlagCoverage {
  const { ensure, fields } = desired
  if (ensure === 'absent' || fields.active === false || fields.filters === undefined) return nothing
  const release = readRelease(fields.filters)
  const decided = tests.map(({ evaluation }) => evaluation).filter(({ undecided }) => undecided === undefined)
  const deciding = new Set(decided.map(decidingCondition))
  const values = new Set(decided.map(({ value }) => value))
  const variants = reachableVariants(release)
  return {
    conditions: release.conditions.length,
    missedConditions: release.conditions.map(({ index }) => index).filter(index => !deciding.has(index)),
    variants: variants.length,
    missedVariants: variants.filter(key => !values.has(key)),
  }
}

const nothing: FlagCoverage = { conditions: 0, missedConditions: [], variants: 0, missedVariants: [] }

export interface Shares {
  readonly total: number
  readonly reached: number
}

/** The reached parts of several flags, and their share in percent; 100 if there is nothing to reach. */
export function coverageOfAll(flags: readonly FlagCoverage[]): {
  readonly percent: number
  readonly conditions: Shares
  readonly variants: Shares
} {
  const sum = (count: (flag: FlagCoverage) => number) => flags.reduce((all, flag) => all + count(flag), 0)
  const shares = (total: number, missed: number) => ({ total, reached: total - missed })
  const conditions = shares(
    sum(flag => flag.conditions),
    sum(flag => flag.missedConditions.length),
  )
  const variants = shares(
    sum(flag => flag.variants),
    sum(flag => flag.missedVariants.length),
  )
  const total = conditions.total + variants.total
  // Rounded down: 100 means all.
  const percent =
    total === 0 ? 100 : Math.floor((1000 * (conditions.reached + variants.reached)) / total) / 10
  return { percent, conditions, variants }
}
