import { describe, expect, it } from 'vitest'
import { profiles } from '../../src/model/connection.ts'
import { checkFilters } from '../../src/targeting/index.ts'
import dates from '../targeting/recorded/dates.json' with { type: 'json' }
import patterns from '../targeting/recorded/patterns.json' with { type: 'json' }
import { aFlag, expectError, flags, openDoor } from './door.ts'

const variants = (...percentages: number[]) => ({
  variants: percentages.map((rollout_percentage, index) => ({ key: `v${index}`, rollout_percentage })),
})
const where = (property: Record<string, unknown>) => ({
  groups: [{ properties: [{ key: 'a', type: 'person', value: 'b', ...property }] }],
})

describe('what the service checks in filters', () => {
  it.each([
    ['an event property', where({ type: 'event' }), 'invalid_input', 'filters'],
    [
      'a property without a type',
      { groups: [{ properties: [{ key: 'a', value: 'b' }] }] },
      'invalid_input',
      'filters',
    ],
    ['an unknown type', where({ type: 'weather' }), 'invalid_input', 'filters'],
    ['no value', { groups: [{ properties: [{ key: 'a', type: 'person' }] }] }, 'invalid_input', 'filters'],
    [
      'a person in a flag for groups',
      { ...where({}), aggregation_group_type_index: 0 },
      'invalid_input',
      'filters',
    ],
    [
      'another group type',
      { ...where({ type: 'group', group_type_index: 1 }), aggregation_group_type_index: 0 },
      'invalid_input',
      'filters',
    ],
    [
      'a variant that is not there',
      { groups: [{ variant: 'v9' }], multivariate: variants(100) },
      'invalid_input',
      'filters',
    ],
    ['variants below 100', { groups: [], multivariate: variants(50, 49) }, 'invalid_input', null],
    ['a payload that is no dictionary', { groups: [], payloads: ['1'] }, 'invalid_input', 'filters'],
    [
      'a payload for another key than true',
      { groups: [], payloads: { yes: '1' } },
      'invalid_input',
      'filters',
    ],
    [
      'a payload for no variant',
      { groups: [], payloads: { true: '1' }, multivariate: variants(100) },
      'invalid_input',
      'filters',
    ],
    ['a payload that is not JSON', { groups: [], payloads: { true: '{' } }, 'invalid_input', 'filters'],
    ['a pattern that is no text', where({ operator: 'regex', value: 7 }), 'invalid_value', 'filters'],
    ['a bound that is no text', where({ operator: 'gt', value: 7 }), 'invalid_value', 'filters'],
    ['a date that is none', where({ operator: 'is_date_before', value: 'soon' }), 'invalid_date', 'filters'],
    ['an unknown cohort', where({ key: 'id', type: 'cohort', value: 7 }), 'cohort_does_not_exist', 'filters'],
    ['too many values', where({ value: Array.from({ length: 1001 }, String) }), 'invalid_input', 'filters'],
    ['a pattern that does not compile', where({ operator: 'not_regex', value: '(' }), 'invalid_input', null],
    ['groups that are no list', { groups: {} }, 'invalid_input', 'filters'],
    ['a group that is no dictionary', { groups: ['all'] }, 'invalid_input', 'filters'],
    ['properties that are no list', { groups: [{ properties: 'all' }] }, 'invalid_input', 'filters'],
    ['variants that are no list', { groups: [], multivariate: { variants: {} } }, 'invalid_input', 'filters'],
  ])('refuses %s', async (_, filters, code, attr) => {
    const door = await openDoor()
    expectError(await door.post(flags, { key: 'a', filters }), 400, 'validation_error', code, attr)
    expect((await door.get(flags)).body.count).toBe(0)
  })

  it.each([
    ['a person property', where({})],
    ['a thousand values', where({ value: Array.from({ length: 1000 }, String) })],
    [
      'a set property without a value',
      { groups: [{ properties: [{ key: 'a', type: 'person', operator: 'is_set' }] }] },
    ],
    [
      'a group property',
      { ...where({ type: 'group', group_type_index: 0 }), aggregation_group_type_index: 0 },
    ],
    [
      'dates, absolute and relative',
      {
        groups: [
          ...where({ operator: 'is_date_before', value: '-7d' }).groups,
          ...where({ operator: 'is_date_after', value: '2024-01-31' }).groups,
        ],
      },
    ],
    ['percentages out of range', { groups: [{ rollout_percentage: 250 }] }],
    [
      'variants in thirds',
      {
        groups: [{ variant: 'v1' }],
        multivariate: variants(33.33, 33.33, 33.34),
        payloads: { v1: { a: 1 } },
      },
    ],
    [
      'nothing but nulls',
      { groups: [], multivariate: null, payloads: {}, aggregation_group_type_index: null },
    ],
    ['an empty object, which is everybody', {}, { groups: [{ properties: [], rollout_percentage: null }] }],
  ])('accepts %s', async (_, filters, shown: unknown = filters) => {
    const door = await openDoor()
    expect((await aFlag(door, { filters })).filters).toEqual(shown)
    expect((await door.get(`${flags}/1`)).body.filters).toEqual(shown)
  })

  it('is less when a flag is changed: neither the sum nor patterns', async () => {
    const door = await openDoor()
    await aFlag(door)
    for (const filters of [
      { groups: [], multivariate: variants(10) },
      where({ operator: 'regex', value: '(' }),
    ])
      expect((await door.patch(`${flags}/1`, { filters })).status).toBe(200)
    const answer = await door.patch(`${flags}/1`, { filters: where({ type: 'event' }) })
    expectError(answer, 400, 'validation_error', 'invalid_input', 'filters')
  })

  it('takes the dates and patterns that a declaration may have, and no others', async () => {
    const door = await openDoor()
    const texts = [
      ...[...dates.read, ...dates.refused, ...dates.passedOver].map(([text]) => ['is_date_before', text]),
      ...[...patterns.written, ...patterns.leftOpen].map(([pattern]) => ['regex', pattern]),
    ]
    const differing = []
    for (const [index, [operator, value]] of texts.entries()) {
      const filters = where({ operator, value: String(value) })
      const isDeclarable = checkFilters(filters).every(({ severity }) => severity !== 'error')
      const { status } = await door.post(flags, { key: `flag_${index}`, filters })
      if ((status === 201) !== isDeclarable) differing.push([operator, value, status, isDeclarable])
    }
    expect({ differing, texts: texts.length }).toEqual({ differing: [], texts: 416 })
  })
})

describe.each(profiles)('a pattern that is nested deep, on the service %s', profile => {
  it.each([50, 490, 5000])('is taken or refused: %i groups', async depth => {
    const door = await openDoor({ profile })
    const value = `${'('.repeat(depth)}a${')'.repeat(depth)}`
    const filters = where({ operator: 'regex', value })
    const { status } = await door.ask('POST', `${flags}/`, { key: 'deep', filters })
    expect([201, 400]).toContain(status)
    const reasons = await door.ask('GET', `${flags}/evaluation_reasons?distinct_id=ada`)
    expect(reasons.status).toBe(200)
  })
})
