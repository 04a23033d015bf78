import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/model/text/json.ts'
import {
  describeFilterDifference,
  describeRelease,
  filtersSideBySide,
  withGroupTypesNamed,
} from '../../../src/targeting/index.ts'

const numbers = { company: 0, firm: 0, team: 1, '2': 2 }

const property = (index: number): Json => ({
  key: 'employees',
  type: 'group',
  group_type_index: index,
  operator: 'gte',
  value: '50',
})

/** Filters that number types of groups at each place where filters can. */
const ofFlag = (index: number): Json => ({
  aggregation_group_type_index: index,
  groups: [{ properties: [property(index)], rollout_percentage: 50 }],
})
const ofConditions = (index: number): Json => ({
  groups: [
    { properties: [property(index)], aggregation_group_type_index: index, rollout_percentage: 50 },
    { properties: [], rollout_percentage: 5 },
  ],
})
const places = [ofFlag, ofConditions]

const words = (before: Json, after: Json): string =>
  [
    ...describeRelease(after),
    ...describeFilterDifference(before, after),
    JSON.stringify(filtersSideBySide(before, after)),
  ].join('\n')

const named = (filters: Json) => withGroupTypesNamed(filters, numbers)

describe('types of groups in words', () => {
  it.each(places)('are told by name wherever filters number them (%#)', filters => {
    const told = words(named(filters(1)), named(filters(0)))
    expect(told).toContain('company')
    expect(told).toContain('team')
    expect(told).not.toContain('firm')
    expect(told).not.toMatch(/(groups of type|group type:) \d|index/)
  })

  it.each(places)('keep numbers that have no name, and names that read as numbers (%#)', filters => {
    for (const number of [2, 3])
      expect(describeRelease(named(filters(number)))).toEqual(describeRelease(filters(number)))
  })

  it('are told of a flag, a condition and a property', () => {
    expect(describeRelease(named(ofFlag(0)))).toEqual([
      'released to groups of type company',
      'condition 1  group employees >= 50 at 50%',
      '  employees  group type: "company"',
    ])
    expect(describeFilterDifference(named(ofFlag(0)), named(ofFlag(3)))).toEqual([
      'condition 1  group employees >= 50 (written differently)  at 50%',
      '  employees  group type: "company" -> 3',
      'bucketing groups of type company -> groups of type 3',
    ])
  })
})
