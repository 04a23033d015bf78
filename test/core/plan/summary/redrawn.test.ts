import { describe, expect, it } from 'vitest'
import { summaryOf } from '../../../../src/core/describe/describe-change.ts'
import { declarableKind } from '../../../../src/kinds/index.ts'
import { defaultRisk } from '../../../../src/model/risk.ts'
import type { JsonObject } from '../../../../src/model/text/json.ts'
import { behaviourOf } from '../../../../src/services/differences.ts'
import { everyoneAt } from '../../../support/builders.ts'

const kind = declarableKind('feature_flag')
const ab = {
  groups: [{}],
  multivariate: {
    variants: [
      { key: 'a', rollout_percentage: 50 },
      { key: 'b', rollout_percentage: 50 },
    ],
  },
}

function told(field: string, before: JsonObject, after: JsonObject) {
  const record = { key: 'checkout', active: true, filters: everyoneAt(10) }
  return summaryOf(kind, {
    action: 'update',
    before: { ...record, ...before },
    after: { ...record, ...before, ...after },
    fields: [field],
    rules: behaviourOf('posthog-2026'),
    risk: defaultRisk,
  })
}

const anew =
  'people are assigned anew to percentages and variants: they may lose the flag, get it, or get another value'

describe('a change of what places are drawn from', () => {
  it.each<[string, string, JsonObject, JsonObject]>([
    ['a share of people', 'bucketing_identifier', {}, { bucketing_identifier: 'device_id' }],
    ['variants', 'bucketing_identifier', { filters: ab }, { bucketing_identifier: 'device_id' }],
  ])('says that people may get something else: %s', (_, field, before, after) => {
    const { summary, risk, riskReasons, exposure } = told(field, before, after)
    expect(summary).toContain(`bucketing_identifier changed: ${anew}`)
    expect([risk, exposure?.direction]).toEqual(['high', 'mixed'])
    expect(riskReasons.map(({ rule }) => rule)).toEqual(['mixed', 'reassigned', 'changed'])
  })

  it('says it of another key', () => {
    expect(told('key', {}, { key: 'other' }).summary).toEqual([
      'renamed to "other": code that asks for "checkout" no longer gets it',
      `under another key ${anew}`,
    ])
  })

  it('says it of continuity, for those who log in', () => {
    const { summary, risk } = told('ensure_experience_continuity', {}, { ensure_experience_continuity: true })
    expect(summary.at(-1)).toBe(
      'ensure_experience_continuity changed: people may get a different value when they log in',
    )
    expect(risk).toBe('medium')
  })

  it.each<[string, JsonObject]>([
    ['everybody gets it', { filters: everyoneAt(100) }],
    ['nobody gets it', { filters: everyoneAt(0) }],
    ['it is off', { active: false }],
  ])('says nothing where no draw decides: %s', (_, before) => {
    for (const [field, after] of [
      ['bucketing_identifier', { bucketing_identifier: 'device_id' }],
      ['ensure_experience_continuity', { ensure_experience_continuity: true }],
      ['key', { key: 'other' }],
    ] as const)
      expect(told(field, before, after).summary).toHaveLength(1)
  })
})
