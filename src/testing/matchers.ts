import { declarableKind } from '../kinds/index.ts'
import { profileNamed } from '../model/connection.ts'
import type { LoadedStack } from '../stack/index.ts'
import { type BlockOptions, readOptions, requireKnown, type Verdict } from './block-expectation.ts'
import {
  type AnnotationLevel,
  type AnnotationOptions,
  type Attributes,
  type ExpectedFlag,
  type ExpectedRole,
  type ExpectedText,
  type GrantOptions,
  haveAnnotation,
  haveDataSource,
  haveGrant,
  haveOutput,
  haveProvider,
  haveResource,
  type OutputAttributes,
} from './block-matchers.ts'
import type { Equals } from './expected.ts'
import {
  type ExpectedPlan,
  matchPlan,
  openTestService,
  planStack,
  readSubject,
  type SubjectOptions,
  type TestRole,
} from './plan-stack.ts'
import type { ResourceType } from './stack-blocks.ts'
import type { TestSandbox } from './start-sandbox.ts'
import type { Subject } from './synthesize.ts'

export interface PlanExpectationOptions extends SubjectOptions {
  /** The sandbox that is planned against; without it, a new and empty one that has the roles which the stack names. */
  readonly on?: TestSandbox
}

/** What a matcher is called on, in vitest as in jest. */
export interface MatcherContext {
  readonly equals: Equals
}

/**
 * For `expect.extend`. `vexil/testing/vitest` and `vexil/testing/jest` call it, and declare the types.
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
    attributes: Attributes = {},
    options: BlockOptions = {},
  ): Verdict {
    return haveResource(subject, type, attributes, options, this.equals)
  },
  toHaveNoResource(
    this: MatcherContext,
    subject: Subject,
    type: ResourceType,
    attributes: Attributes = {},
    options: Omit<BlockOptions, 'times'> = {},
  ): Verdict {
    const { stack } = readOptions(options, ['stack'])
    return none(
      haveResource(subject, type, attributes, { ...(stack !== undefined && { stack }) }, this.equals),
    )
  },
  toHaveResourceCount(
    this: MatcherContext,
    subject: Subject,
    type: ResourceType,
    count: number,
    attributes: Attributes = {},
    options: Omit<BlockOptions, 'times'> = {},
  ): Verdict {
    const times = requireCount(count)
    return haveResource(subject, type, attributes, { ...readOptions(options, ['stack']), times }, this.equals)
  },
  toHaveDataSource(
    this: MatcherContext,
    subject: Subject,
    type: ResourceType,
    attributes: Attributes = {},
    options: BlockOptions = {},
  ): Verdict {
    return haveDataSource(subject, type, attributes, options, this.equals)
  },
  toHaveProvider(
    this: MatcherContext,
    subject: Subject,
    provider: ResourceType,
    attributes: Attributes = {},
    options: BlockOptions = {},
  ): Verdict {
    return haveProvider(subject, provider, attributes, options, this.equals)
  },
  toHaveOutput(
    this: MatcherContext,
    subject: Subject,
    name: string,
    attributes: OutputAttributes = {},
    options: BlockOptions = {},
  ): Verdict {
    return haveOutput(subject, name, attributes, options, this.equals)
  },
  toHaveGrant(
    this: MatcherContext,
    subject: Subject,
    flag: ExpectedFlag,
    role: ExpectedRole,
    options: GrantOptions = {},
  ): Verdict {
    return haveGrant(subject, flag, role, options, this.equals)
  },
  toHaveAnnotation(
    this: MatcherContext,
    subject: Subject,
    level: AnnotationLevel,
    message?: ExpectedText,
    options: AnnotationOptions = {},
  ): Verdict {
    if (level === undefined) throw new TypeError('name the level of the annotation: error, warning or info')
    return haveAnnotation(subject, level, message, options)
  },
  toHaveNoAnnotation(
    this: MatcherContext,
    subject: Subject,
    level?: AnnotationLevel,
    message?: ExpectedText,
    options: Omit<AnnotationOptions, 'times'> = {},
  ): Verdict {
    return none(haveAnnotation(subject, level, message, readOptions(options, ['at', 'stack'])))
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

/** What is expected not to be there. */
function none({ pass, message }: Verdict): Verdict {
  return { pass: !pass, message }
}

function requireCount(count: number): number {
  if (count === undefined)
    throw new TypeError('say how many there have to be: toHaveResourceCount(type, count)')
  return count
}

function rolesNamedBy({ declarations }: LoadedStack): readonly TestRole[] {
  const grants = declarations.desired.filter(({ kind }) => declarableKind(kind).identity.by === 'parent')
  return [...new Set(grants.map(({ identity }) => identity))].map(id => ({ id }))
}
