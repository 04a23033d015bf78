import { coverageOf, coverageOfAll } from '../../../core/tests/coverage.ts'
import type { TestedEnvironment } from '../../../core/tests/failed-tests.ts'
import type { CoverageDocument, MissedFlag } from '../../../report/document.ts'
import { conditionOf } from '../../../targeting/index.ts'

/** What tests reach of flags, and of each flag what they do not. */
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
