import { declarableKind } from '../kinds/index.ts'
import { profileNamed } from '../model/profile.ts'
import type { LoadedStack } from '../stack/index.ts'
import type { Equals } from './expected/differences.ts'
import { planStack, readSubject, type SubjectOptions } from './plan-stack.ts'
import { requireKnown } from './require-known.ts'
import type { ResourceType } from './stack-resources.ts'
import type { TestSandbox } from './start-sandbox.ts'
import type { Subject } from './subject.ts'
import { openTestService, type TestRole } from './test-service.ts'
import { haveResource, type Verdict } from './to-have-resource.ts'
import { type ExpectedPlan, matchPlan } from './to-plan.ts'

export interface PlanExpectationOptions extends SubjectOptions {
  /** The sandbox that is planned against; without it, a new and empty one that has the roles which the stack names. */
  readonly on?: TestSandbox
}

/** What a matcher is called on, in vitest as in jest. */
export interface MatcherContext {
  readonly equals: Equals
}

/**
 * For `expect.extend`. `vexil/testing/vitest` and `vexil/testing/jest` do that, and tell TypeScript.
 *
 * ```ts
 * expect(stack).toHaveResource(Flag, { key: 'checkout_v2', active: true })
 * await expect(stack).toPlan({ create: ['feature_flag.checkout_v2'] })
 * ```
 */
export const matchers = {
  toHaveResource(
    this: MatcherContext,
    subject: Subject,
    type: ResourceType,
    attributes: Readonly<Record<string, unknown>> = {},
  ): Verdict {
    return haveResource(subject, type, attributes, this.equals)
  },
  async toPlan(
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
  },
}

function rolesNamedBy({ declarations }: LoadedStack): readonly TestRole[] {
  const grants = declarations.desired.filter(({ kind }) => declarableKind(kind).identity.by === 'parent')
  return [...new Set(grants.map(({ identity }) => identity))].map(id => ({ id }))
}
