import type { BlockOptions } from './block-expectation.ts'
import type {
  AnnotationLevel,
  AnnotationOptions,
  Attributes,
  ExpectedFlag,
  ExpectedRole,
  ExpectedText,
  GrantOptions,
  OutputAttributes,
} from './block-matchers.ts'
import type { PlanExpectationOptions } from './matchers.ts'
import type { ExpectedPlan } from './plan-stack.ts'
import type { ResourceType } from './stack-blocks.ts'

/**
 * What `expect(stack)` has in addition to the test framework. Expected attributes are a minimum, under their
 * names in constructs or in Terraform.
 */
export interface Expectations<R> {
  /** The stack has such a resource; with `{ times }`, so many. */
  toHaveResource(type: ResourceType, attributes?: Attributes, options?: BlockOptions): R
  /** The stack has no such resource. */
  toHaveNoResource(type: ResourceType, attributes?: Attributes, options?: Omit<BlockOptions, 'times'>): R
  /** The stack has so many of such resources, no more and no fewer. */
  toHaveResourceCount(
    type: ResourceType,
    count: number,
    attributes?: Attributes,
    options?: Omit<BlockOptions, 'times'>,
  ): R
  /** The stack looks something up: a data source, by its class or its type. */
  toHaveDataSource(type: ResourceType, attributes?: Attributes, options?: BlockOptions): R
  /** The stack configures a provider, by its class or its name. */
  toHaveProvider(provider: ResourceType, attributes?: Attributes, options?: BlockOptions): R
  /** The stack has an output with this logical id: `{ value, description, sensitive }`. */
  toHaveOutput(name: string, attributes?: OutputAttributes, options?: BlockOptions): R
  /** The stack allows a role to edit a flag, or gives it a level there. Flags by key, roles by id. */
  toHaveGrant(flag: ExpectedFlag, role: ExpectedRole, options?: GrantOptions): R
  /** A construct has an annotation; errors of policies are some. */
  toHaveAnnotation(level: AnnotationLevel, message?: ExpectedText, options?: AnnotationOptions): R
  /** No construct has such an annotation; without a level, none at all. */
  toHaveNoAnnotation(
    level?: AnnotationLevel,
    message?: ExpectedText,
    options?: Omit<AnnotationOptions, 'times'>,
  ): R
  /** An apply would do this and nothing else: what is not named must be empty. Await it. */
  toPlan(expected: ExpectedPlan, options?: PlanExpectationOptions): Promise<R>
}
