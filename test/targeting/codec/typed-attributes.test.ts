import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalText,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../../src/model/text/json.ts'
import { decodeFilters, encodeFilters, withShort } from '../../../src/targeting/codec.ts'
import { canonicalFilters, checkFilters } from '../../../src/targeting/index.ts'
import { someFilters } from '../some-filters.ts'
import { someTyped } from './some-typed.ts'

const isDeclarable = (filters: JsonObject) =>
  checkFilters(filters).every(({ severity }) => severity !== 'error')
const isSame = (one: JsonObject, other: JsonObject) =>
  isSameJson(canonicalFilters(one), canonicalFilters(other))
const throughAttributes = (filters: JsonObject) => encodeFilters(decodeFilters(filters))

describe('typed attributes', () => {
  it('ask whether another flag is on with true, and off with false', () => {
    const asking = (value: string) => ({ key: 'on', type: 'flag', operator: 'flag_evaluates_to', value })
    const { groups } = encodeFilters({
      release: [{ properties: [asking('true'), asking('false'), asking('blue')] }],
    })
    expect(groups).toEqual([
      {
        properties: [true, false, 'blue'].map(value => ({ ...asking(''), value })),
      },
    ])
  })

  it.each([
    ['a condition that is null', { release: [null] }, { groups: [null] }],
    [
      'a percentage that is text',
      { release: [{ rollout_percentage: '5' }] },
      { groups: [{ rollout_percentage: '5' }] },
    ],
    ['a property that is null', { release: [{ properties: [null] }] }, { groups: [{ properties: [null] }] }],
    [
      'a value of a list that is null',
      { release: [{ properties: [{ key: 'p', values: ['a', null] }] }] },
      {
        groups: [{ properties: [{ key: 'p', type: 'person', value: ['a', null] }] }],
      },
    ],
    [
      'a variant without a share',
      { release: [], variants: [{ key: 'a' }] },
      { groups: [], multivariate: { variants: [{ key: 'a' }] } },
    ],
    [
      'a group type that is text',
      { release: [], group_type_index: '1' },
      { groups: [], aggregation_group_type_index: '1' },
    ],
    [
      'a variant that is null',
      { release: [], variants: [null] },
      { groups: [], multivariate: { variants: [null] } },
    ],
  ])('drop nothing that a check would find: %s', (_, config, filters) => {
    expect(encodeFilters(config)).toEqual(filters)
  })

  it.each([
    ['a condition that is null', { release: [null] }],
    ['a percentage that is text', { release: [{ rollout_percentage: '5' }] }],
    ['a property that is null', { release: [{ properties: [null] }] }],
    ['a variant without a share', { release: [], variants: [{ key: 'a' }] }],
    ['a group type that is text', { release: [], group_type_index: '1' }],
    ['a variant that is null', { release: [], variants: [null] }],
  ])('are refused where they release to everybody by mistake: %s', (_, config) => {
    expect(isDeclarable(encodeFilters(config))).toBe(false)
  })

  it('come back from the filters that they amount to, each as it was', () => {
    fc.assert(
      fc.property(someTyped, typed => {
        const filters = encodeFilters(typed)
        const back = decodeFilters(filters)
        // What is short for conditions is read as those.
        expect(back).toEqual({ ...(withoutDefaults(typed) as JsonObject), rollout_percentage: null })
        expect(canonicalText(encodeFilters(back))).toBe(canonicalText(filters))
      }),
    )
  })

  it('have a share of everybody in place of one condition where that is how it is written', () => {
    const share = fc.double({ min: 0, max: 100, noNaN: true })
    fc.assert(
      fc.property(someTyped, share, share, (others, was, percent) => {
        const typed = { ...others, release: null, rollout_percentage: percent }
        const back = decodeFilters(encodeFilters(typed))
        expect(back.release).toMatchObject([{ rollout_percentage: percent }])
        const model = { ...typed, rollout_percentage: was }
        expect(withShort(back, model)).toEqual({ ...back, release: null, rollout_percentage: percent })
        expect(withShort(back, { ...model, rollout_percentage: null })).toEqual(back)
      }),
    )
  })

  it('are as on the wire already where somebody says so, and then no text is read as another value', () => {
    const property = (type: string, value: Json) => ({ key: 'x', type, value })
    const properties = [property('flag', 'true'), property('flag', true), property('cohort', '5')]
    expect(encodeFilters({ release: [{ properties }] }, 'as on the wire')).toEqual({
      groups: [{ properties }],
    })
  })

  it('come back from any filters, or are told apart from them', () => {
    fc.assert(
      fc.property(someFilters, filters => {
        fc.pre(isJsonObject(filters))
        const said = throughAttributes(filters)
        // What comes back is what a configuration can hold, so it comes back once more.
        expect(isSame(throughAttributes(said), said)).toBe(true)
      }),
    )
  })
})

/** A property is one of a person where nothing else is said, and says so nowhere. */
function withoutDefaults(typed: JsonObject): Json {
  return JSON.parse(JSON.stringify(typed), (name, value) =>
    name === 'type' && value === 'person' ? null : value,
  )
}
