import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameJson, type Json } from '../../src/model/text/json.ts'
import { canonicalFilters, describeFilterDifference, describeRelease } from '../../src/targeting/index.ts'

/** Few names and values, so that two filters differ in one thing more often than in all. */
const texts = fc.constantFrom('DE', 'AT', 'a b')
const property = fc.record(
  {
    key: fc.constantFrom('country', 'plan'),
    value: fc.uniqueArray(texts, { minLength: 1, maxLength: 5 }),
    operator: fc.constantFrom('is_not', 'icontains', 'exact'),
    type: fc.constant('person'),
    label: fc.constantFrom('x', 'y'),
  },
  { requiredKeys: ['key', 'value', 'operator', 'type'] },
)
const condition = fc.record(
  {
    properties: fc.array(property, { maxLength: 2 }),
    rollout_percentage: fc.constantFrom<Json>(0, 10, 100),
    variant: fc.constantFrom('a', 'b'),
    sort_key: fc.constantFrom('x', 'y'),
    aggregation_group_type_index: fc.constantFrom(0, 1),
  },
  { requiredKeys: ['rollout_percentage'] },
)
const variants = fc.uniqueArray(
  fc.record(
    {
      key: fc.constantFrom('a', 'b', 'c'),
      rollout_percentage: fc.constantFrom(0, 50),
      name: fc.constantFrom('A', 'B'),
    },
    { requiredKeys: ['key', 'rollout_percentage'] },
  ),
  { selector: ({ key }) => key, maxLength: 3 },
)
const payload = fc.oneof(
  fc.constantFrom<Json>('x', 1, '{"a": 12345678901234567890}', '{"a": 12345678901234567891}'),
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(texts, fc.integer({ max: 3 }), fc.constant(null)), {
    noNullPrototype: true,
  }),
)
const filters: fc.Arbitrary<Json> = fc.record(
  {
    groups: fc.array(condition, { maxLength: 3 }),
    multivariate: fc.record({ variants }),
    payloads: fc.dictionary(fc.constantFrom('a', 'b', 'true'), payload, { noNullPrototype: true }),
    aggregation_group_type_index: fc.constantFrom(0, 1),
    super_groups: fc.constantFrom([1], [2]),
    early_exit: fc.boolean(),
  },
  { requiredKeys: ['groups'] },
) as fc.Arbitrary<Json>

/** The same filters, or with one value in them replaced. */
const pairs = fc
  .tuple(filters, fc.nat(), fc.constantFrom<Json>('DE', 'b', 'y', 7, 50, true))
  .map(([one, at, value]) => {
    const leaves: string[] = []
    const replace = (part: Json, path: string, target?: string): Json => {
      if (Array.isArray(part))
        return part.map((element, index) => replace(element, `${path}/${index}`, target))
      if (typeof part === 'object' && part !== null)
        return Object.fromEntries(
          Object.entries(part).map(([name, member]) => [name, replace(member, `${path}/${name}`, target)]),
        )
      leaves.push(path)
      return path === target ? value : part
    }
    replace(one, '')
    return [one, replace(one, '', leaves[at % (leaves.length + 1)])] as const
  })

describe('the words about filters', () => {
  it('tell two new releases apart whenever they differ', () => {
    fc.assert(
      fc.property(fc.oneof(pairs, fc.tuple(filters, filters)), ([one, other]) => {
        const isSame = isSameJson(canonicalFilters(one), canonicalFilters(other))
        const words = describeRelease(one)
        expect({ words, isSame: isSameJson(words, describeRelease(other)) }).toEqual({ words, isSame })
      }),
    )
  })

  it('tell two outcomes of a change apart whenever they differ', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          filters,
          pairs.map(([one]) => one),
        ),
        pairs,
        (before, [one, other]) => {
          const isSame = isSameJson(canonicalFilters(one), canonicalFilters(other))
          const [left, right] = [one, other].map(after => describeFilterDifference(before, after))
          expect({ one: left, isSame: isSameJson(left!, right!) }).toEqual({ one: left, isSame })
        },
      ),
    )
  })
})
