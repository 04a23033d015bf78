import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { checkFilters, isHeld, toleranceOf } from '../../../src/targeting/index.ts'
import { liveFilters } from '../../support/live-worlds.ts'
import { anyFilters } from '../some-filters.ts'

const number = { key: 'age', type: 'person', operator: 'gte', value: 100 }
const unknown = { key: 'age', type: 'person', operator: 'soundex', value: 'x' }
const at = (percent: number, ...properties: Json[]): JsonObject => ({
  properties,
  rollout_percentage: percent,
})

/** The rules that filters break, each with whether it is a problem beside live ones. */
function judged(declared: Json, live: Json): [code: string, isHeld: boolean][] {
  return checkFilters(declared).flatMap((problem): [string, boolean][] => {
    const tolerance = toleranceOf(problem)
    return tolerance === undefined
      ? []
      : [[problem.code, isHeld(declared, live, { tolerance, pointer: problem.pointer })]]
  })
}

describe('a rule that is broken', () => {
  it.each<[string, Json, Json, [string, boolean][]]>([
    [
      'is none in the same filters, however they are written',
      { groups: [at(5, number)] },
      {
        groups: [{ ...at(5, { ...number, negation: null }), variant: null }],
        payloads: {},
      },
      [['value-not-text', true]],
    ],
    [
      'is a problem where there are no such filters',
      { groups: [at(5, number)] },
      { groups: [at(5)] },
      [['value-not-text', false]],
    ],
    [
      'is a problem in filters that the service would refuse to take once more',
      { groups: [at(6, number)] },
      { groups: [at(5, number)] },
      [['value-not-text', false]],
    ],
    [
      'is none in a property that stands somewhere, where the service takes what it knows',
      { groups: [at(50), at(6, unknown)] },
      { groups: [at(5, unknown)] },
      [['unknown-operator', true]],
    ],
    [
      'is a problem in another property',
      { groups: [at(6, { ...unknown, value: 'y' })] },
      { groups: [at(5, unknown)] },
      [['unknown-operator', false]],
    ],
    [
      'is none in a condition that was moved',
      { groups: [at(1), at(150)] },
      { groups: [at(150), at(2)] },
      [['percentage-range', true]],
    ],
    [
      'is a problem in a condition that was changed',
      { groups: [{ ...at(150), description: 'all' }] },
      { groups: [at(150)] },
      [['percentage-range', false]],
    ],
    [
      'is none in variants that are left as they are',
      { groups: [at(1)], multivariate: { variants: [{ key: 'a', rollout_percentage: 40 }] } },
      { groups: [at(2)], multivariate: { variants: [{ key: 'a', name: null, rollout_percentage: 40 }] } },
      [['variant-sum', true]],
    ],
    [
      'is a problem in variants of which one is another',
      { groups: [at(1)], multivariate: { variants: [{ key: 'b', rollout_percentage: 40 }] } },
      { groups: [at(1)], multivariate: { variants: [{ key: 'a', rollout_percentage: 40 }] } },
      [['variant-sum', false]],
    ],
  ])('%s', (_, declared, live, expected) => {
    expect(judged(declared, live)).toEqual(expected)
  })

  it('is none in what is live, but for slips and other shapes', () => {
    const nowhere = ['wrong-shape', 'misspelt-member', 'misplaced-member']
    fc.assert(
      fc.property(fc.oneof(liveFilters, anyFilters), filters => {
        const errors = checkFilters(filters).filter(({ severity }) => severity === 'error')
        for (const problem of errors) {
          const tolerance = toleranceOf(problem)
          if (tolerance === undefined) expect(nowhere).toContain(problem.code)
          else expect(isHeld(filters, filters, { tolerance, pointer: problem.pointer })).toBe(true)
        }
      }),
    )
  })

  it('is a problem wherever nothing like it is live', () => {
    fc.assert(
      fc.property(liveFilters, filters => {
        expect(judged(filters, null).filter(([, held]) => held)).toEqual([])
      }),
    )
  })
})
