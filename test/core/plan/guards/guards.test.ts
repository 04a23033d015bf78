import { describe, expect, it } from 'vitest'
import type { Desired } from '../../../../src/core/desired.ts'
import { plan } from '../../../../src/core/plan/plan.ts'
import { allowFlag, type Policy } from '../../../../src/core/policy.ts'
import type { JsonObject } from '../../../../src/model/text/json.ts'
import {
  aFlag,
  aPolicy,
  aSnapshot,
  declare,
  declaredFlag,
  everyoneAt,
  planned,
} from '../../../support/builders.ts'

function planOf(desired: Desired, record: JsonObject, policy: Policy = aPolicy()) {
  const made = planned(declare([desired]), [aFlag(record)], policy)
  return {
    changes: made.changes.map(({ action }) => action),
    blocked: made.blocked.map(({ rule }) => rule),
  }
}

const off = declaredFlag('checkout', { active: false })
const gone = declaredFlag('checkout', {}, { ensure: 'absent' })
const wider = declaredFlag('checkout', { filters: everyoneAt(60) })
const narrower = declaredFlag('checkout', { filters: everyoneAt(5) })
const variants = (...keys: string[]): JsonObject => ({
  ...everyoneAt(10),
  multivariate: { variants: keys.map(key => ({ key, rollout_percentage: 100 / keys.length })) },
})
const tried = { experiment_set: [3], filters: variants('red', 'blue') }
const toMail = (value: string): JsonObject => ({
  groups: [
    { properties: [{ key: 'email', type: 'person', operator: 'regex', value }], rollout_percentage: 30 },
  ],
})
const stepped = aPolicy({ limits: { delete: 5, rolloutStep: 25 } })

describe('guards', () => {
  it.each<[string, Desired, JsonObject, Policy | undefined, string]>([
    ['a protected flag from deletion', { ...gone, protect: true }, {}, undefined, 'protected'],
    ['a protected flag from being turned off', { ...off, protect: true }, {}, undefined, 'protected'],
    ['a flag that the key may not edit', off, { can_edit: false }, undefined, 'can_edit'],
    ['one of which it is told a lower level', off, { user_access_level: 'viewer' }, undefined, 'can_edit'],
    ['a flag with an experiment', gone, { experiment_set: [3] }, undefined, 'experiment'],
    [
      'a flag with an experiment that would lose a variant',
      declaredFlag('checkout', { filters: variants('red') }),
      tried,
      undefined,
      'experiment',
    ],
    ['a flag with a survey', off, { surveys: [{ id: 1 }] }, undefined, 'survey'],
    ['a flag with an early access feature', off, { features: { a: 1 } }, undefined, 'feature'],
    ['a widening after a rollback', wider, { performed_rollback: true }, undefined, 'rollback'],
    ['a widening past the step limit', wider, {}, stepped, 'rollout_step'],
    [
      'another pattern for a share past the step limit',
      declaredFlag('checkout', { filters: toMail('@x\\.com$') }),
      { filters: toMail('x\\.com$') },
      stepped,
      'rollout_step',
    ],
  ])('hold %s', (_, desired, record, policy, rule) => {
    expect(planOf(desired, record, policy)).toEqual({ changes: [], blocked: [rule] })
  })

  it.each<[string, Desired, JsonObject, Policy | undefined]>([
    ['a flag that it may edit by its level', narrower, { user_access_level: 'editor' }, undefined],
    ['a protected flag change in other ways', { ...wider, protect: true }, {}, undefined],
    ['a flag with an experiment change in other ways', narrower, { experiment_set: [3] }, undefined],
    [
      'a flag with an experiment get a further variant',
      declaredFlag('checkout', { filters: variants('red', 'blue', 'green', 'grey') }),
      tried,
      undefined,
    ],
    ['a narrowing after a rollback', narrower, { performed_rollback: true }, undefined],
    ['a widening within the step limit', declaredFlag('checkout', { filters: everyoneAt(35) }), {}, stepped],
    ['a narrowing of any size', declaredFlag('checkout', { filters: everyoneAt(0) }), {}, stepped],
  ])('let %s pass', (_, desired, record, policy) => {
    expect(planOf(desired, record, policy)).toEqual({ changes: ['update'], blocked: [] })
  })

  it('are allowed by the person, for all or for one address', () => {
    const allow = (address?: string) => ({ ...stepped, allow: [{ rule: 'rollout_step' as const, address }] })
    expect(planOf(wider, {}, allow())).toEqual({ changes: ['update'], blocked: [] })
    expect(planOf(wider, {}, allow('feature_flag.checkout'))).toEqual({ changes: ['update'], blocked: [] })
    expect(planOf(wider, {}, allow('feature_flag.other'))).toEqual({
      changes: [],
      blocked: ['rollout_step'],
    })
  })

  it.each<[string, Desired, JsonObject, Policy | undefined, string]>([
    ['can_edit', off, { can_edit: false }, undefined, '--allow can_edit=feature_flag.checkout'],
    ['experiment', gone, { experiment_set: [3] }, undefined, '--allow experiment=feature_flag.checkout'],
    ['rollback', wider, { performed_rollback: true }, undefined, '--allow rollback=feature_flag.checkout'],
    ['rollout_step', wider, {}, stepped, '--allow rollout_step=feature_flag.checkout'],
  ])('say how exactly %s is allowed', (_, desired, record, policy = aPolicy(), flag) => {
    const { blocked } = planned(declare([desired]), [aFlag(record)], policy)
    expect(blocked.map(({ remedy }) => /--allow \S+/.exec(remedy)?.[0])).toEqual([flag])
  })

  it.each([
    ['feature_flag.checkout', '--allow survey=feature_flag.checkout'],
    ['feature_flag_role_access.checkout:support', '--allow survey=feature_flag_role_access.checkout:support'],
    ['plugin.Mask card numbers', "--allow 'survey=plugin.Mask card numbers'"],
    ['event_definition.$pageview', "--allow 'survey=event_definition.$pageview'"],
    ["plugin.Ada's", "--allow 'survey=plugin.Ada'\\''s'"],
  ])('say it of %s as one word of a shell', (address, flag) => {
    expect(allowFlag('survey', address)).toBe(flag)
  })

  it('are allowed by the declaration, and the change says so', () => {
    const desired = { ...wider, allow: ['rollout_step' as const] }
    const made = planned(declare([desired]), [aFlag()], stepped)
    expect(made.changes.map(({ allowed }) => allowed)).toEqual([['rollout_step']])
  })

  it('let a protected flag be made inactive, and come back inactive', () => {
    const made = planned(declare([declaredFlag('new', { active: false }, { protect: true })]), [])
    expect(made).toMatchObject({ changes: [{ action: 'create' }], blocked: [] })
    expect(planOf({ ...off, protect: true }, { deleted: true, active: true })).toEqual({
      changes: ['restore'],
      blocked: [],
    })
  })

  it('hold a protected flag whatever else is allowed', () => {
    const desired = { ...gone, protect: true }
    const record = { experiment_set: [1] }
    const policy = aPolicy({ allow: [{ rule: 'experiment' }] })
    expect(planOf(desired, record, policy)).toEqual({ changes: [], blocked: ['protected'] })
  })
})

describe('pruning', () => {
  const mine = declaredFlag('checkout', { active: true })
  const others = [1, 2, 3].map(id => aFlag({ id: 10 + id, key: `old_${id}`, tags: id === 1 ? ['ours'] : [] }))
  const prune = (which: 'never' | 'owned' | 'all', limit = 5): Policy =>
    aPolicy({ ownership: { tag: 'ours', prune: which }, limits: { delete: limit } })
  const pruned = (policy: Policy, over = {}) => {
    const declarations = declare([{ ...mine, fields: {} }])
    const made = plan({
      declared: declarations,
      live: aSnapshot([aFlag({ tags: ['ours'] }), ...others], over),
      policy,
    })
    return {
      deleted: made.changes.map(({ identity }) => identity),
      blocked: made.blocked.map(({ rule }) => rule),
      drift: made.drift.map(({ address, reason }) => ({ address, reason })),
    }
  }

  it('never is the default, and an undeclared object of ours is drift', () => {
    const drift = [{ address: 'feature_flag.old_1', reason: 'undeclared' }]
    expect(pruned(prune('never'))).toEqual({ deleted: [], blocked: [], drift })
  })

  it('takes what carries the ownership tag, or all', () => {
    expect(pruned(prune('owned')).deleted).toEqual(['old_1'])
    expect(pruned(prune('all')).deleted).toEqual(['old_1', 'old_2', 'old_3'])
  })

  it('refuses past the limit, unless that is allowed', () => {
    const refused = { deleted: [], blocked: ['delete_limit', 'delete_limit', 'delete_limit'], drift: [] }
    expect(pruned(prune('all', 2))).toEqual(refused)
    expect(pruned({ ...prune('all', 2), allow: [{ rule: 'delete_limit' }] }).deleted).toHaveLength(3)
  })

  it('refuses where more carry the ownership tag and are declared nowhere than are declared, unless that is allowed', () => {
    const tagged = (count: number) =>
      Array.from({ length: count }, (_, id) => aFlag({ id: 20 + id, key: `lost_${id}`, tags: ['ours'] }))
    const planned = (count: number, policy: Policy) => {
      const declarations = { ...declare([{ ...mine, fields: {} }]), skipped: [declaredFlag('b', {})] }
      const made = plan({
        declared: declarations,
        live: aSnapshot([...tagged(count), ...others.slice(1)]),
        policy,
      })
      return {
        rules: made.blocked.map(({ rule }) => rule),
        deleted: made.changes.length - 1,
        of: made.taggedUndeclared,
      }
    }
    expect(planned(2, prune('owned', 50))).toEqual({ rules: [], deleted: 2, of: 2 })
    const refused = Array(3).fill('undeclared_majority')
    expect(planned(3, prune('owned', 50))).toEqual({ rules: refused, deleted: 0, of: 3 })
    expect(planned(3, prune('all', 50)).rules).toEqual([
      ...refused,
      'undeclared_majority',
      'undeclared_majority',
    ])
    const allowed = { ...prune('owned', 50), allow: [{ rule: 'undeclared_majority' as const }] }
    expect(planned(3, allowed)).toEqual({ rules: [], deleted: 3, of: 3 })
    expect(planned(3, prune('owned', 2)).rules).toEqual(Array(3).fill('delete_limit'))
    expect(planned(3, prune('never'))).toEqual({ rules: [], deleted: 0, of: 3 })
    expect(planned(0, prune('owned'))).toEqual({ rules: [], deleted: 0, of: undefined })
  })

  it('says what it found before its guards are asked, so that those can be allowed by name', () => {
    const linked = others.map(live => ({ ...live, record: { ...live.record, experiment_set: [1] } }))
    const named: (readonly string[])[] = []
    const made = plan({
      declared: declare([mine]),
      live: aSnapshot([aFlag({ tags: ['ours'] }), ...linked]),
      policy: {
        ...prune('all'),
        allowUndeclared(addresses) {
          named.push(addresses)
          return [{ rule: 'experiment', address: 'feature_flag.old_2' }]
        },
      },
    })
    expect(named).toEqual([['feature_flag.old_1', 'feature_flag.old_2', 'feature_flag.old_3']])
    const deleted = made.changes.filter(({ action }) => action === 'delete')
    expect(deleted.map(({ address }) => address)).toEqual(['feature_flag.old_2'])
    expect(made.blocked.map(({ address, rule }) => [address, rule])).toEqual([
      ['feature_flag.old_1', 'experiment'],
      ['feature_flag.old_3', 'experiment'],
    ])
  })

  it('refuses on an inventory that was not read whole', () => {
    const inventory = { feature_flag: { seen: 4, count: 5, complete: false } }
    expect(pruned(prune('owned'), { inventory }).blocked).toEqual(['incomplete_inventory'])
  })

  it('refuses when all that is declared of the kind is what should be gone', () => {
    const declarations = declare([declaredFlag('old_1', {}, { ensure: 'absent' })])
    const made = planned(declarations, others, prune('all'))
    expect(made.changes.map(({ identity }) => identity)).toEqual(['old_1'])
    expect(made.blocked.map(({ rule }) => rule)).toEqual(['nothing_declared', 'nothing_declared'])
  })

  it('refuses when nothing of the kind is declared', () => {
    const made = planned(declare([]), others, prune('all'))
    expect(made.blocked.map(({ rule }) => rule)).toEqual([
      'nothing_declared',
      'nothing_declared',
      'nothing_declared',
    ])
  })
})
