import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/core/change.ts'
import { plan } from '../../src/core/plan/plan.ts'
import {
  defaultRisk,
  greaterRisk,
  hasSteps,
  layRisk,
  type Risk,
  type RiskPolicy,
  type RiskRule,
  riskRuleNames,
  risks,
} from '../../src/model/risk.ts'
import type { JsonObject } from '../../src/model/text/json.ts'
import { aFlag, aLive, aPolicy, aSnapshot, declare, declared, declaredFlag } from '../support/builders.ts'
import { anyFilters, someFilters } from '../targeting/some-filters.ts'

const fields: fc.Arbitrary<JsonObject> = fc.record(
  {
    key: fc.constantFrom('checkout', 'checkout', 'other'),
    name: fc.constantFrom('', 'One'),
    active: fc.boolean(),
    filters: fc.oneof({ weight: 4, arbitrary: someFilters }, { weight: 1, arbitrary: anyFilters }),
    tags: fc.subarray(['one', 'two']),
    ensure_experience_continuity: fc.boolean(),
  },
  { requiredKeys: [] },
)

const some = fc.record({
  flag: fields,
  live: fc.option(fc.record({ deleted: fc.boolean(), fields })),
  ensure: fc.constantFrom<'present' | 'absent'>('present', 'present', 'present', 'absent'),
  plugin: fc.option(fc.record({ description: fc.constantFrom('', 'One') })),
  livePlugin: fc.option(fc.record({ description: fc.constantFrom('', 'One') })),
})

/** All that changes where a flag and a plugin are live in one way and declared in another. */
function changesOf(
  { flag, live, ensure, plugin, livePlugin }: typeof some extends fc.Arbitrary<infer Value> ? Value : never,
  risk: RiskPolicy,
): readonly Change[] {
  const { key: _, ...given } = flag
  const snapshot = aSnapshot([
    ...(live ? [aFlag({ ...live.fields, key: 'checkout', deleted: live.deleted })] : []),
    ...(livePlugin ? [aLive('plugin', { id: 3, name: 'geoip', ...livePlugin })] : []),
  ])
  const declarations = declare([
    declaredFlag('checkout', ensure === 'absent' ? {} : given, { ensure }),
    declared('plugin', 'geoip', plugin ?? {}, { ensure: plugin ? 'present' : 'absent' }),
  ])
  return plan({ declared: declarations, live: snapshot, policy: aPolicy({ risk }) }).changes
}

const points = fc.integer({ min: 0, max: 100 })
const level = fc.constantFrom(...risks)
const steps = fc.record({ low: points, medium: points, high: points, critical: points }, { requiredKeys: [] })

const policies = fc
  .record(
    Object.fromEntries(riskRuleNames.map(rule => [rule, hasSteps(rule) ? fc.oneof(level, steps) : level])),
    { requiredKeys: [] },
  )
  // Steps and levels are JSON.
  .map(said => layRisk(defaultRisk, said as JsonObject))

describe('the risk of a change', () => {
  it('is the highest level of the rules that apply, which come first', () => {
    fc.assert(
      fc.property(some, policies, (one, policy) => {
        for (const { risk, riskReasons = [] } of changesOf(one, policy)) {
          const levels = riskReasons.map(reason => reason.level)
          expect(levels.reduce<Risk>(greaterRisk, 'low')).toBe(risk)
          expect(levels).toEqual(
            [...levels].sort((left, right) => risks.indexOf(right) - risks.indexOf(left)),
          )
        }
      }),
    )
  })

  it('has a reason in every change, where no settings say otherwise', () => {
    fc.assert(
      fc.property(some, one => {
        for (const { riskReasons } of changesOf(one, defaultRisk)) expect(riskReasons).not.toEqual([])
      }),
    )
  })

  it('is never lowered by a rule that is raised', () => {
    fc.assert(
      fc.property(some, policies, fc.constantFrom(...riskRuleNames), level, (one, policy, rule, to) => {
        const raised = { ...policy, [rule]: raisedTo(policy, rule, to) }
        const [before, after] = [changesOf(one, policy), changesOf(one, raised)]
        expect(after.map(({ address }) => address)).toEqual(before.map(({ address }) => address))
        for (const [index, { risk }] of before.entries())
          expect(risks.indexOf(after[index]?.risk ?? 'low')).toBeGreaterThanOrEqual(risks.indexOf(risk))
      }),
    )
  })

  it('changes nothing but itself and what stands out', () => {
    fc.assert(
      fc.property(some, policies, (one, policy) => {
        const bare = (changes: readonly Change[]) =>
          changes.map(({ risk: _, riskReasons: __, alert: ___, ...same }) => same)
        expect(bare(changesOf(one, policy))).toEqual(bare(changesOf(one, defaultRisk)))
      }),
    )
  })
})

/** The same rule with no level below the one given. */
function raisedTo(policy: RiskPolicy, rule: RiskRule, to: Risk): RiskPolicy[RiskRule] {
  const said = policy[rule]
  if (typeof said === 'string') return greaterRisk(said, to)
  return { ...said, [to]: 0 }
}
