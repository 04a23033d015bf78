import { describe, expect, it } from 'vitest'
import type { Plan } from '../../../src/core/change.ts'
import type { JsonObject } from '../../../src/model/text/json.ts'
import { render } from '../../../src/report/formats.ts'
import { aFlag, declare, declaredFlag, everyoneAt, planned } from '../../support/builders.ts'
import { attributeOf, type Element, htmlTree, textIn, within } from '../../support/html-tree.ts'
import { reviewedPlan } from '../../support/reviewed-plan.ts'

const in_ = (country: string, percent: number) => ({
  properties: [{ key: 'country', value: [country], type: 'person', operator: 'exact' }],
  rollout_percentage: percent,
})
const all = (percent: number) => everyoneAt(percent).groups as JsonObject[]
const filters = (...groups: JsonObject[]) => ({ filters: { groups } })
const early = { filters: { groups: all(50), early_exit: true } }

async function shownReach(plan: Plan) {
  const { elements } = htmlTree(await render('html', { ...reviewedPlan(), plan }))
  const ofClass = (name: string, among = elements) =>
    among.filter(each => attributeOf(each, 'class')?.split(' ').includes(name))
  const bar = (each: Element) => {
    if (each.tagName !== 'svg') return 'none'
    const [solid, rail] = within(each).filter(({ tagName }) => tagName === 'rect')
    return `${solid && attributeOf(solid, 'width')}/${rail && attributeOf(rail, 'x')}`
  }
  const bars = (each: Element) => ofClass('bar', within(each)).map(bar)
  const words = (each: Element) => textIn(each).replaceAll(/\s+/g, ' ').trim()
  return {
    whole: ofClass('reach').map(each => [words(each), ...bars(each)]),
    conditions: ofClass('of-condition').map(each => [words(each).replace(/ ?→$/, ''), ...bars(each)]),
  }
}

const change = (live: JsonObject, desired: JsonObject) =>
  planned(declare([declaredFlag('checkout', desired)]), [aFlag({ ...filters(...all(10)), ...live })])

describe('the bars of a flag', () => {
  it.each([
    ['a share of everybody', filters(...all(10)), filters(...all(25)), 'reach before: 10%→ and after: 25%'],
    [
      'a share that properties limit',
      filters(in_('DE', 10)),
      filters(in_('DE', 100)),
      'reach before: up to 10%→ and after: up to 100%',
    ],
    [
      'one small condition that is wider than the rest',
      filters(...all(10)),
      filters(in_('DE', 100), ...all(10)),
      'reach before: 10%→ and after: 10%, up to 100%',
    ],
    [
      'a share that other members limit',
      filters(...all(10)),
      early,
      'reach before: 10%→ and after: up to 50%',
    ],
    ['a switch', { active: false }, { active: true }, 'reach before: 0%→ and after: 10%'],
    ['an unchanged reach', { name: 'Old' }, { name: 'New' }, 'reach: 10%'],
  ])('are in words what %s is', async (_, live, desired, words) => {
    const { whole } = await shownReach(change(live, desired))
    expect(whole.map(([text]) => text)).toEqual([words])
  })

  it('are solid only for what everybody gets, and there are two for each condition', async () => {
    const live = filters(in_('DE', 10), ...all(5), in_('FR', 40))
    const plan = change(live, filters(in_('AT', 100), in_('DE', 10), ...all(20)))
    expect(await shownReach(plan)).toEqual({
      whole: [['reach before: 5%, up to 40%→ and after: 20%, up to 100%', '5/40', '20/100']],
      conditions: [
        ['condition 1 added: country is AT at 100%', 'none', '0/100'],
        ['condition 2 country is DE at 10%', '0/10', '0/10'],
        ['condition 3 (was 2) everyone 5% -> 20%', '5/5', '20/20'],
        ['condition 3 removed: country is FR at 40%', '0/40', 'none'],
      ],
    })
  })

  it('are not repeated for a single condition', async () => {
    const { conditions } = await shownReach(change(filters(in_('DE', 10)), filters(in_('DE', 100))))
    expect(conditions).toEqual([])
  })

  it('are absent where nobody gets it, and for another object', async () => {
    const off = { active: false, ...filters(...all(50)) }
    expect(await shownReach(change({ active: false }, off))).toEqual({ whole: [], conditions: [] })
  })
})
