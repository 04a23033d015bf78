import { Absent } from './absent.ts'
import { containerSample, isAsymmetric } from './asymmetric.ts'
import { capturesIn } from './capture.ts'

/**
 * Refuses what the test framework's own matchers would get wrong without a word: `expect.objectContaining` looks at no
 * member that is not there, and `expect.arrayContaining` tries elements that are not those it finds.
 */
export function requireUsable(expected: unknown): void {
  if (typeof expected !== 'object' || expected === null) return
  const sample = isAsymmetric(expected) ? containerSample(expected) : undefined
  if (isAsymmetric(expected) && sample === undefined) return
  const members: readonly unknown[] = Object.values(sample ?? expected)
  if (sample !== undefined && members.some(member => member instanceof Absent)) {
    throw new Error(
      `absent() does not work within ${expected}; expect a plain object, which may have more members than are named`,
    )
  }
  if (sample !== undefined && String(expected) !== 'ObjectContaining' && capturesIn(sample).length > 0) {
    throw new Error(
      `a capture does not work within ${expected}, which tries several things; capture all of them`,
    )
  }
  for (const member of members) requireUsable(member)
}
