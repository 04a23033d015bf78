import type { TestedEnvironment } from '../../core/declared-tests.ts'
import { failedTests, runTests } from '../../core/run-tests.ts'
import type { Services } from '../../model/connection.ts'
import type { Problem } from '../../model/problem.ts'
import type { FileDeclarations } from '../declaration.ts'
import { redact } from '../resolve/interpolate.ts'
import { placeDesired } from '../resolve/resolve.ts'
import type { Environment } from '../settings.ts'
import type { DeclaredTests } from './declared-tests.ts'

/** The context of tests. */
export interface TestRunning {
  /** Milliseconds since 1970; without it they are not run. */
  readonly now: number | undefined
  readonly servicesIn: (environment: string | undefined) => Services
}

/** Runs the tests that are declared for some environments, each with all declarations there. */
export function runDeclaredTests(
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

/** The tests that did not pass, without values of the environment. */
export function failedDeclaredTests(
  tested: readonly TestedEnvironment[],
  declared: readonly FileDeclarations[],
): readonly Problem[] {
  const failed = failedTests(tested)
  if (failed.length === 0) return failed
  const hide = hiddenValues(declared)
  return failed.map(problem => ({ ...problem, message: hide(problem.message) }))
}

/** Hides values of the environment in texts. */
export function hiddenValues(declared: readonly FileDeclarations[]): (words: string) => string {
  const secrets = new Map(declared.flatMap(({ objects }) => objects.flatMap(({ file }) => [...file.secrets])))
  return words => redact(words, secrets)
}
