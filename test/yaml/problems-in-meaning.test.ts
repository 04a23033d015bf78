import { describe, expect, it } from 'vitest'
import { load, settings } from './a-repository.ts'
import { complete, conditional, error, expectOneProblem, type ProblemCase, warning } from './one-problem.ts'

const problems: ProblemCase[] = [
  [
    'variants that miss more of the whole than the digits of a number do',
    'feature_flags:\n  a: { active: true, rollout_percentage: 100, variants: ¦{ a: 50, b: 49.99999999 } }',
    conditional('variant-sum', 'the variants add up to 99.99999999%', 'the variants must add up to 100%'),
  ],
  [
    'a variant that an override adds to shared ones that are whole',
    'feature_flags:\n  a: { active: true, rollout_percentage: 100, variants: { a: 50, b: 50 }, environments: { staging: { variants: ¦{ c: 10 } } } }',
    conditional('variant-sum', 'the variants add up to 110%', 'the variants must add up to 100%'),
  ],
  [
    'a field of an absent flag',
    'feature_flags:\n  a: { ensure: absent, ¦actve: true }',
    error('unknown-key', '"actve" is not a field of a flag', 'did you mean "active"?'),
  ],
  [
    'the name that `allow` had before',
    `feature_flags:\n  a: { ${complete}, ¦acknowledge: [rollout_step] }`,
    error('unknown-key', '"acknowledge" is not a field of a flag', 'did you mean "allow"?'),
  ],
  [
    'a percentage of an absent flag',
    'feature_flags:\n  a: { ensure: absent, filters: { groups: [{ rollout_percentage: ¦101 }] } }',
    conditional('percentage-range', '101 is not a percentage', 'write a number from 0 to 100'),
  ],
  [
    'a skipped environment with fields',
    `feature_flags:\n  a: { ${complete}, environments: { staging: { ¦skip: true, name: x } } }`,
    error(
      'skip-with-fields',
      '"skip: true" skips the whole object, so "name" would have no effect',
      'remove "skip" or the others',
    ),
  ],
  [
    'an unknown environment',
    `feature_flags:\n  a: { ${complete}, environments: { ¦stagin: {} } }`,
    error('unknown-environment', '"stagin" is not an environment', 'did you mean "staging"?'),
  ],
  [
    'a limit to an unknown environment',
    `feature_flags:\n  a: { ${complete}, only: [¦moon] }`,
    error('unknown-environment', '"moon" is not an environment', 'there are: staging and production'),
  ],
  [
    'a misspelt field of an environment',
    `feature_flags:\n  a: { ${complete}, environments: { staging: { ¦actve: true } } }`,
    error('unknown-key', '"actve" is not a field of a flag', 'did you mean "active"?'),
  ],
  [
    'an unknown role',
    `feature_flags:\n  a: { ${complete}, role_access: [¦suport] }`,
    error('unknown-role', '"suport" is not a role', 'did you mean "support"?'),
  ],
  [
    'a grant to an unknown role',
    'feature_flag_role_access:\n  - { flag: a, role: ¦nobody }',
    error(
      'unknown-role',
      '"nobody" is not a role',
      'there are: support and growth; a UUID works too',
      'feature_flag_role_access.a:nobody',
    ),
  ],
  [
    'a grant without a role',
    'feature_flag_role_access:\n  - ¦{ flag: a }',
    error('missing-key', '"role" is missing', 'add "role:"', null),
  ],
  [
    'a path of no field',
    `feature_flags:\n  a: { ${complete}, ignore: [¦filter.groups.0] }`,
    error('unknown-field', '"filter" is not a field of a flag', 'did you mean "filters"?'),
  ],
  [
    'a percentage out of range',
    'feature_flags:\n  a: { active: true, filters: { groups: [{ rollout_percentage: ¦101 }] } }',
    conditional('percentage-range', '101 is not a percentage', 'write a number from 0 to 100'),
  ],
  [
    'a percentage out of range in an environment',
    `feature_flags:\n  a: { ${complete}, environments: { staging: { filters: { groups: [{ rollout_percentage: ¦-1 }] } } } }`,
    conditional('percentage-range', '-1 is not a percentage', 'write a number from 0 to 100'),
  ],
  [
    'a misspelt percentage, which would release to everybody',
    'feature_flags:\n  a: { active: true, filters: { groups: [{ ¦rollout_percentge: 5 }] } }',
    error(
      'misspelt-member',
      '"rollout_percentge" is not a member that the service knows',
      'did you mean "rollout_percentage"?',
    ),
  ],
  [
    'a percentage in the wrong place',
    'feature_flags:\n  a: { active: true, filters: { ¦rollout_percentage: 5 } }',
    error(
      'misplaced-member',
      '"rollout_percentage" has no effect in filters',
      'write "rollout_percentage" in a condition or a variant',
    ),
  ],
  [
    'a member of filters that nobody knows',
    'feature_flags:\n  a: { active: true, filters: { groups: [], ¦zigzag: 5 } }',
    warning(
      'unknown-member',
      '"zigzag" is not a known member of filters',
      'check the spelling; the member is sent unchanged',
    ),
  ],
  ...['rollout_percentage', 'properties'].map(
    (name): ProblemCase => [
      `an empty ${name}, which would release to everybody`,
      `feature_flags:\n  a:\n    active: true\n    filters:\n      groups:\n        - ¦${name}:\n`,
      error(
        'empty-value',
        `"${name}" is empty, which would mean everybody`,
        'fill it in, or write null for everybody',
      ),
    ],
  ),
  [
    'no conditions behind their name',
    'feature_flags:\n  a:\n    active: true\n    filters:\n      ¦groups:\n',
    error(
      'empty-value',
      '"groups" is empty, which would mean everybody',
      'fill it in, or write null for everybody',
    ),
  ],
  [
    'a label that is too long',
    `event_definitions:\n  a: { tags: [¦${'x'.repeat(256)}] }`,
    error(
      'tag-too-long',
      'this tag has 256 characters',
      'the service accepts at most 255',
      'event_definition.a',
    ),
  ],
  [
    'an empty name',
    `feature_flags:\n  ¦" ": { ${complete} }`,
    error('empty-name', 'the key is empty', 'write the key before the ":"', 'feature_flag.'),
  ],
  [
    'a key that newer services refuse',
    `feature_flags:\n  ¦a.b: { ${complete} }`,
    warning(
      'key-characters',
      'newer services refuse this key',
      'use only letters, digits, "-" and "_"',
      'feature_flag.a.b',
    ),
  ],
  [
    'a flag that does not say who gets it',
    'feature_flags:\n  ¦a: { active: true }',
    warning(
      'open-by-default',
      '"filters" is not declared',
      'if the service has to create this flag, it will be on, and for everybody without "filters"',
    ),
  ],
  [
    'an include of nothing',
    'include: [¦nowhere.yaml]',
    error(
      'no-such-file',
      '"nowhere.yaml" does not match any file',
      'a path is relative to the file that contains it',
      null,
    ),
  ],
  [
    'an include out of the repository',
    'include: [¦../../../etc/*.yaml]',
    error(
      'outside-repository',
      '"../../../etc/*.yaml" leads out of the repository',
      'copy the file into the repository',
      null,
    ),
  ],
  [
    'a source file that is missing',
    'plugins:\n  a: { source: { index.ts: { file: ¦index.ts } } }',
    error(
      'no-such-file',
      'the file "index.ts" does not exist',
      'a path is relative to flags.yaml',
      'plugin.a',
    ),
  ],
  [
    'a source file from elsewhere',
    'plugins:\n  a: { source: { index.ts: { file: ¦/etc/passwd } } }',
    error(
      'outside-repository',
      '"/etc/passwd" leads out of the repository',
      'copy the file into the repository',
      'plugin.a',
    ),
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
