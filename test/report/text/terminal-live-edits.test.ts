import { describe, expect, it } from 'vitest'
import type { LiveEdit } from '../../../src/core/live-edits/live-edit.ts'
import { createStyle } from '../../../src/report/line-text.ts'
import { leftOutLiveEdits } from '../../../src/report/lines/plan-sections.ts'
import { itemLines, planText } from '../../../src/report/text.ts'
import { declare, declaredFlag, planned } from '../../support/builders.ts'
import { aLiveEdit, aLiveEditField, treatments } from '../../support/live-edits.ts'

const style = createStyle(false)
const meta = { target: { baseUrl: 'https://flags.example.com', projectId: '2', profile: 'documented' } }

const edits: readonly LiveEdit[] = [
  aLiveEdit('search', [
    aLiveEditField({ field: 'name', treatment: 'reverted', summary: ['description: "A" -> "B"'] }),
    aLiveEditField({ field: 'active', treatment: 'held' }),
  ]),
  aLiveEdit('beta', [
    aLiveEditField({
      field: 'filters',
      treatment: 'conflict',
      summary: ['everyone  10% -> 30%'],
      author: undefined,
      heldSince: undefined,
    }),
  ]),
  aLiveEdit('nav', [
    aLiveEditField({
      field: 'filters',
      treatment: 'behind',
      summary: ['everyone  10% -> 50%'],
      author: undefined,
      heldSince: undefined,
      commit: 'c'.repeat(40),
    }),
  ]),
]

function shown(liveEdits: readonly LiveEdit[]): string {
  const { changes, ...nothing } = planned(declare([declaredFlag('search', { active: false })]), [])
  const changed = liveEdits.filter(isSent).flatMap(({ address }) => changes.map(one => ({ ...one, address })))
  return planText({ ...nothing, changes: changed, liveEdits }, { meta, style })
}

/** Something is sent of an object exactly where its change is in the plan. */
const isSent = ({ fields }: LiveEdit) =>
  fields.some(({ treatment }) => treatment === 'reverted' || treatment === 'merged')

describe('what was changed in the product', () => {
  it('is told by what becomes of it, with who, when, since when, and how to go on', () => {
    expect(shown(edits)).toBe(`LOW risk: plan for project 2, https://flags.example.com

read: feature_flag 0 of 0, plugin 0 of 0, event_definition 0 of 0

CHANGED IN THE PRODUCT (lost with this plan: it writes the declared values)
  = flag search                                       flags/checkout.yaml:12
      name: reverted, changed in the product by ada@example.com on 2026-11-20 10:00:00 UTC ("checkout fails"), held since 2026-11-21 02:00:00 UTC
        description: "A" -> "B"

LOW RISK
  + flag search
      inactive: nobody gets it
      condition 1  everyone at 100%

CONFLICT (changed in the product and in the repository; not sent)
  = flag beta                                         flags/checkout.yaml:12
      filters: changed in the repository, and in the product
        everyone  10% -> 30%
      to go on: vexil pull feature_flag.beta
            or: --allow live_edit=feature_flag.beta
            or: edit flags/checkout.yaml:12

HELD (changed in the product; not sent)
  = flag search                                       flags/checkout.yaml:12
      active: held, changed in the product by ada@example.com on 2026-11-20 10:00:00 UTC ("checkout fails"), held since 2026-11-21 02:00:00 UTC
        active: on -> off, nobody gets it any more
      to go on: vexil pull feature_flag.search
            or: --allow live_edit=feature_flag.search
            or: edit flags/checkout.yaml:12

BEHIND (another commit declared the live value; not sent)
  = flag nav                                          flags/checkout.yaml:12
      filters: behind, declared by another commit (cccccccccccc)
        everyone  10% -> 50%
      to go on: vexil pull feature_flag.nav
            or: --allow live_edit=feature_flag.nav
            or: edit flags/checkout.yaml:12

1 to create, 0 to change, 0 to delete, 0 blocked, 1 in conflict, 1 held, 1 behind, 0 unchanged
`)
  })

  it('keeps a plan without changes from saying that all is as declared', () => {
    const [, beta, nav] = edits
    expect(shown([beta!]).split(':')[0]).toBe('No changes, but some objects are in conflict')
    expect(shown([nav!]).split(':')[0]).toBe('No changes, but some objects are behind')
    expect(shown([beta!, nav!]).split(':')[0]).toBe('No changes, but some objects are in conflict or behind')
  })

  it('is nowhere in a plan that has none of it', () => {
    expect(shown([])).not.toMatch(/product|held|conflict|behind/i)
  })

  it.each(treatments)('is told where it is %s, and how to go on once', treatment => {
    const text = shown([aLiveEdit('a', [aLiveEditField({ treatment })])])
    expect(text.split('active: on -> off')).toHaveLength(2)
    expect(text.split('vexil pull feature_flag.a')).toHaveLength(2)
  })

  it('is told again beside what was done, where it was left out', () => {
    expect(
      leftOutLiveEdits(edits)
        .flatMap(item => itemLines(item, style).map(line => `${line}\n`))
        .join(''),
    ).toBe(`  ! flag beta not applied: filters changed in the repository, and in the product
      to go on: vexil pull feature_flag.beta
            or: --allow live_edit=feature_flag.beta
            or: edit flags/checkout.yaml:12
  ! flag nav not applied: filters behind, declared by another commit
      to go on: vexil pull feature_flag.nav
            or: --allow live_edit=feature_flag.nav
            or: edit flags/checkout.yaml:12
  ! flag search not applied: active held, changed in the product
      to go on: vexil pull feature_flag.search
            or: --allow live_edit=feature_flag.search
            or: edit flags/checkout.yaml:12
`)
  })
})
