import { number, type Reader } from '../arguments/argument.ts'
import type { FeatureFlagConfig, FeatureFlagReleaseProperties } from '../generated/feature-flag/index.ts'

/** The type of a group, or a reference to one: a project has five at most. */
export type GroupTypeIndex = NonNullable<FeatureFlagConfig['groupTypeIndex']>

/** Another number is reported with its place among the conditions. */
export const groupTypeIndex: Reader<GroupTypeIndex> = (value, name) => number(value, name) as GroupTypeIndex

/** How a property is compared, by the service's own name for it, or a reference to that. */
export type Operator = NonNullable<FeatureFlagReleaseProperties['operator']>
