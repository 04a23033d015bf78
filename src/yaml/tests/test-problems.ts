import { type RunTest, runTests, type TestedFlag } from '../../core/tests/run-tests.ts'
import type { Problem } from '../../model/problem.ts'
import type { Services } from '../../model/profile.ts'
import type { FileDeclarations } from '../declaration.ts'
import { listSome } from '../parse/quote.ts'
import { redact } from '../resolve/interpolate.ts'
import { placeDesired } from '../resolve/resolve.ts'
import type { Environment } from '../settings.ts'
import type { DeclaredTests } from './declared-tests.ts'

/** What tests are run with. */
export interface TestRunning {
  /** Milliseconds since 1970; without it they are not run. */
  readonly now: number | undefined
  readonly servicesIn: (environment: string | undefined) => Services
}

/** The tests of one environment, as they came out. */
export interface TestedEnvironment {
  /** Undefined in a repository without environments. */
  readonly name?: string
  readonly flags: readonly TestedFlag[]
}

/** Runs the tests that are declared for some environments, each with all that is declared there. */
export function testEnvironments(
  declared: readonly FileDeclarations[],
  tests: DeclaredTests,
  environments: readonly Environment[],
  { now, servicesIn }: TestRunning,
): readonly TestedEnvironment[] {
  if (now === undefined) return []
  const files = declared.map(({ objects }) => ({ objects, grants: [] }))
  return environments.map(environment => {
    const { name } = environment
    const placed = placeDesired(files, environment, () => undefined, { tests })
    const flags = runTests(
      placed.map(one => one.declared),
      { now, services: servicesIn(name) },
    )
    return { ...(name === undefined ? {} : { name }), flags }
  })
}

/** The tests that did not pass; what several environments have in common is told once. */
export function failedTests(
  tested: readonly TestedEnvironment[],
  declared: readonly FileDeclarations[],
): Problem[] {
  const found = new Map<string, { readonly problem: Problem; readonly names: string[] }>()
  for (const { name, flags } of tested)
    for (const { desired, tests } of flags)
      for (const run of tests) {
        if (run.verdict === 'passed') continue
        const problem = problemOf(run, desired.address)
        const key = JSON.stringify([problem.source, problem.message])
        const known = found.get(key) ?? { problem, names: [] }
        found.set(key, known)
        if (name !== undefined) known.names.push(name)
      }
  if (found.size === 0) return []
  // What is told of conditions and payloads may have come out of the environment.
  const secrets = new Map(declared.flatMap(({ objects }) => objects.flatMap(({ file }) => [...file.secrets])))
  return [...found.values()].map(({ problem: { message, ...problem }, names }) => ({
    ...problem,
    message: redact(names.length === 0 ? message : `in ${listSome(names, 'and')}, ${message}`, secrets),
  }))
}

function problemOf(
  { test: { who, source }, verdict, expected, got, why }: RunTest,
  address: string,
): Problem {
  const told = { severity: 'error', ...(source ? { source } : {}), address } as const
  const message = `test of ${who}: expected ${expected}, got ${got}${why === '' ? '' : ` (${why})`}`
  switch (verdict) {
    case 'undecided':
      return { code: 'test-undecided', message, hint: undecidedHint, ...told }
    case 'differs':
      return { code: 'test-differs', message, hint: differsHint, ...told }
    default:
      return { code: 'test-failed', message, hint: 'correct the flag or the test', ...told }
  }
}

const undecidedHint = 'give the person what is missing; what only the service knows cannot be tested here'
const differsHint = 'name the service with "profile" in vexil.yaml, or write the flag so that all agree'
