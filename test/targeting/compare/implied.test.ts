import { describe, expect, it } from 'vitest'
import { profiles } from '../../../src/model/connection.ts'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { enginesOf } from '../../../src/services/engines.ts'
import { contradictionIn, isNarrowedTo, readPeople } from '../../../src/targeting/compare/meaning.ts'
import { matchProperty } from '../../../src/targeting/operators.ts'

const sizes = ['gt', 'gte', 'lt', 'lte']
const numbers: Json[] = [9, 18, '18', '18.0', 21, 21.5, 100, -5, '1e2', '18 years', 'abc', 'm', '']
const lists: Json[] = [
  [18],
  ['18', '21'],
  21,
  ['m'],
  ['DE'],
  ['DE', 'at'],
  ['ok'],
  ['ö'],
  [],
  'true',
  ['true', 'no'],
]
const others: readonly (readonly [operator: string, value: Json])[] = [
  ...['icontains', 'not_icontains', 'starts_with', 'not_ends_with', 'regex', 'not_regex'].flatMap(operator =>
    ['a', 'K', '', '1', 'DE', '^DE$'].map(value => [operator, value] as const),
  ),
  ...['is_date_before', 'is_date_after'].flatMap(operator =>
    ['2024-01-01', '2024-01-02', '-7d'].map(value => [operator, value] as const),
  ),
  ...['semver_gt', 'semver_caret'].flatMap(operator =>
    ['1.2.3', '2.0.0'].map(value => [operator, value] as const),
  ),
  ...[
    [9, 18],
    [10, 100],
  ].flatMap(value => ['between', 'not_between'].map(operator => [operator, value] as const)),
  ['is_set', null],
  ['is_not_set', null],
]
const edited = [
  ...sizes.flatMap(operator => numbers.map(value => [operator, value] as const)),
  ...['exact', 'is_not'].flatMap(operator => lists.map(value => [operator, value] as const)),
  ...others,
].map(([operator, value]): JsonObject => ({ key: 'a', type: 'person', operator, value }))

/** What a person may have: at the borders, around them, of other types, or nothing. */
// biome-ignore format: a list
const known: readonly (Json | undefined)[] = [
  undefined, null, -6, -5, -4, 0, 8, 9, 10, 17, 17.5, 18, 18.5, 20, 21, 21.4, 21.5, 22, 99, 100, 101, true, false, [18], {},
  '8', '9', '10', '18', '18.0', '18.00', '20', '21', '3', '100', '1e2', '18 years', 'abc', 'm', 'n', 'M', '', 'DE', 'de',
  'DE\n', 'AT', 'at', 'a', 'ok', 'o\u212a', 'K', 'k', 'Ö', 'ö', '1', 'true', 'True', 'no', ['DE'],
  '2023-12-31', '2024-01-01', '2024-01-03', '1.2.3', '1.3.0', '2.0.1',
]

describe.each(
  profiles.flatMap(profile => enginesOf(profile, { sdks: {} }).map(engine => ({ profile, ...engine }))),
)('by the rules of $name for $profile', ({ rules }) => {
  const all = edited.map(property => ({
    property,
    people: readPeople([property], rules),
    answers: known.map(value => {
      const properties: JsonObject = value === undefined ? {} : { a: value }
      return matchProperty(property, { properties, isComplete: true, now: 0, rules })
    }),
  }))
  const pairs = all.flatMap(outer => all.map(inner => ({ outer, inner })))
  const wrongIn = (some: typeof pairs, isWrong: (outer: unknown) => boolean) =>
    some.flatMap(({ outer, inner }) => {
      const at = inner.answers.findIndex((answer, index) => answer === true && isWrong(outer.answers[index]))
      return at < 0 ? [] : [[outer.property, inner.property, known[at]] as Json]
    })

  it('nobody is lost where the people are said to be more, or the same', () => {
    const said = pairs.filter(({ outer, inner }) => isNarrowedTo(outer.people, inner.people))
    expect(said.length).toBeGreaterThan(2 * all.length)
    expect(wrongIn(said, answer => answer !== true)).toEqual([])
  })

  it('nobody meets both where they are said to exclude each other', () => {
    const said = pairs.filter(({ outer, inner }) => {
      const properties = [...outer.people.properties, ...inner.people.properties]
      return contradictionIn({ ...outer.people, properties }) !== undefined
    })
    expect(said.length).toBeGreaterThan(100)
    expect(wrongIn(said, answer => answer === true)).toEqual([])
  })
})
