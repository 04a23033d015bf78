import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { getAt, pointerOf } from '../../../src/model/text/pointer.ts'
import { canonicalFilters } from '../../../src/targeting/canonical-filters.ts'
import { checkFilters } from '../../../src/targeting/check/check-filters.ts'
import { expandShort } from '../../../src/targeting/short/expand-short.ts'
import { shortOf } from '../../../src/targeting/short/write-short.ts'
import { rounds } from '../../support/rounds.ts'
import { someFilters } from '../some-filters.ts'
import { shortFilters } from './some-short.ts'

describe('expandShort', () => {
  it('says what the example says', () => {
    const { filters, problems } = expandShort({
      release: {
        staff: { properties: { email: { icontains: '@example.com' } }, variant: 'one_page' },
        dach: {
          properties: { country: ['DE', 'AT'], plan: 'plus', seen: { is_set: true } },
          rollout_percentage: 25,
        },
        rest: { rollout_percentage: 5 },
      },
      variants: { control: 34, one_page: { rollout_percentage: 66, name: 'One page' } },
      payloads: { one_page: { steps: 2 } },
    })
    expect(problems).toEqual([])
    expect(filters).toEqual({
      groups: [
        {
          properties: [{ key: 'email', type: 'person', operator: 'icontains', value: '@example.com' }],
          variant: 'one_page',
        },
        {
          properties: [
            { key: 'country', type: 'person', operator: 'exact', value: ['DE', 'AT'] },
            { key: 'plan', type: 'person', operator: 'exact', value: 'plus' },
            { key: 'seen', type: 'person', operator: 'is_set' },
          ],
          rollout_percentage: 25,
        },
        { rollout_percentage: 5 },
      ],
      multivariate: {
        variants: [
          { key: 'control', rollout_percentage: 34 },
          { key: 'one_page', rollout_percentage: 66, name: 'One page' },
        ],
      },
      payloads: { one_page: { steps: 2 } },
    })
    expect(checkFilters(filters)).toEqual([])
  })

  it('takes a share of everybody for one condition without properties', () => {
    const { filters, problems, placeOf, insideOf } = expandShort({
      rollout_percentage: 10,
      variants: { a: 50, b: 50 },
    })
    expect(problems).toEqual([])
    expect(filters.groups).toEqual([{ rollout_percentage: 10 }])
    const places = ['/groups', '/groups/0', '/groups/0/rollout_percentage', '/multivariate/variants/1/key']
    expect(places.map(placeOf)).toEqual([
      '/rollout_percentage',
      '/rollout_percentage',
      '/rollout_percentage',
      '/variants/b',
    ])
    expect(insideOf('/rollout_percentage')).toBe('/groups/0/rollout_percentage')
  })

  it('means groups where the flag or the condition counts them', () => {
    const release = {
      a: { properties: { plan: 'pro' } },
      b: { properties: { plan: 'pro' }, group_type_index: 1 },
    }
    const { filters } = expandShort({ release, group_type_index: 0 })
    expect(filters).toEqual({
      groups: [
        {
          properties: [{ key: 'plan', type: 'group', group_type_index: 0, operator: 'exact', value: 'pro' }],
        },
        {
          properties: [{ key: 'plan', type: 'group', group_type_index: 1, operator: 'exact', value: 'pro' }],
          aggregation_group_type_index: 1,
        },
      ],
      aggregation_group_type_index: 0,
    })
  })

  const wrong: readonly (readonly [name: string, short: JsonObject, code: string, pointer: string])[] = [
    ['a release that is a number', { release: 5 }, 'wrong-shape', '/release'],
    ['a condition that is a number', { release: { rest: 5 } }, 'wrong-shape', '/release/rest'],
    ['a condition with a capital', { release: { Rest: {} } }, 'condition-name-member', '/release/Rest'],
    [
      'a name of filters',
      { release: [{ aggregation_group_type_index: 1 }] },
      'unknown-short-member',
      '/release/0/aggregation_group_type_index',
    ],
    [
      'properties that are a text',
      { release: [{ properties: 'all' }] },
      'wrong-shape',
      '/release/0/properties',
    ],
    [
      'a property without an operator',
      { release: [{ properties: { a: {} } }] },
      'empty-value',
      '/release/0/properties/a',
    ],
    [
      'a value where none is taken',
      { release: [{ properties: { a: { is_set: false } } }] },
      'no-value',
      '/release/0/properties/a/is_set',
    ],
    ['variants that are a text', { release: [], variants: 'a' }, 'wrong-shape', '/variants'],
    ['a variant that is a text', { release: [], variants: { a: 'b' } }, 'wrong-shape', '/variants/a'],
    [
      'a payload in its variant',
      { release: [], variants: { a: { payload: 1 } } },
      'unknown-short-member',
      '/variants/a/payload',
    ],
    [
      'variants that a map puts in order',
      { release: [], variants: { b: 50, 2: 50 } },
      'variant-order-member',
      '/variants/2',
    ],
  ]
  it.each(wrong)('refuses %s', (_, short, code, pointer) => {
    expect(expandShort(short).problems).toMatchObject([{ severity: 'error', code, pointer }])
  })

  it('leads from each place of the filters to one that is written', () => {
    fc.assert(
      fc.property(shortFilters, short => {
        const { filters, placeOf } = expandShort(short)
        const pointers = placesIn(filters)
        for (const pointer of pointers) expect(getAt(short, placeOf(pointer)), pointer).toBeDefined()
      }),
    )
  })

  it('knows the places of the example', () => {
    const short = {
      release: {
        dach: { properties: { country: ['DE'], age: { gte: '2', lt: '9' } } },
        rest: { rollout_percentage: 5 },
      },
      variants: { control: 34, one_page: { rollout_percentage: 66 } },
      payloads: { one_page: { steps: 2 } },
    }
    const { placeOf } = expandShort(short)
    expect(
      [
        '',
        '/groups',
        '/groups/0',
        '/groups/0/properties/0/value/0',
        '/groups/0/properties/1/operator',
        '/groups/0/properties/2/value',
        '/groups/1/rollout_percentage',
        '/multivariate/variants/0/rollout_percentage',
        '/multivariate/variants/1/rollout_percentage',
        '/payloads/one_page',
      ].map(placeOf),
    ).toEqual([
      '',
      '/release',
      '/release/dach',
      '/release/dach/properties/country/0',
      '/release/dach/properties/age/gte',
      '/release/dach/properties/age/lt',
      '/release/rest/rollout_percentage',
      '/variants/control',
      '/variants/one_page/rollout_percentage',
      '/payloads/one_page',
    ])
  })
})

describe('shortOf', () => {
  it('says the same as the filters, or nothing', () => {
    let said = 0
    fc.assert(
      fc.property(someFilters, filters => {
        const short = shortOf(filters)
        if (short === undefined) return
        said += 1
        const { filters: meant, problems } = expandShort(short)
        expect(problems).toEqual([])
        expect(canonicalFilters(meant)).toEqual(canonicalFilters(filters))
      }),
    )
    expect(said).toBeGreaterThan(rounds() / 10)
  })

  it('finds back whatever can be said in the short form', () => {
    fc.assert(
      fc.property(shortFilters, short => {
        const { filters, problems } = expandShort(short)
        fc.pre(problems.length === 0)
        const again = shortOf(filters)
        expect(again).toBeDefined()
        expect(canonicalFilters(expandShort(again ?? {}).filters)).toEqual(canonicalFilters(filters))
      }),
    )
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['one percentage', { groups: [{ properties: [], rollout_percentage: 10 }] }, { rollout_percentage: 10 }],
    ['everybody', { groups: [{}] }, { rollout_percentage: 100 }],
    ['nobody', { groups: [] }, { release: [] }],
    [
      'one percentage of groups',
      { groups: [{ rollout_percentage: 0 }], aggregation_group_type_index: 0 },
      { rollout_percentage: 0, group_type_index: 0 },
    ],
    [
      'one percentage that gets a variant',
      { groups: [{ rollout_percentage: 10, variant: 'a' }] },
      { release: { everyone: { rollout_percentage: 10, variant: 'a' } } },
    ],
    [
      'one percentage behind another',
      { groups: [{ rollout_percentage: 10 }, { rollout_percentage: 20 }] },
      { release: { everyone: { rollout_percentage: 10 }, rest: { rollout_percentage: 20 } } },
    ],
  ])('says %s in as few words as there are', (_, filters, short) => {
    expect(shortOf(filters)).toEqual(short)
  })

  it('says membership of a cohort in a map, where that says how it is asked for', () => {
    const inCohort = { key: 'id', type: 'cohort', operator: 'not_in', value: 5 }
    const plan = { key: 'plan', type: 'person', operator: 'exact', value: 'pro' }
    expect(
      shortOf({ groups: [{ properties: [inCohort, plan], rollout_percentage: 5 }] })?.release,
    ).toMatchObject({
      cohort_and_plan: { properties: { cohort: { not_in: 5 }, plan: 'pro' } },
    })
    const { operator: _, ...unsaid } = inCohort
    const named = { key: 'cohort', type: 'person', operator: 'exact', value: 'pro' }
    const written = (property: JsonObject) =>
      Object.values((shortOf({ groups: [{ properties: [property] }] })?.release ?? {}) as JsonObject)
    const others = [unsaid, { ...inCohort, key: 'other' }, { ...named, operator: 'in' }]
    for (const property of others) expect(written(property)).toEqual([{ properties: [property] }])
    expect(written({ ...inCohort, negation: true })).toEqual([{ properties: { cohort: { not_in: 5 } } }])
    expect(written(named)).toEqual([{ properties: { cohort: 'pro' } }])
  })

  it.each<[string, JsonObject]>([
    ['a member that nobody knows', { groups: [{ rollout_percentage: 5 }], shape: 'round' }],
    ['what the service writes', { groups: [{ rollout_percentage: 5 }], super_groups: [{ properties: [] }] }],
    ['a condition with a member that nobody knows', { groups: [{ rollout_percentage: 5, sort_key: 'a' }] }],
  ])('leaves %s to filters', (_, filters) => {
    expect(shortOf(filters)).toBeUndefined()
  })

  it('keeps payloads that would be read as others as they are', () => {
    const payloads = { a: '"5"', b: '5', c: 'null', d: 'words', e: '{"n":1.0}', f: '{"n": 1.5}' }
    const variants = Object.keys(payloads).map(key => ({ key, rollout_percentage: 16 }))
    const filters = { groups: [{}], multivariate: { variants }, payloads }
    expect(shortOf(filters)?.payloads).toEqual({
      a: '"5"',
      b: 5,
      c: 'null',
      d: 'words',
      e: '{"n":1.0}',
      f: { n: 1.5 },
    })
  })
})

/** The pointers of all that is inside of a value. */
function placesIn(value: Json, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [pointer]
  return [
    pointer,
    ...Object.entries(value).flatMap(([name, member]) => placesIn(member as Json, pointer + pointerOf(name))),
  ]
}
