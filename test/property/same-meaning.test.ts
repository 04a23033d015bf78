import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plan } from '../../src/core/plan/plan.ts'
import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../src/model/text/json.ts'
import { getAt, pointerOf } from '../../src/model/text/pointer.ts'
import { canonicalFilters, compareExposure, describeFilterDifference } from '../../src/targeting/index.ts'
import { aFlag, aPolicy, aSnapshot, declare, declaredFlag } from '../support/builders.ts'
import { respelledFilters } from '../support/respellings.ts'
import { rounds } from '../support/rounds.ts'

function peopleOf({ properties = [] }: JsonObject): string {
  return canonicalText(canonicalFilters({ groups: [{ properties }] }))
}

/** A guard that holds back whatever widens at all. */
const policy = aPolicy({ limits: { delete: 5, rolloutStep: 0 } })

function planned(live: JsonObject, declared: JsonObject, ignore: readonly string[] = []) {
  const declarations = declare([declaredFlag('checkout', { filters: declared }, { ignore })])
  return plan({ declared: declarations, live: aSnapshot([aFlag({ filters: live })]), policy })
}

function exposure(before: JsonObject, after: JsonObject) {
  const { direction, step, widest, assignmentChanges } = compareExposure(
    { filters: before, active: true },
    { filters: after, active: true },
  )
  return { direction, step, widest, assignmentChanges }
}

const unchanged = { direction: 'none', step: 0, widest: undefined, assignmentChanges: [] }

describe('filters that mean the same', () => {
  it('plan nothing where only the spelling differs, are told by no words and change no exposure', () => {
    fc.assert(
      fc.property(respelledFilters(false), ([live, declared]) => {
        expect(canonicalFilters(declared)).toEqual(canonicalFilters(live))
        expect(describeFilterDifference(live, declared)).toEqual([])
        expect(exposure(live, declared)).toEqual(unchanged)
        expect(planned(live, declared)).toMatchObject({
          changes: [],
          blocked: [],
          unchanged: ['feature_flag.checkout'],
        })
      }),
    )
  })

  it('change no exposure, meet no guard and raise no alert where letters and numbers differ', () => {
    fc.assert(
      fc.property(respelledFilters(true), ([live, declared]) => {
        expect(exposure(live, declared)).toEqual(unchanged)
        const { changes, blocked } = planned(live, declared)
        expect(blocked).toEqual([])
        for (const { alert, exposure: told, summary: words } of changes) {
          expect(alert).toBeUndefined()
          expect(told).toMatchObject({ direction: 'none', step: 0 })
          const conditions = words.filter(line => line.startsWith('condition'))
          expect(conditions.filter(line => line.includes('->'))).toEqual([])
        }
      }),
    )
  })

  it('hide nothing: a percentage that changes beside them is told, and only that', () => {
    fc.assert(
      fc.property(respelledFilters(false), ([live, declared]) => {
        const [first, ...others] = declared.groups as JsonObject[]
        // Of two conditions with the same people nobody can tell which one it was.
        fc.pre(new Set((declared.groups as JsonObject[]).map(peopleOf)).size === others.length + 1)
        const fuller = { ...declared, groups: [{ ...first, rollout_percentage: 75 }, ...others] }
        const lines = describeFilterDifference(live, fuller)
        expect(lines).toHaveLength(1)
        expect(lines[0]).toMatch(/^condition 1 {2}.* {2}(5|50|100|33\.3+6?)% -> 75%$/)
        expect(lines[0]).not.toContain('written differently')
      }),
    )
  })

  it('stay as they are live wherever a place in them is ignored, whatever else changes', () => {
    let sent = 0
    fc.assert(
      fc.property(respelledFilters(false), ([live, declared]) => {
        const [first, ...others] = declared.groups as JsonObject[]
        const fewer = { ...declared, groups: [{ ...first, rollout_percentage: 1 }, ...others] }
        for (const pointer of new Set([...pointersIn(live), ...pointersIn(declared)])) {
          const ignore = [`/filters${pointer}`]
          expect([pointer, planned(live, declared, ignore).changes]).toEqual([pointer, []])
          if (getAt(fewer, pointer) !== getAt(declared, pointer)) continue
          const { changes, blocked } = planned(live, fewer, ignore)
          // Whose place it is cannot be seen if two conditions are the same without it.
          if (blocked[0]?.rule === 'ignored_place') continue
          sent++
          const after = changes[0]?.after.filters ?? null
          expect([pointer, canonicalFilters(after)]).toEqual([pointer, canonicalFilters(fewer)])
        }
      }),
      { numRuns: rounds(10) },
    )
    expect(sent).toBeGreaterThan(10)
  })
})

/** The places of everything inside of a value. */
function pointersIn(value: Json): string[] {
  if (!isJsonArray(value) && !isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const own = pointerOf(name)
    return [own, ...pointersIn(member).map(deeper => own + deeper)]
  })
}
