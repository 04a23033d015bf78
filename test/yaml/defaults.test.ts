import { describe, expect, it } from 'vitest'
import { load, settings } from './a-repository.ts'

const off = 'active: false, filters: {}'
const flags = (text: string) => `feature_flags:\n  ${text}\n`

async function loaded(defaults: string, files: Record<string, string>, options = {}) {
  const all = { 'vexil.yaml': `${settings}defaults:\n${defaults}`, ...files }
  const { declarations, problems } = await load(all, { environment: 'staging', ...options })
  return {
    problems: problems.map(
      ({ severity, message, source }) =>
        `${source?.file}:${source?.line}:${source?.column} ${severity}: ${message}`,
    ),
    said: Object.fromEntries(
      declarations.desired.map(({ address, owner, tags, prefixedTags, protect, allow }) => [
        address,
        JSON.parse(JSON.stringify({ owner, tags, prefixedTags, protect, allow })),
      ]),
    ),
  }
}

describe('defaults of the settings', () => {
  it('are for the files that their globs fit, and what a declaration says wins', async () => {
    const all =
      '  - { files: flags/payments/**, owner: payments, tags: [money], protect: true, allow: [rollout_step] }\n'
    expect(
      await loaded(all, {
        'flags/payments/a.yaml': flags(`a: { ${off} }`),
        'flags/payments/deep/b.yaml': flags(
          `b: { ${off}, owner: growth, tags: [own], protect: false, allow: [can_edit] }\n  c: { ${off}, owner: null }\n  d: { ${off}, environments: { staging: { owner: search } } }`,
        ),
        'flags/payments/p.yaml': 'plugins:\n  geoip: { plugin_type: source }\n',
        'flags/other.yaml': flags(`e: { ${off} }`),
      }),
    ).toEqual({
      problems: [],
      said: {
        'feature_flag.a': {
          owner: 'payments',
          tags: ['money'],
          prefixedTags: ['owner:payments'],
          protect: true,
          allow: ['rollout_step'],
        },
        'feature_flag.b': {
          owner: 'growth',
          tags: ['money'],
          prefixedTags: ['owner:growth'],
          protect: false,
          allow: ['can_edit'],
        },
        'feature_flag.c': { tags: ['money'], protect: true, allow: ['rollout_step'] },
        'feature_flag.d': {
          owner: 'search',
          tags: ['money'],
          prefixedTags: ['owner:search'],
          protect: true,
          allow: ['rollout_step'],
        },
        'feature_flag.e': {},
        // A plugin has no tags.
        'plugin.geoip': { protect: true, allow: ['rollout_step'] },
      },
    })
  })

  it('of several entries the last one that has a member is for a file', async () => {
    const all =
      '  - { files: "**", owner: all, protect: true }\n  - { files: b.yaml, owner: few, tags: [b] }\n'
    const files = { 'a.yaml': flags(`a: { ${off} }`), 'b.yaml': flags(`b: { ${off} }`) }
    expect((await loaded(all, files)).said).toEqual({
      'feature_flag.a': { owner: 'all', prefixedTags: ['owner:all'], protect: true },
      'feature_flag.b': { owner: 'few', prefixedTags: ['owner:few'], tags: ['b'], protect: true },
    })
  })

  it('limit objects and grants to environments, where these are not limited by themselves', async () => {
    const files = {
      'a.yaml': `${flags(`a: { ${off} }\n  b: { ${off}, only: [staging] }`)}feature_flag_role_access:\n  - { flag: x, role: support }\n`,
    }
    const all = '  - { files: a.yaml, only: [production] }\n'
    expect(Object.keys((await loaded(all, files)).said)).toEqual(['feature_flag.b'])
    expect(Object.keys((await loaded(all, files, { environment: 'production' })).said)).toEqual([
      'feature_flag.a',
      'feature_flag_role_access.x:support',
    ])
  })

  it.each([
    [
      '{ files: a.yaml, owner: Payments }',
      'vexil.yaml:9:29 error: the service would change "Payments": it trims tags and puts them into lower case',
    ],
    ['{ files: a.yaml, expires: soon }', 'vexil.yaml:9:31 error: "expires" must be a day, not "soon"'],
    ['{ files: a.yaml, only: [prod] }', 'vexil.yaml:9:29 error: "prod" is not an environment'],
    [
      '{ files: a.yaml, tags: [x, "owner:y"] }',
      'vexil.yaml:9:32 error: the tag "owner:y" is the same as "owner"',
    ],
    ['{ files: a.yaml, tags: [" "] }', 'vexil.yaml:9:29 error: element 1 of "tags" must not be empty'],
    ['{ files: a.yaml, colour: red }', 'vexil.yaml:9:22 error: "colour" is not a setting'],
    ['{ owner: x }', 'vexil.yaml:9:5 error: "files" is missing'],
    [
      '{ files: flag/**, owner: x }',
      'vexil.yaml:9:14 warning: "flag/**" does not match any file of declarations',
    ],
    [
      '{ files: ../a.yaml, owner: x }',
      'vexil.yaml:9:14 warning: "../a.yaml" does not match any file of declarations',
    ],
    [
      '{ files: a.yaml, expires: 2020-01-01 }',
      'vexil.yaml:9:22 warning: this flag is still declared, but it expired on 2020-01-01',
    ],
  ])('%s is told in the settings', async (entry, problem) => {
    const { problems } = await loaded(
      `  - ${entry}\n`,
      { 'a.yaml': flags(`a: { ${off} }`) },
      { today: '2026-11-22' },
    )
    expect(problems).toEqual([problem])
  })
})
