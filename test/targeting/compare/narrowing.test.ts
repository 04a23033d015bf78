import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/model/json/json.ts'
import { isNarrowedTo, readPeople } from '../../../src/targeting/compare/narrowing.ts'
import { matchProperties } from '../../../src/targeting/evaluate/cohorts.ts'
import { rounds } from '../../support/rounds.ts'

const is = (...value: string[]): Json => ({ key: 'a', value })
const isNot = (...value: string[]): Json => ({ key: 'a', value, operator: 'is_not' })
const matches = (value: string): Json => ({ key: 'a', value, operator: 'regex' })
const negated = (property: Json): Json => ({ ...(property as object), negation: true })

describe('isNarrowedTo', () => {
  it.each<[string, Json[], Json[], boolean]>([
    ['everybody to some', [], [is('x')], true],
    ['some to everybody', [is('x')], [], false],
    ['some to the same', [is('x'), matches('y')], [matches('y'), is('x')], true],
    ['one property to two', [is('x')], [is('x'), matches('y')], true],
    ['two values to one', [is('X', 'y')], [is('x')], true],
    ['one value to two', [is('x')], [is('x', 'y')], false],
    ['one excluded to two', [isNot('x')], [isNot('x', 'y')], true],
    ['two excluded to one', [isNot('x', 'y')], [isNot('x')], false],
    ['one pattern to another', [matches('x')], [matches('xy')], false],
    ['a negation to one with fewer values', [negated(is('x', 'y'))], [negated(is('x'))], false],
    [
      'one cohort to another',
      [{ key: 'id', type: 'cohort', value: [1, 2] }],
      [{ key: 'id', type: 'cohort', value: [1] }],
      false,
    ],
    ['another key', [is('x')], [{ key: 'b', value: ['x'] }], false],
  ])('tells %s', (_, outer, inner, expected) => {
    expect(isNarrowedTo(readPeople(outer), readPeople(inner))).toBe(expected)
  })

  it('is never wrong when it says yes', () => {
    const text = fc.constantFrom('', 'x', 'X', 'xy', 'y')
    const property: fc.Arbitrary<Json> = fc.record(
      {
        key: fc.constantFrom('a', 'a', 'b'),
        value: fc.oneof(text, fc.array(text, { maxLength: 3 })),
        operator: fc.constantFrom(
          'exact',
          'is_not',
          'icontains',
          'not_icontains',
          'regex',
          'not_regex',
          'gt',
          'lt',
        ),
        negation: fc.boolean(),
      },
      { requiredKeys: ['key', 'value'] },
    )
    const properties = fc.array(property, { maxLength: 2 })
    const known = fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(text, fc.constant(null)))
    fc.assert(
      fc.property(properties, properties, known, fc.boolean(), (outer, inner, facts, isComplete) => {
        if (!isNarrowedTo(readPeople(outer), readPeople(inner))) return
        const match = (some: Json[]) =>
          matchProperties(some, { properties: facts, isComplete, now: 0, cohorts: {} })
        if (match(inner) === true) expect(match(outer)).toBe(true)
      }),
      { numRuns: rounds(20_000) },
    )
  })
})
