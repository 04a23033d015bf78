import { describe, expect, it } from 'vitest'
import { summaryOf } from '../../../../src/core/describe/describe-change.ts'
import { declarableKind } from '../../../../src/kinds/index.ts'
import { defaultRisk } from '../../../../src/model/risk.ts'
import type { JsonObject } from '../../../../src/model/text/json.ts'
import { behaviourOf } from '../../../../src/services/differences.ts'
import { everyoneAt } from '../../../support/builders.ts'

type Input = Parameters<typeof summaryOf>[1]

const german = { groups: [{ properties: [{ key: 'country', type: 'person', value: 'DE' }] }] }
const both = { groups: [...german.groups, { properties: [], rollout_percentage: 10 }] }
const flag = (over: JsonObject = {}) => ({
  key: 'checkout',
  active: true,
  filters: everyoneAt(10),
  ...over,
})
const plugin = { name: 'geoip', plugin_type: 'source' }

function reasons(kind: string, given: Pick<Input, 'action' | 'before' | 'after'> & Partial<Input>) {
  const { before, after } = given
  const fields = Object.keys({ ...before, ...after }).filter(
    name => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
  )
  const { risk, riskReasons } = summaryOf(declarableKind(kind), {
    fields,
    rules: behaviourOf('documented'),
    risk: defaultRisk,
    ...given,
  })
  return [risk, ...riskReasons.map(({ rule, reason }) => `${rule}: ${reason}`)]
}

const updates: readonly [string, JsonObject, JsonObject, readonly string[]][] = [
  [
    'is turned off, with one condition',
    {},
    { active: false },
    ['high', 'turned_off: nobody gets it any more: 1 condition of 10% stops'],
  ],
  [
    'is turned off, with several',
    { filters: both },
    { active: false },
    ['high', 'turned_off: nobody gets it any more: 2 conditions of up to 100% stop'],
  ],
  [
    'is turned on for nobody',
    { active: false, filters: everyoneAt(0) },
    { active: true },
    ['medium', 'changed: it is turned on, and its conditions reach nobody'],
  ],
  [
    'is turned off and reached nobody',
    { filters: everyoneAt(0) },
    { active: false },
    ['medium', 'changed: it is turned off, and its conditions reach nobody'],
  ],
  [
    'changes while it is off',
    { active: false },
    { filters: everyoneAt(20) },
    ['medium', 'changed: its filters change, and nobody gets it before or after'],
  ],
  [
    'gives code another payload',
    {},
    { filters: { ...everyoneAt(10), payloads: { true: '1' } } },
    ['medium', 'changed: code receives other payloads'],
  ],
  [
    'has something that nobody here knows',
    {},
    { ensure_experience_continuity: true },
    ['medium', 'changed: it changes ensure_experience_continuity'],
  ],
]

describe('why a change is risky', () => {
  it.each(updates)('is said of a flag that %s', (_, before, after, expected) => {
    const was = flag(before)
    expect(reasons('feature_flag', { action: 'update', before: was, after: { ...was, ...after } })).toEqual(
      expected,
    )
  })

  it.each<[string, JsonObject, readonly string[]]>([
    ['for everyone', { filters: everyoneAt(100) }, ['medium', 'created: it is new, and everyone gets it']],
    ['for a share', {}, ['medium', 'created: it is new, and 10% of all people get it']],
    [
      'for several shares',
      { filters: both },
      ['medium', 'created: it is new: 10% of everyone, and 100% of the people of condition 1 get it'],
    ],
    [
      'for many shares',
      {
        filters: {
          groups: [5, 40, 0, 30, 20].flatMap(share =>
            german.groups.map(one => ({ ...one, rollout_percentage: share })),
          ),
        },
      },
      [
        'medium',
        'created: it is new: 40% of the people of condition 2, 30% of the people of condition 4, 20% of the people of condition 5, and people of 1 other condition get it',
      ],
    ],
    ['for nobody', { active: false }, ['low', 'unnoticed: everybody gets the same as before']],
  ])('is said of a new flag %s', (_, after, expected) => {
    expect(reasons('feature_flag', { action: 'create', before: null, after: flag(after) })).toEqual(expected)
  })

  it('is said of a flag that comes back for nobody', () => {
    const change = { action: 'restore' as const, before: flag(), after: flag({ active: false }) }
    expect(reasons('feature_flag', change)).toEqual([
      'medium',
      'changed: it comes back switched off: nobody gets it',
    ])
    const reached = { ...change, after: flag({ filters: everyoneAt(0) }) }
    expect(reasons('feature_flag', reached)).toEqual([
      'medium',
      'changed: it comes back, and its conditions reach nobody',
    ])
  })

  it.each<[string, Pick<Input, 'action' | 'before' | 'after'> & Partial<Input>, readonly string[]]>([
    [
      'comes with code',
      { action: 'create', before: null, after: plugin, files: { 'index.ts': 'export {}\n' } },
      ['high', 'source_changed: new code that runs on events'],
    ],
    [
      'comes without',
      { action: 'create', before: null, after: plugin },
      ['medium', 'created: it is new, without source files'],
    ],
    [
      'changes its code',
      {
        action: 'update',
        before: plugin,
        after: plugin,
        files: { 'index.ts': 'x\n' },
        filesBefore: { 'index.ts': 'y\n' },
      },
      ['high', 'source_changed: the code that runs on events changes'],
    ],
    [
      'goes',
      { action: 'delete', before: plugin, after: null },
      ['high', 'deleted: its code no longer runs on events: deleted for good'],
    ],
  ])('is said of a plugin that %s', (_, change, expected) => {
    expect(reasons('plugin', change)).toEqual(expected)
  })
})
