import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameJson, type Json } from '../../../src/model/text/json.ts'
import {
  canonicalFilters,
  compactFilters,
  describeFilterDifference,
  describeRelease,
} from '../../../src/targeting/index.ts'
import { anyFilters, someFilters } from '../some-filters.ts'

const german = { key: 'country', value: ['DE'], type: 'person' }
const corp = { key: 'email', value: '@corp', operator: 'icontains', type: 'person' }
const everyone = (percent: Json = null): Json => ({ rollout_percentage: percent })
const germans = (percent: Json = null): Json => ({ properties: [german], rollout_percentage: percent })
const employees = (percent: Json = null): Json => ({ properties: [corp], rollout_percentage: percent })

describe('describeFilterDifference', () => {
  it.each<[string, Json[], Json[], string[]]>([
    ['nothing', [germans(10)], [germans(10)], []],
    ['a percentage', [germans(10)], [germans(100)], ['condition 1  country is DE  10% -> 100%']],
    ['a percentage that is left out', [everyone(10)], [everyone()], ['condition 1  everyone  10% -> 100%']],
    ['all, said in another way', [everyone(100)], [everyone()], []],
    ['a condition more', [germans(10)], [germans(10), everyone(5)], ['condition 2 added: everyone at 5%']],
    [
      'a condition more in front',
      [germans(10)],
      [everyone(5), germans(10)],
      ['condition 1 added: everyone at 5%'],
    ],
    [
      'a change behind a new condition',
      [germans(10)],
      [everyone(5), germans(20)],
      ['condition 1 added: everyone at 5%', 'condition 2 (was 1)  country is DE  10% -> 20%'],
    ],
    [
      'a condition less',
      [germans(), everyone(5), employees(50)],
      [germans(), everyone(5)],
      ['condition 3 removed: email contains "@corp" at 50%'],
    ],
    ['another order', [germans(10), employees(50)], [employees(50), germans(10)], ['condition 2 moved to 1']],
    [
      'another order of three',
      [germans(), employees(), everyone()],
      [employees(), everyone(), germans()],
      ['condition 1 moved to 3'],
    ],
    [
      'another order and percentage',
      [germans(10), employees(50)],
      [employees(60), germans(10)],
      ['condition 2 moved to 1', 'condition 1  email contains "@corp"  50% -> 60%'],
    ],
    [
      'other people',
      [germans(10)],
      [employees(10)],
      ['condition 1  country is DE -> email contains "@corp"  at 10%'],
    ],
    [
      'other people and percentage',
      [germans(10)],
      [everyone(20)],
      ['condition 1  country is DE -> everyone (more people)  10% -> 20%'],
    ],
    [
      'a forced variant',
      [germans(10)],
      [{ ...(germans(10) as object), variant: 'blue' }],
      ['condition 1  country is DE  variant by weight -> "blue"'],
    ],
    ['nobody any more', [everyone()], [], ['condition 1 removed: everyone at 100%']],
    [
      'what has no words',
      [{ sort_key: 'a' }],
      [{ sort_key: 'b' }],
      ['condition 1  everyone', '  sort_key: "a" -> "b"'],
    ],
    [
      'a property member that has no words',
      [{ properties: [german] }],
      [{ properties: [{ ...german, label: 'x' }] }],
      ['condition 1  country is DE (written differently)  at 100%', '  country  label added: "x"'],
    ],
  ])('tells of %s', (_, before, after, lines) => {
    expect(describeFilterDifference({ groups: before }, { groups: after })).toEqual(lines)
  })

  const variants = (...entries: [string, number, string?][]): Json => ({
    groups: [],
    multivariate: {
      variants: entries.map(([key, percent, name = '']) => ({ key, rollout_percentage: percent, name })),
    },
  })
  it.each<[string, Json, Json, string[]]>([
    [
      'weights',
      variants(['blue', 50], ['red', 50]),
      variants(['blue', 20], ['red', 80]),
      ['variant "blue" 50% -> 20%', 'variant "red" 50% -> 80%'],
    ],
    [
      'keys',
      variants(['blue', 50], ['red', 50]),
      variants(['blue', 50], ['green', 50]),
      ['variant "green" added at 50%', 'variant "red" removed, was 50%'],
    ],
    [
      'order',
      variants(['blue', 50], ['red', 50]),
      variants(['red', 50], ['blue', 50]),
      ['order of variants: "red", "blue"'],
    ],
    [
      'names',
      variants(['blue', 100, 'a']),
      variants(['blue', 100, 'b']),
      ['variant "blue"  name: "a" -> "b"'],
    ],
    ['the first variants', { groups: [] }, variants(['blue', 100]), ['variant "blue" added at 100%']],
    ['the last variants', variants(['blue', 100]), { groups: [] }, ['variant "blue" removed, was 100%']],
    [
      'groups in place of persons',
      { groups: [] },
      { groups: [], aggregation_group_type_index: 0 },
      ['bucketing persons -> groups of type 0'],
    ],
    [
      'other members',
      { groups: [], super_groups: [1], b: 1 },
      { groups: [], a: 1, b: 2 },
      ['a added: 1', 'b: 1 -> 2', 'super_groups removed, was [1]'],
    ],
    ['filters of no shape', 5, null, ['filters: 5 -> {"groups":[{}]}']],
    ['groups of no shape', { groups: 'x' }, { groups: [] }, ['conditions: "x" -> []']],
  ])('tells of %s', (_, before, after, lines) => {
    expect(describeFilterDifference(before, after)).toEqual(lines)
  })

  it('shows what payloads were and what they will be, by member', () => {
    const before = { payloads: { blue: '{"theme": "night", "limit": 3}', red: 'gone', same: '[1, 2]' } }
    const after = { payloads: { blue: { theme: 'day', limit: 3 }, green: [1, { a: null }], same: [1, 2] } }
    expect(describeFilterDifference(before, after)).toEqual([
      'payload of "blue"  theme: "night" -> "day"',
      'payload of "green" added: [1,{"a":null}]',
      'payload of "red" removed, was "gone"',
    ])
  })

  it('shows a digit that reading a payload would round', () => {
    const payload = (id: string) => ({ payloads: { true: `{"id": ${id}, "a": 1}` } })
    expect(
      describeFilterDifference(payload('12345678901234567890'), payload('12345678901234567891')),
    ).toEqual(['payload of "true"  id: 12345678901234567890 -> 12345678901234567891'])
  })

  const ids = (...values: number[]): Json => [{ properties: [{ key: 'id', value: values, type: 'person' }] }]
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
  it('names the values that come and go in lists that are too long to be shown', () => {
    const [before, after] = [ids(...numbers(40)), ids(...numbers(41).slice(1))]
    expect(describeFilterDifference({ groups: before }, { groups: after })).toEqual([
      'condition 1  id is 0, 1, 2, 3, 4 or 35 others -> id is 1, 2, 3, 4, 5 or 35 others  at 100%',
      '  id  values added: 40',
      '  id  values removed: 0',
    ])
    expect(
      describeFilterDifference({ groups: ids(...numbers(8)) }, { groups: ids(...numbers(7), 9) }),
    ).toEqual([
      'condition 1  id is 0, 1, 2, 3, 4 or 3 others (written differently)  at 100%',
      '  id  values added: 9',
      '  id  values removed: 7',
    ])
    expect(describeFilterDifference({ groups: [] }, { groups: ids(...numbers(8)) })).toEqual([
      'condition 1 added: id is 0, 1, 2, 3, 4 or 3 others at 100%',
      '  id  all 8 values: 0, 1, 2, 3, 4, 5, 6, 7',
    ])
  })

  it('shows the place where a long pattern changed', () => {
    const pattern = (middle: string): Json => [
      {
        properties: [
          {
            key: 'email',
            operator: 'regex',
            type: 'person',
            value: `^(${'a|'.repeat(60)}${middle}${'|z'.repeat(60)})$`,
          },
        ],
      },
    ]
    expect(describeFilterDifference({ groups: pattern('x') }, { groups: pattern('y') })).toEqual([
      expect.stringMatching(
        /^condition 1 {2}email matches ".*….*" \(245 characters\) \(written differently\) {2}at 100%$/,
      ),
      `  email: "…${'a|'.repeat(10)}x${'|z'.repeat(10)}…" (245 characters) -> "…${'a|'.repeat(10)}y${'|z'.repeat(10)}…" (245 characters)`,
    ])
  })

  it('tells of members beside the variants too', () => {
    const variants = (percent: number, more: Json): Json => ({
      groups: [],
      multivariate: { variants: [{ key: 'a', rollout_percentage: percent }], more },
    })
    expect(describeFilterDifference(variants(50, 1), variants(60, 2))).toEqual([
      'variant "a" 50% -> 60%',
      'variants  more: 1 -> 2',
    ])
  })

  it('is empty exactly when the canonical forms are the same', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.tuple(someFilters, someFilters),
          fc.tuple(anyFilters, anyFilters),
          someFilters.map(filters => [filters, filters] as const),
        ),
        ([before, after]) => {
          const isSame = isSameJson(canonicalFilters(before), canonicalFilters(after))
          expect(describeFilterDifference(before, after).length === 0).toBe(isSame)
        },
      ),
    )
  })

  it('tells the same however the same filters are written', () => {
    fc.assert(
      fc.property(someFilters, someFilters, (before, after) => {
        expect(describeFilterDifference(compactFilters(before), compactFilters(after))).toEqual(
          describeFilterDifference(before, after),
        )
      }),
    )
  })

  it('keeps every line a single line without control characters', () => {
    const nasty = fc.stringMatching(/^[a\n\r\u001b\u202e\u0000"]{1,8}$/)
    fc.assert(
      fc.property(nasty, nasty, nasty, (key, value, variant) => {
        const filters: Json = {
          groups: [
            {
              properties: [
                { key, value: [value], operator: value },
                { key, value: { [key]: value } },
              ],
              variant,
            },
          ],
          multivariate: { variants: [{ key: variant, rollout_percentage: 100 }] },
          payloads: { [variant]: 1 },
          [key]: 1,
        }
        const lines = [...describeFilterDifference({ groups: [] }, filters), ...describeRelease(filters)]
        expect(lines.filter(line => /[\p{Cc}\p{Cf}]/u.test(line))).toEqual([])
      }),
    )
  })
})
