import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { profiles } from '../../../src/model/connection.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import { enginesOf } from '../../../src/services/engines.ts'
import { evaluateFlag, valueForAll } from '../../../src/targeting/index.ts'
import { someCohorts, someFilters, somePerson } from '../some-filters.ts'

const to = (percent: Json, more: JsonObject = {}): Json => ({ rollout_percentage: percent, ...more })
const of = (...groups: Json[]): JsonObject => ({ groups })
const blue = { variants: [{ key: 'blue', rollout_percentage: 100 }] }

describe('valueForAll', () => {
  it.each<[string, boolean | undefined, Json | undefined, boolean | string | undefined]>([
    ['a flag that is off', false, of({}), false],
    ['one that is off, whoever is enrolled or held out', false, { ...of({}), super_groups: [{}] }, false],
    ['one that is off, whatever else is declared', false, undefined, false],
    ['filters that are not declared', true, undefined, undefined],
    ['neither', undefined, undefined, undefined],
    ['a switch that is not declared', undefined, of({}), undefined],
    ['no percentage, and a switch that is not declared', undefined, of(to(0)), false],
    ['no filters', true, null, true],
    ['a share of everybody', true, of(to(99.9)), undefined],
    ['one variant with all', true, { ...of({}), multivariate: blue }, 'blue'],
    ['groups', true, { ...of({}), aggregation_group_type_index: 0 }, undefined],
    ['groups, none of them', true, { ...of(to(0)), aggregation_group_type_index: 0 }, false],
    ['a condition of groups', true, of({ aggregation_group_type_index: 1 }), undefined],
    ['nobody but who is enrolled', true, { ...of(to(0)), feature_enrollment: true }, undefined],
  ])('of %s', (_, active, filters, value) => {
    const known = {
      ...(active === undefined ? {} : { active }),
      ...(filters === undefined ? {} : { filters }),
    }
    expect(valueForAll(known)).toBe(value)
  })

  const context = { now: 0, groupTypes: { 0: 'company', 1: 'team' }, cohorts: someCohorts as JsonObject }
  const others: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
    {},
    {},
    { early_exit: true },
    { holdout: { id: 7, exclusion_percentage: 40 } },
    { feature_enrollment: true },
  )
  /** Often a last condition that is for all: of random ones few are. */
  const last: fc.Arbitrary<readonly Json[]> = fc.constantFrom<readonly Json[]>([], [{}], [to(100), to(20)])
  const flags = fc.tuple(someFilters, others, last).map(([filters, more, after]) => {
    if (!isJsonObject(filters) || !Array.isArray(filters.groups)) return filters
    return { ...filters, ...more, groups: [...filters.groups, ...after] }
  })

  it.each(profiles)('is what everybody gets, whoever evaluates by the rules of %s', profile => {
    const seen = new Set<boolean | string>()
    fc.assert(
      fc.property(
        flags,
        fc.constantFrom(true, true, true, false),
        fc.array(somePerson, { minLength: 10, maxLength: 10 }),
        fc.boolean(),
        (filters, active, people, isComplete) => {
          const value = valueForAll({ active, filters })
          if (value === undefined) return
          seen.add(value)
          const got = enginesOf(profile).flatMap(({ rules }) =>
            people.map(
              person =>
                evaluateFlag({ key: 'flag', filters, active }, person, { ...context, rules, isComplete })
                  .value,
            ),
          )
          expect([...new Set(got)]).toEqual([value])
        },
      ),
    )
    expect(seen.size).toBeGreaterThan(2)
  })
})
