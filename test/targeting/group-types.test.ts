import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameJson, type JsonObject } from '../../src/model/text/json.ts'
import { rewrittenFilters } from '../../src/sandbox/resource/flag-record.ts'
import { withGroupTypesAs, withTidyGroupTypes } from '../../src/targeting/canonical-filters.ts'
import { canonicalFilters } from '../../src/targeting/index.ts'

const type = fc.constantFrom(undefined, null, 0, 1)
const condition = fc
  .tuple(fc.constantFrom(10, 50), type)
  .map(
    ([rollout_percentage, own]): JsonObject =>
      own === undefined ? { rollout_percentage } : { rollout_percentage, aggregation_group_type_index: own },
  )
const filters = fc
  .tuple(fc.array(condition, { maxLength: 3 }), type)
  .map(
    ([groups, above]): JsonObject =>
      above === undefined ? { groups } : { groups, aggregation_group_type_index: above },
  )

const isSame = (one: JsonObject, other: JsonObject) =>
  isSameJson(canonicalFilters(one), canonicalFilters(other))

/** What each condition counts, without regard to where that is said. */
const counted = ({ groups, aggregation_group_type_index: above = null }: JsonObject) =>
  (groups as readonly JsonObject[]).map(own => own.aggregation_group_type_index ?? above)

describe('the types of groups that conditions count', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'once, where all count the same',
      { groups: [{ aggregation_group_type_index: 1 }, {}], aggregation_group_type_index: 1 },
      { groups: [{}, {}], aggregation_group_type_index: 1 },
    ],
    [
      'in each condition, where they count various',
      { groups: [{ aggregation_group_type_index: 1 }, {}], aggregation_group_type_index: 0 },
      { groups: [{ aggregation_group_type_index: 1 }, { aggregation_group_type_index: 0 }] },
    ],
    [
      'nowhere, where they count persons',
      { groups: [{ aggregation_group_type_index: null }], aggregation_group_type_index: null },
      { groups: [{}] },
    ],
  ])('are said %s', (_, said, tidy) => {
    expect(withTidyGroupTypes(said)).toEqual(tidy)
    expect(withTidyGroupTypes(tidy)).toEqual(tidy)
  })

  it('are the same wherever they are said, and two flags are when their conditions count the same', () => {
    fc.assert(
      fc.property(filters, filters, (one, other) => {
        expect(counted(withTidyGroupTypes(one))).toEqual(counted(one))
        const bare = ({ groups }: JsonObject) =>
          (groups as readonly JsonObject[]).map(each => each.rollout_percentage)
        const isMeantSame =
          isSameJson(counted(one) as never, counted(other) as never) &&
          isSameJson(bare(one) as never, bare(other) as never)
        // Without conditions there is nothing that counts, and what is said of it stays.
        if (counted(one).length > 0) expect(isSame(one, other)).toBe(isMeantSame)
      }),
    )
  })

  it('are the same as the service of today shows them', () => {
    fc.assert(
      fc.property(filters, one => {
        fc.pre(counted(one).length > 0)
        expect(isSame(rewrittenFilters(one), one)).toBe(true)
      }),
    )
  })

  it('can be said where other filters say them, and mean the same there', () => {
    fc.assert(
      fc.property(filters, filters, (one, model) => {
        expect(counted(withGroupTypesAs(one, model))).toEqual(counted(one))
        // Spelled after itself, what the service has rewritten is as it was.
        const shown = withGroupTypesAs(rewrittenFilters(one), one)
        expect(withGroupTypesAs(shown, one)).toEqual(shown)
      }),
    )
  })

  it.each<[string, JsonObject]>([
    ['above the conditions', { groups: [{}, {}], aggregation_group_type_index: 1 }],
    [
      'in each of them',
      { groups: [{ aggregation_group_type_index: 1 }, { aggregation_group_type_index: 1 }] },
    ],
    ['in one of them', { groups: [{}, { aggregation_group_type_index: 0 }] }],
    ['both', { groups: [{}, { aggregation_group_type_index: 0 }], aggregation_group_type_index: 1 }],
  ])('come back from the service of today as they were said: %s', (_, said) => {
    const { groups, aggregation_group_type_index } = withGroupTypesAs(rewrittenFilters(said), said)
    const types = (groups as readonly JsonObject[]).map(each => each.aggregation_group_type_index)
    expect(types).toEqual(
      (said.groups as readonly JsonObject[]).map(each => each.aggregation_group_type_index),
    )
    expect(aggregation_group_type_index).toBe(said.aggregation_group_type_index)
  })
})
