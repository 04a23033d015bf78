import fc from 'fast-check'
import type { JsonObject } from '../../src/model/text/json.ts'

const countries = fc.constantFrom('DE', 'FR', 'US')
const share = fc.constantFrom(0, 10, 50, 100)
const condition = fc.record(
  {
    properties: fc.oneof(
      fc.constant([]),
      fc
        .array(countries, { minLength: 1, maxLength: 2 })
        .map(value => [{ key: 'country', type: 'person', value }]),
      fc.constant([{ key: 'age', type: 'person', operator: 'gt', value: '18' }]),
    ),
    rollout_percentage: share,
    variant: fc.constantFrom('one', 'two'),
  },
  { requiredKeys: ['properties', 'rollout_percentage'] },
)
const variants = fc.constantFrom<JsonObject>(
  {},
  {
    multivariate: {
      variants: [
        { key: 'one', rollout_percentage: 30 },
        { key: 'two', rollout_percentage: 70 },
      ],
    },
  },
)
/** Filters of a flag with a few conditions on country and age, with variants and payloads or without. */
export const testedFilters = fc
  .tuple(fc.array(condition, { maxLength: 3 }), variants, fc.boolean())
  .map(([groups, multivariate, paid]) => ({
    // A variant that there is not is an error of its own.
    groups: groups.map(({ variant, ...rest }) =>
      'multivariate' in multivariate && variant ? { ...rest, variant } : rest,
    ),
    ...multivariate,
    ...(paid ? { payloads: { ['multivariate' in multivariate ? 'one' : 'true']: { steps: 1 } } } : {}),
  }))
/** Somebody of whom some of that is known, as YAML writes a person. */
export const testedPerson = fc.record(
  {
    distinct_id: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 }),
    properties: fc.record(
      { country: countries, age: fc.constantFrom(17, 18, 19, '20') },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['properties'] },
)
