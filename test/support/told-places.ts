import type { Declarations, DeclaredTest } from '../../src/core/desired.ts'
import type { Source } from '../../src/model/problem.ts'

type ToldTest = Omit<DeclaredTest, 'sourceOf'> & { readonly source?: Source }

/** Declarations with the places of their tests, so that two of them can be compared. */
export function withToldPlaces({ desired, ...others }: Declarations) {
  return {
    ...others,
    desired: desired.map(({ tests, ...one }) => ({ ...one, ...(tests ? { tests: tests.map(told) } : {}) })),
  }
}

function told({ sourceOf, ...test }: DeclaredTest): ToldTest {
  return sourceOf ? { ...test, source: sourceOf() } : test
}
