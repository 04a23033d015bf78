import { declarableKind } from '../../kinds/index.ts'
import type { Services } from '../../model/connection/profile.ts'
import { hasTargeting } from '../../model/kind.ts'
import { type EvaluationOnServices, judgeTest, KnownFlags, type TestOutcome } from '../../targeting/index.ts'
import { readRelease } from '../../targeting/release.ts'
import type { DeclaredTest, Desired } from '../desired.ts'
import { asFarAsDeclared, type EvaluationPlace, evaluateAt, evaluatedFlag } from './evaluate-declared.ts'

/** A test of a declared flag that was run. */
export interface RunTest extends TestOutcome {
  readonly test: DeclaredTest
  readonly evaluation: EvaluationOnServices
  /** Those that may answer. */
  readonly services: Services
}

/** A declared flag with its tests. */
export interface TestedFlag {
  readonly desired: Desired
  readonly tests: readonly RunTest[]
}

/** Runs the tests of declared flags, each with all flags that are declared beside it; no service is asked. */
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
