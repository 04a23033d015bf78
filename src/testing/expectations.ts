import type { PlanExpectationOptions } from './matchers.ts'
import type { ResourceType } from './stack-resources.ts'
import type { ExpectedPlan } from './to-plan.ts'

/** What `expect(stack)` has beside what every test framework gives it. */
export interface Expectations<R> {
  /** The stack has such a resource, with at least these attributes, under their names in constructs or in Terraform. */
  toHaveResource(type: ResourceType, attributes?: Readonly<Record<string, unknown>>): R
  /** An apply would do this and nothing else: what is not named must be empty. Wait for it. */
  toPlan(expected: ExpectedPlan, options?: PlanExpectationOptions): Promise<R>
}
