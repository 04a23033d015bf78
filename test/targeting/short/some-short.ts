import fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'

const value = fc.oneof(
  fc.constantFrom<Json>('DE', 'true', '', '5', 5, 0.5, true, false),
  fc.array(fc.constantFrom<Json>('DE', 'AT', '5'), { minLength: 1, maxLength: 3 }),
)

const compared: fc.Arbitrary<Json> = fc.oneof(
  value,
  fc.record({ icontains: fc.constantFrom<Json>('x', '2.10') }),
  fc.record({ gte: fc.constant<Json>('1'), lt: fc.constant<Json>('9') }),
  fc.record({ exact: value, is_not: value }),
  fc.constantFrom<Json>({ is_set: true }, { is_not_set: true, exact: 'a' }),
)

const properties: fc.Arbitrary<Json> = fc.oneof(
  fc.dictionary(fc.constantFrom('country', 'plan', 'a/b', 'c~d', '12'), compared, { maxKeys: 3 }),
  fc.array(
    fc.oneof(
      fc.record({ key: fc.constantFrom('country', 'plan'), type: fc.constant('person'), value }),
      fc.record({ key: fc.constant('id'), type: fc.constant('cohort'), value: fc.constant<Json>(3) }),
    ),
    { maxLength: 3 },
  ),
)

const percentage = fc.constantFrom<Json>(0, 5, 33.3, 100)

const condition: fc.Arbitrary<JsonObject> = fc.record(
  {
    properties,
    rollout_percentage: percentage,
    variant: fc.constantFrom('blue', 'red'),
    group_type_index: fc.constantFrom<Json>(0, 4),
    description: fc.constantFrom('why', 'because'),
  },
  { requiredKeys: [] },
)

const release: fc.Arbitrary<Json> = fc.oneof(
  fc.array(condition, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('staff', 'dach', 'rest', 'a-b_2'), condition, { maxKeys: 4 }),
)

const variants: fc.Arbitrary<Json> = fc.oneof(
  fc.record({
    blue: percentage,
    red: fc.record({ rollout_percentage: percentage, name: fc.constant('Red') }),
  }),
  fc.constant<Json>([
    { key: '2', rollout_percentage: 50 },
    { key: '1', rollout_percentage: 50, name: 'One' },
  ]),
)

const payloads: fc.Arbitrary<Json> = fc.dictionary(
  fc.constantFrom('blue', 'red', 'true'),
  fc.oneof(fc.jsonValue().filter(each => each !== null) as fc.Arbitrary<Json>, fc.constant<Json>('{"a":1}')),
  { maxKeys: 2 },
)

const beside = { variants, payloads, group_type_index: fc.constantFrom<Json>(0, 1), early_exit: fc.boolean() }

/** Flags in the short form, right ones and wrong ones, as far as their shape is right. */
export const shortFilters: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ release, ...beside }, { requiredKeys: ['release'] }) },
  {
    weight: 1,
    arbitrary: fc.record(
      { rollout_percentage: percentage, ...beside },
      { requiredKeys: ['rollout_percentage'] },
    ),
  },
)
