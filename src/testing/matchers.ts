import { declarableKind } from '../kinds/index.ts'
import { profileNamed } from '../model/connection.ts'
import type { LoadedStack } from '../stack/index.ts'
import { requireKnown, type Verdict } from './block-expectation.ts'
import * as blockMatchers from './block-matchers.ts'
import type { MatcherContext } from './expected.ts'
import {
  type ExpectedPlan,
  matchPlan,
  openTestService,
  planStack,
  readSubject,
  type SubjectOptions,
  type TestRole,
} from './plan-stack.ts'
import type { TestSandbox } from './start-sandbox.ts'
import type { Subject } from './synthesize.ts'

export interface PlanExpectationOptions extends SubjectOptions {
  /** The sandbox that is planned against; without it, a new and empty one that has the roles which the stack names. */
  readonly on?: TestSandbox
}

/**
 * For `expect.extend`. `vexil/testing/vitest` and `vexil/testing/jest` call it, and declare the types.
 *
 * ```ts
 * expect(stack).toHaveResource(Flag, { key: 'checkout_v2', active: true })
 * await expect(stack).toPlan({ create: ['feature_flag.checkout_v2'] })
 * ```
 */
export const matchers = { ...blockMatchers, toPlan }

/**
 * What `expect(stack)` has in addition to the test framework. Expected attributes are a minimum, under their
 * names in constructs or in Terraform.
 */
export type Expectations<R> = {
  [Name in keyof typeof matchers]: (typeof matchers)[Name] extends (
    this: MatcherContext,
    subject: Subject,
    ...given: infer Given
  ) => infer Result
    ? (...given: Given) => Result extends Promise<Verdict> ? Promise<R> : R
    : never
}

/** An apply would do this and nothing else: what is not named must be empty. Await it. */
async function toPlan(
  this: MatcherContext,
  subject: Subject,
  expected: ExpectedPlan,
  { on, ...options }: PlanExpectationOptions = {},
): Promise<Verdict> {
  requireKnown(expected, 'expected')
  if (on) return matchPlan(await on.plan(subject, options), expected, this.equals)
  const stack = await readSubject(subject, options)
  const profile = profileNamed(stack.connection.profile)
  const { place, close } = await openTestService({
    roles: rolesNamedBy(stack),
    ...(profile && { profile }),
  })
  try {
    return matchPlan(await planStack(place, stack), expected, this.equals)
  } finally {
    await close()
  }
}

function rolesNamedBy({ declarations }: LoadedStack): readonly TestRole[] {
  const grants = declarations.desired.filter(({ kind }) => declarableKind(kind).identity.by === 'parent')
  return [...new Set(grants.map(({ identity }) => identity))].map(id => ({ id }))
}
