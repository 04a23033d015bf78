import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { readJson } from '../../src/model/text/json-text.ts'
import {
  areSurelySameFilters,
  canonicalFilters,
  canonicalPayload,
  compactFilters,
  completeFilters,
  payloadText,
  payloadValue,
  wireFilters,
} from '../../src/targeting/canonical-filters.ts'
import { readRelease } from '../../src/targeting/release.ts'
import { rounds } from '../support/rounds.ts'
import { anyFilters, someFilters } from './some-filters.ts'

const everybody = { groups: [{}] }

describe('canonicalFilters', () => {
  it.each<[string, Json, Json]>([
    ['null', null, everybody],
    ['an empty object', {}, everybody],
    ['no groups', { payloads: {} }, everybody],
    ['null groups', { groups: null }, everybody],
    ['the form the service shows', { groups: [{ properties: [], rollout_percentage: null }] }, everybody],
    [
      'the form its screen saves',
      { groups: [{ properties: [], variant: null }], multivariate: null, payloads: {} },
      everybody,
    ],
    ['an index of no group type', { groups: [{}], aggregation_group_type_index: null }, everybody],
  ])('reads %s as one condition for everybody', (_, filters, canonical) => {
    expect(canonicalFilters(filters)).toEqual(canonical)
  })

  it('reads the old form as its one condition, sends it so, and leaves what stands beside groups', () => {
    const properties = [{ key: 'a', value: 'b', type: 'person' }]
    const old = { properties, rollout_percentage: 40, payloads: { true: '1' } }
    const current = { groups: [{ properties, rollout_percentage: 40 }], payloads: { true: '1' } }
    expect(canonicalFilters(old)).toEqual(canonicalFilters(current))
    expect(wireFilters(old)).toEqual(current)
    expect(readRelease(old)).toEqual(readRelease(current))
    for (const groups of [[], [{}]])
      expect(readRelease({ ...old, groups }).conditions).toEqual(readRelease({ groups }).conditions)
  })

  it('keeps nobody apart from everybody, as one condition for 0%', () => {
    const nobody = { groups: [{ rollout_percentage: 0 }] }
    expect(canonicalFilters({ groups: [] })).toEqual(nobody)
    expect(canonicalFilters(nobody)).toEqual(nobody)
    expect(canonicalFilters({ groups: [], payloads: { true: 1 } })).toEqual({
      ...nobody,
      payloads: { true: '1' },
    })
  })

  it.each<[string, JsonObject, JsonObject]>([
    [
      'what each condition says of groups above them',
      { groups: [{ aggregation_group_type_index: 1 }, { aggregation_group_type_index: 1 }] },
      { groups: [{}, {}], aggregation_group_type_index: 1 },
    ],
    [
      'what conditions repeat from above once',
      { groups: [{ aggregation_group_type_index: 0 }, {}], aggregation_group_type_index: 0 },
      { groups: [{}, {}], aggregation_group_type_index: 0 },
    ],
    [
      'what conditions say apart where it stands',
      { groups: [{ aggregation_group_type_index: 0 }, {}] },
      { groups: [{ aggregation_group_type_index: 0 }, {}] },
    ],
  ])('says %s', (_, filters, canonical) => {
    expect(canonicalFilters(filters)).toEqual(canonical)
    expect(canonicalFilters(canonical)).toEqual(canonical)
  })

  it('keeps the order of conditions and of variants', () => {
    const filters = {
      groups: [{ rollout_percentage: 10 }, { rollout_percentage: 5 }],
      multivariate: {
        variants: [
          { key: 'b', rollout_percentage: 60 },
          { key: 'a', rollout_percentage: 40 },
        ],
      },
    }
    expect(canonicalFilters(filters)).toEqual(filters)
  })

  it.each<[string, JsonObject, JsonObject]>([
    [
      'exact is the operator that is meant',
      { key: 'a', value: 'b', operator: 'exact' },
      { key: 'a', value: ['b'] },
    ],
    ['an annotation says nothing', { key: 'id', value: 5, cohort_name: 'Beta' }, { key: 'id', value: [5] }],
    ['names of groups say nothing', { key: 'a', value: 1, group_key_names: {} }, { key: 'a', value: [1] }],
    ['a null value is none', { key: 'a', value: null }, { key: 'a' }],
    ['an empty value stays', { key: 'a', value: [] }, { key: 'a', value: [] }],
    [
      'set needs no value',
      { key: 'a', value: 'is_set', operator: 'is_set' },
      { key: 'a', operator: 'is_set' },
    ],
    [
      'another operator stays',
      { key: 'a', value: 'b', operator: 'regex' },
      { key: 'a', value: 'b', operator: 'regex' },
    ],
    [
      'null members are none',
      { key: 'a', value: 1, group_type_index: null, type: null },
      { key: 'a', value: [1] },
    ],
    ['unknown members stay', { key: 'a', value: 1, label: 'x' }, { key: 'a', value: [1], label: 'x' }],
    [
      'members may be called anything',
      { key: 'a', value: 1, constructor: 'x' },
      { key: 'a', value: [1], constructor: 'x' },
    ],
  ])('in a property, %s', (_, property, canonical) => {
    expect(canonicalFilters({ groups: [{ properties: [property] }] })).toEqual({
      groups: [{ properties: [canonical] }],
    })
  })

  it('keeps members that every object answers to', () => {
    const filters = JSON.parse(
      '{"groups":[{}],"toString":{"a":1},"__proto__":{"b":2},"constructor":3}',
    ) as Json
    expect(JSON.stringify(canonicalFilters(filters))).toBe(JSON.stringify(filters))
  })

  it('is that of the compact filters, which are compact', () => {
    const again = (value: Json) => structuredClone(value)
    fc.assert(
      fc.property(fc.oneof(someFilters, anyFilters), filters => {
        const compact = compactFilters(filters)
        expect(canonicalFilters(compact)).toEqual(canonicalFilters(filters))
        // Made anew, nobody knows what they were made from.
        expect(canonicalFilters(again(compact))).toEqual(canonicalFilters(filters))
        expect(compactFilters(again(compact))).toEqual(compact)
      }),
    )
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(anyFilters, filters => {
        const once = canonicalFilters(filters)
        expect(canonicalFilters(once)).toEqual(once)
      }),
    )
  })

  it('does not mind the order of members, nor empties that are added to conditions', () => {
    fc.assert(
      fc.property(anyFilters, filters => {
        const noisy = withReversedMembers(filters)
        expect(canonicalFilters(noisy)).toEqual(canonicalFilters(filters))
        if (typeof filters !== 'object' || filters === null || Array.isArray(filters)) return
        expect(canonicalFilters({ ...filters, extra: null, other: {}, third: [] })).toEqual(
          canonicalFilters(filters),
        )
      }),
    )
  })
})

describe('filters that are surely the same', () => {
  const nothing = fc.constantFrom<Json | undefined>(undefined, null, [], {})
  const share = fc.constantFrom<Json | undefined>(undefined, null, 100, 5)
  const noise = fc.record(
    { variant: nothing, properties: nothing, rollout_percentage: share, extra: nothing },
    { requiredKeys: [] },
  )
  /** The same filters, where nearly always something that says nothing is written another way, now and then anything. */
  const pair = fc.oneof(
    { weight: 1, arbitrary: fc.tuple(anyFilters, anyFilters) },
    { weight: 1, arbitrary: fc.tuple(someFilters, someFilters) },
    {
      weight: 6,
      arbitrary: fc.tuple(fc.oneof(someFilters, anyFilters), noise, noise).map(([filters, top, inside]) => {
        if (typeof filters !== 'object' || filters === null || Array.isArray(filters))
          return [filters, filters]
        const { groups, ...others } = filters as JsonObject
        const noisy = Array.isArray(groups)
          ? { groups: groups.map(each => (isPlainObject(each) ? { ...inside, ...each, ...inside } : each)) }
          : groups === undefined
            ? {}
            : { groups }
        return [filters, { ...top, ...others, ...noisy, ...top }] as const
      }),
    },
  )

  it('have one canonical form', () => {
    let told = 0
    fc.assert(
      fc.property(pair, ([left, right]) => {
        const [one, other] = [readJson(JSON.stringify(left)), readJson(JSON.stringify(right))]
        if (!areSurelySameFilters(one, other)) return
        told++
        expect(canonicalFilters(one)).toEqual(canonicalFilters(other))
      }),
    )
    expect(told).toBeGreaterThan(rounds() / 20)
  })

  it('are what is sent for what is declared', () => {
    const declared = { groups: [{ properties: [{ key: 'plan', value: 'pro' }], rollout_percentage: 5 }] }
    expect(areSurelySameFilters(declared, completeFilters(declared, undefined))).toBe(true)
    expect(areSurelySameFilters(declared, { ...declared, multivariate: { variants: [] } })).toBe(false)
    expect(areSurelySameFilters({}, { groups: [] })).toBe(false)
    const shown = { groups: [{ properties: [], rollout_percentage: 100 }] }
    expect(areSurelySameFilters({ groups: [{}] }, shown)).toBe(true)
    expect(areSurelySameFilters({ groups: [{}], rollout_percentage: 100 }, shown)).toBe(false)
  })
})

function isPlainObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

describe('payloads', () => {
  it.each<[Json, string, Json]>([
    ['hello', '"hello"', 'hello'],
    ['"hello"', '"hello"', 'hello'],
    ['{"b": 1, "a": [1.50, 1e2]}', '{"b": 1, "a": [1.50, 1e2]}', { b: 1, a: [1.5, 100] }],
    [{ b: 1, a: 2 }, '{"a":2,"b":1}', { b: 1, a: 2 }],
    ['null', 'null', null],
    [null, 'null', null],
    [true, 'true', true],
    ['', '""', ''],
    ['{"a":', '"{\\"a\\":"', '{"a":'],
    [
      '{"id": "12345678901234567890", "a": 1}',
      '{"id": "12345678901234567890", "a": 1}',
      { id: '12345678901234567890', a: 1 },
    ],
  ])('%j travels as %s', (payload, text, value) => {
    expect([payloadText(payload), payloadValue(payload)]).toEqual([text, value])
  })

  it.each(['{"id": 12345678901234567890}', '1e400', '[0.1000000000000000055]'])(
    'leaves %s untouched, and knows every digit of it',
    text => {
      expect(payloadText(text)).toBe(text)
      expect(canonicalPayload(text)).toBe(text.replaceAll(' ', ''))
    },
  )

  it('are the same as values and as text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (payload, indent) => {
        const value = readJson(JSON.stringify(payload))
        const asText = canonicalFilters({
          groups: [],
          payloads: { true: JSON.stringify(payload, null, indent) },
        })
        const wrapped = typeof payload === 'string' ? JSON.stringify(payload) : value
        expect(asText).toEqual(canonicalFilters({ groups: [], payloads: { true: wrapped } }))
      }),
    )
  })
})

describe('completeFilters', () => {
  const silent = { multivariate: null, payloads: {}, aggregation_group_type_index: null }
  const tenth = { groups: [{ properties: [], rollout_percentage: 10 }] }

  it.each<[string, Json, Json | undefined, Json]>([
    ['says every member that decides who gets what', tenth, {}, { ...tenth, ...silent }],
    [
      'keeps what is declared',
      { ...tenth, payloads: { true: '1' } },
      {},
      { ...silent, ...tenth, payloads: { true: '1' } },
    ],
    [
      'takes back what is live and not declared',
      tenth,
      { groups: [], early_exit: true },
      { ...tenth, ...silent, early_exit: null },
    ],
    ['leaves no one in it where nobody is to be', { groups: [] }, tenth, { groups: [], ...silent }],
    [
      'has a condition for a new flag that is for nobody',
      { groups: [] },
      undefined,
      { groups: [{ properties: [], rollout_percentage: 0 }], ...silent },
    ],
    [
      'releases a new flag to everybody where nothing is declared',
      null,
      undefined,
      { groups: [{ properties: [], rollout_percentage: null }], ...silent },
    ],
  ])('%s', (_, declared, live, sent) => {
    expect(completeFilters(declared, live)).toEqual(sent)
  })

  it('means what is declared', () => {
    fc.assert(
      fc.property(fc.oneof(someFilters, anyFilters), fc.constantFrom({}, undefined), (filters, live) => {
        expect(canonicalFilters(completeFilters(filters, live))).toEqual(canonicalFilters(filters))
      }),
    )
  })
})

describe('wireFilters', () => {
  it.each<[string, Json, Json]>([
    ['nothing', null, { groups: [{ properties: [], rollout_percentage: null }] }],
    [
      'no groups',
      { multivariate: null },
      { multivariate: null, groups: [{ properties: [], rollout_percentage: null }] },
    ],
    ['nobody', { groups: [] }, { groups: [] }],
    [
      'a payload',
      { groups: [{}], payloads: { true: { a: 1 } } },
      { groups: [{}], payloads: { true: '{"a":1}' } },
    ],
    ['what is no list', { groups: 'x' }, { groups: 'x' }],
  ])('sends %s so that the service takes it', (_, filters, wire) => {
    expect(wireFilters(filters)).toEqual(wire)
  })

  it('means what was declared', () => {
    fc.assert(
      fc.property(anyFilters, filters => {
        expect(canonicalFilters(wireFilters(filters))).toEqual(canonicalFilters(filters))
      }),
    )
  })
})

function withReversedMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(withReversedMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, withReversedMembers(member)]),
  )
}
