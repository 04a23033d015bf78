import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberFrom } from '../../../src/hcl/json.ts'
import { canonicalText, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import {
  canonicalProperty,
  isNarrowedTo,
  meaningOf,
  readPeople,
} from '../../../src/targeting/compare/meaning.ts'
import { matchProperties } from '../../../src/targeting/evaluate/cohorts-and-flags.ts'
import { compareExposure } from '../../../src/targeting/index.ts'
import { operators, serviceOperators } from '../../../src/targeting/operators.ts'

/** Few values that look alike, so that many pairs are nearly the same. */
const scalars = fc.constantFrom<Json>(
  ...['DE', 'de', '1', '1.0', '-1', 'true', 'True', 'null', '', 'ß', 'SS', 'İ', '(', 'a', 'A', '["a"]', '{}'],
  ...['9007199254740993', '9007199254740992', '2024-01-01', '-7d', '2'],
  ...[1, 0, -1, numberFrom('9007199254740993'), true, null, {}, { a: 1 }],
)
const values = fc.oneof(
  scalars,
  fc.array(scalars, { maxLength: 3 }),
  fc.array(fc.array(scalars, { maxLength: 2 }), { maxLength: 2 }),
)
const properties: fc.Arbitrary<JsonObject> = fc.record(
  {
    key: fc.constant('plan'),
    type: fc.constantFrom<Json>('person', 'person', 'person', 'cohort', 'flag'),
    operator: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...Object.keys(operators)) },
      { weight: 1, arbitrary: fc.constantFrom<Json>(...Object.keys(serviceOperators), null, {}, 5) },
    ),
    value: values,
    negation: fc.constantFrom<Json>(true, false, null, 'yes'),
  },
  { requiredKeys: ['key'] },
)
const cohorts = { 1: { type: 'OR', values: [{ key: 'plan', value: ['a'], type: 'person' }] } }

describe('two properties', () => {
  const drawn = fc.sample(properties, 3000)
  const facts = [undefined, 'de', 'ss', '["a"]', ...fc.sample(values, 40)]

  it.each([
    ['one canonical form', (property: Json) => canonicalText(canonicalProperty(property))],
    ['one meaning', meaningOf],
  ])('of %s match the same people', (_, form) => {
    const alike = [...grouped(drawn, form).values()].filter(({ length }) => length > 1)
    expect(alike.length).toBeGreaterThan(100)
    const apart = alike.flatMap(([first = {}, ...others]) =>
      facts.flatMap(known => {
        const expected = answer(first, known)
        return others.filter(other => answer(other, known) !== expected).map(other => [first, other, known])
      }),
    )
    expect(apart).toEqual([])
  })

  it('match people of each other wherever one is said to be narrower', () => {
    const people = drawn.slice(0, 800).map(property => ({ property, read: readPeople([property]) }))
    const pairs = people.flatMap(outer =>
      people
        .filter(inner => inner !== outer && isNarrowedTo(outer.read, inner.read))
        .map(inner => ({ outer, inner })),
    )
    expect(pairs.length).toBeGreaterThan(100)
    const wrong = pairs.flatMap(({ outer, inner }) =>
      facts
        .filter(known => answer(inner.property, known) === true && answer(outer.property, known) !== true)
        .map(known => [outer.property, inner.property, known]),
    )
    expect(wrong).toEqual([])
  })

  it('are not the same where a text looks for a list and the other one for what is in it', () => {
    const asking = (value: Json) => ({
      filters: { groups: [{ properties: [{ key: 'mail', type: 'person', operator: 'icontains', value }] }] },
      active: true,
    })
    expect(compareExposure(asking(['acme']), asking('acme'))).toMatchObject({ direction: 'mixed', step: 100 })
  })
})

/** The match as text or truth, so that two can be compared. */
function answer(property: JsonObject, known: Json | undefined): boolean | string {
  const properties: JsonObject = known === undefined ? {} : { plan: known }
  const matchFlag = ({ value = null }: JsonObject) => ({ undecided: canonicalText(value) })
  const match = matchProperties([property], { properties, isComplete: true, now: 0, cohorts, matchFlag })
  return typeof match === 'boolean' ? match : match.undecided
}

function grouped(all: readonly JsonObject[], form: (property: Json) => string): Map<string, JsonObject[]> {
  const groups = new Map<string, JsonObject[]>()
  for (const one of all) groups.set(form(one), [...(groups.get(form(one)) ?? []), one])
  return groups
}
