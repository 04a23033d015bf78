import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { canonicalFilters, mergeFilters } from '../../../src/targeting/index.ts'

const a = { properties: [{ key: 'country', value: ['DE'], type: 'person' }] }
const b = { properties: [{ key: 'plan', value: ['pro'], type: 'person' }] }
const c = { properties: [{ key: 'age', value: ['18'], type: 'person' }] }
const at = (condition: JsonObject, rollout_percentage: number | null): JsonObject => ({
  ...condition,
  rollout_percentage,
})
const of = (...groups: JsonObject[]): JsonObject => ({ groups })
const conditions: Readonly<Record<string, JsonObject>> = { a, b, c }
/** Filters from shares of the conditions above: `a10 b20`. */
const shares = (text: string): JsonObject =>
  of(...text.split(' ').map(each => at(conditions[each[0] ?? ''] ?? {}, Number(each.slice(1)))))
const withPayloads = (text: string, payloads: JsonObject) => ({ ...shares(text), payloads })
const split = (blue: number): JsonObject => ({
  variants: [
    { key: 'blue', rollout_percentage: blue },
    { key: 'red', rollout_percentage: 100 - blue },
  ],
})
const ofVariants = (blue: string, red: string) => ({
  ...withPayloads('a10', { blue, red }),
  multivariate: split(50),
})

function expectMerged(base: Json, declared: Json, live: Json, filters: Json): void {
  const merged = mergeFilters({ base, declared, live })
  expect(merged.is).toBe('merged')
  expect(canonicalFilters('value' in merged ? merged.value : null)).toEqual(canonicalFilters(filters))
}

describe('filters that go together', () => {
  it.each([
    ['the shares of two conditions', 'a10 b20', 'a30 b20', 'a10 b50', 'a30 b50'],
    ['a share and a new condition', 'a10', 'a30', 'a10 b50', 'a30 b50'],
    ['two new conditions', 'a10', 'b1 a10', 'a10 c2', 'b1 a10 c2'],
    ['the same new condition', 'a10', 'a20 b5', 'a10 b5', 'a20 b5'],
    ['another order and a share', 'a10 b20', 'a10 b30', 'b20 a10', 'b30 a10'],
    ['another order and a new condition', 'a10 b20', 'a10 c3 b20', 'b20 a10', 'b20 a10 c3'],
    ['a condition that both took out, and a share', 'a10 b20', 'a30', 'a10', 'a30'],
  ])('%s', (_, base, declared, live, filters) => {
    expectMerged(shares(base), shares(declared), shares(live), shares(filters))
  })

  it.each<[string, Json, Json, Json, Json]>([
    [
      'a share and a note',
      shares('a10'),
      shares('a30'),
      of({ ...at(a, 10), description: 'for the fair' }),
      of({ ...at(a, 30), description: 'for the fair' }),
    ],
    [
      'the payloads of two variants',
      ofVariants('1', '2'),
      ofVariants('3', '2'),
      ofVariants('1', '4'),
      ofVariants('3', '4'),
    ],
    [
      'a share and a payload',
      withPayloads('a10', { true: '1' }),
      withPayloads('a20', { true: '1' }),
      withPayloads('a10', { true: '{"b":2}' }),
      withPayloads('a20', { true: '{"b":2}' }),
    ],
  ])('%s', (_, base, declared, live, filters) => expectMerged(base, declared, live, filters))

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

const conflictOf = (base: Json, declared: Json, live: Json) => {
  const merged = mergeFilters({ base, declared, live })
  return merged.is === 'conflict' ? merged.reason : merged
}

describe('filters that contradict each other', () => {
  it.each([
    ['a10', 'a20', 'a30', 'both sides changed the percentage of the condition "country is DE"'],
    [
      'a10 b20',
      'b20',
      'a50 b20',
      'the condition "country is DE" was changed or removed in the repository, and other conditions on the other side',
    ],
    [
      'a10 b20',
      'a10 b30',
      'b20',
      'the condition "country is DE" was changed or removed live, and other conditions on the other side',
    ],
    ['a10', 'a10 b5', 'a10 b50', 'both sides added the condition "plan is pro", but with different content'],
    ['a10 a20', 'a30 a20', 'a10 a50', 'two conditions mean the same people: "country is DE"'],
    ['a10 b20 c30', 'b20 a10 c30', 'a10 c30 b20', 'both sides changed the order of the conditions'],
  ])('%s, then %s here and %s there', (base, declared, live, reason) => {
    expect(conflictOf(shares(base), shares(declared), shares(live))).toBe(reason)
  })

  it.each<[string, Json, Json, Json, string]>([
    [
      'a forced variant here, other variants there',
      { ...of(at(a, 10)), multivariate: split(50) },
      { ...of({ ...at(a, 10), variant: 'blue' }), multivariate: split(50) },
      { ...of(at(a, 10)), multivariate: split(20) },
      'one side changed "multivariate", the other side changed who gets the flag',
    ],
    [
      'shares, where a condition forces a variant',
      { ...of({ ...at(a, 10), variant: 'blue' }, at(b, 20)), multivariate: split(50) },
      { ...of({ ...at(a, 30), variant: 'blue' }, at(b, 20)), multivariate: split(50) },
      { ...of({ ...at(a, 10), variant: 'blue' }, at(b, 50)), multivariate: split(50) },
      'both sides changed conditions, and the order decides because a condition forces a variant',
    ],
    [
      'shares, with an early exit',
      { ...of(at(a, 10), at(b, 20)), early_exit: true },
      { ...of(at(a, 30), at(b, 20)), early_exit: true },
      { ...of(at(a, 10), at(b, 50)), early_exit: true },
      'both sides changed conditions, and "early_exit" makes their order decide',
    ],
    [
      'an early exit that ends here, a condition that is new there',
      { ...of(at(a, 0)), early_exit: true },
      of(at(a, 0)),
      { ...of(at(a, 0), at({}, 100)), early_exit: true },
      'one side changed "early_exit", the other side changed who gets the flag',
    ],
    [
      'groups here, a share there',
      of(at(a, 10)),
      { ...of(at(a, 10)), aggregation_group_type_index: 0 },
      of(at(a, 50)),
      'one side changed "aggregation_group_type_index", the other side changed who gets the flag',
    ],
    [
      'one payload',
      { payloads: { true: '1' } },
      { payloads: { true: '2' } },
      { payloads: { true: '3' } },
      'both sides changed the payload of "true"',
    ],
    [
      'a variant that is gone here, its payload there',
      { multivariate: split(50), payloads: { blue: '1' } },
      { multivariate: { variants: [{ key: 'red', rollout_percentage: 100 }] }, payloads: { blue: '1' } },
      { multivariate: split(50), payloads: { blue: '2' } },
      'one side changed the variants, the other side changed payloads',
    ],
    [
      'a member of a condition that nobody knows',
      of(at(a, 10)),
      of(at(a, 30)),
      of({ ...at(a, 10), unheard_of: true }),
      'both sides changed "unheard_of" of the condition "country is DE"',
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
    expect(conflictOf(base, declared, live)).toBe(reason)
  })
})
