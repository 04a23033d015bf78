import { describe, expect, it } from 'vitest'
import { When } from '../../../src/constructs/own-constructs.ts'
import { operators } from '../../../src/targeting/operators.ts'

const country = When.person('country')

describe('When', () => {
  it.each([
    ['is', country.is('DE', 'AT'), { values: ['DE', 'AT'] }],
    ['is, with numbers and truth values', country.is(1, true), { values: ['1', 'true'] }],
    ['isNot', country.isNot('DE'), { values: ['DE'], operator: 'is_not' }],
    ['contains', country.contains('e'), { value: 'e', operator: 'icontains' }],
    ['notContains', country.notContains('e'), { value: 'e', operator: 'not_icontains' }],
    ['regex', country.regex('^D'), { value: '^D', operator: 'regex' }],
    ['regex, with an expression', country.regex(/^D\//), { value: '^D\\/', operator: 'regex' }],
    ['notRegex', country.notRegex(/^D/), { value: '^D', operator: 'not_regex' }],
    ['gt', country.gt(5), { value: '5', operator: 'gt' }],
    ['gte', country.gte('5'), { value: '5', operator: 'gte' }],
    ['lt', country.lt(0.5), { value: '0.5', operator: 'lt' }],
    ['lte', country.lte(5), { value: '5', operator: 'lte' }],
    ['isSet', country.isSet(), { operator: 'is_set' }],
    ['isNotSet', country.isNotSet(), { operator: 'is_not_set' }],
    ['before', country.before('-7d'), { value: '-7d', operator: 'is_date_before' }],
    ['after', country.after(new Date(0)), { value: '1970-01-01T00:00:00.000Z', operator: 'is_date_after' }],
    ['operator', country.operator('semver_gte', '2.1.0'), { value: '2.1.0', operator: 'semver_gte' }],
  ])('%s compares a property', (_, when, comparison) => {
    expect(when.condition).toEqual({ properties: [{ key: 'country', type: 'person', ...comparison }] })
  })

  it('has a method for each operator that can be evaluated outside the service', () => {
    const calls = Object.getOwnPropertyNames(Object.getPrototypeOf(country))
      .filter(name => name !== 'constructor' && name !== 'operator')
      .map(name => Reflect.apply(Reflect.get(country, name), country, ['x']) as When)
    const given = calls.map(({ condition }) => condition.properties?.[0]?.operator ?? 'exact')
    expect(given.sort()).toEqual(Object.keys(operators).sort())
  })

  it('names groups, cohorts and everyone', () => {
    expect(When.everyone().condition).toEqual({ properties: [] })
    expect(When.group('plan').is('pro').condition.properties).toEqual([
      { key: 'plan', type: 'group', values: ['pro'] },
    ])
    expect(When.cohort(12).condition.properties).toEqual([{ key: 'id', type: 'cohort', value: 12 }])
    expect(When.notInCohort('12').condition.properties).toEqual([
      { key: 'id', type: 'cohort', value: '12', operator: 'not_in' },
    ])
  })

  it('says how many, which variant and why', () => {
    expect(country.is('DE').ofGroups(1).condition.group_type_index).toBe(1)
    expect(country.is('DE').at(12.5).serve('bold').because('they asked').condition).toEqual({
      properties: [{ key: 'country', type: 'person', values: ['DE'] }],
      rollout_percentage: 12.5,
      variant: 'bold',
      description: 'they asked',
    })
  })

  it('never changes: a part can be used again', () => {
    const german = country.is('DE')
    const narrower = german.and(When.person('plan').is('pro'), When.cohort(3)).at(5)
    expect(german.condition).toEqual({ properties: [{ key: 'country', type: 'person', values: ['DE'] }] })
    expect(narrower.condition).toEqual({
      properties: [
        { key: 'country', type: 'person', values: ['DE'] },
        { key: 'plan', type: 'person', values: ['pro'] },
        { key: 'id', type: 'cohort', value: 3 },
      ],
      rollout_percentage: 5,
    })
    expect(() => Object.assign(german, { condition: {} })).toThrow(TypeError)
    expect(() => Object.assign(german.condition, { rollout_percentage: 100 })).toThrow(TypeError)
  })

  it('refuses what could only be meant for the whole', () => {
    expect(() => country.is('DE').and(When.cohort(3).at(5))).toThrow(
      'and(...) takes conditions without at(...), serve(...), ofGroups(...) and because(...): call those at the end',
    )
    expect(() => country.regex(/^d/i)).toThrow(
      'the service accepts only regular expressions without flags: /^d/i has "i"',
    )
  })
})
