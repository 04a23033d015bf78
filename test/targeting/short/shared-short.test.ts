import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { canonicalFilters } from '../../../src/targeting/canonical-filters.ts'
import { expandShort } from '../../../src/targeting/short/expand-short.ts'
import { mergeShort } from '../../../src/targeting/short/merge-short.ts'
import { sharedShort, shortOf } from '../../../src/targeting/short/write-short.ts'
import { namingIn } from '../../../src/yaml/index.ts'
import { liveFilters } from '../../support/live-worlds.ts'
import { rounds } from '../../support/rounds.ts'
import { someFilters } from '../some-filters.ts'
import { shortFilters } from './some-short.ts'

const property = (key: string, value: Json): JsonObject => ({ key, type: 'person', operator: 'exact', value })
const staff = { properties: [property('email', 'a@example.com')] }
const of = (country: Json, rollout_percentage: number) => ({
  properties: [property('country', country)],
  rollout_percentage,
})
const rest = (rollout_percentage: number) => ({ rollout_percentage })

describe('sharedShort', () => {
  it.each<[name: string, all: JsonObject[], shared: JsonObject, overrides: JsonObject[]]>([
    [
      'shares what most say',
      [{ groups: [rest(5)] }, { groups: [rest(5)] }, { groups: [rest(9)] }],
      { rollout_percentage: 5 },
      [{}, {}, { rollout_percentage: 9 }],
    ],
    [
      'shares what the last one says of those that equally many say',
      [{ groups: [rest(5)] }, { groups: [rest(9)] }],
      { rollout_percentage: 9 },
      [{ rollout_percentage: 5 }, {}],
    ],
    [
      'names conditions that ask for the same alike',
      [{ groups: [of('DE', 5), rest(0)] }, { groups: [of('DE', 9), rest(1)] }],
      {
        country_de: { properties: { country: 'DE' }, rollout_percentage: 9 },
        rest: { rollout_percentage: 1 },
      },
      [{ release: { country_de: { rollout_percentage: 5 }, rest: { rollout_percentage: 0 } } }, {}],
    ],
    [
      'names conditions that ask for other values after what they have in common',
      [{ groups: [of('DE', 5), rest(0)] }, { groups: [of('AT', 5), rest(0)] }],
      {
        country: { properties: { country: 'AT' }, rollout_percentage: 5 },
        rest: { rollout_percentage: 0 },
      },
      [{ release: { country: { properties: { country: 'DE' } } } }, {}],
    ],
    [
      'shares what the others can leave conditions out of',
      [{ groups: [staff, rest(5)] }, { groups: [rest(9)] }],
      { email: { properties: { email: 'a@example.com' } }, rest: { rollout_percentage: 5 } },
      [{}, { release: { email: null, rest: { rollout_percentage: 9 } } }],
    ],
    [
      'lists conditions where their order is another',
      [{ groups: [of('DE', 5), staff] }, { groups: [staff, of('DE', 5)] }],
      {
        email: { properties: { email: 'a@example.com' } },
        country_de: { properties: { country: 'DE' }, rollout_percentage: 5 },
      },
      [
        {
          release: [
            { properties: { country: 'DE' }, rollout_percentage: 5 },
            { properties: { email: 'a@example.com' } },
          ],
        },
        {},
      ],
    ],
  ])('%s', (_, all, shared, overrides) => {
    const isShare = 'rollout_percentage' in shared
    expect(sharedShort(all)).toEqual({
      shared: isShare ? shared : { release: shared },
      overrides,
      replaced: expect.any(Number),
    })
  })

  describe('with names for cohorts', () => {
    const inCohort = (value: Json) => ({
      groups: [{ properties: [{ key: 'id', type: 'cohort', operator: 'in', value }] }],
    })
    const asked = (value: Json) => ({ release: { cohort: { properties: { cohort: { in: value } } } } })
    const naming = (cohorts: Readonly<Record<string, number>>) => namingIn({ cohorts, groupTypes: {} })

    it('shares what most call the same, whatever its numbers', () => {
      const all = [inCohort(1), inCohort(2), inCohort(3)]
      const namings = [naming({ beta: 1 }), naming({ beta: 2 }), naming({ vip: 3 })]
      expect(sharedShort(all, namings)).toMatchObject({
        shared: asked('beta'),
        overrides: [{}, {}, asked('vip')],
      })
    })

    it.each([-1, -2, 7])('does not take the number %d for what has a name elsewhere', number => {
      const all = [inCohort(1), inCohort(number)]
      for (const namings of [[naming({ beta: 1 })], [naming({ beta: 1 }), naming({ beta: 9 })]]) {
        const found = sharedShort(all, namings)
        // What stands for names while they are compared is below zero, where the service has no number.
        if (!found) expect(number).toBeLessThan(0)
        for (const [index, value] of ['beta', number].entries())
          if (found)
            expect(mergeShort([found.shared, found.overrides[index] ?? {}]).value.release).toMatchObject({
              [Object.keys(found.shared.release ?? {})[0] ?? '']: { properties: { cohort: { in: value } } },
            })
      }
    })
  })

  it('says of each what it says, or nothing where one cannot be said', () => {
    let [said, replaced] = [0, 0]
    const short = shortFilters.map(each => expandShort(each).filters)
    const one = fc.oneof(short, short, liveFilters, someFilters)
    const several = fc.array(one, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.oneof(several, several.map(withCopies)), all => {
        const found = sharedShort(all)
        expect(found === undefined).toBe(all.some(filters => shortOf(filters) === undefined))
        if (!found) return
        said += 1
        for (const [index, filters] of all.entries()) {
          const override = found.overrides[index] ?? {}
          if (Array.isArray(override.release)) replaced += 1
          const { value, problems } = mergeShort([found.shared, override])
          const expanded = expandShort(value)
          expect([...problems, ...expanded.problems]).toEqual([])
          expect(canonicalFilters(expanded.filters)).toEqual(canonicalFilters(filters))
        }
      }),
    )
    expect([said > rounds() / 10, replaced > 0]).toEqual([true, true])
  })
})

/** The same with parts of the first one in the others. */
function withCopies(all: readonly Json[]): Json[] {
  const [first = null] = all
  return all.map((filters, index) =>
    index % 2 === 1 && isMembers(first) && isMembers(filters)
      ? { ...filters, groups: first.groups ?? [] }
      : filters,
  )
}

function isMembers(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
