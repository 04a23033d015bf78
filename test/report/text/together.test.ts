import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Action, Change } from '../../../src/core/change.ts'
import { createStyle } from '../../../src/report/line-text.ts'
import { planText } from '../../../src/report/text.ts'
import { aChange, aPlan } from '../../support/builders.ts'

const style = createStyle(false)
const meta = { target: { baseUrl: 'https://flags.example.com', projectId: '1', profile: 'documented' } }

const change = fc.record({
  action: fc.constantFrom<Action>('create', 'update', 'claim', 'claim', 'claim', 'restore', 'delete'),
  kind: fc.constantFrom('feature_flag', 'event_definition', 'plugin'),
  summary: fc.constantFrom(['tags +ours'], ['tags +theirs'], ['tags +ours', 'may be cut short']),
  allowed: fc.constantFrom([], [], ['can_edit' as const]),
  risk: fc.constantFrom('low' as const, 'high' as const),
  riskReasons: fc.constant([]),
})

const plans = fc.array(change, { maxLength: 20 }).map(drawn =>
  aPlan({
    changes: drawn.map((each, at) =>
      aChange({ ...each, address: `${each.kind}.name_${at}`, identity: `name_${at}` }),
    ),
  }),
)

const mentions = (text: string, { identity }: Change) =>
  text.split('\n').filter(row => row.endsWith(` ${identity}`))

it('tells every change once: by its name, or counted among claims that do the same', () => {
  fc.assert(
    fc.property(plans, plan => {
      const text = planText(plan, { meta, style })
      const named = plan.changes.filter(each => mentions(text, each).length === 1)
      const counted = [...text.matchAll(/^ {2}@ claims (.*?):/gm)]
        .flatMap(([, counts = '']) => counts.split(', '))
        .map(words => Number.parseInt(words, 10))
      const sum = counted.reduce((total, count) => total + count, 0)
      expect(named.length + sum).toBe(plan.changes.length)
      for (const each of plan.changes)
        if (each.action !== 'claim' || each.allowed.length > 0) expect(named).toContain(each)
    }),
  )
})

it('names every change to those who ask for each', () => {
  fc.assert(
    fc.property(plans, plan => {
      const text = planText(plan, { meta, style, isVerbose: true })
      expect(plan.changes.filter(each => mentions(text, each).length !== 1)).toEqual([])
    }),
  )
})
