import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/core/change.ts'
import type { Desired } from '../../src/core/desired.ts'
import { fingerprintOf } from '../../src/core/diff.ts'
import { declarableKind } from '../../src/kinds/index.ts'
import { aFlag, aLive, declare, declaredFlag, everyoneAt, planned } from '../support/builders.ts'

const renamed = (to: string, over: Partial<Desired> = {}) =>
  declaredFlag('checkout', {}, { id: '7', renamedTo: to, ...over })

function planOf(desired: Desired, live = aFlag()) {
  return planned(declare([desired]), [live])
}

describe('a new name', () => {
  it('is a change of the object that has the old one, said first and a high risk', () => {
    const [change] = planOf(renamed('checkout-v2')).changes
    expect(change).toEqual({
      address: 'feature_flag.checkout',
      kind: 'feature_flag',
      action: 'update',
      identity: 'checkout',
      id: '7',
      before: { key: 'checkout' },
      after: { key: 'checkout-v2' },
      fingerprint: fingerprintOf(declarableKind('feature_flag'), aFlag()),
      risk: 'high',
      riskReasons: [{ rule: 'renamed', level: 'high', reason: 'code must use another name from now on' }],
      summary: [
        'renamed to "checkout-v2": code that asks for "checkout" no longer gets it',
        expect.stringContaining('assigned anew'),
      ],
      exposure: { before: 10, after: 10, sure: { before: 10, after: 10 }, direction: 'none', step: 0 },
      allowed: [],
      dependsOn: [],
    } satisfies Change)
  })

  it('goes with the other fields', () => {
    const desired = renamed('checkout-v2', { fields: { filters: everyoneAt(20) } })
    const [change] = planOf(desired).changes
    expect(change).toMatchObject({
      action: 'update',
      after: { key: 'checkout-v2', filters: everyoneAt(20) },
      summary: [
        'renamed to "checkout-v2": code that asks for "checkout" no longer gets it',
        expect.stringContaining('10% -> 20%'),
        expect.stringContaining('assigned anew'),
      ],
    })
  })

  it.each(['checkout', ' checkout '])('that is the old one (%j) changes nothing', to => {
    expect(planOf(renamed(to))).toMatchObject({ changes: [], unchanged: ['feature_flag.checkout'] })
  })

  it('is held back by a guard as any other change', () => {
    expect(planOf(renamed('checkout-v2'), aFlag({ can_edit: false }))).toMatchObject({
      changes: [],
      blocked: [{ rule: 'can_edit' }],
    })
  })

  it('of a plugin is no change of its description', () => {
    const desired: Desired = {
      address: 'plugin.GeoIP',
      kind: 'plugin',
      identity: 'GeoIP',
      id: '12',
      ensure: 'present',
      fields: { description: 'Adds the country' },
      renamedTo: 'Geo',
    }
    const [change] = planOf(desired, aLive('plugin', { id: 12, name: 'GeoIP', description: '' })).changes
    expect(change).toMatchObject({
      after: { name: 'Geo', description: 'Adds the country' },
      risk: 'medium',
      summary: ['renamed to "Geo"', 'description: (none) -> "Adds the country"'],
    })
  })
})
