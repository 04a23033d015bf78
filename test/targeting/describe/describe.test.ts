import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/model/text/json.ts'
import { describeCondition, describeReason, describeRelease } from '../../../src/targeting/index.ts'
import { anyFilters } from '../some-filters.ts'

describe('describeCondition', () => {
  it.each<[Json, string]>([
    [{ key: 'country', value: 'DE' }, 'country is DE'],
    [{ key: 'country', value: ['DE', 'FR'] }, 'country is DE or FR'],
    [{ key: 'country', value: ['DE', 'FR', 'IT'] }, 'country is DE, FR or IT'],
    [{ key: 'country', value: ['DE', 'FR', 'IT'], operator: 'is_not' }, 'country is none of DE, FR or IT'],
    [{ key: 'country', value: ['DE'], operator: 'is_not' }, 'country is not DE'],
    [{ key: 'id', value: Array.from({ length: 40 }, (_, at) => at) }, 'id is 0, 1, 2, 3, 4 or 35 others'],
    [{ key: 'email', value: '@corp', operator: 'icontains' }, 'email contains "@corp"'],
    [{ key: 'email', value: '@corp', operator: 'not_icontains' }, 'email does not contain "@corp"'],
    [{ key: 'email', value: '^a', operator: 'regex' }, 'email matches "^a"'],
    [{ key: 'age', value: '18', operator: 'gte' }, 'age >= 18'],
    [{ key: 'email', operator: 'is_set' }, 'email is set'],
    [{ key: 'email', operator: 'is_not_set' }, 'email is not set'],
    [{ key: 'joined', value: '-7d', operator: 'is_date_after' }, 'joined is after -7d'],
    [{ key: 'name', value: 'Ana María' }, 'name is "Ana María"'],
    [{ key: 'name', value: '' }, 'name is ""'],
    [{ key: 'name', value: [] }, 'name is nothing'],
    [{ key: 'name', value: 'nothing' }, 'name is "nothing"'],
    [{ key: 'vip', value: true }, 'vip is true'],
    [{ key: 'my key', value: 1 }, '"my key" is 1'],
    [{ key: 'x', value: 'a'.repeat(100) }, `x is "${'a'.repeat(30)}…${'a'.repeat(29)}" (100 characters)`],
    [{ key: 'id', type: 'cohort', value: 5 }, 'in cohort 5'],
    [{ key: 'id', type: 'cohort', value: 5, operator: 'not_in' }, 'not in cohort 5'],
    [{ key: 'plan', type: 'group', value: 'pro' }, 'group plan is pro'],
    [{ key: '7', type: 'flag', value: true, operator: 'flag_evaluates_to' }, 'flag "7" is on for the person'],
    [
      { key: 'my flag', type: 'flag', value: false, operator: 'flag_evaluates_to' },
      'flag "my flag" is off for the person',
    ],
    [
      { key: 'colour', type: 'flag', value: 'on', operator: 'flag_evaluates_to' },
      'flag "colour" is "on" for the person',
    ],
    [
      { key: 'colour', type: 'flag', value: true, operator: 'flag_evaluates_to', negation: true },
      'not (flag "colour" is on for the person)',
    ],
    [
      { key: 'colour', type: 'flag', value: ['a'], operator: 'flag_evaluates_to' },
      'flag colour flag_evaluates_to a',
    ],
    [{ key: 'colour', type: 'flag', value: true }, 'flag colour is true'],
    [{ key: 'country', value: 'DE', negation: true }, 'not (country is DE)'],
    [5, 'an unreadable property'],
  ])('says of %j: %s', (property, words) => {
    expect(describeCondition({ properties: [property] })).toBe(words)
  })

  it.each<[Json, string]>([
    [{}, 'everyone'],
    [{ properties: [] }, 'everyone'],
    [
      {
        properties: [
          { key: 'a', value: 'b' },
          { key: 'c', operator: 'is_set' },
        ],
      },
      'a is b and c is set',
    ],
    [{ properties: 'x' }, 'an unreadable condition'],
    [null, 'an unreadable condition'],
  ])('says of %j: %s', (condition, words) => {
    expect(describeCondition(condition)).toBe(words)
  })
})

describe('describeRelease', () => {
  it('tells a whole flag', () => {
    const filters: Json = {
      groups: [
        { properties: [{ key: 'country', value: ['DE'] }], rollout_percentage: 10 },
        { variant: 'blue' },
      ],
      multivariate: {
        variants: [
          { key: 'blue', rollout_percentage: 50 },
          { key: 'red', rollout_percentage: 50 },
        ],
      },
      payloads: { blue: 'secret' },
      aggregation_group_type_index: 1,
    }
    expect(describeRelease(filters)).toEqual([
      'released to groups of type 1',
      'condition 1  country is DE at 10%',
      'condition 2  everyone at 100%, each gets variant "blue"',
      'variant "blue" 50%',
      'variant "red" 50%',
      'payload of "blue": "secret"',
    ])
  })

  it.each<[Json, string[]]>([
    [null, ['condition 1  everyone at 100%']],
    [{ groups: [] }, ['no conditions: nobody gets the flag']],
    [5, ['unreadable filters: nobody gets the flag; 5']],
  ])('tells of %j', (filters, lines) => {
    expect(describeRelease(filters)).toEqual(lines)
  })

  it('has something to say of anything', () => {
    fc.assert(fc.property(anyFilters, filters => describeRelease(filters).length > 0))
  })
})

describe('describeReason', () => {
  const condition = { number: 2, summary: 'everyone' }
  it.each([
    ['condition_match', condition, 'condition 2: everyone'],
    ['condition_match', null, 'a condition matches'],
    ['no_condition_match', null, 'no condition matches'],
    ['out_of_rollout_bound', condition, 'outside the percentage of condition 2: everyone'],
    ['no_group_type', null, 'the flag is for groups, and the person has no group of that type'],
    ['disabled', null, 'the flag is off or deleted'],
    ['super_condition_value', null, "the person's choice about the early access feature decides"],
    ['holdout_condition_value', null, 'the person is held out of the experiment'],
  ] as const)('says %s with %j', (reason, decided, words) => {
    expect(describeReason(reason, decided)).toBe(words)
  })
})
