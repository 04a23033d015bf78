import type { Construct } from 'constructs'
import { FeatureFlag } from '../../../src/constructs/generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../../../src/constructs/generated/feature-flag-role-access/index.ts'
import {
  AddTags,
  Flag,
  GrantsOnlyTo,
  MaxRollout,
  NamePattern,
  NoPersonalEmail,
  NoReleaseToEveryone,
  type Policy,
  ProtectActive,
  RequireExpiry,
  RequireOwnerTag,
  Role,
  TwoPerson,
  When,
} from '../../../src/constructs/own-constructs.ts'

/** A policy, constructs that it has something to do with, and what comes of it. */
export interface PolicyCase {
  readonly title: string
  readonly policy: () => Policy
  readonly declare: Readonly<Record<'ours' | 'generated', (scope: Construct) => void>>
  /** What is said, or else what the policy does to the flag. */
  readonly says?: string
  readonly does?: object
}

const open = {
  ours: (scope: Construct) => {
    new Flag(scope, 'Open', { key: 'open', active: true, release: [When.everyone()] })
  },
  generated: (scope: Construct) => {
    new FeatureFlag(scope, 'Open', { key: 'open', active: true, release: [{ rolloutPercentage: 100 }] })
  },
}

const named = {
  ours: (scope: Construct) => {
    const ada = When.person('email').is('ada@example.com')
    new Flag(scope, 'Open', { key: 'open', active: true, release: [ada] })
  },
  generated: (scope: Construct) => {
    const properties = [{ key: 'email', type: 'person', value: 'ada@example.com' }] as const
    new FeatureFlag(scope, 'Open', { key: 'open', active: true, release: [{ properties: [...properties] }] })
  },
}

const support = Role.fromId('01900000-0000-0000-0000-0000000000aa', 'support')

const granted = {
  ours: (scope: Construct) => {
    new Flag(scope, 'Open', { key: 'open', active: false, editors: [support] })
  },
  generated: (scope: Construct) => {
    const { id } = new FeatureFlag(scope, 'Open', { key: 'open', active: false })
    new FeatureFlagRoleAccess(scope, 'Grant support', { featureFlagId: id, roleId: support.id })
  },
}

/** Each policy of the package, on a flag that goes against it. */
export const policyCases: readonly PolicyCase[] = [
  { title: 'AddTags', policy: () => new AddTags(['team']), declare: open, does: { tags: ['team'] } },
  {
    title: 'GrantsOnlyTo',
    policy: () => new GrantsOnlyTo(['audit']),
    declare: granted,
    says: 'flag "open": the role "support" gets a grant, but only "audit" may have one',
  },
  {
    title: 'MaxRollout',
    policy: () => new MaxRollout(50),
    declare: open,
    says: 'flag "open": condition 1 (everyone) goes to 100%; the ceiling is 50%',
  },
  {
    title: 'NamePattern',
    policy: () => new NamePattern({ flags: /^x/ }),
    declare: open,
    says: 'flag "open": the key does not match /^x/',
  },
  {
    title: 'NoPersonalEmail',
    policy: () => new NoPersonalEmail(),
    declare: named,
    says: 'flag "open": condition 1 contains a person\'s e-mail address, in the values of "email"',
  },
  {
    title: 'NoReleaseToEveryone',
    policy: () => new NoReleaseToEveryone(),
    declare: open,
    says: 'flag "open": condition 1 (everyone) goes to 100% of everybody; add properties, or a lower percentage',
  },
  {
    title: 'ProtectActive',
    policy: () => new ProtectActive(),
    declare: open,
    does: { lifecycle: { prevent_destroy: true } },
  },
  {
    title: 'RequireExpiry',
    policy: () => new RequireExpiry({ within: '180 days' }),
    declare: open,
    says: 'flag "open": it has no `expires` date',
  },
  {
    title: 'RequireOwnerTag',
    policy: () => new RequireOwnerTag(),
    declare: open,
    says: 'flag "open": no tag names an owner; a tag must match /^(owner|team)[:-]/',
  },
  {
    title: 'TwoPerson',
    policy: () => new TwoPerson(50, { tag: 'reviewed-by:*' }),
    declare: open,
    says: 'flag "open": condition 1 (everyone) goes to 100%; above 50% it needs the tag "reviewed-by:*"',
  },
]
