import { describe, expect, it } from 'vitest'
import { liveEditPolicyOf } from '../../src/core/policy.ts'
import { liveEditWay } from '../../src/model/live-edit-policy.ts'
import { problemLine } from '../../src/report/line-text.ts'
import { readDeclared } from '../../src/yaml/index.ts'
import { folderOfTest } from '../support/folder.ts'
import { load } from './a-repository.ts'
import { complete, error, expectOneProblem } from './one-problem.ts'

const fields = ['active', 'filters', 'exists', 'tags', 'name']

interface Said {
  readonly shared?: string
  readonly staging?: string
  readonly defaults?: string
  readonly flag?: string
  readonly override?: string
}

function filesFor({ shared, staging, defaults, flag, override }: Said) {
  const lines = [
    'version: 1',
    'environments:',
    `  staging: { project: "2"${staging === undefined ? '' : `, live_edits: ${staging}`} }`,
    '  production: { project: "1" }',
    ...(shared === undefined ? [] : [`live_edits: ${shared}`]),
    ...(defaults === undefined ? [] : [`defaults: [{ files: "**", live_edits: ${defaults} }]`]),
  ]
  const members = [
    complete,
    ...(flag === undefined ? [] : [`live_edits: ${flag}`]),
    ...(override === undefined ? [] : [`environments: { staging: { live_edits: ${override} } }`]),
  ]
  return {
    'vexil.yaml': `${lines.join('\n')}\n`,
    'flags.yaml': `feature_flags: { a: { ${members.join(', ')} } }\n`,
  }
}

/** What becomes of some fields of the flag in an environment. */
async function waysIn(environment: string, said: Said) {
  const loaded = await load(filesFor(said), { environment })
  expect(loaded.problems).toEqual([])
  const [desired = { liveEdits: undefined }] = loaded.declarations.desired
  expect(loaded.declarations.desired).toHaveLength(1)
  const policy = liveEditPolicyOf(loaded.environment!.policy, desired)
  const ways = fields.map(field => liveEditWay(policy, field))
  return { ways: Object.fromEntries(fields.map((field, index) => [field, ways[index]])), policy }
}

const unsaid = { active: 'hold', filters: 'hold', exists: 'hold', tags: 'revert', name: 'revert' }
const all = (way: string) => Object.fromEntries(fields.map(field => [field, way]))

describe('what becomes of live edits', () => {
  it.each<[string, Said, object]>([
    ['nobody says it', {}, unsaid],
    [
      'the settings name a field',
      { shared: '{ tags: hold, filters: revert }' },
      { ...unsaid, tags: 'hold', filters: 'revert' },
    ],
    ['the settings say a word', { shared: 'revert' }, all('revert')],
    [
      'the environment is laid over the settings',
      { shared: '{ tags: hold, name: hold }', staging: '{ tags: revert }' },
      { ...unsaid, name: 'hold' },
    ],
    ['the environment says a word', { shared: '{ tags: hold }', staging: 'revert' }, all('revert')],
    [
      'the declaration is laid over both',
      { shared: '{ tags: hold }', staging: 'revert', flag: '{ filters: hold }' },
      { ...all('revert'), filters: 'hold' },
    ],
    ['the declaration says a word', { shared: '{ tags: hold }', flag: 'revert' }, all('revert')],
    [
      'the override is in place of it',
      { flag: '{ tags: hold }', override: '{ name: hold }' },
      { ...unsaid, name: 'hold' },
    ],
    ['a default of files', { defaults: '{ tags: hold }' }, { ...unsaid, tags: 'hold' }],
    [
      'a declaration against a default',
      { defaults: '{ tags: hold }', flag: '{ name: hold }' },
      { ...unsaid, name: 'hold' },
    ],
    [
      'fields that are not named',
      { flag: '{ default: hold, name: revert }' },
      { ...all('hold'), name: 'revert' },
    ],
  ])('where %s', async (_, said, ways) => {
    expect((await waysIn('staging', said)).ways).toEqual(ways)
  })

  it('is as in the settings where another environment says otherwise', async () => {
    const said = { shared: '{ tags: hold }', staging: 'revert', flag: undefined, override: '{ name: hold }' }
    expect((await waysIn('production', said)).ways).toEqual({ ...unsaid, tags: 'hold' })
  })

  it('knows who is no person, by the nearest list', async () => {
    const shared = '{ automation: [ci@example.com, bot@example.com] }'
    expect((await waysIn('staging', { shared })).policy.automation).toEqual([
      'ci@example.com',
      'bot@example.com',
    ])
    const own = await waysIn('staging', { shared, staging: '{ tags: hold, automation: [cd@example.com] }' })
    expect(own.policy.automation).toEqual(['cd@example.com'])
    expect(own.ways).toEqual({ ...unsaid, tags: 'hold' })
  })

  it('is said of what is declared absent too', async () => {
    const files = {
      ...filesFor({}),
      'flags.yaml': 'feature_flags: { a: { ensure: absent, live_edits: { exists: revert } } }\n',
    }
    const { declarations, problems } = await load(files, { environment: 'staging' })
    expect(problems).toEqual([])
    expect(declarations.desired).toMatchObject([{ ensure: 'absent', liveEdits: { exists: 'revert' } }])
  })
})

describe('what is wrong with it', () => {
  it.each([
    [
      'a word that is none',
      `feature_flags: { a: { ${complete}, live_edits: ¦keep } }`,
      error('unknown-value', '"live_edits" must be hold or revert, not "keep"', undefined, null),
    ],
    [
      'a word that is misspelt',
      `feature_flags: { a: { ${complete}, live_edits: ¦reverts } }`,
      error(
        'unknown-value',
        '"live_edits" must be hold or revert, not "reverts"',
        'did you mean "revert"?',
        null,
      ),
    ],
    [
      'a field that there is none',
      `feature_flags: { a: { ${complete}, live_edits: { ¦filter: hold } } }`,
      error('unknown-key', '"filter" is not a field of a flag', 'did you mean "filters"?', null),
    ],
    [
      'a way that is none, in an override',
      `feature_flags: { a: { ${complete}, environments: { staging: { live_edits: { tags: ¦holt } } } } }`,
      error('unknown-value', '"tags" must be hold or revert, not "holt"', 'did you mean "hold"?', null),
    ],
    [
      'a field of another kind',
      'plugins: { a: { plugin_type: source, live_edits: { ¦filters: hold } } }',
      error(
        'unknown-key',
        '"filters" is not a field of a plugin',
        'there are: default, exists, plugin_type, description, icon, config_schema, tag, is_global, public_jobs and source',
        null,
      ),
    ],
    [
      'a number',
      `feature_flags: { a: { ${complete}, live_edits: ¦2.10 } }`,
      error('wrong-type', '"live_edits" must be text or a map, not 2.10', 'write hold or revert', null),
    ],
    [
      'a list',
      `feature_flags: { a: { ${complete}, live_edits: ¦[hold] } }`,
      error('wrong-type', '"live_edits" must be text or a map, not a list', undefined, null),
    ],
  ])('%s', async (_, marked, problem) => {
    const address = marked.startsWith('plugins') ? 'plugin.a' : 'feature_flag.a'
    await expectOneProblem(marked, { ...problem, address })
  })

  it('is told in the settings, with its line', async () => {
    const lines = [
      'version: 1',
      'environments:',
      '  staging: { project: "2", live_edits: { filter: hold } }',
      'live_edits:',
      '  automation: [ci]',
      '  exists: keep',
      'defaults:',
      '  - { files: "**", live_edits: reverts }',
    ]
    const directory = await folderOfTest({ ...filesFor({}), 'vexil.yaml': `${lines.join('\n')}\n` })
    const { problems } = await readDeclared({ directory, env: {} })
    expect(problems.map(problem => problemLine(problem))).toEqual([
      'vexil.yaml:3:42 "filter" is not a field; did you mean "filters"?',
      'vexil.yaml:5:16 element 1 of "automation" must be an e-mail address, not "ci"',
      'vexil.yaml:6:11 "exists" must be hold or revert, not "keep"',
      'vexil.yaml:8:32 "live_edits" must be hold or revert, not "reverts"; did you mean "revert"?',
    ])
  })
})
