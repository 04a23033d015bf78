import fc from 'fast-check'
import type { Json } from '../../src/model/text/json.ts'
import type { Subject } from '../../src/targeting/index.ts'

/** Few names and few values, so that random conditions overlap and random people meet them. */
const keys = fc.constantFrom('country', 'plan', 'age')
const values = fc.constantFrom<Json>('DE', 'fr', 'FR', '18', 'pro', '')

const someProperty: fc.Arbitrary<Json> = fc.oneof(
  fc.record({
    key: keys,
    type: fc.constant('person'),
    operator: fc.constantFrom(
      'exact',
      'is_not',
      'icontains',
      'not_icontains',
      'gt',
      'lte',
      'is_set',
      'regex',
    ),
    value: fc.oneof(values, fc.array(values, { maxLength: 3 })),
  }),
  fc.record({ key: keys, type: fc.constant('person'), value: fc.array(values, { maxLength: 3 }) }),
  fc.record({
    key: keys,
    value: values,
    negation: fc.boolean(),
    operator: fc.constantFrom('exact', 'is_not'),
  }),
  fc.record({
    key: fc.constant('id'),
    type: fc.constant('cohort'),
    value: fc.constantFrom<Json>(1, 2, '3'),
    operator: fc.constantFrom('in', 'not_in', 'exact'),
  }),
)

const somePercentage = fc.constantFrom<Json>(null, 0, 5, 20, 50, 99.5, 100, 150, -1, '50')

export const someCondition: fc.Arbitrary<Json> = fc.record(
  {
    properties: fc.oneof(fc.array(someProperty, { maxLength: 2 }), fc.constantFrom<Json>(null, [], 'all')),
    rollout_percentage: somePercentage,
    variant: fc.constantFrom<Json>(null, 'blue', 'red', 'gone', ''),
  },
  { requiredKeys: [] },
)

const someVariants: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  null,
  { variants: [] },
  {
    variants: [
      { key: 'blue', rollout_percentage: 50 },
      { key: 'red', rollout_percentage: 50 },
    ],
  },
  {
    variants: [
      { key: 'red', rollout_percentage: 50 },
      { key: 'blue', rollout_percentage: 50 },
    ],
  },
  {
    variants: [
      { key: 'blue', rollout_percentage: 20 },
      { key: 'red', rollout_percentage: 80 },
    ],
  },
  {
    variants: [
      { key: 'blue', rollout_percentage: 100 },
      { key: 'red', rollout_percentage: 0 },
    ],
  },
  { variants: [{ key: 'blue', rollout_percentage: 100 }] },
)

/** Filters as people might write them, with a problem here and there. */
export const someFilters: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        groups: fc.array(
          fc.oneof(
            { weight: 9, arbitrary: someCondition },
            { weight: 1, arbitrary: fc.constantFrom<Json>(null, 'x', []) },
          ),
          { maxLength: 4 },
        ),
        multivariate: someVariants,
        payloads: fc.constantFrom<Json>({}, null, { true: '1' }, { blue: { a: 1 } }, { blue: '{"a": 1}' }),
        aggregation_group_type_index: fc.constantFrom<Json>(null, null, null, 0, 1),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom<Json>(null, {}, [], 5, { groups: 'x' }, { groups: {} }) },
)

/** Anything that a JSON text can hold, half of the time inside the members that filters have. */
export const anyFilters: fc.Arbitrary<Json> = fc.oneof(
  someJson(),
  fc.record(
    {
      groups: fc.oneof(
        fc.array(
          fc.record(
            {
              properties: fc.oneof(
                someJson(),
                fc.array(
                  fc.record(
                    {
                      key: someJson(),
                      value: someJson(),
                      operator: fc.oneof(
                        someJson(),
                        fc.constantFrom('regex', 'gt', 'is_date_before', 'exact'),
                      ),
                      type: fc.oneof(someJson(), fc.constantFrom('cohort', 'person')),
                    },
                    { requiredKeys: [] },
                  ),
                ),
              ),
              rollout_percentage: someJson(),
              variant: someJson(),
            },
            { requiredKeys: [] },
          ),
        ),
        fc.array(someJson()),
        someJson(),
      ),
      multivariate: fc.oneof(
        fc.record({
          variants: fc.oneof(
            someJson(),
            fc.array(fc.record({ key: someJson(), rollout_percentage: someJson() })),
          ),
        }),
        someJson(),
      ),
      payloads: fc.oneof(fc.dictionary(fc.string(), someJson()), someJson()),
      aggregation_group_type_index: someJson(),
    },
    { requiredKeys: [] },
  ),
)

function someJson(): fc.Arbitrary<Json> {
  // What fast-check calls a JSON value is one.
  return fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
}

export const somePerson: fc.Arbitrary<Subject> = fc.record({
  distinctId: fc.nat({ max: 500 }).map(number => `person-${number}`),
  properties: fc.dictionary(keys, fc.oneof(values, fc.constantFrom<Json>(null, 18, 17, true)), {
    maxKeys: 3,
  }),
  groups: fc.constantFrom<Record<string, string>>(
    {},
    { company: 'acme' },
    { company: 'umbrella', team: 'a' },
  ),
  groupProperties: fc.constantFrom<Record<string, Record<string, Json>>>({}, { company: { plan: 'pro' } }),
})

export const someCohorts: Json = {
  1: { type: 'OR', values: [{ key: 'country', value: ['DE'], type: 'person' }] },
  2: {
    type: 'AND',
    values: [{ type: 'AND', values: [{ key: 'id', type: 'cohort', value: 1, negation: true }] }],
  },
}
