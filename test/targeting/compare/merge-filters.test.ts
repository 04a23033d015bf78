import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/json/json.ts'
import { canonicalFilters, mergeFilters } from '../../../src/targeting/index.ts'

const a = { properties: [{ key: 'country', value: ['DE'], type: 'person' }] }
const b = { properties: [{ key: 'plan', value: ['pro'], type: 'person' }] }
const c = { properties: [{ key: 'age', value: ['18'], type: 'person' }] }
const at = (condition: JsonObject, rollout_percentage: number | null): JsonObject => ({
  ...condition,
  rollout_percentage,
})
const of = (...groups: JsonObject[]): JsonObject => ({ groups })
const split = (blue: number): JsonObject => ({
  variants: [
    { key: 'blue', rollout_percentage: blue },
    { key: 'red', rollout_percentage: 100 - blue },
  ],
})

describe('filters that go together', () => {
  it.each<[string, Json, Json, Json, Json]>([
    [
      'the shares of two conditions',
      of(at(a, 10), at(b, 20)),
      of(at(a, 30), at(b, 20)),
      of(at(a, 10), at(b, 50)),
      of(at(a, 30), at(b, 50)),
    ],
    [
      'a share and a new condition',
      of(at(a, 10)),
      of(at(a, 30)),
      of(at(a, 10), at(b, 50)),
      of(at(a, 30), at(b, 50)),
    ],
    [
      'two new conditions',
      of(at(a, 10)),
      of(at(b, 1), at(a, 10)),
      of(at(a, 10), at(c, 2)),
      of(at(b, 1), at(a, 10), at(c, 2)),
    ],
    [
      'the same new condition',
      of(at(a, 10)),
      of(at(a, 20), at(b, 5)),
      of(at(a, 10), at(b, 5)),
      of(at(a, 20), at(b, 5)),
    ],
    [
      'another order and a share',
      of(at(a, 10), at(b, 20)),
      of(at(a, 10), at(b, 30)),
      of(at(b, 20), at(a, 10)),
      of(at(b, 30), at(a, 10)),
    ],
    [
      'another order and a new condition',
      of(at(a, 10), at(b, 20)),
      of(at(a, 10), at(c, 3), at(b, 20)),
      of(at(b, 20), at(a, 10)),
      of(at(b, 20), at(a, 10), at(c, 3)),
    ],
    [
      'a condition that both took out, and a share',
      of(at(a, 10), at(b, 20)),
      of(at(a, 30)),
      of(at(a, 10)),
      of(at(a, 30)),
    ],
    [
      'a share and a note',
      of(at(a, 10)),
      of(at(a, 30)),
      of({ ...at(a, 10), description: 'for the fair' }),
      of({ ...at(a, 30), description: 'for the fair' }),
    ],
    [
      'the payloads of two variants',
      { ...of(at(a, 10)), multivariate: split(50), payloads: { blue: '1', red: '2' } },
      { ...of(at(a, 10)), multivariate: split(50), payloads: { blue: '3', red: '2' } },
      { ...of(at(a, 10)), multivariate: split(50), payloads: { blue: '1', red: '4' } },
      { ...of(at(a, 10)), multivariate: split(50), payloads: { blue: '3', red: '4' } },
    ],
    [
      'a share and a payload',
      { ...of(at(a, 10)), payloads: { true: '1' } },
      { ...of(at(a, 20)), payloads: { true: '1' } },
      { ...of(at(a, 10)), payloads: { true: '{"b":2}' } },
      { ...of(at(a, 20)), payloads: { true: '{"b":2}' } },
    ],
  ])('%s', (_, base, declared, live, filters) => {
    const merged = mergeFilters({ base, declared, live })
    expect(merged.is).toBe('merged')
    expect(canonicalFilters('value' in merged ? merged.value : null)).toEqual(canonicalFilters(filters))
  })

  it('are spelled as they are declared', () => {
    const exact = { properties: [{ key: 'country', value: 'DE', type: 'person', operator: 'exact' }] }
    const merged = mergeFilters({
      base: of(at(a, 10), at(b, 20)),
      declared: of(at(exact, 30), at(b, 20)),
      live: of(at(a, 10), at(b, 50)),
    })
    expect(merged).toEqual({ is: 'merged', value: of(at(exact, 30), at(b, 50)) })
  })
})

describe('filters that contradict each other', () => {
  it.each<[string, Json, Json, Json, string]>([
    [
      'one share',
      of(at(a, 10)),
      of(at(a, 20)),
      of(at(a, 30)),
      'the share of the condition "country is DE" was changed on both sides',
    ],
    [
      'a condition that was taken out here and widened there',
      of(at(a, 10), at(b, 20)),
      of(at(b, 20)),
      of(at(a, 50), at(b, 20)),
      'the condition "country is DE" was changed or removed in the repository, and others on the other side',
    ],
    [
      'a condition that was taken out there, and another share here',
      of(at(a, 10), at(b, 20)),
      of(at(a, 10), at(b, 30)),
      of(at(b, 20)),
      'the condition "country is DE" was changed or removed live, and others on the other side',
    ],
    [
      'a new condition on both sides, with two shares',
      of(at(a, 10)),
      of(at(a, 10), at(b, 5)),
      of(at(a, 10), at(b, 50)),
      'both sides added the condition "plan is pro", and not the same one',
    ],
    [
      'two conditions for the same people',
      of(at(a, 10), at(a, 20)),
      of(at(a, 30), at(a, 20)),
      of(at(a, 10), at(a, 50)),
      'two conditions ask for "country is DE"',
    ],
    [
      'two orders',
      of(at(a, 10), at(b, 20), at(c, 30)),
      of(at(b, 20), at(a, 10), at(c, 30)),
      of(at(a, 10), at(c, 30), at(b, 20)),
      'the order of the conditions was changed on both sides',
    ],
    [
      'a forced variant here, other variants there',
      { ...of(at(a, 10)), multivariate: split(50) },
      { ...of({ ...at(a, 10), variant: 'blue' }), multivariate: split(50) },
      { ...of(at(a, 10)), multivariate: split(20) },
      '"multivariate" was changed on one side, and who gets the flag on the other',
    ],
    [
      'shares, where a condition forces a variant',
      { ...of({ ...at(a, 10), variant: 'blue' }, at(b, 20)), multivariate: split(50) },
      { ...of({ ...at(a, 30), variant: 'blue' }, at(b, 20)), multivariate: split(50) },
      { ...of({ ...at(a, 10), variant: 'blue' }, at(b, 50)), multivariate: split(50) },
      'both sides changed conditions, and where one forces a variant their order decides',
    ],
    [
      'shares, with an early exit',
      { ...of(at(a, 10), at(b, 20)), early_exit: true },
      { ...of(at(a, 30), at(b, 20)), early_exit: true },
      { ...of(at(a, 10), at(b, 50)), early_exit: true },
      'both sides changed conditions, and with an early exit their order decides',
    ],
    [
      'an early exit that ends here, a condition that is new there',
      { ...of(at(a, 0)), early_exit: true },
      of(at(a, 0)),
      { ...of(at(a, 0), at({}, 100)), early_exit: true },
      '"early_exit" was changed on one side, and who gets the flag on the other',
    ],
    [
      'groups here, a share there',
      of(at(a, 10)),
      { ...of(at(a, 10)), aggregation_group_type_index: 0 },
      of(at(a, 50)),
      '"aggregation_group_type_index" was changed on one side, and who gets the flag on the other',
    ],
    [
      'one payload',
      { payloads: { true: '1' } },
      { payloads: { true: '2' } },
      { payloads: { true: '3' } },
      'the payload of "true" was changed on both sides',
    ],
    [
      'a variant that is gone here, its payload there',
      { multivariate: split(50), payloads: { blue: '1' } },
      { multivariate: { variants: [{ key: 'red', rollout_percentage: 100 }] }, payloads: { blue: '1' } },
      { multivariate: split(50), payloads: { blue: '2' } },
      'the variants were changed on one side, and payloads on the other',
    ],
    [
      'a member of a condition that nobody knows',
      of(at(a, 10)),
      of(at(a, 30)),
      of({ ...at(a, 10), unheard_of: true }),
      '"unheard_of" of the condition "country is DE" was changed on both sides',
    ],
    ['what is no filters', 'x', of(at(a, 10)), of(at(a, 20)), 'the filters of one side cannot be read'],
    [
      'conditions that are none',
      { groups: ['x'] },
      of(at(a, 10)),
      of(at(a, 20)),
      'a condition of one side cannot be read',
    ],
  ])('%s', (_, base, declared, live, reason) => {
    expect(mergeFilters({ base, declared, live })).toEqual({ is: 'conflict', reason })
  })
})
