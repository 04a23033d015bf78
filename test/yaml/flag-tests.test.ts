import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Problem } from '../../src/model/problem.ts'
import { type RepositoryOptions, readDeclared } from '../../src/yaml/index.ts'
import { type Files, folderOfTest } from '../support/folder.ts'
import { rounds } from '../support/rounds.ts'
import { withToldPlaces } from '../support/told-places.ts'
import { load, settings } from './a-repository.ts'
import { error, expectOneProblem, type ProblemCase, warning } from './one-problem.ts'

const flag = `feature_flags:
  checkout:
    active: true
    release:
      dach: { properties: { country: [DE, AT] }, variant: one_page }
      rest: { rollout_percentage: 50 }
    variants: { one_page: 50, classic: 50 }
    payloads: { one_page: { steps: 1 } }
`
const testing = (...tests: string[]) => `${flag}    tests: [${tests.join(', ')}]\n`
const someone = 'person: { distinct_id: ada, properties: { country: DE } }'
const mistake = (code: string, message: string, hint?: string) =>
  error(code, message, hint, 'feature_flag.checkout')
const reasons =
  'condition_match, no_condition_match, out_of_rollout_bound, no_group_type, disabled, super_condition_value, holdout_condition_value'

const mistakes: ProblemCase[] = [
  [
    'a person that there is not',
    `persons: { ada: {}, eve: {} }\n${testing('{ person: ada, expect: true }', '{ person: eve, expect: true }', '{ person: ¦addda, expect: true }')}`,
    mistake('unknown-person', '"addda" is not a person that tests know', 'did you mean "ada"?'),
  ],
  [
    'a person where none is declared',
    testing('{ person: ¦ada, expect: true }'),
    mistake(
      'unknown-person',
      '"ada" is not a person that tests know',
      'declare the person under "persons", in any file',
    ),
  ],
  [
    'a variant that there is not',
    testing(`{ ${someone}, expect: ¦one_pge }`),
    mistake('unknown-variant', '"one_pge" is not a variant of the flag', 'did you mean "one_page"?'),
  ],
  [
    'a truth in quotes',
    testing(`{ ${someone}, expect: { value: ¦"true", payload: null } }`),
    mistake('unknown-variant', '"true" is not a variant of the flag', 'write true without quotes'),
  ],
  [
    'a condition that there is not',
    testing(`{ ${someone}, expect: true, because: ¦everybody }`),
    mistake(
      'unknown-condition',
      '"everybody" is neither a condition of the flag nor a reason',
      `conditions are dach and rest, reasons ${reasons}`,
    ),
  ],
  [
    'the number of no condition',
    testing(`{ ${someone}, expect: true, because: ¦3 }`),
    mistake('unknown-condition', 'the flag has no condition 3', 'write a number from 1 to 2'),
  ],
  [
    'a condition that an environment lacks',
    `${testing(`{ ${someone}, expect: true, because: ¦rest }`)}    environments: { staging: { release: { rest: null } } }\n`,
    mistake(
      'unknown-condition',
      'in staging, "rest" is neither a condition of the flag nor a reason',
      `conditions are dach, reasons ${reasons}`,
    ),
  ],
  [
    'an environment that there is not',
    testing(`{ ${someone}, expect: true, env: [staging, ¦prodction] }`),
    mistake('unknown-environment', '"prodction" is not an environment', 'did you mean "production"?'),
  ],
  [
    'an environment without the flag',
    `${testing(`{ ${someone}, expect: true, env: ¦staging }`)}    only: [production]\n`,
    mistake(
      'test-of-nothing',
      'the flag is not declared for "staging", so the test would check nothing',
      'remove the environment from the test',
    ),
  ],
  [
    'a type of groups that there is not',
    testing('{ person: { groups: { ¦company: acme } }, expect: false }'),
    error(
      'unknown-group-type',
      '"company" is not a group type',
      'vexil.yaml has no names of group types; its number works too, as group_type_index',
      null,
    ),
  ],
  [
    'a flag that there is not',
    `tests: { ¦chekout: [{ ${someone}, expect: true }] }\n${flag}`,
    error('unknown-flag', 'no flag "chekout" is declared here', 'did you mean "checkout"?', null),
  ],
  [
    'a person whom no test names',
    `persons: { ¦ada: {} }\n${flag}`,
    warning(
      'unused-person',
      'no test names this person',
      'use the person in a test: { person: ada, expect: true }; or remove the person',
      null,
    ),
  ],
  [
    'tests in an override',
    `${flag}    environments: { staging: { ¦tests: [] } }\n`,
    mistake(
      'unknown-key',
      '"tests" is not a field of a flag',
      'write tests next to the flag; "env: NAME" in a test sets its environment',
    ),
  ],
  [
    'a test without an expectation',
    testing(`¦{ ${someone} }`),
    mistake('missing-key', '"expect" is missing', 'add "expect:"'),
  ],
]

async function problemsOf(
  files: Files,
  options: Partial<RepositoryOptions> = {},
): Promise<readonly Problem[]> {
  const directory = await folderOfTest(files)
  const checked = await readDeclared({ directory, env: {}, testedAt: Date.UTC(2026, 10, 23), ...options })
  return checked.problems
}

async function messages(text: string, options: Partial<RepositoryOptions> = {}): Promise<readonly string[]> {
  const found = await problemsOf({ 'vexil.yaml': settings, 'flags.yaml': text }, options)
  return found.map(({ code, message }) => `${code}: ${message}`)
}

describe('tests of flags', () => {
  it.each(mistakes)('tell of %s', async (_, marked, problem) => {
    await expectOneProblem(marked, problem)
  })

  it('tell of persons and groups that are declared twice', async () => {
    const twice = 'persons: { ada: {} }\ngroups: { "0": { acme: {} } }\n'
    const found = await problemsOf({
      'vexil.yaml': settings,
      'a.yaml': `${twice}${testing('{ person: ada, expect: false, because: dach }')}`,
      'b.yaml': twice,
    })
    expect(found.filter(({ source }) => source?.file === 'b.yaml')).toMatchObject([
      { code: 'duplicate-person', message: 'this person is also declared at a.yaml:1:12' },
      { code: 'duplicate-group', message: 'this group is also declared at a.yaml:2:18' },
    ])
  })

  it.each([
    ['a value', `{ ${someone}, expect: one_page }`],
    ['a condition by its name', `{ ${someone}, expect: one_page, because: dach }`],
    ['a condition by its number', `{ ${someone}, expect: one_page, because: 1 }`],
    ['a reason', `{ ${someone}, expect: one_page, because: condition_match }`],
    ['a payload', `{ ${someone}, expect: { value: one_page, payload: { steps: 1 } } }`],
    [
      'no payload',
      `{ person: { distinct_id: bobby, properties: { country: FR } }, expect: { value: classic, payload: null } }`,
    ],
    [
      'a percentage',
      `{ person: { distinct_id: ada, properties: { country: FR } }, expect: false, because: rest }`,
    ],
  ])('pass: %s', async (_, test) => {
    expect(await messages(testing(test))).toEqual([])
  })

  it.each([
    [
      'another value',
      `{ ${someone}, expect: classic }`,
      'test-failed: in staging and production, test of "ada": expected classic, got one_page (condition 1: country is DE or AT)',
    ],
    [
      'another condition',
      `{ ${someone}, expect: one_page, because: rest }`,
      'test-failed: in staging and production, test of "ada": expected one_page because of condition 2 (rest), got one_page (condition 1: country is DE or AT)',
    ],
    [
      'another payload',
      `{ ${someone}, expect: { value: one_page, payload: null } }`,
      'test-failed: in staging and production, test of "ada": expected one_page without a payload, got one_page with the payload {"steps":1} (condition 1: country is DE or AT)',
    ],
    [
      'a property that is missing',
      '{ person: { distinct_id: ada }, expect: false, env: staging }',
      'test-undecided: in staging, test of "ada": expected false, got undecided: the property "country" is unknown',
    ],
    [
      'a percentage of nobody in particular',
      '{ person: { properties: { country: FR } }, expect: false, env: [production] }',
      'test-undecided: in production, test of somebody: expected false, got undecided: the distinct id is unknown',
    ],
  ])('do not pass: %s', async (_, test, message) => {
    expect(await messages(testing(test))).toEqual([message])
  })

  it('are run in the environments in which the flag is declared present', async () => {
    const test = `{ ${someone}, expect: classic }`
    expect(await messages(`${testing(test)}    environments: { staging: { ensure: absent } }\n`)).toEqual([
      expect.stringContaining('in production, test of "ada"'),
    ])
    expect(await messages(`${testing(test)}    ensure: absent\n`)).toEqual([])
    expect(await messages(`${testing(test)}    environments: { production: { skip: true } }\n`)).toEqual([
      expect.stringContaining('in staging, test of "ada"'),
    ])
  })

  it('stand in files of their own as well, with persons and groups of any file', async () => {
    const files = {
      'vexil.yaml': `${settings}group_types: { company: 0 }\n`,
      'flags.yaml':
        'feature_flags: { pro: { active: true, group_type: company, release: { pro: { properties: { plan: pro } } } } }\n',
      'persons.yaml':
        'persons: { ada: { distinct_id: ada, groups: { company: acme } }, eve: { groups: { "0": { key: acme, properties: { plan: free } } } } }\n',
      'tests.yaml':
        'groups: { company: { acme: { plan: pro } } }\ntests: { pro: [{ person: ada, expect: true, because: pro }, { person: eve, expect: false, because: no_condition_match }] }\n',
    }
    expect(await problemsOf(files)).toEqual([])
    const other = {
      ...files,
      'tests.yaml': files['tests.yaml'].replace('acme: { plan: pro }', 'acme: { plan: free }'),
    }
    expect(await problemsOf(other)).toMatchObject([
      {
        code: 'test-failed',
        address: 'feature_flag.pro',
        source: { file: 'tests.yaml', line: 2, column: 16 },
      },
    ])
  })

  it('take into account the other flags that are declared', async () => {
    const both = (active: boolean) =>
      `feature_flags:
  base: { active: ${active}, rollout_percentage: 100 }
  above:
    active: true
    filters: { groups: [{ properties: [{ key: base, type: flag, operator: flag_evaluates_to, value: true }] }] }
    tests: [{ person: {}, expect: ${active} }]
`
    expect(await messages(both(true), { profile: 'posthog-2026' })).toEqual([])
    expect(
      await messages(both(false).replace('expect: false', 'expect: true'), { profile: 'posthog-2026' }),
    ).toEqual([expect.stringContaining('test-failed')])
  })

  it('fail where services differ, unless it is known which one answers', async () => {
    const text = `feature_flags:
  adults:
    active: true
    filters: { groups: [{ properties: [{ key: age, type: person, operator: gt, value: "18" }] }] }
    tests: [{ person: { properties: { age: "100" } }, expect: true }]
`
    const [found = ''] = (await messages(text)).filter(message => message.startsWith('test-'))
    expect(found).toMatch(/^test-differs: .* got true by .*, false by /)
    const known = await messages(text, { profile: 'posthog-2026' })
    expect(known.filter(message => message.startsWith('test-'))).toEqual([])
  })

  it('are undecided where people keep what they had under another id, unless no id decides', async () => {
    const kept = testing(
      `{ ${someone}, expect: one_page }`,
      '{ person: { distinct_id: ada, properties: { country: FR } }, expect: false, env: staging }',
    )
    expect(await messages(`${kept}    ensure_experience_continuity: true\n`)).toEqual([
      'test-undecided: in staging, test of "ada": expected false, got undecided: people seen earlier under another id keep their earlier value (ensure_experience_continuity)',
    ])
  })

  it('are run for the environment that is asked for alone, whose variables are set', async () => {
    const text = `feature_flags:
  staff:
    active: true
    release: { staff: { properties: { email: "\${env:STAFF}" } } }
    tests: [{ person: { properties: { email: "\${env:STAFF}" } }, expect: false }]
`
    const found = await messages(text, { environment: 'staging', env: { STAFF: 'secret@example.com' } })
    expect(found).toEqual([
      `test-failed: in staging, test of somebody: expected false, got true (condition 1: email is "\${env:STAFF}")`,
    ])
  })

  it('are no reason to refuse a plan, whatever is wrong with them', async () => {
    const wrong = testing(
      `{ ${someone}, expect: other, because: nothing }`,
      '{ person: nobody, expect: true }',
    )
    const broken = await load({ 'vexil.yaml': settings, 'flags.yaml': wrong }, { environment: 'staging' })
    expect(broken.problems).toEqual([])
    const files = { 'vexil.yaml': settings, 'flags.yaml': testing(`{ ${someone}, expect: classic }`) }
    const { declarations, problems } = await load(files, { environment: 'staging' })
    expect(problems).toEqual([])
    expect(withToldPlaces(declarations).desired).toMatchObject([
      {
        tests: [
          {
            person: 'ada',
            subject: { distinctId: 'ada', properties: { country: 'DE' } },
            value: 'classic',
          },
        ],
      },
    ])
    const [source] = declarations.desired.flatMap(({ tests = [] }) => tests.map(test => test.sourceOf?.()))
    expect(source).toMatchObject({ file: 'flags.yaml', line: 9 })
  })

  it('are read whatever they are', async () => {
    const json = fc.jsonValue({ maxDepth: 4 })
    await fc.assert(
      fc.asyncProperty(json, json, json, json, async (tests, persons, groups, apart) => {
        const value = {
          feature_flags: { a: { active: true, rollout_percentage: 1, tests } },
          persons,
          groups,
          tests: { a: apart },
        }
        await problemsOf({ 'vexil.yaml': settings, 'flags.yaml': JSON.stringify(value) })
      }),
      { numRuns: rounds(10) },
    )
  })
})
