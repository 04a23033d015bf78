import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { profiles, type Services } from '../../../src/model/connection.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import { arePlain, checkEngines } from '../../../src/targeting/check/check-engines.ts'
import { checkFilters, checkNewer } from '../../../src/targeting/check/check-filters.ts'
import { mistakesIn } from '../../../src/targeting/check/filter-mistakes.ts'
import { knownOperators } from '../../../src/targeting/operators.ts'
import { rounds } from '../../support/rounds.ts'
import { anyFilters } from '../some-filters.ts'

const variants: Json = {
  variants: [
    { key: 'a', rollout_percentage: 50 },
    { key: 'b', rollout_percentage: 50 },
  ],
}

function asks(operator: string, value: Json): JsonObject {
  return { groups: [{ properties: [{ key: 'a', type: 'person', operator, value }] }] }
}

function warned(filters: JsonObject, profile: (typeof profiles)[number] = 'posthog-2026'): string[] {
  return checkFilters(filters, undefined, [profile])
    .filter(({ code }) => code === 'engines-differ')
    .map(({ pointer, message, hint }) => `${pointer} ${message}; ${hint}`)
}

const at = '/groups/0/properties/0'
const [node, python, go] = ['posthog-node 5.70.0', 'posthog-python 7.91.1', 'posthog-go 1.5.2']
const [rust, java] = ['posthog-rs 0.30.0', 'posthog-server 2.3.3']

describe('what engines of today do not agree on', () => {
  it.each<[string, JsonObject, string]>([
    [
      'a payload that is lost',
      { payloads: { true: '0' } },
      '/payloads/true the payload of "true" is 0, false or an empty text, which some libraries read as no payload; write an object around the value (docs/who-evaluates.md#libraries)',
    ],
    [
      'a payload that is read as JSON once more',
      { payloads: { true: '"12"' } },
      '/payloads/true the payload of "true" is a text that is JSON itself, which some libraries read as that JSON; write an object around the value (docs/who-evaluates.md#libraries)',
    ],
    [
      'a number',
      asks('gt', '18'),
      `${at} "a > 18" matches "100" in the service, but not in ${java}; compare with a number, and send the property as a number (docs/who-evaluates.md#number_comparison)`,
    ],
    [
      'a text by size',
      asks('lt', 'm'),
      `${at} "a < "m"" matches "M" in ${node}, ${rust} and ${java}, but not in the service; compare with a number, and send the property as a number (docs/who-evaluates.md#number_comparison)`,
    ],
    [
      'false',
      asks('exact', 'false'),
      `${at} "a is false" matches "yes" in the service, but not in ${go} and ${java}; invert the test: is_not with true, or exact with true (docs/who-evaluates.md#truth_values)`,
    ],
    [
      'a letter that is none of A to Z',
      asks('icontains', 'ü'),
      `${at} "a contains "ü"" matches "Ü" in ${go} and ${java}, but not in the service; use only letters from A to Z, or the letter case that the property has (docs/who-evaluates.md#letter_case)`,
    ],
    [
      'a version',
      asks('semver_lt', '1.2.3'),
      `${at} "a semver_lt 1.2.3" matches "1.2.3-beta" in the service, but not in ${node}, ${python}, ${rust} and ${java}; use versions of three numbers without a suffix, and wildcards with a star: 1.2.* (docs/who-evaluates.md#later_operators)`,
    ],
    [
      'a wildcard without a star',
      asks('semver_wildcard', '1.2.3'),
      `${at} "a semver_wildcard 1.2.3" matches "1.2.99" in the service, but not in ${python} and ${java}; use versions of three numbers without a suffix, and wildcards with a star: 1.2.* (docs/who-evaluates.md#later_operators)`,
    ],
    [
      'a date without a zone',
      asks('is_date_before', '2024-06-01'),
      `${at} "a is before 2024-06-01" matches "2024-05-31T23:30:00.000Z" in ${node}, ${python} and ${rust}, but not in the service; write the date with time and zone: 2024-01-31T00:00:00Z (docs/who-evaluates.md#date_forms)`,
    ],
    [
      'a variant behind everybody',
      { groups: [{}, { variant: 'a' }], multivariate: variants },
      `/groups/1 condition 2 forces a variant and comes after condition 1: ${go}, ${rust} and ${java} try it first; put conditions that force a variant before the others (docs/who-evaluates.md#condition_order)`,
    ],
    [
      'an early exit',
      { groups: [{}], early_exit: true },
      `/early_exit "early_exit" has no effect in ${go} and ${java}; have the flag evaluated by the service (docs/who-evaluates.md#early_exit)`,
    ],
    [
      'a holdout',
      { groups: [{}], holdout: { id: 1, exclusion_percentage: 5 } },
      `/holdout "holdout" has no effect in ${go}, ${rust} and ${java}; have the flag evaluated by the service (docs/who-evaluates.md#holdouts)`,
    ],
  ])('is warned of: %s', (_, filters, warning) => {
    expect(warned(filters)).toEqual([warning])
    for (const profile of ['documented', 'posthog'] as const) expect(warned(filters, profile)).toEqual([])
  })

  it.each<[string, JsonObject]>([
    ['a text', asks('exact', ['pro', 'free'])],
    ['true', asks('exact', 'true')],
    ['what is not true', asks('is_not', 'true')],
    ['a part of a text', asks('icontains', '@corp')],
    ['a pattern', asks('regex', '^a+$')],
    ['a date with its zone', asks('is_date_before', '2024-06-01T00:00:00Z')],
    ['a date from now', asks('is_date_after', '-7d')],
    ['what only the service knows', asks('icontains_multi', ['a', 'b'])],
    ['a variant before everybody', { groups: [{ variant: 'a' }, {}], multivariate: variants }],
    ['nothing', {}],
  ])('is nothing about %s', (_, filters) => {
    expect(warned(filters)).toEqual([])
  })
})

describe('where any service may answer', () => {
  const possible = (filters: JsonObject) =>
    checkFilters(filters).filter(({ code }) => code === 'engines-differ')

  it.each(['gt', 'gte', 'lt', 'lte'])('what is compared with a number counts as one: %s', operator => {
    for (const value of ['18', 18, '0.5', '-3', '1e3']) expect(possible(asks(operator, value))).toEqual([])
  })

  it.each<[string, JsonObject]>([
    ['a text by size', asks('lt', 'm')],
    ['what only some read as a number', asks('gte', ' 7 ')],
    ['false', asks('exact', 'false')],
    ['a letter that is none of A to Z', asks('icontains', 'ü')],
    ['a date without a zone', asks('is_date_before', '2024-06-01')],
  ])('the value itself is warned of where it is another one in some of them: %s', (_, filters) => {
    expect(possible(filters).map(({ message }) => message.endsWith('(profile posthog-2026)'))).toEqual([true])
  })
})

describe('a payload', () => {
  it.each<[string, Json]>([
    ['an object', '{"value":0}'],
    ['a number', '1'],
    ['true', 'true'],
    ['a text', '"blue"'],
    ['a text in the older form', 'blue'],
    ['null', null],
  ])('of which libraries make the same: %s', (_, payload) => {
    expect(warned({ payloads: { true: payload } })).toEqual([])
  })

  it('of a team that always asks the service', () => {
    const services: Services = Object.assign(['posthog-2026' as const], { sdks: {} })
    expect(checkFilters({ payloads: { true: 'false' } }, undefined, services)).toEqual([])
  })
})

describe('a flag with many such places', () => {
  const many = (count: number): JsonObject => ({
    groups: Array.from({ length: count }, (_, index) => ({
      properties: [{ key: `p${index}`, type: 'person', operator: 'gt', value: '18' }],
    })),
  })

  it('is warned of once, at the first, with how many there are', () => {
    const first = warned(many(1))[0]?.split('; ')[0]
    expect(warned(many(2))).toEqual([
      `${first}; engines also differ in another part of this flag; compare with a number, and send the property as a number (docs/who-evaluates.md#number_comparison)`,
    ])
    expect(warned(many(40))).toEqual([
      `${first}; engines also differ in 39 other parts of this flag; compare with a number, and send the property as a number (docs/who-evaluates.md#number_comparison)`,
    ])
  })

  it('is told of everything else that is wrong as before', () => {
    const filters = { groups: [...(many(3).groups as Json[]), { rollout_percentage: 200 }] }
    const codes = checkFilters(filters, undefined, ['posthog-2026']).map(({ code }) => code)
    expect(codes).toContain('percentage-range')
    expect(codes.filter(code => code === 'engines-differ')).toHaveLength(1)
  })
})

/** Conditions with any operator and values that engines read in several manners, now and then. */
const asked = (changed: JsonObject): JsonObject => ({
  groups: [{ properties: [{ key: 'country', type: 'person', operator: 'exact', value: 'DE', ...changed }] }],
})
const values: Json[] = [
  'DE',
  ['DE', 'AT'],
  'ü',
  '5',
  5,
  null,
  true,
  [],
  ['x', null],
  'true',
  {},
  Array(1001).fill('x'),
]
const nearlyPlain: JsonObject[] = [
  ...Object.keys(knownOperators).flatMap(operator => values.map(value => asked({ operator, value }))),
  ...['', 5, null].map(key => asked({ key })),
  ...['group', 'cohort', null, 'event'].map(type => asked({ type })),
  ...[5, null, {}].map(operator => asked({ operator })),
  ...['negation', 'group_type_index', 'cohort_name', 'valeu'].map(name => asked({ [name]: 'x' })),
  ...[null, 5, 0.5, 100, -1, 101, '5'].map(percent => ({ groups: [{ rollout_percentage: percent }] })),
  ...['variant', 'aggregation_group_type_index', 'x'].map(name => ({ groups: [{ [name]: 'x' }] })),
  ...['groups', 'aggregation_group_type_index', 'super_groups'].map(name => ({ [name]: 'x' })),
]

it('finds nothing in plain filters', () => {
  const plain = (filters: JsonObject) => {
    if (!arePlain(filters)) return false
    expect(mistakesIn(filters)).toEqual(mistakesIn(filters, undefined, true))
    for (const profile of profiles)
      expect([...checkNewer(filters, profile), ...checkEngines(filters, profile, profiles)]).toEqual([])
    return true
  }
  expect(nearlyPlain.filter(plain).length).toBeGreaterThan(20)
  fc.assert(
    fc.property(anyFilters, filters => {
      if (isJsonObject(filters)) plain(filters)
    }),
    { numRuns: rounds() },
  )
})
