/** Vexil's own constructs, based on the generated ones. */

export { EventDefinition, type EventDefinitionProps } from './event-definition.ts'
export { Flag, type FlagProps } from './flag/flag.ts'
export { type AccessLevel, FlagGrants, type IFlag } from './flag/flag-grants.ts'
export { type FlagDefaults, FlagSet, type FlagSetProps } from './flag/flag-set.ts'
export type { FlagTest, TestGroup, TestPerson } from './flag/flag-test.ts'
export type { Targeting } from './flag/targeting.ts'
export {
  type GroupTypeIndex,
  type KeyedVariantProps,
  type Operator,
  type VariantProps,
  Variants,
} from './flag/variants.ts'
export { Cohort, type DescribedCondition, When, WhenFlag, WhenProperty } from './flag/when.ts'
export { Plugin, type PluginProps } from './plugin.ts'
export { AddTags, type ExceptProps, enforce, Policy, type PolicyProps } from './policies/policy-aspect.ts'
export type { GrantSubject, PolicySubject, SubjectKind } from './policies/policy-subject.ts'
export {
  type Ceilings,
  GrantsOnlyTo,
  type GrantsOnlyToProps,
  MaxRollout,
  type MaxRolloutProps,
  NamePattern,
  type NamePatternProps,
  NoPersonalEmail,
  NoReleaseToEveryone,
  ProtectActive,
  RequireExpiry,
  type RequireExpiryProps,
  RequireOwnerTag,
  type RequireOwnerTagProps,
  type TaggedKind,
  Tags,
  type TagsProps,
  TwoPerson,
  type TwoPersonProps,
} from './policies/rule-policies.ts'

export type { DeclaredProps, LiveEdits } from './read-arguments.ts'
export {
  type IEventDefinition,
  type IPlugin,
  type OrganizationLookup,
  type ProjectLookup,
  Role,
  type RoleLookup,
} from './references.ts'
