import { describe, expect, it } from 'vitest'
import { decodeValue, encodeValue } from '../../../src/hcl/msgpack.ts'
import { unknown, type Value } from '../../../src/hcl/values/value.ts'
import { providerFunctions } from '../../../src/terraform/vexil-provider.ts'

const functions = providerFunctions()
const context = { signal: new AbortController().signal }

async function call(name: string, ...given: Value[]): Promise<Value> {
  const called = functions[name]
  if (!called) throw new Error(`no function ${name}`)
  const result = await called.call(given, context)
  return decodeValue(called.result, encodeValue(called.result, result))
}

const germans = {
  properties: [{ key: 'country', value: ['DE'], type: 'person' }],
  rollout_percentage: 100,
  variant: 'test',
}
const filters = JSON.stringify({
  groups: [germans, { rollout_percentage: 10 }],
  multivariate: {
    variants: [
      { key: 'control', rollout_percentage: 60 },
      { key: 'test', rollout_percentage: 40 },
    ],
  },
  payloads: { test: '{"color":"red"}' },
})

describe('filters', () => {
  const tenth = { release: [{ rollout_percentage: 10 }] }
  it.each<[string, Value, Value]>([
    [
      'typed attributes',
      { id: unknown, key: 'x', filters: null, ...tenth },
      '{"groups":[{"rollout_percentage":10}]}',
    ],
    [
      'typed attributes beside what a mock has made up',
      { id: 'p3k9x0aa', key: 'x', filters: 'x7k2m9q4', ...tenth },
      '{"groups":[{"rollout_percentage":10}]}',
    ],
    ['JSON', { id: unknown, key: 'x', release: null, filters }, filters],
    ['a local object', tenth, '{"groups":[{"rollout_percentage":10}]}'],
    ['what nobody declares yet', { release: null, filters: unknown }, unknown],
    ['a part that is unknown', { release: [{ rollout_percentage: unknown }], filters: null }, unknown],
    ['a flag that is unknown', unknown, unknown],
  ])('are those of %s', async (_, flag, expected) => {
    expect(await call('filters', flag)).toEqual(expected)
  })

  it.each<[Value]>([['{}'], [{ key: 'x' }], [[]]])('of what is no flag are refused: %j', async given => {
    await expect(call('filters', given)).rejects.toThrow(
      'the argument is not a flag; pass `vexil_feature_flag.NAME`',
    )
  })
})

it('says of filters that are no text how to write them', async () => {
  await expect(call('filters', { key: 'x', filters: 1 })).rejects.toMatchObject({
    argument: 0,
    message: "the flag's `filters` is not a string; write it with jsonencode({ ... })",
  })
})

describe('rollout', () => {
  it('tells whom each condition reaches', async () => {
    expect(await call('rollout', filters)).toEqual({
      max_percentage: 100,
      everyone: false,
      conditions: [
        { people: 'country is DE', percentage: 100, variant: 'test' },
        { people: 'everyone', percentage: 10, variant: null },
      ],
    })
  })

  it('of nothing is everybody', async () => {
    expect(await call('rollout', '{}')).toMatchObject({ max_percentage: 100, everyone: true })
  })
})

describe('variants', () => {
  it('tells their shares', async () => {
    expect(await call('variants', filters)).toEqual({ control: 60, test: 40 })
    expect(await call('variants', '{}')).toEqual({})
  })
})

describe('a number in quotes', () => {
  const quoted = '{"groups":[{"rollout_percentage":"100"}]}'
  const variant = '{"multivariate":{"variants":[{"key":"a","rollout_percentage":"100"}]}}'

  it.each<[string, Value[], number, string]>([
    ['rollout', [quoted], 0, '/groups/0/rollout_percentage'],
    ['variants', [variant], 0, '/multivariate/variants/0/rollout_percentage'],
    ['evaluate', ['checkout', quoted, 'ada', '{}'], 1, '/groups/0/rollout_percentage'],
  ])('is refused by %s, as the service would', async (name, given, argument, place) => {
    await expect(call(name, ...given)).rejects.toMatchObject({
      argument,
      message: `at ${place}: the percentage is not a number; write a number such as 25, without % or quotes`,
    })
  })
})

describe('evaluate', () => {
  it('tells what a person gets, and why', async () => {
    expect(await call('evaluate', 'checkout', filters, 'ada', '{"country":"DE"}')).toEqual({
      enabled: true,
      variant: 'test',
      reason: 'condition_match',
      payload: '{"color":"red"}',
      undecided: false,
      undecided_reason: null,
    })
  })

  it('is undecided where it depends on what was not given', async () => {
    const onlyGermans = JSON.stringify({ groups: [germans] })
    expect(await call('evaluate', 'checkout', onlyGermans, 'ada', '{}')).toMatchObject({
      enabled: false,
      undecided: true,
      undecided_reason: 'the property "country" is unknown',
    })
  })

  it.each([
    [{ groups: [{}], aggregation_group_type_index: 0 }, 'the name of the group type 0 is unknown'],
    [
      { groups: [], super_groups: [{ properties: [], rollout_percentage: 100 }] },
      'only the service evaluates the member "super_groups" of the filters',
    ],
    [
      { groups: [], holdout: { id: 1, exclusion_percentage: 10 } },
      'only the service evaluates the member "holdout" of the filters',
    ],
    [{ groups: [{ aggregation_group_type_index: 1 }] }, 'a condition counts other groups than the flag'],
    [{ groups: [{ properties: [{ key: 'id', type: 'cohort', value: 4 }] }] }, 'the cohort "4" is unknown'],
    [
      { groups: [{ properties: [{ key: 'country', type: 'person', operator: 'regex', value: '(?=D)' }] }] },
      'only the service evaluates the pattern "(?=D)": it looks ahead or behind',
    ],
  ])('says why it is undecided for %j', async (open, why) => {
    const given = ['checkout', JSON.stringify(open), 'ada', '{"country":"DE"}', 'documented']
    expect(await call('evaluate', ...given)).toMatchObject({
      enabled: false,
      undecided: true,
      undecided_reason: why,
    })
  })

  const adults = JSON.stringify({
    groups: [{ properties: [{ key: 'age', type: 'person', operator: 'gt', value: '18' }] }],
  })

  it.each<[string, Value[], boolean, string | null]>([
    ['2024', ['documented'], false, null],
    [
      'today, where SDKs say otherwise',
      ['posthog-2026'],
      true,
      'engines give different values: true by the service, false by posthog-server 2.3.3',
    ],
    [
      'nobody knows when',
      [],
      true,
      'engines give different values: true by the service with profile posthog-2026, false by the service with profile documented, false by the service with profile posthog, false by posthog-server 2.3.3',
    ],
  ])('goes by the rules of %s', async (_, profile, enabled, why) => {
    expect(await call('evaluate', 'adults', adults, 'ada', '{"age":"100"}', ...profile)).toMatchObject({
      enabled,
      undecided: why !== null,
      undecided_reason: why,
    })
    const asNumber = await call('evaluate', 'adults', adults, 'ada', '{"age":100}', ...profile)
    expect(asNumber).toMatchObject({ enabled: true, undecided: false })
  })

  it.each([
    ['text that is no profile', ['checkout', '{}', 'ada', '{}', 'today'], 4],
    ['two profiles', ['checkout', '{}', 'ada', '{}', 'posthog', 'posthog'], 5],
    ['text that is no JSON', ['checkout', '{', 'ada', '{}'], 1],
    ['no object', ['checkout', '{}', 'ada', '[]'], 3],
    [
      'a date that takes its month and day from today',
      [
        'checkout',
        JSON.stringify({
          groups: [
            { properties: [{ key: 'joined', type: 'person', operator: 'is_date_before', value: '2024' }] },
          ],
        }),
        'ada',
        '{"joined":"2024-06-01"}',
      ],
      1,
    ],
    [
      'a date that counts from now',
      [
        'checkout',
        JSON.stringify({
          groups: [
            { properties: [{ key: 'joined', type: 'person', operator: 'is_date_before', value: '-7d' }] },
          ],
        }),
        'ada',
        '{"joined":"2026-01-01"}',
      ],
      1,
    ],
  ])('refuses %s, and says which argument', async (_, given, argument) => {
    await expect(call('evaluate', ...given)).rejects.toMatchObject({ argument })
  })
})
