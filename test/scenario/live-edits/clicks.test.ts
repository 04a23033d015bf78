import { describe, expect, it } from 'vitest'
import { flagsPath } from '../../support/workspace.ts'
import { declared, everyoneAt, nothing, sharesOf, worldOf } from './clones.ts'

const both = (checkout: object, other: object = {}) => declared({ checkout, other })

describe('on-call turns a flag off', () => {
  it('and an unrelated merge leaves it off, says who did it, and goes on by itself', async () => {
    const { apply, click, commit, flag, plan } = await worldOf(both({}))
    expect((await apply()).code).toBe(0)
    await click('checkout', { active: false }, 2)
    await commit(both({}, { percent: 20 }))
    const planned = await plan()
    expect(planned).toMatchObject({
      code: 0,
      changes: ['update other: filters'],
      blocked: [],
      edits: ['checkout active held'],
    })
    expect(planned.text).toContain('active: on -> off, nobody gets it any more')
    expect(planned.text).toContain('active: held, changed in the product by grace@example.com')
    expect(planned.text).toContain('vexil pull feature_flag.checkout')
    expect(planned.text).toContain('--allow live_edit=feature_flag.checkout')
    expect((await apply()).code).toBe(0)
    expect((await flag('checkout')).active).toBe(false)
    expect(sharesOf(await flag('other'))).toEqual([20])
    expect(await plan()).toMatchObject({ ...nothing, edits: ['checkout active held'] })
    expect((await plan('--fail-on-blocked')).code).toBe(3)
  })

  it('and a merge that touches other fields of it sends those and leaves it off', async () => {
    const { apply, click, commit, flag, plan } = await worldOf(both({}))
    await apply()
    await click('checkout', { active: false })
    await commit(both({ percent: 20, more: 'name: Checkout' }))
    expect(await plan()).toMatchObject({
      changes: ['update checkout: filters, name'],
      edits: ['checkout active held'],
    })
    await apply()
    const live = await flag('checkout')
    expect([live.active, live.name, sharesOf(live)]).toEqual([false, 'Checkout', [20]])
  })

  it('until somebody says to go ahead', async () => {
    const { apply, click, flag, plan } = await worldOf(both({}))
    await apply()
    await click('checkout', { active: false })
    expect((await apply('--allow live_edit=feature_flag.checkout')).code).toBe(0)
    expect((await flag('checkout')).active).toBe(true)
    expect(await plan()).toMatchObject(nothing)
  })

  it('and the repository agrees, then turns it on again: an ordinary change', async () => {
    const { apply, click, commit, flag, plan } = await worldOf(both({}))
    await apply()
    await click('checkout', { active: false })
    await commit(both({ active: false }))
    expect(await plan()).toMatchObject(nothing)
    await apply()
    await commit(both({}))
    expect(await plan()).toMatchObject({ changes: ['update checkout: active'], edits: [] })
    await apply()
    expect((await flag('checkout')).active).toBe(true)
  })
})

describe('a flag that was made in the product', () => {
  it('and is off there, and is declared on for the first time: it stays off until somebody says to go ahead', async () => {
    const { apply, commit, flag, plan, service } = await worldOf(both({}))
    await apply()
    await service.send('POST', `${flagsPath}/`, { key: 'experiment', active: false, filters: everyoneAt(10) })
    await commit(declared({ checkout: {}, other: {}, experiment: {} }))
    expect(await plan()).toMatchObject({ ...nothing, edits: ['experiment active held'] })
    await apply()
    expect((await flag('experiment')).active).toBe(false)
    await apply('--allow live_edit=feature_flag.experiment')
    expect((await flag('experiment')).active).toBe(true)
    expect(await plan()).toMatchObject(nothing)
  })
})

describe('the product deletes a flag', () => {
  it('and an unrelated merge does not restore it', async () => {
    const { apply, click, commit, flags, plan, service } = await worldOf(both({}))
    await apply()
    await click('checkout', { deleted: true })
    await commit(both({}, { percent: 20 }))
    const planned = await plan()
    expect(planned).toMatchObject({
      code: 0,
      changes: ['update other: filters'],
      blocked: [],
      edits: ['checkout exists held'],
    })
    const { result, requests } = await service.watch(() => apply())
    expect(result.code).toBe(0)
    expect(requests.filter(line => !line.startsWith('GET '))).toEqual([
      expect.stringMatching(/^PATCH .*feature_flags\/\d+$/),
    ])
    expect((await flags()).map(({ key }) => key)).not.toContain('checkout')
    expect(await plan()).toMatchObject({ ...nothing, edits: ['checkout exists held'] })
    await apply('--allow live_edit=feature_flag.checkout')
    expect((await flags()).map(({ key }) => key)).toContain('checkout')
    expect(await plan()).toMatchObject(nothing)
  })

  it('and the repository retires it as well: they agree', async () => {
    const { apply, click, commit, plan } = await worldOf(both({}))
    await apply()
    await click('checkout', { deleted: true })
    await commit({ 'flags.yaml': 'feature_flags:\n  checkout: { ensure: absent }\n' })
    expect(await plan()).toMatchObject(nothing)
  })
})

describe('the product renames a flag', () => {
  it('and it is followed by its id: blocked, and never made a second time', async () => {
    const { apply, click, commit, flags, plan, service } = await worldOf(both({}))
    await apply()
    await click('checkout', { key: 'checkout_v2' })
    await commit(both({}, { percent: 20 }))
    const planned = await plan()
    expect(planned).toMatchObject({
      code: 0,
      changes: ['update other: filters'],
      blocked: ['checkout renamed_in_product'],
    })
    expect(planned.text).toContain('checkout_v2')
    const { requests } = await service.watch(() => apply())
    expect(requests.filter(line => line.startsWith('POST '))).toEqual([])
    expect((await flags()).map(({ key }) => key).sort()).toEqual(['checkout_v2', 'other'])
  })
})

describe('the product changes a flag', () => {
  it('that the repository retires: a conflict, and it is not deleted', async () => {
    const { apply, click, commit, flag, flags, plan } = await worldOf(both({}))
    await apply()
    await click('checkout', { filters: everyoneAt(60) })
    await commit({ 'flags.yaml': 'feature_flags:\n  checkout: { ensure: absent }\n' })
    expect(await plan()).toMatchObject({ code: 3, changes: [], edits: ['checkout exists conflict'] })
    expect((await apply()).code).toBe(3)
    expect(sharesOf(await flag('checkout'))).toEqual([60])
    expect((await apply('--allow live_edit=checkout')).code).toBe(0)
    expect((await flags()).map(({ key }) => key)).toEqual(['other'])
    expect(await plan()).toMatchObject(nothing)
  })

  it('in what the repository changes too: a conflict, and both values are told', async () => {
    const { apply, click, commit, flag, plan } = await worldOf(both({ more: 'name: Checkout' }))
    await apply()
    await click('checkout', { filters: everyoneAt(60) })
    await commit(both({ percent: 30, more: 'name: New' }))
    const planned = await plan()
    expect(planned).toMatchObject({
      code: 3,
      changes: ['update checkout: name'],
      edits: ['checkout filters conflict'],
    })
    expect(planned.text).toContain('in the product: condition 1  everyone  10% -> 60%')
    expect(planned.text).toContain('in the repository: condition 1  everyone  10% -> 30%')
    const lifted = await plan('--allow live_edit=feature_flag.checkout')
    expect(lifted).toMatchObject({ code: 0, edits: ['checkout filters reverted'] })
    // What somebody did in the product, and what this plan sends.
    expect(lifted.text).toContain('condition 1  everyone  10% -> 60%')
    expect(lifted.text).toContain('condition 1  everyone  60% -> 30%')
    expect(lifted.text).not.toContain('30% -> 60%')
    expect((await apply()).code).toBe(3)
    const live = await flag('checkout')
    expect([live.name, sharesOf(live)]).toEqual(['New', [60]])
  })

  it('in a field that is not held: the plan says first what is lost', async () => {
    const { apply, click, flag, plan } = await worldOf(both({ more: 'name: Checkout' }))
    await apply()
    await click('checkout', { name: 'Clicked' })
    const planned = await plan()
    expect(planned).toMatchObject({
      code: 0,
      changes: ['update checkout: name'],
      edits: ['checkout name reverted'],
    })
    expect(planned.text.indexOf('Clicked')).toBeGreaterThan(-1)
    await apply()
    expect((await flag('checkout')).name).toBe('Checkout')
    expect(await plan()).toMatchObject(nothing)
  })

  it('in a field that is declared nowhere: nobody minds', async () => {
    const { apply, click, plan } = await worldOf(both({}))
    await apply()
    await click('checkout', { name: 'Clicked' })
    expect(await plan()).toMatchObject(nothing)
  })
})

it('makes a flag beside the declared ones: it is left alone', async () => {
  const { apply, commit, flag, plan, service } = await worldOf(both({}))
  await apply()
  await service.send('POST', `${flagsPath}/`, { key: 'experiment', filters: everyoneAt(5) })
  await commit(both({}, { percent: 20 }))
  expect(await plan()).toMatchObject({ changes: ['update other: filters'], edits: [] })
  await apply()
  expect(sharesOf(await flag('experiment'))).toEqual([5])
})
