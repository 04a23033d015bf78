import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { profiles, type Services, servicesOf } from '../../../src/model/connection.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/model/json/json.ts'
import { sdkVersions } from '../../../src/services/sdk-versions.ts'
import { mayDifferInSdks } from '../../../src/targeting/check/check-engines.ts'
import { checkClosely, checkFilters } from '../../../src/targeting/check/check-filters.ts'
import { arePlainlyRight } from '../../../src/targeting/check/plainly-right.ts'
import { knownOperators } from '../../../src/targeting/operator-table.ts'
import { anyFilters, someFilters } from '../some-filters.ts'

const oddities: readonly Json[] = [
  null,
  true,
  '',
  'ü',
  'true',
  -1,
  101,
  0.5,
  [],
  {},
  [null],
  [true],
  ['DE', 1],
]
const odd = fc.constantFrom(...oddities)
/** Mostly what is right, now and then something else. */
const mostly = (...right: Json[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: odd })
const oddMember = fc.oneof(
  { weight: 20, arbitrary: fc.constant<JsonObject>({}) },
  { weight: 1, arbitrary: fc.record({ rollout: odd }) },
  {
    weight: 1,
    arbitrary: fc.record({ early_exit: odd, holdout: odd, super_groups: odd }, { requiredKeys: [] }),
  },
  { weight: 1, arbitrary: fc.record({ aggregation_group_type_index: odd, group_type_index: odd }) },
)
const withOddMember = (part: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.tuple(part, oddMember).map(([members, more]) => ({ ...members, ...more }))

const values: readonly Json[] = ['DE', ['DE', 'AT'], 'a', 5, '5', ['1', '2'], '-7d', '1.2.3', 'a.*', ['x']]
const property = withOddMember(
  fc.record(
    {
      key: mostly('country', 'plan', 'email', 'id'),
      type: mostly('person', 'person', 'person', 'cohort', 'flag', 'group'),
      operator: mostly(null, 'exact', 'icontains', 'is_set', ...Object.keys(knownOperators)),
      value: mostly(...values),
      negation: mostly(null, false, true),
      label: odd,
    },
    { requiredKeys: ['key', 'type', 'value'] },
  ),
)
const condition = withOddMember(
  fc.record(
    {
      properties: fc.oneof(
        { weight: 12, arbitrary: fc.array(property, { maxLength: 2 }) },
        { weight: 1, arbitrary: odd },
      ),
      rollout_percentage: mostly(null, 0, 12.5, 100),
      variant: mostly(null, null, null, 'a'),
      description: odd,
    },
    { requiredKeys: [] },
  ),
)
const variant = (key: Json, share: Json) =>
  withOddMember(fc.record({ key: mostly(key), rollout_percentage: mostly(share), name: odd }))
const multivariate = withOddMember(
  fc.record({
    variants: fc.oneof(
      { weight: 8, arbitrary: fc.tuple(variant('a', 33.3), variant('b', 66.7)) },
      { weight: 2, arbitrary: fc.tuple(variant('a', 100), variant('a', 0)) },
      { weight: 1, arbitrary: odd },
    ),
  }),
)
const payloads = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.dictionary(
      fc.constantFrom('a', 'b', 'true', 'c'),
      fc.oneof(odd, fc.constantFrom('{"a": 1}', '{')),
    ),
  },
  { weight: 1, arbitrary: odd },
)

/** Filters that are right in most places. */
const nearlyRight = withOddMember(
  fc.record(
    {
      groups: fc.oneof(
        { weight: 12, arbitrary: fc.array(condition, { maxLength: 2 }) },
        { weight: 1, arbitrary: odd },
      ),
      multivariate: fc.oneof({ weight: 2, arbitrary: multivariate }, { weight: 1, arbitrary: odd }),
      payloads,
    },
    { requiredKeys: [] },
  ),
)

const someServices: fc.Arbitrary<Services> = fc.constantFrom(
  profiles,
  ...profiles.map(one => [one] as const),
  servicesOf(['auto'], sdkVersions({ 'posthog-go': '1.5.2', 'posthog-node': '>=5' })),
)
const filters = fc.oneof({ weight: 3, arbitrary: nearlyRight as fc.Arbitrary<Json> }, someFilters, anyFilters)

describe('filters that are plainly right', () => {
  it('have nothing that a check would tell of, but conditions that nobody reaches', () => {
    fc.assert(
      fc.property(filters, someServices, (value, services) => {
        fc.pre(isJsonObject(value) && arePlainlyRight(value) && !mayDifferInSdks(value, services))
        const codes = checkClosely(value as JsonObject, () => undefined, services).map(({ code }) => code)
        expect(codes.filter(code => code !== 'unreachable-condition')).toEqual([])
      }),
    )
  })

  it('are told of as all others are', () => {
    fc.assert(
      fc.property(filters, someServices, (value, services) => {
        const isNothing = !isJsonObject(value) || Object.keys(value).length === 0
        fc.pre(!isNothing)
        expect(checkFilters(value, undefined, services)).toEqual(
          checkClosely(value as JsonObject, () => undefined, services),
        )
      }),
    )
  })

  const country: Json = { key: 'country', type: 'person', operator: 'exact', value: ['DE', 'AT'] }
  const staff: Json = { key: 'email', type: 'person', operator: 'icontains', value: '@corp.example' }
  const cohort: Json = { key: 'id', type: 'cohort', operator: 'in', value: 7 }
  const share = (properties: readonly Json[], percent: Json): Json => ({
    properties,
    rollout_percentage: percent,
  })
  const halves: Json = {
    variants: [
      { key: 'a', name: 'One', rollout_percentage: 50 },
      { key: 'b', rollout_percentage: 50 },
    ],
  }

  it.each<[string, JsonObject]>([
    ['nobody', { groups: [] }],
    ['a share of everybody', { groups: [share([], 20)] }],
    [
      'what the screen of the service saves',
      { groups: [{ properties: null, variant: null }], multivariate: null, payloads: {} },
    ],
    ['several conditions', { groups: [share([country, staff], 20), share([cohort], 100), share([], 5)] }],
    [
      'variants with payloads',
      { groups: [share([country], null)], multivariate: halves, payloads: { a: '{"x": 1}', b: [1] } },
    ],
    ['a payload without variants', { groups: [share([country], 1)], payloads: { true: 'null' } }],
  ])('are %s', (_, value) => {
    expect(arePlainlyRight(value)).toBe(true)
  })

  it.each<[string, JsonObject]>([
    ['a member that nobody knows', { groups: [], rollout: 5 }],
    ['members that decide by themselves', { groups: [], early_exit: true }],
    ['groups of people', { groups: [], aggregation_group_type_index: 0 }],
    ['a variant of a condition', { groups: [{ variant: 'a' }], multivariate: halves }],
    ['shares beyond everybody', { groups: [share([], 101)] }],
    [
      'a date',
      { groups: [share([{ key: 'a', type: 'person', operator: 'is_date_after', value: '-7d' }], 5)] },
    ],
    [
      'a number that engines compare in two ways',
      { groups: [share([{ key: 'a', type: 'person', operator: 'gt', value: '5' }], 5)] },
    ],
    [
      'an operator of newer services',
      { groups: [share([{ key: 'a', type: 'person', operator: 'starts_with', value: 'a' }], 5)] },
    ],
    [
      'variants that do not add up',
      { groups: [], multivariate: { variants: [{ key: 'a', rollout_percentage: 99 }] } },
    ],
    ['a payload of nothing', { groups: [], payloads: { a: '1' } }],
    ['a payload that is no JSON', { groups: [], payloads: { true: 'on' } }],
  ])('are not %s: the checks tell', (_, value) => {
    expect(arePlainlyRight(value)).toBe(false)
  })
})
