import {
  type App,
  Aspects,
  Fn,
  TerraformCount,
  TerraformIterator,
  type TerraformStack,
  TerraformVariable,
  Token,
} from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import {
  enforce,
  Flag,
  GrantsOnlyTo,
  MaxRollout,
  NamePattern,
  NoPersonalEmail,
  NoReleaseToEveryone,
  Policy,
  type PolicySubject,
  RequireExpiry,
  RequireOwnerTag,
  Role,
  TwoPerson,
  When,
} from '../../src/constructs/own-constructs.ts'
import type { PolicyName } from '../../src/policies/policy.ts'
import { remedyOf, settingName } from '../../src/policies/policy-table.ts'
import { load, problemsOf } from './load.ts'

type Later = (stack: TerraformStack, name: string) => string

/** A text of the stack that is known only once it is worked out. */
const later: Readonly<Record<string, Later>> = {
  'a variable': (stack, name) => new TerraformVariable(stack, name, { type: 'string' }).stringValue,
  'a function': (stack, name) => Fn.lower(new TerraformVariable(stack, name, { type: 'string' }).stringValue),
}

const roles = {
  good: '01900000-0000-0000-0000-0000000000aa',
  bad: '01900000-0000-0000-0000-0000000000bb',
}
const grant = (role: string) =>
  `vexil_feature_flag_role_access.checkout--growth: [flags/F/Grant growth] ${role}`
const said = (what: string) => withRemedy(`vexil_feature_flag.checkout: [flags/F] ${what}`)

/** What is said of a value that the policy at its end is against, with what to do. */
function withRemedy(line: string): string {
  const [, rule] = /\((\w+)\)$/.exec(line) ?? []
  return `${line}; ${remedyOf(settingName(rule as PolicyName))}`
}

interface PolicyCase {
  readonly title: string
  readonly policy: Policy
  readonly declare: (stack: TerraformStack, later: string) => unknown
  readonly good: string
  readonly bad: string
  readonly says: string
}

const off = { key: 'checkout', active: false } as const
const on = { key: 'checkout', active: true } as const

/** Each policy that leaves something to a plan, on a value that is a variable of the stack. */
const cases: readonly PolicyCase[] = [
  {
    title: 'MaxRollout, by a share',
    policy: new MaxRollout({ flags: 25 }),
    declare: (stack, share) =>
      new Flag(stack, 'F', { ...on, release: [When.everyone().at(Fn.tonumber(share))] }),
    good: '25',
    bad: '50',
    says: said('condition 1 (everyone) goes to 50%; the ceiling is 25% (MaxRollout)'),
  },
  {
    title: 'MaxRollout, by filters in JSON',
    policy: new MaxRollout(25),
    declare: (stack, share) =>
      new FeatureFlag(stack, 'checkout', { ...on, filters: `{"groups":[{"rollout_percentage":${share}}]}` }),
    good: '25',
    bad: '50',
    says: said('condition 1 (everyone) goes to 50%; the ceiling is 25% (MaxRollout)').replace(
      '/F',
      '/checkout',
    ),
  },
  {
    title: 'NoReleaseToEveryone',
    policy: new NoReleaseToEveryone(),
    declare: (stack, share) =>
      new Flag(stack, 'F', { ...on, release: [When.everyone().at(Fn.tonumber(share))] }),
    good: '99',
    bad: '100',
    says: said(
      'condition 1 (everyone) goes to 100% of everybody; add properties, or a lower percentage (NoReleaseToEveryone)',
    ),
  },
  {
    title: 'NoPersonalEmail',
    policy: new NoPersonalEmail(),
    declare: (stack, email) => new Flag(stack, 'F', { ...on, release: [When.person('email').is(email)] }),
    good: 'staff',
    bad: 'ada@example.com',
    says: said('condition 1 contains a person\'s e-mail address, in the values of "email" (NoPersonalEmail)'),
  },
  {
    title: 'RequireExpiry',
    policy: new RequireExpiry({ within: '4 weeks' }),
    declare: (stack, tag) => new Flag(stack, 'F', { ...off, tags: [tag] }),
    good: 'expires:2026-12-19',
    bad: 'expires:2026-12-20',
    says: said('it expires on 2026-12-20, in 29 days; at most 28 are allowed (RequireExpiry)'),
  },
  {
    title: 'TwoPerson, by its tag',
    policy: new TwoPerson(50, { tag: 'reviewed-by:*' }),
    declare: (stack, tag) => new Flag(stack, 'F', { ...on, tags: [tag], release: [When.everyone()] }),
    good: 'reviewed-by:ada',
    bad: 'reviewed',
    says: said('condition 1 (everyone) goes to 100%; above 50% it needs the tag "reviewed-by:*" (TwoPerson)'),
  },
  {
    title: 'TwoPerson, by a share',
    policy: new TwoPerson(50),
    declare: (stack, share) =>
      new Flag(stack, 'F', { ...on, release: [When.everyone().at(Fn.tonumber(share))] }),
    good: '50',
    bad: '51',
    says: said('condition 1 (everyone) goes to 51%; above 50% it needs the tag "reviewed" (TwoPerson)'),
  },
  {
    title: 'RequireOwnerTag',
    policy: new RequireOwnerTag(),
    declare: (stack, tag) => new Flag(stack, 'F', { ...off, tags: [tag] }),
    good: 'team-pay',
    bad: 'pay',
    says: said('no tag names an owner; a tag must match /^(owner|team)[:-]/ (RequireOwnerTag)'),
  },
  {
    title: 'NamePattern',
    policy: new NamePattern({ flags: /^[a-z]+$/ }),
    declare: (stack, key) => new Flag(stack, 'F', { ...off, key, logicalId: 'checkout' }),
    good: 'checkout',
    bad: 'check_out',
    says: said('the key does not match /^[a-z]+$/ (NamePattern)'),
  },
  {
    title: 'GrantsOnlyTo',
    policy: new GrantsOnlyTo([roles.good]),
    declare: (stack, role) => new Flag(stack, 'F', { ...off, editors: [Role.fromId(role, 'growth')] }),
    ...roles,
    says: withRemedy(
      grant(`the role "growth" gets a grant, but only "${roles.good}" may have one (GrantsOnlyTo)`),
    ),
  },
]

/** Each policy once, and one of them from each source, added to each place. */
const combinations = cases.flatMap((one, index) =>
  Object.keys(later).flatMap(source =>
    (['app', 'stack'] as const).flatMap(place =>
      index === 0 || (source === 'a variable' && place === 'app') ? [{ ...one, source, place }] : [],
    ),
  ),
)

describe('a policy of an app, on values that Vexil works out', () => {
  it.each(combinations)('$title, from $source, added to the $place', async one => {
    const build: Parameters<typeof load>[0] = (stack: TerraformStack, app: App) => {
      one.declare(stack, later[one.source]!(stack, 'value'))
      Aspects.of(one.place === 'app' ? app : stack).add(one.policy)
    }
    // The day on which it is planned; the settings have no policy of their own.
    const policies = { policies: [], today: '2026-11-21' }
    expect(await problemsOf(build, { policies, variables: { value: one.good } })).toEqual([])
    expect(await problemsOf(build, { policies, variables: { value: one.bad } })).toEqual([one.says])
  })

  it('looks at each object of one construct', async () => {
    const build = (stack: TerraformStack) => {
      const shares = TerraformIterator.fromMap({ low: 5, high: 60 })
      new Flag(stack, 'Each', {
        key: shares.key,
        logicalId: 'each',
        active: true,
        forEach: shares,
        release: [When.everyone().at(Fn.tonumber(shares.value))],
      })
      const count = TerraformCount.of(Token.asNumber('${var.times}'))
      new TerraformVariable(stack, 'times', { type: 'number', default: 3 })
      new Flag(stack, 'Count', {
        key: Fn.format('c%d', [count.index]),
        logicalId: 'count',
        active: true,
        count,
        release: [When.everyone().at(Token.asNumber('${count.index * 20}'))],
      })
      enforce(stack, new MaxRollout(25, { except: ['low'] }))
    }
    expect((await problemsOf(build)).map(line => line.replace(/; lower.*/, ''))).toEqual([
      'vexil_feature_flag.count[2]: [flags/Count] condition 1 (everyone) goes to 40%; the ceiling is 25% (MaxRollout)',
      'vexil_feature_flag.each["high"]: [flags/Each] condition 1 (everyone) goes to 60%; the ceiling is 25% (MaxRollout)',
    ])
  })

  it('holds below the construct that it was added to, and there only', async () => {
    const problems = await problemsOf(stack => {
      const share = Fn.tonumber(
        new TerraformVariable(stack, 's', { type: 'string', default: '50' }).stringValue,
      )
      const release = [When.everyone().at(share)]
      enforce(new Flag(stack, 'Checkout', { ...on, release }), new MaxRollout(25))
      new Flag(stack, 'CheckoutOther', { ...on, key: 'other', release })
    })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain('[flags/Checkout] condition 1')
  })

  it('sees what was written into the stack past all constructs', async () => {
    const problems = await problemsOf(stack => {
      stack.addOverride('resource.vexil_feature_flag.raw', {
        key: 'raw',
        active: true,
        rollout_percentage: 100,
      })
      enforce(stack, new MaxRollout(25))
    })
    expect(problems).toEqual([
      expect.stringContaining('vexil_feature_flag.raw: [flags] condition 1 (everyone) goes to 100%'),
    ])
  })

  it('sees what is declared in a module', async () => {
    const flags = { vexil_feature_flag: { open: { key: 'open', active: true, rollout_percentage: 100 } } }
    const provider = { required_providers: { vexil: { source: 'vexil/vexil' } } }
    const problems = await problemsOf(
      stack => {
        stack.addOverride('module.shared.source', './shared')
        enforce(stack, new MaxRollout(25))
      },
      { files: { 'shared/main.tf.json': JSON.stringify({ terraform: provider, resource: flags }) } },
    )
    expect(problems).toEqual([
      expect.stringContaining(
        'module.shared.vexil_feature_flag.open: [flags] condition 1 (everyone) goes to 100%',
      ),
    ])
  })

  it('stays a warning of the app where it is a class of its own', async () => {
    class Short extends Policy {
      public constructor() {
        super({})
      }

      protected override apply(subject: PolicySubject): void {
        this.cannotTell(subject, 'its length')
      }
    }
    const problems = await problemsOf(stack => {
      new Flag(stack, 'F', off)
      enforce(stack, new Short(), new MaxRollout(25))
    })
    expect(problems).toEqual([
      'warning: [flags/F] flag "checkout": its length is known only in a plan, so Short cannot decide',
    ])
  })

  it.each([
    ['another version', { version: 2 }, 'they have version 2, but only version 1 is supported'],
    ['no policies', { version: 1, stack: 'flags' }, 'policies is not a list'],
    [
      'a policy that is unknown',
      { version: 1, stack: 'flags', policies: [{ policy: 'Other' }] },
      'policies[0].policy is "Other", which is not a policy',
    ],
    [
      'a pattern that is none',
      {
        version: 1,
        stack: 'flags',
        policies: [{ policy: 'RequireOwnerTag', pattern: { source: '(', flags: '' } }],
      },
      'policies[0].pattern is not a regular expression',
    ],
  ])('refuses a stack with %s', async (_, policies, why) => {
    const problems = await problemsOf(stack => {
      new Flag(stack, 'F', off)
      stack.addOverride('//.vexil', { policies })
    })
    expect(problems).toEqual([
      `the policies of the stack cannot be read: ${why}; synthesize it again with the installed version of vexil`,
    ])
  })

  it('names the line of the construct, and declares nothing', async () => {
    const { problems, declarations } = await load(
      stack => {
        const { numberValue } = new TerraformVariable(stack, 's', { type: 'number' })
        new Flag(stack, 'F', { ...on, release: [When.everyone().at(numberValue)] })
        enforce(stack, new MaxRollout(25))
      },
      { variables: { s: '26' } },
    )
    expect(declarations.desired).toEqual([])
    expect(problems).toMatchObject([
      { code: 'policy-max-rollout', severity: 'error', source: { line: expect.any(Number) } },
    ])
    expect(problems[0]?.source?.line).toBeGreaterThan(1)
  })
})
