import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberFrom } from '../../src/hcl/json.ts'
import type { Json } from '../../src/model/text/json.ts'
import type { Match } from '../../src/targeting/evaluate/compared-values.ts'
import { knownOperators, matchProperty } from '../../src/targeting/operators.ts'
import { type OperatorCases, operatorCases } from './operator-cases.ts'

const now = Date.UTC(2024, 2, 31, 12)
const open = (undecided: string) => ({ undecided })

function match(operator: Json | undefined, value: Json, known: Json, isComplete = false): Match {
  const property = { key: 'a', value, ...(operator !== undefined && { operator }) }
  return matchProperty(property, { properties: { a: known }, isComplete, now })
}

describe('matchProperty', () => {
  it.each(
    Object.entries<OperatorCases>(operatorCases).flatMap(([operator, { rows, source }]) =>
      rows.map(([value, known, expected]) => ({ operator, value, known, expected, source })),
    ),
  )('$operator $value is for $known: $expected [$source]', ({ operator, value, known, expected }) => {
    expect(match(operator, value, known)).toEqual(expected)
  })

  it('takes "exact" where no operator is given', () => {
    for (const [value, known, expected] of operatorCases.exact.rows)
      expect(match(undefined, value, known)).toEqual(expected)
  })

  it('leaves operators of newer services to them', () => {
    expect(match('semver_gt', '1.2.3', '2.0.0')).toEqual(
      open('only the service knows the operator "semver_gt"'),
    )
  })

  it.each<[string, Match]>([
    ['exact', false],
    ['is_not', true],
    ['icontains', false],
    ['not_icontains', true],
    ['regex', false],
    ['not_regex', true],
    ['gt', false],
    ['is_set', false],
    ['is_not_set', true],
    ['is_date_before', false],
  ])(
    '%s of a property that is not there is %s for the service and undecided for a caller',
    (operator, expected) => {
      const property = { key: 'b', value: 'x', operator }
      expect(matchProperty(property, { properties: { a: 1 }, isComplete: true, now })).toBe(expected)
      expect(matchProperty(property, { properties: { a: 1 }, isComplete: false, now })).toEqual(
        open('the property "b" is unknown'),
      )
    },
  )

  it('does not take what every object answers to for a property', () => {
    const property = { key: 'constructor', operator: 'is_set' }
    expect(matchProperty(property, { properties: {}, isComplete: true, now })).toBe(false)
  })

  it.each<[Json, string]>([
    [null, 'a property of the condition has no key'],
    [5, 'a property of the condition has no key'],
    ['x', 'a property of the condition has no key'],
    [[], 'a property of the condition has no key'],
    [{}, 'a property of the condition has no key'],
    [{ key: 5 }, 'a property of the condition has no key'],
    [{ value: 1 }, 'a property of the condition has no key'],
    [{ key: 'a', operator: 5 }, 'the operator is not text'],
  ])('leaves %j undecided: %s', (property, why) => {
    expect(matchProperty(property, { properties: { a: 1 }, isComplete: true, now })).toEqual(open(why))
  })

  it('does not search a text without end', () => {
    expect(match('not_regex', 'a', 'b'.repeat(10_001))).toEqual(
      open('the property "a" is too long to search'),
    )
  })

  it.each<[string, string, Json, Json]>([
    ['gt', 'as near as doubles have it', '9007199254740992', numberFrom('9007199254740993')],
    ['gte', 'the same', '9007199254740993', numberFrom('9007199254740993')],
    ['lt', 'beyond all doubles', '1e400', numberFrom('1e500')],
  ])(
    'does not order (%s) a number of more digits than a double has where the value is %s',
    (operator, _, value, known) => {
      expect(match(operator, value, known)).toEqual(
        open('the property "a" is a number with too many digits to compare'),
      )
    },
  )

  it('orders a number of many digits wherever a double tells', () => {
    expect(match('gt', '9007199254740990', numberFrom('9007199254740993'))).toBe(true)
    expect(match('lte', '5', numberFrom('1e500'))).toBe(false)
  })

  it('orders texts and numbers alone, whatever is compared', () => {
    const operator = fc.constantFrom('gt', 'gte', 'lt', 'lte')
    fc.assert(
      fc.property(operator, fc.jsonValue(), fc.jsonValue(), (name, value, known) => {
        const isOrdered = [value, known].every(each => typeof each === 'string' || typeof each === 'number')
        if (!isOrdered) expect(match(name, value as Json, known as Json, true)).toBe(false)
      }),
    )
  })

  it('decides, or says why not, for every operator and every value', () => {
    const operator = fc.oneof(fc.constantFrom(...Object.keys(knownOperators)), fc.string())
    fc.assert(
      fc.property(
        operator,
        fc.jsonValue(),
        fc.jsonValue(),
        fc.boolean(),
        (name, value, known, isComplete) => {
          const found = match(name, value as Json, known as Json, isComplete)
          expect(typeof found === 'boolean' || /^[a-z].+/s.test(found.undecided)).toBe(true)
        },
      ),
    )
  })

  it('takes an operator and its negation apart wherever it decides', () => {
    const pairs = fc.constantFrom(
      ['exact', 'is_not'],
      ['icontains', 'not_icontains'],
      ['is_set', 'is_not_set'],
    )
    fc.assert(
      fc.property(pairs, fc.jsonValue(), fc.jsonValue(), (pair, value, known) => {
        const [one, other] = pair.map(operator => match(operator, value as Json, known as Json, true))
        expect(one).toBe(!other)
      }),
    )
  })
})
