import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/model/json.ts'
import type { Match } from '../../src/targeting/match.ts'
import { knownOperators } from '../../src/targeting/operator-table.ts'
import { matchProperty } from '../../src/targeting/operators.ts'

const now = Date.UTC(2024, 2, 31, 12)
const open = (undecided: string) => ({ undecided })

function match(operator: Json | undefined, value: Json, known: Json, isComplete = false): Match {
  const property = { key: 'a', value, ...(operator !== undefined && { operator }) }
  return matchProperty(property, { properties: { a: known }, isComplete, now })
}

describe('matchProperty', () => {
  it.each<[string | undefined, Json, Json, Match]>([
    [undefined, 'DE', 'de', true],
    ['exact', 'DE', 'DE', true],
    ['exact', ['AT', 'de'], 'DE', true],
    ['exact', [], 'DE', false],
    ['exact', 'true', true, true],
    ['exact', 18, '18', true],
    ['exact', ['18'], 18, true],
    ['exact', 'DE', null, false],
    ['exact', 'D', 'DE', false],
    ['is_not', 'DE', 'de', false],
    ['is_not', ['AT', 'CH'], 'DE', true],
    ['is_not', 'DE', null, true],
    ['icontains', '@Corp', 'ana@corp.example', true],
    ['icontains', '@corp', 'ana@home.example', false],
    ['not_icontains', '@corp', 'ana@home.example', true],
    ['not_icontains', '@CORP', 'ana@corp.example', false],
    ['regex', '^a.*z$', 'abcz', true],
    ['regex', 'b+', 'abcz', true],
    ['regex', '^b', 'abcz', false],
    ['not_regex', '^b', 'abcz', true],
    ['regex', '[', 'abc', false],
    ['not_regex', '[', 'abc', false],
    ['regex', '(?=a)', 'a', open('the pattern "(?=a)" is left to the service: it looks around')],
    ['not_regex', '(?=a)', 'a', open('the pattern "(?=a)" is left to the service: it looks around')],
    ['regex', String.raw`^\w+$`, 'Müller', true],
    ['regex', '(?<n>a)', 'a', false],
    ['not_regex', '{2}', 'a', false],
    ['regex', '1', 21, true],
    ['gt', '18', 20, true],
    ['gt', '18', 9, false],
    ['gt', '18', 18, false],
    ['gte', '18', 18, true],
    ['lt', '18.5', 18, true],
    ['lte', '18', 18, true],
    // Text is compared as text, even when it looks like a number.
    ['gt', '18', '9', true],
    ['lt', 'm', 'a', true],
    ['gt', 'abc', 5, false],
    ['gt', '1', null, false],
    // What is neither text nor number has no order.
    ['gt', '0', true, false],
    ['lte', '0', true, false],
    ['gt', '', false, false],
    ['lt', 'z', ['a'], false],
    ['gte', 'a', ['a'], false],
    ['gte', '', { a: 1 }, false],
    ['gt', true, 5, false],
    ['lt', ['9'], '5', false],
    ['gt', 18, 20, true],
    ['gt', 18, '9', true],
    ['is_set', null, '', true],
    ['is_set', null, null, true],
    ['is_not_set', null, 'x', false],
    ['is_date_before', '2024-01-01', '2023-12-31', true],
    ['is_date_before', '2024-01-01', '2024-01-01', false],
    ['is_date_after', '2024-01-01T00:00:00+01:00', '2024-01-01T00:00:00+02:00', false],
    ['is_date_after', '-7d', '2024-03-25', true],
    ['is_date_after', '7d', '2024-03-24', false],
    ['is_date_before', '-1m', '2024-02-29T11:59:59Z', true],
    ['is_date_before', '-1m', '2024-02-29T12:00:01Z', false],
    ['is_date_before', 'Jan 5 2024', '2024-01-04 23:59:59 UTC', true],
    ['is_date_after', '2024-01-05 10:00:00 UTC', '5 January 2024 at 10:00:01', true],
    ['is_date_after', '2024-01-05T10:00:00+02:00', '2024-01-05 08:00 GMT', false],
    ['is_date_before', '2024', '2024-03-30', true],
    ['is_date_before', '2024', '2024-03-31', false],
    [
      'is_date_before',
      'yesterday',
      '2024-01-01',
      open(
        'the date "yesterday" of the condition is not read: it has none of the forms of dates that are read',
      ),
    ],
    [
      'is_date_before',
      '2024-01-01',
      'soon',
      open('the property "a" is not read as a date: it has none of the forms of dates that are read'),
    ],
    [
      'is_date_before',
      '2024-01-01',
      '-7d',
      open('the property "a" is not read as a date: it has none of the forms of dates that are read'),
    ],
    ['is_date_before', '2024-01-01', 1_700_000_000, open('the property "a" is no text and so no date')],
    ['is_date_before', 2024, '2024-01-01', open('the date of the condition is no text')],
    ['semver_gt', '1.2.3', '2.0.0', open('the operator "semver_gt" is known to the service alone')],
  ])('%s %j is for %j: %s', (operator, value, known, expected) => {
    expect(match(operator, value, known)).toEqual(expected)
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
        open('the property "b" is not known here'),
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
    [{ key: 'a', operator: 5 }, 'the operator is no text'],
  ])('leaves %j undecided: %s', (property, why) => {
    expect(matchProperty(property, { properties: { a: 1 }, isComplete: true, now })).toEqual(open(why))
  })

  it('does not search a text without end', () => {
    expect(match('not_regex', 'a', 'b'.repeat(10_001))).toEqual(
      open('the property "a" is too long a text to be searched here'),
    )
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
