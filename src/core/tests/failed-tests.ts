import type { Problem } from '../../model/problem.ts'
import { listSome } from '../../model/text/list-names.ts'
import { personText, type TestVerdict } from '../../targeting/index.ts'
import type { RunTest, TestedFlag } from './run-tests.ts'

/** The tests of one environment, as they came out. */
export interface TestedEnvironment {
  /** Undefined where there is only one, without a name. */
  readonly name?: string
  readonly flags: readonly TestedFlag[]
}

/** The tests that did not pass; what several environments have in common is told once. */
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
  const told = { severity: 'error', ...(source ? { source } : {}), address } as const
  const because = why === '' ? '' : ` (${why})`
  const message = `test of ${personText(test)}: expected ${expected}, got ${got}${because}`
  return { code: codeOf(verdict), message, hint: remedies[verdict], ...told }
}

/** Whether a problem with this code is a test that did not pass. */
export function isOfTest(code: string): boolean {
  return Object.keys(remedies).some(verdict => code === codeOf(verdict))
}

function codeOf(verdict: string): string {
  return `test-${verdict}`
}

/** What to do about a test that came out so. */
export const remedies: Readonly<Record<TestVerdict, string>> = {
  passed: '',
  failed: 'correct the flag or the test',
  undecided: 'give the person what is missing; what only the service knows cannot be tested here',
  differs:
    'write the flag so that all agree; name the service with "profile" in vexil.yaml, or what an SDK gives: expect: { value: true, sdks: { posthog-go: false } }',
}
