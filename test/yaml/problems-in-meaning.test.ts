import { describe, expect, it } from 'vitest'
import { load, settings } from './a-repository.ts'
import { complete, expectOneProblem, type ProblemCase } from './one-problem.ts'

const problems: ProblemCase[] = [
  [
    'variants that miss more of the whole than the digits of a number do',
    'feature_flags:\n  a: { active: true, rollout_percentage: 100, variants: ¦{ a: 50, b: 49.99999999 } }',
    {
      code: 'variant-sum',
      severity: 'warning',
      message: 'the variants add up to 99.99999999%',
      hint: 'they must add up to 100%; a plan takes this only where it is live already',
      conditional: true,
      address: 'feature_flag.a',
    },
  ],
  [
    'a variant that an override adds to shared ones that are whole',
    'feature_flags:\n  a: { active: true, rollout_percentage: 100, variants: { a: 50, b: 50 }, environments: { staging: { variants: ¦{ c: 10 } } } }',
    {
      code: 'variant-sum',
      severity: 'warning',
      message: 'the variants add up to 110%',
      hint: 'they must add up to 100%; a plan takes this only where it is live already',
      conditional: true,
      address: 'feature_flag.a',
    },
  ],
  [
    'a field of an absent flag',
    'feature_flags:\n  a: { ensure: absent, ¦actve: true }',
    {
      code: 'unknown-key',
      message: '"actve" is not a field of a flag',
      hint: 'did you mean "active"?',
      address: 'feature_flag.a',
    },
  ],
  [
    'the name that `allow` had before',
    `feature_flags:\n  a: { ${complete}, ¦acknowledge: [rollout_step] }`,
    {
      code: 'unknown-key',
      message: '"acknowledge" is not a field of a flag',
      hint: 'did you mean "allow"?',
      address: 'feature_flag.a',
    },
  ],
  [
    'a percentage of an absent flag',
    'feature_flags:\n  a: { ensure: absent, filters: { groups: [{ rollout_percentage: ¦101 }] } }',
    {
      code: 'percentage-range',
      severity: 'warning',
      message: '101 is not a percentage',
      hint: 'it goes from 0 to 100; a plan takes this only where it is live already',
      conditional: true,
      address: 'feature_flag.a',
    },
  ],
  [
    'a skipped environment with fields',
    `feature_flags:\n  a: { ${complete}, environments: { staging: { ¦skip: true, name: x } } }`,
    {
      code: 'skip-with-fields',
      message: '"skip: true" leaves the object alone, so "name" would mean nothing',
      hint: 'remove one or the other',
      address: 'feature_flag.a',
    },
  ],
  [
    'an unknown environment',
    `feature_flags:\n  a: { ${complete}, environments: { ¦stagin: {} } }`,
    {
      code: 'unknown-environment',
      message: '"stagin" is not an environment',
      hint: 'did you mean "staging"?',
      address: 'feature_flag.a',
    },
  ],
  [
    'a limit to an unknown environment',
    `feature_flags:\n  a: { ${complete}, only: [¦moon] }`,
    {
      code: 'unknown-environment',
      message: '"moon" is not an environment',
      hint: 'there are: staging and production',
      address: 'feature_flag.a',
    },
  ],
  [
    'a misspelt field of an environment',
    `feature_flags:\n  a: { ${complete}, environments: { staging: { ¦actve: true } } }`,
    {
      code: 'unknown-key',
      message: '"actve" is not a field of a flag',
      hint: 'did you mean "active"?',
      address: 'feature_flag.a',
    },
  ],
  [
    'an unknown role',
    `feature_flags:\n  a: { ${complete}, role_access: [¦suport] }`,
    {
      code: 'unknown-role',
      message: '"suport" is not a role',
      hint: 'did you mean "support"?',
      address: 'feature_flag.a',
    },
  ],
  [
    'a grant to an unknown role',
    'feature_flag_role_access:\n  - { flag: a, role: ¦nobody }',
    {
      code: 'unknown-role',
      message: '"nobody" is not a role',
      hint: 'there are: support and growth; a UUID works too',
      address: 'feature_flag_role_access.a:nobody',
    },
  ],
  [
    'a grant without a role',
    'feature_flag_role_access:\n  - ¦{ flag: a }',
    { code: 'missing-key', message: '"role" is missing', hint: 'add "role:"' },
  ],
  [
    'a path of no field',
    `feature_flags:\n  a: { ${complete}, ignore: [¦filter.groups.0] }`,
    {
      code: 'unknown-field',
      message: '"filter" is not a field of a flag',
      hint: 'did you mean "filters"?',
      address: 'feature_flag.a',
    },
  ],
  [
    'a percentage out of range',
    'feature_flags:\n  a: { active: true, filters: { groups: [{ rollout_percentage: ¦101 }] } }',
    {
      code: 'percentage-range',
      severity: 'warning',
      message: '101 is not a percentage',
      hint: 'it goes from 0 to 100; a plan takes this only where it is live already',
      conditional: true,
      address: 'feature_flag.a',
    },
  ],
  [
    'a percentage out of range in an environment',
    `feature_flags:\n  a: { ${complete}, environments: { staging: { filters: { groups: [{ rollout_percentage: ¦-1 }] } } } }`,
    {
      code: 'percentage-range',
      severity: 'warning',
      message: '-1 is not a percentage',
      hint: 'it goes from 0 to 100; a plan takes this only where it is live already',
      conditional: true,
      address: 'feature_flag.a',
    },
  ],
  [
    'a misspelt percentage, which would release to everybody',
    'feature_flags:\n  a: { active: true, filters: { groups: [{ ¦rollout_percentge: 5 }] } }',
    {
      code: 'misspelt-member',
      message: '"rollout_percentge" means nothing to the service',
      hint: 'did you mean "rollout_percentage"?',
      address: 'feature_flag.a',
    },
  ],
  [
    'a percentage in the wrong place',
    'feature_flags:\n  a: { active: true, filters: { ¦rollout_percentage: 5 } }',
    {
      code: 'misplaced-member',
      message: '"rollout_percentage" means nothing in filters',
      hint: '"rollout_percentage" belongs into a condition or a variant',
      address: 'feature_flag.a',
    },
  ],
  [
    'a member of filters that nobody knows',
    'feature_flags:\n  a: { active: true, filters: { groups: [], ¦zigzag: 5 } }',
    {
      code: 'unknown-member',
      severity: 'warning',
      message: '"zigzag" is not known in filters',
      hint: 'check its spelling; it is sent as it is',
      address: 'feature_flag.a',
    },
  ],
  ...['rollout_percentage', 'properties'].map(
    (name): ProblemCase => [
      `an empty ${name}, which would release to everybody`,
      `feature_flags:\n  a:\n    active: true\n    filters:\n      groups:\n        - ¦${name}:\n`,
      {
        code: 'empty-value',
        message: `"${name}" is empty, which would mean everybody`,
        hint: 'fill it in, or write null to mean that',
        address: 'feature_flag.a',
      },
    ],
  ),
  [
    'no conditions behind their name',
    'feature_flags:\n  a:\n    active: true\n    filters:\n      ¦groups:\n',
    {
      code: 'empty-value',
      message: '"groups" is empty, which would mean everybody',
      hint: 'fill it in, or write null to mean that',
      address: 'feature_flag.a',
    },
  ],
  [
    'a label that is too long',
    `event_definitions:\n  a: { tags: [¦${'x'.repeat(256)}] }`,
    {
      code: 'tag-too-long',
      message: 'this tag has 256 characters',
      hint: 'the service takes 255 at most',
      address: 'event_definition.a',
    },
  ],
  [
    'an empty name',
    `feature_flags:\n  ¦" ": { ${complete} }`,
    {
      code: 'empty-name',
      message: 'the key is empty',
      hint: 'write the key before the ":"',
      address: 'feature_flag.',
    },
  ],
  [
    'a key that newer services refuse',
    `feature_flags:\n  ¦a.b: { ${complete} }`,
    {
      code: 'key-characters',
      severity: 'warning',
      message: 'newer services refuse this key',
      hint: 'use letters, digits, "-" and "_" only',
      address: 'feature_flag.a.b',
    },
  ],
  [
    'a flag that does not say who gets it',
    'feature_flags:\n  ¦a: { active: true }',
    {
      code: 'open-by-default',
      severity: 'warning',
      message: '"filters" is not declared',
      hint: 'if the service has to create this flag, it will be on, and for everybody without "filters"',
      address: 'feature_flag.a',
    },
  ],
  [
    'an include of nothing',
    'include: [¦nowhere.yaml]',
    {
      code: 'no-such-file',
      message: '"nowhere.yaml" names no file',
      hint: 'a path is relative to the file that has it',
    },
  ],
  [
    'an include out of the repository',
    'include: [¦../../../etc/*.yaml]',
    {
      code: 'outside-repository',
      message: '"../../../etc/*.yaml" leads out of the repository',
      hint: 'copy the file into it',
    },
  ],
  [
    'a source file that is missing',
    'plugins:\n  a: { source: { index.ts: { file: ¦index.ts } } }',
    {
      code: 'no-such-file',
      message: 'there is no file "index.ts"',
      hint: 'a path is relative to flags.yaml',
      address: 'plugin.a',
    },
  ],
  [
    'a source file from elsewhere',
    'plugins:\n  a: { source: { index.ts: { file: ¦/etc/passwd } } }',
    {
      code: 'outside-repository',
      message: '"/etc/passwd" leads out of the repository',
      hint: 'copy the file into it',
      address: 'plugin.a',
    },
  ],
]

describe('a problem in what a declaration means', () => {
  it.each(problems)('%s', async (_, marked, problem) => {
    await expectOneProblem(marked, problem)
  })

  it('is none where null says that everybody is meant', async () => {
    const all = '&all null'
    const text = `feature_flags:
  a: { active: true, filters: { groups: [{ rollout_percentage: ${all}, properties: *all }] } }
  b: { active: true, filters: { groups: [{ rollout_percentage: ~ }] } }
  c: { active: true, filters: { groups: null } }
`
    const { problems } = await load(
      { 'vexil.yaml': settings, 'flags.yaml': text },
      { environment: 'staging' },
    )
    expect(problems).toEqual([])
  })

  it('of variants is told in the words of the filters', async () => {
    const text = `feature_flags:
  a:
    active: true
    filters:
      groups: [{ rollout_percentage: 50 }]
      multivariate: { variants: [{ key: x, rollout_percentage: 50 }, { key: y, rollout_percentage: 40 }] }
      payloads: { z: '1' }
`
    const { problems } = await load(
      { 'vexil.yaml': settings, 'flags.yaml': text },
      { environment: 'staging' },
    )
    expect(problems.map(problem => `${problem.source?.line} ${problem.code}`)).toEqual([
      '6 variant-sum',
      '7 payload-without-variant',
    ])
  })
})
