import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json } from '../../src/model/text/json.ts'
import type { LoadedRepository } from '../../src/yaml/index.ts'
import { type NamingOptions, namingIn } from '../../src/yaml/resolve/names.ts'
import { rounds } from '../support/rounds.ts'
import { load } from './a-repository.ts'

const settings = `version: 1
environments:
  staging: { project: "2", cohorts: { beta_testers: 7 }, group_types: { company: 2 } }
  production: { project: "1", cohorts: { payers: 9 } }
cohorts: { beta_testers: 42, staff: 1 }
group_types: { company: 0, project: 1 }
`

async function loadFlag(release: string, { environment = 'production', more = '', shared = settings } = {}) {
  const flags = `feature_flags:\n  one:\n    active: true\n    release: ${release}\n${more}`
  return load({ 'vexil.yaml': shared, 'flags.yaml': flags }, { environment })
}

function filtersOf({ declarations, problems }: LoadedRepository): Json {
  // Some SDKs read `not_in` otherwise, whatever the cohort is called.
  expect(problems.filter(({ code }) => code !== 'engines-differ')).toEqual([])
  return declarations.desired[0]?.fields.filters ?? null
}

function told({ problems }: LoadedRepository): string[] {
  return problems.map(
    ({ source, message, hint }) => `${source?.file}:${source?.line}:${source?.column} ${message}; ${hint}`,
  )
}

function cohort(value: Json, operator = 'in'): Json {
  return { key: 'id', type: 'cohort', operator, value }
}

describe('a cohort by its name', () => {
  it.each<[string, string, Json]>([
    ['staging', '{ a: { properties: { cohort: { in: beta_testers } } } }', [cohort(7)]],
    ['production', '{ a: { properties: { cohort: { in: beta_testers } } } }', [cohort(42)]],
    [
      'production',
      '{ a: { properties: { cohort: { not_in: staff, in: 5 } } } }',
      [cohort(1, 'not_in'), cohort(5)],
    ],
    ['production', '{ a: { properties: { cohort: { in: "12" } } } }', [cohort('12')]],
    [
      'staging',
      '[{ properties: [{ key: id, type: cohort, value: beta_testers }] }]',
      [{ key: 'id', type: 'cohort', value: 7 }],
    ],
    [
      'staging',
      '{ a: { properties: { cohort: gold } } }',
      [{ key: 'cohort', type: 'person', operator: 'exact', value: 'gold' }],
    ],
  ])('is its number in %s: %s', async (environment, release, properties) => {
    expect(filtersOf(await loadFlag(release, { environment }))).toMatchObject({ groups: [{ properties }] })
  })

  it('is that of each environment under overrides that say nothing of it', async () => {
    const more = '    environments: { staging: { active: false } }\n'
    const release = '{ a: { properties: { cohort: { in: beta_testers } }, rollout_percentage: 5 } }'
    const staging = await loadFlag(release, { environment: 'staging', more })
    expect(filtersOf(staging)).toEqual({ groups: [{ properties: [cohort(7)], rollout_percentage: 5 }] })
    expect(staging.declarations.desired[0]?.fields.active).toBe(false)
    expect(filtersOf(await loadFlag(release, { more }))).toEqual({
      groups: [{ properties: [cohort(42)], rollout_percentage: 5 }],
    })
  })

  it('is that of the environment whose override merges with it', async () => {
    const more = '    environments: { staging: { release: { a: { rollout_percentage: 100 } } } }\n'
    const release = '{ a: { properties: { cohort: { in: beta_testers } }, rollout_percentage: 5 } }'
    expect(filtersOf(await loadFlag(release, { environment: 'staging', more }))).toEqual({
      groups: [{ properties: [cohort(7)], rollout_percentage: 100 }],
    })
  })

  it('is told with the environments that lack it, once', async () => {
    expect(told(await loadFlag('{ a: { properties: { cohort: { in: payers } } } }'))).toEqual([
      'flags.yaml:4:49 in staging, "payers" is not a cohort; there are: beta_testers and staff; its number works too',
    ])
    expect(told(await loadFlag('{ a: { properties: { cohort: { in: beta_tester } } } }'))).toEqual([
      'flags.yaml:4:49 "beta_tester" is not a cohort; did you mean "beta_testers"?',
    ])
    const only = '    only: [production]\n'
    expect(told(await loadFlag('{ a: { properties: { cohort: { in: payers } } } }', { more: only }))).toEqual(
      [],
    )
    const override = '    environments: { staging: { release: { a: { rollout_percentage: 5 } } } }\n'
    expect(
      told(await loadFlag('{ a: { properties: { cohort: { in: payrs } } } }', { more: override })),
    ).toEqual([
      'flags.yaml:4:49 "payrs" is not a cohort; there are: beta_testers and staff; its number works too',
    ])
  })

  it('is one, and not a list or something else', async () => {
    const { problems } = await loadFlag('{ a: { properties: { cohort: { in: [staff, payers] } } } }')
    expect(problems).toMatchObject([{ code: 'wrong-shape', severity: 'error', source: { line: 4 } }])
  })

  it('can be in an audience, which is told where flags lack it', async () => {
    const audience = 'audiences:\n  payers: { properties: { cohort: { in: payers } } }\n'
    const flags = (only: string) =>
      `feature_flags:\n  one: { active: true, only: [${only}], release: { a: { audience: payers } } }\n`
    const loaded = (only: string) =>
      load(
        { 'vexil.yaml': settings, 'a.yaml': audience, 'flags.yaml': flags(only) },
        { environment: 'production' },
      )
    expect(filtersOf(await loaded('production'))).toEqual({ groups: [{ properties: [cohort(9)] }] })
    expect(told(await loaded('staging, production'))).toEqual([
      'a.yaml:2:41 in staging, "payers" is not a cohort; there are: beta_testers and staff; its number works too',
    ])
  })

  it('does not contain names where the settings cannot be read', async () => {
    const { problems } = await loadFlag('{ a: { properties: { cohort: { in: nobody } } } }', {
      shared: `${settings}lmits: {}\n`,
    })
    expect(problems.map(({ code }) => code)).toEqual(['unknown-key'])
  })
})

describe('a type of groups by its name', () => {
  const groups = (index: number) => ({
    groups: [
      {
        properties: [
          { key: 'plan', type: 'group', group_type_index: index, operator: 'exact', value: 'pro' },
        ],
      },
    ],
  })

  it('is its number, for a flag, a condition and a property', async () => {
    const flag = { more: '    group_type: company\n' }
    expect(filtersOf(await loadFlag('{ a: { properties: { plan: pro } } }', flag))).toEqual({
      ...groups(0),
      aggregation_group_type_index: 0,
    })
    expect(
      filtersOf(await loadFlag('{ a: { properties: { plan: pro } } }', { ...flag, environment: 'staging' })),
    ).toEqual({
      ...groups(2),
      aggregation_group_type_index: 2,
    })
    const { declarations } = await loadFlag('{ a: { group_type: project, properties: { plan: pro } } }')
    expect(declarations.desired[0]?.fields.filters).toEqual({
      groups: [{ ...groups(1).groups[0], aggregation_group_type_index: 1 }],
    })
    const full =
      '{ a: { properties: [{ key: plan, type: group, group_type: company, operator: exact, value: pro }] } }'
    expect(filtersOf(await loadFlag(full, flag))).toEqual({ ...groups(0), aggregation_group_type_index: 0 })
  })

  it.each<[string, string, string, string[]]>([
    [
      'an unknown one',
      '{ a: { rollout_percentage: 5 } }',
      '    group_type: compny\n',
      ['flags.yaml:5:17 "compny" is not a group type; did you mean "company"?'],
    ],
    [
      'a name and a number',
      '{ a: { rollout_percentage: 5 } }',
      '    group_type: company\n    group_type_index: 0\n',
      [
        'flags.yaml:5:5 "group_type" and "group_type_index" both define which groups are counted; remove one of them; in an override, null removes the other',
      ],
    ],
    [
      'a number in an override of a name',
      '{ a: { rollout_percentage: 5 } }',
      '    group_type: company\n    environments: { staging: { group_type_index: 1 } }\n',
      [
        'flags.yaml:5:5 "group_type" and "group_type_index" both define which groups are counted; remove one of them; in an override, null removes the other',
      ],
    ],
    [
      'one that was left empty',
      '{ a: { rollout_percentage: 5 } }',
      '    group_type:\n',
      [
        'flags.yaml:5:5 "group_type" is empty, which would mean everybody; fill it in; in an override, null removes the shared value',
      ],
    ],
  ])('is told where it is: %s', async (_, release, more, expected) => {
    expect(told(await loadFlag(release, { more }))).toEqual(expected)
  })

  it('goes with an audience of the same groups', async () => {
    const audience = 'audiences:\n  big: { group_type: company, properties: { plan: pro } }\n'
    const flags =
      'feature_flags:\n  one: { active: true, group_type: company, release: { a: { audience: big } } }\n'
    for (const [environment, index] of [
      ['staging', 2],
      ['production', 0],
    ] as const) {
      const loaded = await load(
        { 'vexil.yaml': settings, 'a.yaml': audience, 'flags.yaml': flags },
        { environment },
      )
      expect(filtersOf(loaded)).toEqual({ ...groups(index), aggregation_group_type_index: index })
    }
  })
})

it('means by names what numbers mean, in every environment', async () => {
  const names = ['a', 'b', 'c'] as const
  const numbers = fc.record({
    a: fc.integer({ min: 1, max: 9 }),
    b: fc.integer({ min: 1, max: 9 }),
    c: fc.integer({ min: 1, max: 9 }),
  })
  const conditions = fc.array(
    fc.tuple(fc.constantFrom(...names), fc.constantFrom('in', 'not_in'), fc.boolean()),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  await fc.assert(
    fc.asyncProperty(numbers, numbers, conditions, async (staging, production, used) => {
      const written = (of: (name: (typeof names)[number]) => string | number, audiences: boolean) => {
        const release = used.map(([name, operator, isShared], at) =>
          isShared && audiences
            ? `c${at}: { audience: a${at} }`
            : `c${at}: { properties: { cohort: { ${operator}: ${of(name)} } } }`,
        )
        const shared = used.flatMap(([name, operator, isShared], at) =>
          isShared && audiences ? [`a${at}: { properties: { cohort: { ${operator}: ${of(name)} } } }`] : [],
        )
        return `audiences: { ${shared.join(', ')} }\nfeature_flags: { one: { active: true, release: { ${release.join(', ')} } } }\n`
      }
      for (const [environment, meant] of [
        ['staging', staging],
        ['production', production],
      ] as const) {
        const cohorts = (of: typeof staging) => `cohorts: { a: ${of.a}, b: ${of.b}, c: ${of.c} }`
        const named = await load(
          {
            'vexil.yaml': `version: 1\nenvironments:\n  staging: { ${cohorts(staging)} }\n  production: {}\n${cohorts(production)}\n`,
            'flags.yaml': written(name => name, true),
          },
          { environment },
        )
        const plain = await load({
          'vexil.yaml': 'version: 1\n',
          'flags.yaml': written(name => meant[name], false),
        })
        expect(named.hasErrors).toBe(false)
        expect(named.declarations.desired[0]?.fields).toEqual(plain.declarations.desired[0]?.fields)
      }
    }),
    { numRuns: rounds(10) },
  )
})

it('tells the name of a number, and none where there is none', async () => {
  const { environment } = await loadFlag('{ a: { rollout_percentage: 5 } }')
  expect(isJsonObject(environment)).toBe(true)
  if (!environment) return
  const naming = namingIn(environment)
  expect(naming?.nameOf('cohort', 42)).toBe('beta_testers')
  expect(naming?.nameOf('group type', 1)).toBe('project')
  expect(naming?.nameOf('cohort', 7)).toBeUndefined()
  expect(naming?.numberOf('cohort', 'beta_testers')).toBe(42)
})

it('takes of several names for a number the first that other environments have too, and none that is read as a number', () => {
  const of = (cohorts: Readonly<Record<string, number>>) => ({ cohorts, groupTypes: {} })
  const here = of({ 7: 42, '': 42, beta: 42, testers: 42 })
  const others = [of({ testers: 1 })]
  const nameOf = (options: NamingOptions) => namingIn(here, options)?.nameOf('cohort', 42)
  expect(nameOf({})).toBe('beta')
  expect(nameOf({ others })).toBe('testers')
  expect(nameOf({ others: [of({ vip: 1 })] })).toBe('beta')
  expect(nameOf({ others: [of({ vip: 1 })], isForAll: true })).toBeUndefined()
  expect(namingIn(of({}))).toBeUndefined()
})
