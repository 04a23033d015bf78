import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/model/text/json.ts'
import { type SwitchedShare, switchedShares } from '../../../src/targeting/compare/exposure.ts'
import { evaluateFlag } from '../../../src/targeting/index.ts'
import { readRelease } from '../../../src/targeting/release.ts'
import { rounds } from '../../support/rounds.ts'

type Weights = readonly (readonly [string, number])[]

const filtersOf = (weights: Weights): Json => ({
  groups: [{}],
  multivariate: { variants: weights.map(([key, percent]) => ({ key, rollout_percentage: percent })) },
})
const sharesOf = (before: Weights, after: Weights) =>
  switchedShares(readRelease(filtersOf(before)), readRelease(filtersOf(after)))
const givenTo = (weights: Weights, person: number) =>
  evaluateFlag({ key: 'flag', filters: filtersOf(weights) }, { distinctId: `p${person}` }, { now: 0 }).value

describe('switchedShares', () => {
  it.each<[string, Weights, Weights, readonly SwitchedShare[]]>([
    [
      'the same',
      [
        ['a', 50],
        ['b', 50],
      ],
      [
        ['a', 50],
        ['b', 50],
      ],
      [],
    ],
    [
      'a weight',
      [
        ['a', 50],
        ['b', 50],
      ],
      [
        ['a', 30],
        ['b', 70],
      ],
      [{ from: 'a', to: 'b', points: 20 }],
    ],
    [
      'the order',
      [
        ['a', 50],
        ['b', 50],
      ],
      [
        ['b', 50],
        ['a', 50],
      ],
      [
        { from: 'a', to: 'b', points: 50 },
        { from: 'b', to: 'a', points: 50 },
      ],
    ],
    [
      'one in between',
      [
        ['a', 50],
        ['b', 50],
      ],
      [
        ['a', 40],
        ['c', 20],
        ['b', 40],
      ],
      [
        { from: 'a', to: 'c', points: 10 },
        { from: 'b', to: 'c', points: 10 },
      ],
    ],
    [
      'one without weight',
      [
        ['a', 50],
        ['b', 50],
      ],
      [
        ['a', 50],
        ['c', 0],
        ['b', 50],
      ],
      [],
    ],
    [
      'what was left over',
      [['a', 60]],
      [
        ['a', 60],
        ['b', 40],
      ],
      [{ from: undefined, to: 'b', points: 40 }],
    ],
    [
      'decimals',
      [
        ['a', 33.3],
        ['b', 66.7],
      ],
      [
        ['a', 33.4],
        ['b', 66.6],
      ],
      [{ from: 'b', to: 'a', points: 0.1 }],
    ],
  ])('tells who changes variants: %s', (_, before, after, shares) => {
    expect(sharesOf(before, after)).toEqual(shares)
  })

  const weights: fc.Arbitrary<Weights> = fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom(0, 10, 25, 33.3, 50, 100)), {
      minLength: 1,
      selector: ([key]) => key,
    })
    .map(some => some as Weights)

  it('names every switch that anybody makes, and none that nobody makes', () => {
    fc.assert(
      fc.property(weights, weights, (before, after) => {
        const shares = sharesOf(before, after)
        const found = new Map<string, number>()
        const people = 400
        for (let person = 0; person < people; person++) {
          const [from, to] = [givenTo(before, person), givenTo(after, person)]
          if (from !== to) found.set(`${from} ${to}`, (found.get(`${from} ${to}`) ?? 0) + 1)
        }
        const said = new Map(shares.map(({ from, to, points }) => [`${from ?? true} ${to ?? true}`, points]))
        for (const [name, count] of found) {
          expect(said.get(name)).toBeGreaterThan(0)
          // The same people each time: their places are spread evenly enough for this.
          expect(Math.abs((count / people) * 100 - (said.get(name) ?? 0))).toBeLessThan(7)
        }
        for (const [name, points] of said) if (points > 7) expect(found.has(name)).toBe(true)
      }),
      { numRuns: rounds(5) },
    )
  })
})
