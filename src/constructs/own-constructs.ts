/** Our own constructs, over the generated ones: what people declare, in the words in which they think of it. */

export type { DeclaredProps } from './arguments/declared-props.ts'
export { EventDefinition, type EventDefinitionProps } from './event-definition.ts'
export { Cohort } from './flag/cohort.ts'
export { Flag, type FlagProps } from './flag/flag.ts'
export { type AccessLevel, FlagGrants } from './flag/flag-grants.ts'
export { type FlagDefaults, FlagSet, type FlagSetProps } from './flag/flag-set.ts'
export type { FlagTest, TestGroup, TestPerson } from './flag/flag-test.ts'
export type { IFlag } from './flag/imported-flag.ts'
export { Role, type RoleLookup } from './flag/role.ts'
export type { Targeting } from './flag/targeting.ts'
export {
  type GroupTypeIndex,
  type KeyedVariantProps,
  type Operator,
  type VariantProps,
  Variants,
} from './flag/variants.ts'
export { type DescribedCondition, When, WhenFlag, WhenProperty } from './flag/when.ts'
export type { LiveEdits } from './live-edits.ts'
export { Plugin, type PluginProps } from './plugin.ts'
export { AddTags } from './policies/add-tags.ts'
export { GrantsOnlyTo, type GrantsOnlyToProps } from './policies/grants-only-to.ts'
export { type ExceptProps, enforce, Policy, type PolicyProps } from './policies/policy-aspect.ts'
export type { GrantSubject, PolicySubject, SubjectKind } from './policies/policy-subject.ts'
export {
  type Ceilings,
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
  TwoPerson,
  type TwoPersonProps,
} from './policies/rule-policies.ts'
export type { IEventDefinition, IPlugin, OrganizationLookup, ProjectLookup } from './references/references.ts'
export { type TaggedKind, Tags, type TagsProps } from './tags.ts'
