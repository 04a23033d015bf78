import type { Plan } from '../../src/core/change.ts'
import {
  aBase,
  aFlag,
  aGrant,
  aLive,
  aPolicy,
  declare,
  declared,
  declaredFlag,
  declaredGrant,
  everyoneAt,
  planned,
} from './builders.ts'

const at = (line: number, file = 'flags/checkout.yaml') => ({ source: { file, line, column: 3 } })

const germany = (percent: number) => ({
  groups: [
    {
      properties: [{ key: 'country', value: ['DE'], type: 'person', operator: 'exact' }],
      rollout_percentage: percent,
    },
  ],
})

/** A plan with one of everything. */
export function richPlan(): Plan {
  const flags = {
    checkout: aFlag({ id: 1, key: 'checkout', filters: germany(10) }),
    legacy: aFlag({ id: 2, key: 'legacy_nav', filters: everyoneAt(100) }),
    search: aFlag({ id: 3, key: 'search_ai', filters: everyoneAt(10) }),
    beta: aFlag({ id: 4, key: 'beta', filters: everyoneAt(10) }),
    back: aFlag({ id: 5, key: 'comes_back', deleted: true, filters: everyoneAt(5) }),
    same: aFlag({ id: 6, key: 'same', tags: ['ours'] }),
    orphan: aFlag({ id: 7, key: 'orphan', tags: ['ours'] }),
    kept: aFlag({ id: 8, key: 'kept', tags: ['ours'] }),
  }
  const live = [
    ...Object.values(flags),
    aGrant(flags.same),
    aLive('plugin', { id: 9, name: 'geoip', plugin_type: 'source', description: 'Before' }),
    aLive('event_definition', { id: 'a', name: 'checkout_paid', tags: ['legacy'] }),
  ]
  const tagged = (tags: readonly string[] = []) => ({ tags: [...tags] })
  const desired = [
    declaredFlag('checkout', { filters: germany(100) }, at(12)),
    declaredFlag('legacy_nav', {}, { ensure: 'absent', ...at(3, 'flags/_removed.yaml') }),
    declaredFlag('search_ai', { filters: everyoneAt(80) }, at(5, 'flags/search.yaml')),
    declaredFlag('beta', {}, at(20)),
    declaredFlag('comes_back', { active: true }, at(30)),
    declaredFlag('same', tagged(), at(40)),
    declaredFlag('kept', { active: false }, { protect: true, liveEdits: 'revert', ...at(44) }),
    declaredFlag('日本語の旗', { active: false, filters: everyoneAt(0) }, at(50, 'flags/growth.yaml')),
    declaredFlag(
      'a_key_that_is_longer_than_anybody_would_like_it_to_be_really',
      { active: true, filters: everyoneAt(null) },
      at(60, 'flags/growth.yaml'),
    ),
    declaredGrant('beta', at(7, 'access.yaml')),
    declared(
      'plugin',
      'geoip',
      { description: 'After' },
      { ...at(2, 'plugins.yaml'), files: { 'index.ts': 'export {}' } },
    ),
    declared('event_definition', 'checkout_paid', tagged(['payments']), at(18, 'events.yaml')),
    declared('event_definition', 'not_seen', tagged(['payments']), at(19, 'events.yaml')),
  ]
  const policy = aPolicy({
    ownership: { tag: 'ours', prune: 'never' },
    limits: { delete: 5, rolloutStep: 25 },
    allow: [{ rule: 'rollout_step', address: 'feature_flag.checkout' }],
  })
  const base = aBase({ 'feature_flag.beta': { active: 'other' }, 'feature_flag.kept': { active: 'other' } })
  return planned(declare(desired, [{ flag: 'same', ...at(41) }]), live, policy, { base })
}
