import { describe, expect, it } from 'vitest'
import type { Blocked, Change, Drift, Plan } from '../../../src/core/change.ts'
import { foundDrift } from '../../../src/core/plan/found-drift.ts'
import type { Heading } from '../../../src/report/document.ts'
import { createStyle } from '../../../src/report/line-text.ts'
import { driftReport } from '../../../src/report/lines/plan-report.ts'
import { planText, reportText } from '../../../src/report/text.ts'
import { aChange } from '../../support/builders.ts'
import { treatments } from '../../support/live-edits.ts'
import { richPlan } from '../../support/rich-plan.ts'

const style = createStyle(false)
const meta = {
  environment: 'production',
  commit: '4f2c1ab',
  target: { baseUrl: 'https://flags.example.com', projectId: '2', profile: 'documented' },
}
/** What `drift` says of a plan where nothing is on record. */
const driftText = (plan: Plan, about: Heading) =>
  reportText(driftReport({ plan, found: foundDrift(plan, {}), meta: about }), style)

describe('the text of a plan', () => {
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
    const change = aChange({
      ...{ address: `feature_flag.${evil}`, action: 'delete', identity: evil, risk: 'high' },
      ...{ summary: [evil], source: { file: evil, line: 1, column: 1 } },
    })
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
      'No changes: plan for production (project 2, https://flags.example.com), commit 4f2c1ab',
    )
    expect(planText({ ...none, blocked: made.blocked }, { meta, style }).split('\n')[0]).toMatch(
      /^No changes, but some objects are blocked: /,
    )
  })
})
