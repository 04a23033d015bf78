import { describe, expect, it } from 'vitest'
import { load, settings } from './a-repository.ts'
import { complete, error, expectOneProblem, type ProblemCase } from './one-problem.ts'

const flag = (text: string) => `feature_flags:\n  a: { ${complete}, ${text} }`

const problems: ProblemCase[] = [
  [
    'an owner in upper case',
    flag('owner: ¦Payments'),
    error(
      'tag-characters',
      'the service would change "Payments": it trims tags and puts them into lower case',
      'write "payments"',
    ),
  ],
  [
    'an owner with blanks around',
    'event_definitions:\n  a: { owner: ¦" payments" }',
    error(
      'tag-characters',
      'the service would change " payments": it trims tags and puts them into lower case',
      'write "payments"',
      'event_definition.a',
    ),
  ],
  [
    'an owner of several lines',
    flag('owner: ¦"pay\\nments"'),
    error('tag-characters', '"pay\\\\nments" has invisible characters', 'remove the invisible characters'),
  ],
  [
    'an owner that is too long with its prefix',
    flag(`owner: ¦${'x'.repeat(250)}`),
    error('tag-too-long', 'the tag for this "owner" is too long for the service', 'shorten it'),
  ],
  [
    'an owner that is a number',
    flag('owner: ¦12'),
    error('wrong-type', '"owner" must be text, not 12', 'write the value in quotes: "12"'),
  ],
  [
    'an empty owner',
    flag('owner: ¦""'),
    error('empty-value', '"owner" must not be empty', 'fill it in, or remove it'),
  ],
  [
    'an owner that was forgotten',
    'event_definitions:\n  a:\n    ¦owner:\n',
    error('empty-value', '"owner" is empty', 'fill it in, or write null for no value', 'event_definition.a'),
  ],
  ...['2027-02-30', 'soon', '2027-3-1', '2027-03-01T00:00:00Z', '27-03-01'].map(
    (day): ProblemCase => [
      `no day: ${day}`,
      flag(`expires: ¦${day}`),
      error('wrong-format', `"expires" must be a day, not "${day}"`, 'write it like 2027-03-01'),
    ],
  ),
  [
    'a tag that says otherwise',
    flag('owner: payments, tags: [x, ¦"Owner:growth"]'),
    error(
      'tag-conflict',
      'the tag "Owner:growth" contradicts "owner": "payments"',
      'write the value in one place only',
    ),
  ],
  [
    'a shared tag that says otherwise than an override',
    flag('tags: [¦"owner:growth"], environments: { staging: { owner: payments } }'),
    error(
      'tag-conflict',
      'the tag "owner:growth" contradicts "owner": "payments"',
      'write the value in one place only',
    ),
  ],
  [
    'an owner of what has no tags',
    'plugins:\n  a: { plugin_type: source, ¦owner: x }',
    error('unknown-key', '"owner" is not a field of a plugin', undefined, 'plugin.a'),
  ],
]

describe('owner and expires', () => {
  it.each(problems)('%s', (_, text, problem) => expectOneProblem(text, problem))

  async function loaded(text: string, more = '', options = {}) {
    const files = { 'vexil.yaml': `${settings}${more}`, 'a.yaml': text }
    const { declarations, problems } = await load(files, { environment: 'staging', ...options })
    return {
      problems,
      said: declarations.desired.map(({ owner, prefixedTags }) => ({ owner, prefixedTags })),
    }
  }

  it.each([
    ['owner: payments, expires: 2028-02-29', '', ['payments', ['owner:payments', 'expires:2028-02-29']]],
    ['owner: payments, tags: ["owner:payments", x]', '', ['payments', ['owner:payments']]],
    ['owner: payments, environments: { staging: { owner: growth } }', '', ['growth', ['owner:growth']]],
    [
      'owner: payments, environments: { production: { owner: growth } }',
      '',
      ['payments', ['owner:payments']],
    ],
    ['owner: payments, environments: { staging: { owner: null } }', '', [undefined, undefined]],
    [
      'owner: payments, environments: { staging: { expires: 2027-01-01 } }',
      '',
      ['payments', ['owner:payments', 'expires:2027-01-01']],
    ],
    ['owner: payments', 'live_tags: false\n', ['payments', undefined]],
    ['owner: null', '', [undefined, undefined]],
    ['owner: payments, ensure: absent', '', ['payments', undefined]],
  ])('%s %s', async (text, more, [owner, prefixedTags]) => {
    expect(await loaded(flag(text), more)).toEqual({ problems: [], said: [{ owner, prefixedTags }] })
  })

  it('are tags by environment where the settings say so', async () => {
    const files = {
      'vexil.yaml':
        'version: 1\nlive_tags: false\nenvironments: { staging: { live_tags: true }, production: {} }\n',
      'a.yaml': flag('owner: x'),
    }
    for (const [environment, tags] of [
      ['staging', ['owner:x']],
      ['production', undefined],
    ] as const)
      expect((await load(files, { environment })).declarations.desired[0]?.prefixedTags).toEqual(tags)
  })

  it('warn of what was wanted until yesterday, where it is declared, and not of today', async () => {
    const text = flag('expires: 2026-11-20, environments: { production: { expires: 2026-11-19 } }')
    const today = (day: string) => loaded(text, '', { today: day }).then(({ problems }) => problems)
    const warning = (day: string) => ({
      code: 'expired',
      severity: 'warning',
      message: `this flag is still declared, but it expired on ${day}`,
      hint: 'remove it from the code, then declare `ensure: absent`; or set a later day',
      source: { file: 'a.yaml', line: 2, column: (text.split('\n')[1] ?? '').indexOf(day) + 1 },
      address: 'feature_flag.a',
    })
    expect(await today('2026-11-19')).toEqual([])
    expect(await today('2026-11-20')).toEqual([warning('2026-11-19')])
    expect(await today('2026-11-21')).toEqual([warning('2026-11-20'), warning('2026-11-19')])
    const gone = flag('expires: 2026-11-20, ensure: absent')
    expect((await loaded(gone, '', { today: '2026-12-01' })).problems).toEqual([])
  })

  it('never show what came out of the environment', async () => {
    const { problems } = await loaded(flag(`owner: "\${env:TEAM}"`), '', { env: { TEAM: 'Secret Team' } })
    expect(problems).toHaveLength(1)
    expect(JSON.stringify(problems)).not.toMatch(/secret team/i)
  })
})
