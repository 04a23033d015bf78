import { describe, expect, it } from 'vitest'
import { fingerprintOf } from '../../../src/core/diff.ts'
import { plan } from '../../../src/core/plan/plan.ts'
import { declarableKind } from '../../../src/kinds/index.ts'
import type { Profile } from '../../../src/model/connection.ts'
import {
  aFlag,
  aGrant,
  aPolicy,
  aSnapshot,
  declare,
  declaredFlag,
  declaredGrant,
  everyoneAt,
  planned,
} from '../../support/builders.ts'

const flagKind = declarableKind('feature_flag')

describe('plan', () => {
  it('creates what is declared and not live', () => {
    const made = planned(declare([declaredFlag('checkout', { name: 'New checkout', active: false })]), [])
    expect(made).toEqual({
      changes: [
        {
          address: 'feature_flag.checkout',
          kind: 'feature_flag',
          action: 'create',
          identity: 'checkout',
          before: {},
          after: { key: 'checkout', name: 'New checkout', active: false },
          fingerprint: null,
          risk: 'low',
          riskReasons: [{ rule: 'unnoticed', level: 'low', reason: 'everybody gets the same as before' }],
          summary: [
            'inactive: nobody gets it',
            expect.stringContaining('everyone'),
            'description: "New checkout"',
          ],
          exposure: { before: 0, after: 0, sure: { before: 0, after: 0 }, direction: 'none', step: 0 },
          allowed: [],
          dependsOn: [],
        },
      ],
      blocked: [],
      drift: [],
      liveEdits: [],
      unchanged: [],
      inventory: aSnapshot([]).inventory,
    })
  })

  it('finds nothing to do where the declared fields are as live, whatever their form', () => {
    const live = aFlag({
      tags: ['b', 'a'],
      name: 'Checkout',
      filters: {
        payloads: { true: '{"a": 1}' },
        groups: [{ variant: null, rollout_percentage: 10, properties: [] }],
      },
    })
    const fields = {
      name: ' Checkout ',
      tags: ['A', 'b', 'a'],
      filters: { groups: [{ rollout_percentage: 10 }], payloads: { true: { a: 1 } } },
      rollback_conditions: {},
    }
    const made = planned(declare([declaredFlag('checkout', fields)]), [live])
    expect({ changes: made.changes, unchanged: made.unchanged }).toEqual({
      changes: [],
      unchanged: ['feature_flag.checkout'],
    })
  })

  it('sends only the declared fields that differ, and remembers what it was planned on', () => {
    const live = aFlag({ name: 'Old' })
    const fields = { name: 'New', active: true, filters: everyoneAt(20) }
    const [change] = planned(declare([declaredFlag('checkout', fields)]), [live]).changes
    expect(change).toMatchObject({
      action: 'update',
      id: '7',
      before: { name: 'Old', filters: everyoneAt(10) },
      after: { name: 'New', filters: everyoneAt(20) },
      fingerprint: fingerprintOf(flagKind, live),
      risk: 'medium',
      exposure: { before: 10, after: 20, direction: 'wider', step: 10 },
    })
  })

  it('shows a condition that was added in the product, since filters are owned whole', () => {
    const added = {
      properties: [{ key: 'email', value: 'a@example.com', type: 'person' }],
      rollout_percentage: 100,
    }
    const live = aFlag({ filters: { groups: [{ properties: [], rollout_percentage: 10 }, added] } })
    const [change] = planned(declare([declaredFlag('checkout', { filters: everyoneAt(10) })]), [live]).changes
    expect(change).toMatchObject({ action: 'update', after: { filters: everyoneAt(10) } })
  })

  it('restores a soft-deleted flag instead of creating another', () => {
    const live = aFlag({ deleted: true, name: 'Old' })
    const [change] = planned(declare([declaredFlag('checkout', { name: 'New' })]), [live]).changes
    expect(change).toMatchObject({ action: 'restore', id: '7', after: { name: 'New' } })
  })

  it('prefers a living flag over a soft-deleted one with its key', () => {
    const declared = declare([declaredFlag('checkout', { active: true })])
    const made = planned(declared, [aFlag({ id: 6, deleted: true }), aFlag({ id: 9 })])
    expect(made.unchanged).toEqual(['feature_flag.checkout'])
  })

  it('deletes what is declared absent, and finds a soft-deleted one absent already', () => {
    const absent = declare([declaredFlag('checkout', {}, { ensure: 'absent' })])
    expect(planned(absent, [aFlag()]).changes).toMatchObject([{ action: 'delete', id: '7', risk: 'high' }])
    expect(planned(absent, [aFlag({ deleted: true })]).unchanged).toEqual(['feature_flag.checkout'])
    const never = planned(absent, [])
    expect([never.unchanged, never.absent]).toEqual([['feature_flag.checkout'], ['feature_flag.checkout']])
    expect(planned(declare([declaredFlag('checkout', {})]), [aFlag()]).absent).toBeUndefined()
  })

  it('does not take an id for a wish to turn one object into another', () => {
    const declared = declare([declaredFlag('checkout', { active: false }, { id: '8' })])
    expect(planned(declared, [aFlag(), aFlag({ id: 8, key: 'other' })])).toMatchObject({
      changes: [],
      blocked: [{ rule: 'other_identity', reason: 'the object with id 8 is "other"' }],
    })
  })

  it('blocks an event definition that was never seen', () => {
    const declared = {
      address: 'event_definition.paid',
      kind: 'event_definition',
      identity: 'paid',
      ensure: 'present',
      fields: { tags: ['money'] },
    } as const
    expect(planned(declare([declared]), []).blocked).toMatchObject([{ rule: 'not_seen', action: 'create' }])
  })

  it('is the same plan for the same input in any order', () => {
    const desired = ['c', 'a', 'b'].map(key => declaredFlag(key, { active: true }))
    const forward = planned(declare(desired), [])
    const backward = planned(declare([...desired].reverse()), [])
    expect(forward).toEqual(backward)
    expect(forward.changes.map(({ identity }) => identity)).toEqual(['a', 'b', 'c'])
  })
})

describe('plan of grants', () => {
  const flag = aFlag()

  it('grants a role on a live flag at once', () => {
    const [change] = planned(declare([declaredGrant('checkout')]), [flag]).changes
    expect(change).toMatchObject({
      action: 'create',
      parent: { $ref: 'feature_flag.checkout', identity: 'checkout', id: '7' },
      after: { role_id: declaredGrant('checkout').identity },
      dependsOn: [],
      summary: ['may edit'],
    })
  })

  it('grants a role on a new flag after the flag', () => {
    const made = planned(declare([declaredGrant('checkout'), declaredFlag('checkout')]), [])
    expect(made.changes.map(({ address, dependsOn }) => ({ address, dependsOn }))).toEqual([
      { address: 'feature_flag.checkout', dependsOn: [] },
      { address: 'feature_flag_role_access.checkout:support', dependsOn: ['feature_flag.checkout'] },
    ])
  })

  it('takes back what is not in a list that was declared whole', () => {
    const growth = aGrant(flag, '01900000-0000-0000-0000-0000000000bb', 2, 'growth')
    const owned = declare([declaredGrant('checkout')], [{ flag: 'checkout' }])
    const made = planned(owned, [flag, aGrant(flag), growth])
    expect(made.changes).toMatchObject([
      { address: 'feature_flag_role_access.checkout:growth', action: 'delete', id: '2', label: 'growth' },
    ])
    expect(made.unchanged).toEqual(['feature_flag_role_access.checkout:support'])
    expect(planned(declare([declaredGrant('checkout')]), [flag, growth]).changes).toHaveLength(1)
  })

  it('says so when the flag is neither live nor declared', () => {
    expect(planned(declare([declaredGrant('checkout')]), []).blocked).toMatchObject([
      { rule: 'parent_missing', reason: 'feature_flag.checkout does not exist and is not declared' },
    ])
  })

  it('does not read a missing list as an empty one', () => {
    const declarations = declare([declaredGrant('checkout')])
    const snapshot = aSnapshot([flag], { withoutGrants: new Set(['checkout']) })
    const made = plan({ declared: declarations, live: snapshot, policy: aPolicy() })
    expect(made.blocked).toMatchObject([{ rule: 'not_offered' }])
  })
})

describe('what a plan says of a flag', () => {
  it('goes by the rules of the service that it was read from', () => {
    const multivariate = {
      variants: [
        { key: 'a', rollout_percentage: 50 },
        { key: 'b', rollout_percentage: 50 },
      ],
    }
    const [forced, everybody] = [
      { properties: [{ key: 'plan', type: 'person', value: 'pro' }], variant: 'a' },
      {},
    ]
    const live = aFlag({ filters: { groups: [forced, everybody], multivariate } })
    const declarations = declare([
      declaredFlag('checkout', { filters: { groups: [everybody, forced], multivariate } }),
    ])
    const said = (profile: Profile) =>
      plan({
        declared: declarations,
        live: aSnapshot([live], { profile }),
        policy: aPolicy(),
      }).changes[0]!.summary.join('\n')
    const warning = 'conditions that force a variant changed: people who have the flag may get another value'
    // Until September 2025 those that force a variant went first, wherever they stood.
    expect(said('posthog')).not.toContain(warning)
    expect(said('posthog-2026')).toContain(warning)
  })
})
