import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/model/json.ts'
import { type Match, matchProperty } from '../../src/targeting/operators.ts'

const now = Date.UTC(2024, 2, 31, 12)

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
    ['regex', '(?=a)', 'a', 'undecided'],
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
    ['is_date_before', 'yesterday', '2024-01-01', 'undecided'],
    ['is_date_before', '2024-01-01', 'soon', 'undecided'],
    ['is_date_before', '2024-01-01', 1_700_000_000, 'undecided'],
    ['semver_gt', '1.2.3', '2.0.0', 'undecided'],
  ])('%s %j is for %j: %s', (operator, value, known, expected) => {
    expect(match(operator, value, known)).toBe(expected)
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
      expect(matchProperty(property, { properties: { a: 1 }, isComplete: false, now })).toBe('undecided')
    },
  )

  it('does not take what every object answers to for a property', () => {
    const property = { key: 'constructor', operator: 'is_set' }
    expect(matchProperty(property, { properties: {}, isComplete: true, now })).toBe(false)
  })

  it.each<Json>([null, 5, 'x', [], {}, { key: 5 }, { value: 1 }, { key: 'a', operator: 5 }])(
    'leaves %j undecided',
    property => {
      expect(matchProperty(property, { properties: { a: 1 }, isComplete: true, now })).toBe('undecided')
    },
  )

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
