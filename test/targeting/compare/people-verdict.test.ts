import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { profiles } from '../../../src/model/connection.ts'
import type { Json } from '../../../src/model/text/json.ts'
import { behaviourOf } from '../../../src/services/differences.ts'
import { describeFilterDifference } from '../../../src/targeting/compare/describe-difference.ts'
import { evaluateFlag } from '../../../src/targeting/index.ts'
import { someCohorts, someFilters, somePerson } from '../some-filters.ts'

const to = (...properties: Json[]): Json => ({ groups: [{ properties, rollout_percentage: 20 }] })
const email = (operator: string, value: Json): Json => ({ key: 'email', type: 'person', operator, value })

describe('the words about a condition', () => {
  it.each<[string, Json, Json, string]>([
    [
      'one value more',
      to(email('exact', ['a@x.com'])),
      to(email('exact', ['a@x.com', 'b@x.com'])),
      'condition 1  email is "a@x.com" -> email is "a@x.com" or "b@x.com" (more people)  at 20%',
    ],
    [
      'another property',
      to(email('icontains', '@x.com')),
      to(email('icontains', '@x.com'), { key: 'plan', type: 'person', value: ['pro'] }),
      'condition 1  email contains "@x.com" -> email contains "@x.com" and plan is pro (fewer people)  at 20%',
    ],
    [
      'a larger number, where numbers are compared as texts too',
      to(email('gt', 18)),
      to(email('gt', 21)),
      'condition 1  email > 18 -> email > 21 (fewer people)  at 20%',
    ],
    [
      'a date',
      to(email('is_date_after', '2024-01-01')),
      to(email('is_date_after', '2024-02-01')),
      'condition 1  email is after 2024-01-01 -> email is after 2024-02-01  at 20%',
    ],
    [
      'a pattern',
      to(email('regex', 'a')),
      to(email('regex', 'ab')),
      'condition 1  email matches "a" -> email matches "ab"  at 20%',
    ],
  ])('say whether it means more people: %s', (_, before, after, line) => {
    expect(describeFilterDifference(before, after)).toEqual([line])
  })

  it.each(profiles)('are never wrong about people, by the rules of %s', profile => {
    const rules = behaviourOf(profile)
    const first = someFilters.map(filters => {
      const groups = (filters as { groups?: Json })?.groups
      const [{ properties = null } = {}] = Array.isArray(groups)
        ? (groups as { properties?: Json }[]).filter(each => each !== null && typeof each === 'object')
        : []
      return Array.isArray(properties) ? to(...(properties as Json[])) : to()
    })
    const context = { now: 0, cohorts: someCohorts as never, rules, isComplete: true }
    fc.assert(
      fc.property(
        first,
        first,
        fc.array(somePerson, { minLength: 20, maxLength: 20 }),
        (before, after, people) => {
          const [line = ''] = describeFilterDifference(before, after, rules)
          for (const person of people) {
            const [was, becomes] = [before, after].map(
              filters => evaluateFlag({ key: 'flag', filters }, person, context).value,
            )
            if (/\((more|the same) people\)/.test(line) && was === true) expect(becomes).toBe(true)
            if (/\((fewer|the same) people\)/.test(line) && becomes === true) expect(was).toBe(true)
          }
        },
      ),
    )
  })
})
