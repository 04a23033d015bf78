import { describe, expect, it } from 'vitest'
import type { Blocked, Change, Drift, Plan } from '../../../src/core/change.ts'
import { foundDrift } from '../../../src/core/plan/found-drift.ts'
import type { Heading } from '../../../src/report/document.ts'
import { driftReport } from '../../../src/report/lines/drift-report.ts'
import { reportText } from '../../../src/report/text/report-text.ts'
import { createStyle } from '../../../src/report/text/style.ts'
import { planText } from '../../../src/report/text/terminal-plan.ts'
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
} from '../../support/builders.ts'
import { treatments } from '../../support/live-edits.ts'

const style = createStyle(false)
const meta = {
  environment: 'production',
  commit: '4f2c1ab',
  target: { baseUrl: 'https://flags.example.com', projectId: '2', profile: 'documented' },
}
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
function richPlan(): Plan {
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

/** What `drift` says of a plan where nothing is on record. */
const driftText = (plan: Plan, about: Heading) =>
  reportText(driftReport({ plan, found: foundDrift(plan, {}), meta: about }), style)

describe('the text of a plan', () => {
  it('has the riskiest first, words before structures, lines of files, and counts last', () => {
    expect(planText(richPlan(), { meta, style, next: 'vexil apply', showsUnchanged: true })).toMatchSnapshot()
  })

  it('is the same for the same plan, whatever the order of its parts', () => {
    const made = richPlan()
    const turned = {
      ...made,
      changes: [...made.changes].reverse(),
      blocked: [...made.blocked].reverse(),
      drift: [...made.drift].reverse(),
      liveEdits: [...made.liveEdits].reverse(),
    }
    expect(planText(turned, { meta, style })).toBe(planText(made, { meta, style }))
  })

  it('tells drift in words too', () => {
    expect(driftText(richPlan(), meta)).toMatchSnapshot()
  })

  it('counts what it shows', () => {
    const made = richPlan()
    const text = planText(made, { meta, style })
    const signs = (sign: string) => text.split('\n').filter(line => line.startsWith(`  ${sign} `)).length
    const actions = (action: Change['action']) =>
      made.changes.filter(change => change.action === action).length
    expect([signs('+'), signs('~'), signs('@'), signs('^'), signs('-'), signs('!'), signs('=')]).toEqual([
      actions('create'),
      actions('update'),
      actions('claim'),
      actions('restore'),
      actions('delete'),
      made.blocked.length,
      made.drift.length + made.liveEdits.length,
    ])
  })

  it('keeps every name on its line', () => {
    const evil = 'a\u001b[2J\nb\u202e'
    const change: Change = {
      address: `feature_flag.${evil}`,
      kind: 'feature_flag',
      action: 'delete',
      identity: evil,
      before: {},
      after: {},
      fingerprint: null,
      risk: 'high',
      summary: [evil],
      allowed: [],
      dependsOn: [],
      source: { file: evil, line: 1, column: 1 },
    }
    const { address, kind } = change
    const blocked: Blocked = {
      address,
      kind,
      action: 'delete',
      rule: 'ambiguous',
      reason: evil,
      remedy: evil,
      summary: [evil],
    }
    const drift: Drift = { address, kind, reason: 'changed', fields: [evil], summary: [evil] }
    const author = { name: evil, reason: evil }
    const hostileField = { field: evil, summary: [evil], author, commit: evil }
    const made: Plan = {
      changes: [change],
      blocked: [blocked],
      drift: [drift],
      liveEdits: treatments.map(treatment => ({
        address,
        kind,
        fields: [{ ...hostileField, treatment }],
        remedies: [evil],
      })),
      unchanged: [address],
      inventory: {},
    }
    const hostileMeta = {
      environment: evil,
      commit: 'abc',
      target: { ...meta.target, baseUrl: evil, projectId: evil },
    }
    for (const text of [
      planText(made, { meta: hostileMeta, style, showsUnchanged: true }),
      driftText(made, hostileMeta),
    ]) {
      expect(text).not.toMatch(/[\u001b\u202e]/)
      expect(text).toContain('a\\u001b[2J\\nb\\u202e')
    }
  })

  it('says that nothing is to be done, and that something is blocked', () => {
    const made = richPlan()
    const none = { ...made, changes: [], blocked: [], drift: [], liveEdits: [] }
    expect(planText(none, { meta, style }).split('\n')[0]).toBe(
      'No changes: production (project 2, https://flags.example.com)  at 4f2c1ab',
    )
    expect(planText({ ...none, blocked: made.blocked }, { meta, style }).split('\n')[0]).toMatch(
      /^No changes, but some things are blocked: /,
    )
  })
})
