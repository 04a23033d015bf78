import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { profiles } from '../../../src/model/connection.ts'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { behaviourOf } from '../../../src/services/differences.ts'
import { contradictionIn, isNarrowedTo, readPeople } from '../../../src/targeting/compare/meaning.ts'
import { matchProperties } from '../../../src/targeting/evaluate/cohorts-and-flags.ts'

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

  const has = (value: string): Json => ({ key: 'a', value, operator: 'icontains' })
  const over = (value: Json, operator = 'gt'): Json => ({ key: 'a', value, operator })
  const set: Json = { key: 'a', operator: 'is_set' }
  it.each<[string, Json, Json, boolean]>([
    ['a value to be there, to a value', set, is('x'), true],
    ['a value to be there, to a part', set, has('x'), true],
    ['a value to be there, to another value', set, isNot('x'), false],
    ['a part to the same one', has('@X'), has('@x'), true],
    ['a part to a longer one', has('@X'), has('a@x.com'), false],
    ['a part to values with it', has('@x'), is('a@X.com', 'b@x.com'), false],
    ['no value to another one', isNot('x'), is('y'), true],
    ['no value to itself', isNot('x'), is('x', 'y'), false],
    ['a number to a larger one', over(18), over(21), true],
    ['a number to one that is smaller as a text', over(9), over(18), false],
    ['a number to itself as well', over(18, 'gte'), over(18), true],
    ['more than a number to at least it', over(18), over(18, 'gte'), false],
    ['a number to a smaller one, below', over(21, 'lt'), over(18, 'lte'), true],
    ['a number to one on the other side', over(21, 'lt'), over(18), false],
  ])('tells %s', (_, outer, inner, expected) => {
    expect(isNarrowedTo(readPeople([outer]), readPeople([inner]))).toBe(expected)
  })

  it.each<[string, Json[], boolean]>([
    ['two values at once', [is('x'), is('y')], true],
    ['two lists with one value in common', [is('x', 'y'), is('y', 'z')], false],
    ['a value that is excluded', [isNot('x', 'y'), is('X')], true],
    ['one of two that is excluded', [isNot('x'), is('x', 'y')], false],
    ['a value of what is not there', [is('x'), { key: 'a', operator: 'is_not_set' }], true],
    ['another value of what is not there', [isNot('x'), { key: 'a', operator: 'is_not_set' }], false],
    ['values of two keys', [is('x'), { key: 'b', value: ['y'] }], false],
    ['what is turned round', [is('x'), negated(is('y'))], false],
  ])('knows whether anybody meets %s', (_, properties, expected) => {
    expect(contradictionIn(readPeople(properties)) !== undefined).toBe(expected)
  })

  const text = fc.constantFrom<Json>('', 'x', 'X', 'xy', 'y', '9', '18', '21', 18, 'true', 'false')
  const property: fc.Arbitrary<Json> = fc.record(
    {
      key: fc.constantFrom('a', 'a', 'a', 'b'),
      value: fc.oneof(text, fc.array(text, { maxLength: 3 })),
      operator: fc.constantFrom(
        'exact',
        'is_not',
        'icontains',
        'not_icontains',
        'regex',
        'not_regex',
        'gt',
        'gte',
        'lt',
        'lte',
        'is_set',
        'is_not_set',
      ),
      negation: fc.oneof(
        { weight: 4, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    },
    { requiredKeys: ['key', 'value'] },
  )
  const properties = fc.array(property, { maxLength: 2 })
  const known = fc.dictionary(
    fc.constantFrom('a', 'b'),
    fc.oneof(text, fc.constantFrom<Json>(null, true, 'a18')),
  )

  describe.each(profiles)('by the rules of %s', profile => {
    const rules = behaviourOf(profile)
    const matches = (some: Json[], facts: JsonObject, isComplete: boolean) =>
      matchProperties(some, { properties: facts, isComplete, now: 0, cohorts: {}, rules }) === true

    it('is never wrong when it says yes', () => {
      fc.assert(
        fc.property(
          properties,
          properties,
          fc.array(known, { minLength: 8, maxLength: 8 }),
          fc.boolean(),
          (outer, inner, some, isComplete) => {
            if (!isNarrowedTo(readPeople(outer, rules), readPeople(inner, rules))) return
            for (const facts of some)
              if (matches(inner, facts, isComplete)) expect(matches(outer, facts, isComplete)).toBe(true)
          },
        ),
      )
    })

    it('finds no contradiction where anybody meets all', () => {
      fc.assert(
        fc.property(
          properties,
          fc.array(known, { minLength: 8, maxLength: 8 }),
          fc.boolean(),
          (some, people, isComplete) => {
            if (!contradictionIn(readPeople(some, rules))) return
            for (const facts of people) expect(matches(some, facts, isComplete)).toBe(false)
          },
        ),
      )
    })
  })
})

describe('what properties mean', () => {
  /** A property that says how often its value was read. */
  const counted = (key: string) => {
    const reads = { count: 0 }
    const property: Json = {
      key,
      get value() {
        reads.count++
        return 'x'
      },
    }
    return { property, reads }
  }

  it('is worked out where their keys meet, and nowhere else', () => {
    const [one, other, same] = [counted('a'), counted('b'), counted('a')]
    const [people, others] = [readPeople([one.property]), readPeople([other.property])]
    const both = readPeople([one.property, other.property])
    expect([isNarrowedTo(people, others), contradictionIn(both)]).toEqual([false, undefined])
    expect([one.reads.count, other.reads.count]).toEqual([0, 0])
    expect(isNarrowedTo(people, readPeople([same.property]))).toBe(true)
    expect(same.reads.count).toBeGreaterThan(0)
  })
})
