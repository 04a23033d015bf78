import fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'

/**
 * Flags that the service and its SDKs are known to agree on, of the shapes that people write. Left out, since SDKs go
 * their own ways there: patterns that JavaScript and Python read differently, dates that are numbers or in other than
 * ISO form, texts and booleans compared with numbers by size, and a forced variant after a condition without one
 * (since 2025 in the order as written).
 */
const person = (key: fc.Arbitrary<string>, operator: fc.Arbitrary<string>, value: fc.Arbitrary<Json>) =>
  fc.record({ key, operator, value, type: fc.constant('person') })

const texts = fc.constantFrom<Json>('DE', 'fr', 'Müller', 'pro', '5')
const property: fc.Arbitrary<JsonObject> = fc.oneof(
  person(
    fc.constantFrom('country', 'plan'),
    fc.constantFrom('exact', 'is_not'),
    fc.oneof(texts, fc.array(texts, { minLength: 1, maxLength: 3 })),
  ),
  person(fc.constantFrom('country', 'plan'), fc.constantFrom('icontains', 'not_icontains'), texts),
  person(
    fc.constantFrom('country', 'plan', 'distinct_id'),
    fc.constantFrom('regex', 'not_regex'),
    fc.constantFrom<Json>('^[A-Z]+$', 'r', '^(de|FR|pro)', '\\d', '[', 'b|c'),
  ),
  person(
    fc.constant('age'),
    fc.constantFrom('gt', 'gte', 'lt', 'lte'),
    fc.constantFrom<Json>('18', '40', '17.5'),
  ),
  person(fc.constantFrom('country', 'age'), fc.constant('is_set'), fc.constant('is_set')),
  person(
    fc.constant('since'),
    fc.constantFrom('is_date_before', 'is_date_after'),
    fc.constantFrom<Json>('2024-03-01', '2024-03-01T12:00:00Z', '-30d', '-1y'),
  ),
  fc.record({ key: fc.constant('id'), type: fc.constant('cohort'), value: fc.constantFrom<Json>(1, 2, 3) }),
)

const groupProperty: fc.Arbitrary<JsonObject> = fc.record({
  key: fc.constantFrom('country', 'plan'),
  operator: fc.constantFrom('exact', 'is_not', 'icontains'),
  value: texts,
  type: fc.constant('group'),
  group_type_index: fc.constant(0),
})

const percentage = fc.constantFrom<Json>(null, 0, 10, 50, 90, 100)
const variants = {
  variants: [
    { key: 'blue', rollout_percentage: 40 },
    { key: 'red', rollout_percentage: 60 },
  ],
}

function conditions(of: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject[]> {
  const plain = fc.record({ properties: fc.array(of, { maxLength: 2 }), rollout_percentage: percentage })
  const forced = fc.record({
    properties: fc.array(of, { maxLength: 2 }),
    rollout_percentage: percentage,
    variant: fc.constantFrom('blue', 'red'),
  })
  return fc
    .tuple(fc.array(forced, { maxLength: 1 }), fc.array(plain, { minLength: 1, maxLength: 2 }))
    .map(([first, rest]) => [...first, ...rest])
}

const sane: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ groups: conditions(property) }) },
  {
    weight: 1,
    arbitrary: conditions(groupProperty).map(groups => ({ groups, aggregation_group_type_index: 0 })),
  },
)

/** What is known of persons and groups there. */
export const saneKnown: fc.Arbitrary<JsonObject> = fc.record(
  {
    country: fc.oneof(texts, fc.constantFrom<Json>(7, true)),
    plan: texts,
    age: fc.constantFrom<Json>(17, 17.5, 18, 40, 99),
    since: fc.constantFrom<Json>(
      '2023-05-01',
      '2024-03-01',
      '2024-03-01T12:30:00Z',
      '2025-01-01T00:00:00+02:00',
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>

/** Ten flags, of which one is off; those with odd numbers have variants. */
export const saneFlags: fc.Arbitrary<readonly JsonObject[]> = fc
  .array(sane, { minLength: 10, maxLength: 10 })
  .map(all =>
    all.map((filters, index) => ({
      active: index !== 9,
      filters: {
        ...filters,
        ...(index % 2 === 1
          ? { multivariate: variants, payloads: { blue: { colour: index }, red: '"text"' } }
          : { groups: withoutForced(filters.groups), payloads: { true: '{"on":1}' } }),
      },
    })),
  ) as fc.Arbitrary<unknown> as fc.Arbitrary<readonly JsonObject[]>

function withoutForced(groups: Json | undefined): Json {
  // What was just made is a list of objects.
  return (groups as JsonObject[]).map(({ variant: _, ...group }) => group)
}
