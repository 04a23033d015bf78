import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../../src/core/change.ts'
import type { GuardRule } from '../../../src/core/desired.ts'
import { linkedBlocks } from '../../../src/core/plan/guards.ts'
import { planSwitch } from '../../../src/core/plan/plan-switch.ts'
import { featureFlag as kind } from '../../../src/kinds/feature-flag.ts'
import { aFlag, aPolicy, declaredFlag, everyoneAt, planned } from '../../support/builders.ts'

const profile = 'documented' as const

/** A flag with whatever a guard looks at, and what is allowed of it. */
const cases = fc.record({
  record: fc.record({
    active: fc.boolean(),
    filters: fc.constantFrom(everyoneAt(0), everyoneAt(10), everyoneAt(100), everyoneAt(null), {}),
    performed_rollback: fc.constantFrom(null, false, true),
    can_edit: fc.boolean(),
    experiment_set: fc.constantFrom([], [3]),
    surveys: fc.constantFrom([], [{ id: 's' }]),
    features: fc.constantFrom([], [{ id: 'f' }]),
    archived: fc.boolean(),
  }),
  protect: fc.boolean(),
  rolloutStep: fc.constantFrom(undefined, 5, 50),
  allowed: fc.subarray<GuardRule>(['experiment', 'survey', 'feature', 'can_edit', 'rollback']),
  isByFlag: fc.boolean(),
})

type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never

function decide({ record, protect, rolloutStep, allowed, isByFlag }: Case, turnsOn: boolean) {
  const live = aFlag(record)
  const allow = isByFlag ? allowed.map(rule => ({ rule })) : []
  const limits = { delete: 5, ...(rolloutStep ? { rolloutStep } : {}) }
  const policy = aPolicy({ allow, limits })
  const declared = { protect, allow: isByFlag ? [] : allowed }
  return { live, policy, declared, made: planSwitch({ kind, live, turnsOn, policy, profile, declared }) }
}

/** What a plan says of a declaration of the switch alone. */
function asDeclared(
  { live, policy, declared: { protect, allow } }: ReturnType<typeof decide>,
  active: boolean,
) {
  const desired = declaredFlag('checkout', { active }, { isPart: true, protect, allow })
  const limits = { delete: 5 }
  return planned({ desired: [desired], ownedGrants: [] }, [live], { ...policy, limits }, {}, { profile })
}

describe('a flag that is turned off', () => {
  it('is never blocked, and only its switch is sent', () => {
    fc.assert(
      fc.property(cases, each => {
        const { made } = decide(each, false)
        expect(made).toMatchObject({ blocked: [], drift: [], unchanged: [] })
        expect(made.changes).toHaveLength(1)
        expect(made.changes[0]).toMatchObject({
          action: 'update',
          id: '7',
          before: { active: each.record.active },
          after: { active: false },
        })
      }),
    )
  })

  it('is told of everything that a plan would be blocked by, and that does not stop the apply either', () => {
    fc.assert(
      fc.property(cases, each => {
        fc.pre(each.record.active)
        const decided = decide(each, false)
        const [change] = decided.made.changes
        const { blocked, changes } = asDeclared(decided, false)
        const summary = [...blocked, ...changes].flatMap(planned => planned.summary)
        expect(change?.summary.slice(0, summary.length)).toEqual(summary)
        const told = change?.summary.slice(summary.length) ?? []
        for (const { reason } of blocked) expect(told).toContain(`although ${reason}`)
        const again = linkedBlocks({ kind, action: 'update', live: decided.live, after: { active: false } })
        expect(again.filter(({ rule }) => !change?.allowed.includes(rule))).toEqual([])
      }),
    )
  })
})

describe('a flag that is turned on', () => {
  it('is changed, or blocked, as a plan without a limit would that declares its switch alone', () => {
    fc.assert(
      fc.property(cases, each => {
        fc.pre(!each.record.active)
        const decided = decide(each, true)
        const { made } = decided
        const { changes } = asDeclared(decided, true)
        expect(made.changes).toEqual(changes)
        // What a flag cannot be is told here with what it would do to people, and what to do about it otherwise.
        const why = (plan: Plan) => plan.blocked.map(({ rule, reason }) => ({ rule, reason }))
        expect(why(made)).toEqual(why(asDeclared(decided, true)))
        expect(made.changes.length + made.blocked.length).toBe(1)
      }),
    )
  })

  it('is on record where it is on already, and nothing keeps that from it', () => {
    fc.assert(
      fc.property(cases, each => {
        fc.pre(each.record.active)
        const { made } = decide(each, true)
        expect(made).toMatchObject({
          blocked: [],
          changes: [{ before: { active: true }, after: { active: true }, exposure: { direction: 'none' } }],
        })
      }),
    )
  })

  it('is left alone where its rules are of a version that only the product writes', () => {
    const live = aFlag({ active: false, filters: { ...everyoneAt(10), version: 2 } })
    const made = (turnsOn: boolean) => planSwitch({ kind, live, turnsOn, policy: aPolicy(), profile })
    expect(made(true)).toMatchObject({ changes: [], blocked: [{ rule: 'invalid' }] })
    expect(made(false)).toMatchObject({ changes: [{ after: { active: false } }], blocked: [] })
  })
})
