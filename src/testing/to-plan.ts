import type { Verdict } from './block-expectation.ts'
import type { Equals } from './expected/differences.ts'
import type { StackPlan } from './plan-stack.ts'

/** Addresses in any order, how many there are, or a matcher such as `expect.arrayContaining([...])`. */
export type Expected = readonly unknown[] | number | { asymmetricMatch(other: unknown): boolean }

/** What a plan is expected to hold. What is not named must be empty, so that nothing happens unnoticed. */
export interface ExpectedPlan {
  readonly create?: Expected
  readonly update?: Expected
  readonly claim?: Expected
  readonly restore?: Expected
  readonly delete?: Expected
  readonly blocked?: Expected
}

/** Whether a plan is as expected; the message of a failure ends with the plan as people are shown it. */
export function matchPlan(made: StackPlan, expected: ExpectedPlan, equals: Equals): Verdict {
  const unknown = Object.keys(expected).filter(name => !(parts as readonly string[]).includes(name))
  if (unknown.length > 0) throw new Error(`a plan has no "${unknown[0]}"; it has ${parts.join(', ')}`)
  const wrong = parts.flatMap(part => mismatch(part, addressesOf(made, part), expected[part] ?? [], equals))
  return {
    pass: wrong.length === 0,
    message: () =>
      [...(wrong.length === 0 ? ['expected another plan than this one'] : wrong), '', made.text].join('\n'),
  }
}

const parts = ['create', 'update', 'claim', 'restore', 'delete', 'blocked'] as const
type Part = (typeof parts)[number]

function addressesOf({ changes, blocked }: StackPlan, part: Part): readonly string[] {
  const of = part === 'blocked' ? blocked : changes.filter(({ action }) => action === part)
  return of.map(({ address }) => address).sort()
}

function mismatch(
  part: Part,
  actual: readonly string[],
  expected: Expected,
  equals: Equals,
): readonly string[] {
  const line = (wanted: string) => [`expected ${part}: ${wanted}, got ${listed(actual)}`]
  if (typeof expected === 'number') return actual.length === expected ? [] : line(String(expected))
  if (!Array.isArray(expected)) return equals(actual, expected) ? [] : line(String(expected))
  return isSameList(actual, expected, equals) ? [] : line(listed(expected))
}

/** Each expected one takes an address of its own. */
function isSameList(actual: readonly string[], expected: readonly unknown[], equals: Equals): boolean {
  const left = [...actual]
  // Plain addresses first, so that a matcher does not take what one of them needs.
  const byPlainness = [...expected].sort(
    (a, b) => Number(typeof a !== 'string') - Number(typeof b !== 'string'),
  )
  for (const each of byPlainness) {
    const at = left.findIndex(address => equals(address, each))
    if (at < 0) return false
    left.splice(at, 1)
  }
  return left.length === 0
}

function listed(addresses: readonly unknown[]): string {
  return addresses.length === 0 ? 'nothing' : addresses.map(String).join(', ')
}
