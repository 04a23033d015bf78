import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameJson, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import {
  canonicalFilters,
  describeFilterDifference,
  filtersSideBySide,
  type SideCell,
} from '../../../src/targeting/index.ts'
import { someFilters } from '../some-filters.ts'

const meaning = (country: string, percent: number): JsonObject => ({
  properties: [{ key: 'country', value: [country], operator: 'exact', type: 'person' }],
  rollout_percentage: percent,
})

/** Each row as its two sides, in words. */
function rowsOf(before: Json | undefined, after: Json | undefined, title: string) {
  const { rows } = filtersSideBySide(before, after).find(table => table.title === title) ?? { rows: [] }
  return rows.map(row => [row.before && textOf(row.before), row.after && textOf(row.after)])
}

function textOf({ name, lines, share }: SideCell): string {
  return [name, lines.join('; '), share].filter(part => part !== undefined && part !== '').join(' ')
}

describe('two filters side by side', () => {
  it('have their conditions beside each other by who they mean', () => {
    const before = { groups: [meaning('DE', 10), meaning('FR', 20)] }
    const after = { groups: [meaning('AT', 5), meaning('DE', 100)] }
    expect(rowsOf(before, after, 'Conditions')).toEqual([
      [undefined, 'condition 1 country is AT 5%'],
      ['condition 1 country is DE 10%', 'condition 2 country is DE 100%'],
      ['condition 2 country is FR 20%', undefined],
    ])
  })

  it('have one side where there is no other', () => {
    const filters = { groups: [meaning('DE', 10)], payloads: { true: '{"a":1}' } }
    expect(rowsOf(undefined, filters, 'Conditions')).toEqual([[undefined, 'condition 1 country is DE 10%']])
    expect(rowsOf(filters, undefined, 'Payloads')).toEqual([['true {;   "a": 1; }', undefined]])
  })

  it('take a variant of another key for another variant', () => {
    const of = (key: string) => ({ multivariate: { variants: [{ key, rollout_percentage: 100 }] } })
    expect(rowsOf(of('a'), of('b'), 'Variants')).toEqual([
      ['variant "a" 100%', undefined],
      [undefined, 'variant "b" 100%'],
    ])
  })

  it('differ in some row exactly where they differ in words', () => {
    fc.assert(
      fc.property(someFilters, someFilters, (before, after) => {
        const rows = filtersSideBySide(before, after).flatMap(table => table.rows)
        const isSame = rows.every(row => row.isSame && !row.isMoved)
        expect(isSame).toBe(describeFilterDifference(before, after).length === 0)
        expect(isSame).toBe(isSameJson(canonicalFilters(before), canonicalFilters(after)))
      }),
    )
  })
})
