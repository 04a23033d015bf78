/** What tests of stacks import: a service in the same process, and matchers for vitest and jest. */
export type { Action, Blocked, Change, Drift, Risk } from '../core/change.ts'
export type { BlockOptions } from './block-expectation.ts'
export type {
  AnnotationLevel,
  AnnotationOptions,
  Attributes,
  ExpectedFlag,
  ExpectedRole,
  ExpectedText,
  GrantOptions,
  OutputAttributes,
} from './block-matchers.ts'
export { type Asymmetric, absent, type Capture, capture, type MatcherContext } from './expected.ts'
export { type Expectations, matchers, type PlanExpectationOptions } from './matchers.ts'
export type {
  Expected,
  ExpectedPlan,
  StackPlan,
  SubjectOptions,
  TestRole,
  TestSandboxOptions,
} from './plan-stack.ts'
export {
  type CapturedEvent,
  type FlagServer,
  type FlagServerOptions,
  serveFlags,
} from './serve-flags.ts'
export { startSandbox, type TestSandbox } from './start-sandbox.ts'
export type { ResourceType, Subject } from './synthesize.ts'
