import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json } from '../../../src/model/text/json.ts'
import { conditionNames } from '../../../src/targeting/short/merge-short.ts'
import { conditionName } from '../../../src/targeting/short/short-form.ts'
import { someFilters } from '../some-filters.ts'

const person = (key: string, value: Json, operator = 'exact'): Json => ({
  key,
  type: 'person',
  operator,
  value,
})
const of = (...properties: Json[]): Json => ({ properties, rollout_percentage: 5 })

it.each<[Json[], string[]]>([
  [[{}], ['everyone']],
  [
    [of(person('country', 'DE')), { rollout_percentage: 5 }],
    ['country_de', 'rest'],
  ],
  [
    [of(person('country', ['DE', 'AT'])), of(person('country', ['CH', 'FR']))],
    ['country', 'country_2'],
  ],
  [[of(person('country', 'DE'), person('plan', 'pro'), person('age', '5'))], ['country_and_plan']],
  [[of(person('email', '@example.com', 'icontains'))], ['email']],
  [[of({ key: 'id', type: 'cohort', value: 12 })], ['cohort_12']],
  [[of({ key: 'checkout', type: 'flag', operator: 'flag_evaluates_to', value: true })], ['flag_checkout']],
  [
    [of(person('$initial_referrer', null, 'is_set')), of(person('Größe', 'L')), of(person('漢字', 'x'))],
    ['initial_referrer', 'gro_e_l', 'x'],
  ],
  [
    [null, 'x'],
    ['everyone', 'rest'],
  ],
])('names %j after what they ask for', (conditions, names) => {
  expect(conditionNames(conditions)).toEqual(names)
})

it('gives each condition a name of its own that a file can have', () => {
  fc.assert(
    fc.property(fc.array(someFilters), all => {
      const conditions = all.flatMap(filters =>
        typeof filters === 'object' &&
        filters !== null &&
        'groups' in filters &&
        Array.isArray(filters.groups)
          ? filters.groups
          : [],
      )
      const names = conditionNames(conditions)
      expect(new Set(names).size).toBe(conditions.length)
      for (const name of names) expect(name).toMatch(conditionName)
    }),
  )
})
