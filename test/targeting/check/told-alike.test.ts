import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { enginesOf } from '../../../src/services/engines.ts'
import { isReadTheSame, likelyValues } from '../../../src/targeting/check/check-engines.ts'
import { knownOperators, matchProperty } from '../../../src/targeting/operators.ts'

const one = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    'true',
    'False',
    'DE',
    'Straße',
    'ü',
    'K',
    '',
    '12',
    '1e3',
    'inf',
    ' 7 ',
  ),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
)
const value = fc.oneof(one, fc.array(one, { maxLength: 4 }))
const engines = enginesOf('posthog-2026')

/** What each engine that can tell says of a property. */
function answers(operator: string, wanted: typeof value extends fc.Arbitrary<infer V> ? V : never) {
  return likelyValues(operator, wanted).map(known =>
    engines
      .map(({ rules }) =>
        matchProperty(
          { key: 'a', type: 'person', operator, value: wanted },
          { properties: { a: known }, isComplete: false, now: 0, rules, zoneOffsetMinutes: 60 },
        ),
      )
      .filter(said => typeof said === 'boolean'),
  )
}

describe('properties that engines are not asked about', () => {
  const operators = Object.keys(knownOperators).filter(operator => isReadTheSame(operator, 'DE'))

  it('are those of several operators, and of engines that differ in others', () => {
    expect(engines.length).toBeGreaterThan(1)
    expect(operators).toEqual(expect.arrayContaining(['exact', 'is_not', 'icontains', 'is_set']))
  })

  it.each(operators)('are told alike by all of them: %s', operator => {
    fc.assert(
      fc.property(value, wanted => {
        fc.pre(isReadTheSame(operator, wanted))
        for (const said of answers(operator, wanted)) expect(new Set(said).size).toBeLessThan(2)
      }),
    )
  })

  it.each([
    ['exact', 'false'],
    ['exact', ['True', 'false']],
    ['is_not', null],
    ['icontains', 'ü'],
    ['starts_with', null],
    ['gt', '18'],
  ] as const)('do not include %s %j, of which engines differ or may', (operator, wanted) => {
    expect(isReadTheSame(operator, wanted)).toBe(false)
  })
})
