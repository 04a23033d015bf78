import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText, isJsonArray, isJsonObject, type Json } from '../../src/model/text/json.ts'
import { behaviourOf } from '../../src/services/differences.ts'
import {
  canonicalFilters,
  evaluateFlag,
  mergeFilters,
  type Subject,
  type Three,
} from '../../src/targeting/index.ts'
import { sharesOf, threeFilters } from '../support/three-filters.ts'
import { someCohorts, somePerson } from '../targeting/some-filters.ts'

const profiles = ['documented', 'posthog', 'posthog-2026'] as const

function valueFor(filters: Json, person: Subject, profile: (typeof profiles)[number]): boolean | string {
  const context = {
    now: Date.UTC(2024, 2, 31, 12),
    isComplete: true,
    groupTypes: { 0: 'company', 1: 'team' },
    cohorts: isJsonObject(someCohorts) ? someCohorts : {},
    rules: behaviourOf(profile),
    zoneOffsetMinutes: 0,
  }
  return evaluateFlag({ key: 'checkout', filters }, person, context).value
}

/** What a merge comes to; undefined for a conflict. */
function mergedOf(three: Three<Json>): Json | undefined {
  const merged = mergeFilters(three)
  return merged.is === 'merged' ? merged.value : undefined
}

/** Whether both sides have changed something, and not the same: then a merge has something to do. */
function isContested({ base, declared, live }: Three<Json>): boolean {
  const [was, ours, theirs] = [base, declared, live].map(each => canonicalText(canonicalFilters(each)))
  return was !== ours && was !== theirs && ours !== theirs
}

function whom(condition: Json): string {
  const { properties = [], aggregation_group_type_index: type = null } = isJsonObject(condition)
    ? condition
    : {}
  const list = isJsonArray(properties) ? properties.map(canonicalText).sort() : [canonicalText(properties)]
  return canonicalText([list, type])
}

function inAnyOrder(filters: Json): Json {
  const canonical = canonicalFilters(filters)
  if (!isJsonObject(canonical) || !isJsonArray(canonical.groups)) return canonical
  return { ...canonical, groups: canonical.groups.map(canonicalText).sort() }
}

describe('filters that were changed on both sides', () => {
  it('give everybody what one of both sides gives them, or nothing, once they are merged', () => {
    let merges = 0
    let given = 0
    fc.assert(
      fc.property(threeFilters, fc.array(somePerson, { minLength: 8, maxLength: 8 }), (three, people) => {
        const merged = mergedOf(three)
        if (merged === undefined) return
        if (isContested(three)) merges += 1
        for (const profile of profiles) {
          for (const person of people) {
            const value = valueFor(merged, person, profile)
            const either = [three.declared, three.live].map(side => valueFor(side, person, profile))
            if (value !== false) given += 1
            expect([false, ...either]).toContain(value)
          }
        }
      }),
    )
    expect(merges).toBeGreaterThan(0)
    expect(given).toBeGreaterThan(0)
  })

  it('have no condition with a larger share than on both sides, and none that neither has', () => {
    let seen = 0
    fc.assert(
      fc.property(threeFilters, three => {
        const merged = mergedOf(three)
        if (merged === undefined) return
        const [ours, theirs] = [three.declared, three.live].map(side =>
          sharesOf(canonicalFilters(side), whom),
        )
        for (const [condition, percent] of sharesOf(canonicalFilters(merged), whom)) {
          seen += 1
          expect(percent).toBeLessThanOrEqual(
            Math.max(ours?.get(condition) ?? -1, theirs?.get(condition) ?? -1),
          )
        }
      }),
    )
    expect(seen).toBeGreaterThan(0)
  })

  it('keep what both sides have changed, each its own', () => {
    let changed = 0
    fc.assert(
      fc.property(threeFilters, three => {
        const merged = mergedOf(three)
        if (merged === undefined) return
        const of = (side: Json) => sharesOf(canonicalFilters(side), whom)
        const [was, ours, theirs, both] = [three.base, three.declared, three.live, merged].map(of)
        for (const side of [ours, theirs]) {
          for (const [condition, percent] of side ?? []) {
            if (was?.get(condition) === percent) continue
            changed += 1
            expect(both?.get(condition)).toBe(percent)
          }
        }
      }),
    )
    expect(changed).toBeGreaterThan(0)
  })

  it('are the other side where one side has changed nothing, and the change where both made the same', () => {
    fc.assert(
      fc.property(threeFilters, ({ base, declared: other }) => {
        fc.pre(isJsonObject(canonicalFilters(base)) && isJsonObject(canonicalFilters(other)))
        const cases = [
          { base, declared: other, live: base },
          { base, declared: base, live: other },
          { base, declared: other, live: other },
        ]
        for (const three of cases)
          expect(canonicalFilters(mergedOf(three) ?? 'a conflict')).toEqual(canonicalFilters(other))
      }),
    )
  })

  it('come to the same whichever side is which, but for the order of conditions', () => {
    fc.assert(
      fc.property(threeFilters, ({ base, declared, live }) => {
        const one = mergedOf({ base, declared, live })
        const other = mergedOf({ base, declared: live, live: declared })
        expect(other === undefined).toBe(one === undefined)
        expect(inAnyOrder(other ?? null)).toEqual(inAnyOrder(one ?? null))
      }),
    )
  })

  it('stay as they are merged, when they are merged with either side once more', () => {
    fc.assert(
      fc.property(threeFilters, ({ base, declared, live }) => {
        const merged = mergedOf({ base, declared, live })
        if (merged === undefined) return
        const again = [mergedOf({ base, declared: merged, live }), mergedOf({ base, declared, live: merged })]
        for (const each of again) expect(inAnyOrder(each ?? 'a conflict')).toEqual(inAnyOrder(merged))
      }),
    )
  })
})
