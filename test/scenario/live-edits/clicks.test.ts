import { expect, it } from 'vitest'
import { useWorld } from './support.ts'

const world = useWorld()
const checkout = (percent: number, more = '') =>
  `  checkout: { active: true, filters: { groups: [ { rollout_percentage: ${percent} } ] }${more} }`
const nothing = { code: 0, sent: {}, blocked: {}, edits: [] }

it('on-call turns a flag off, and an unrelated merge leaves it off', async () => {
  const { commit, apply, plan, click, flag } = world()
  await commit(checkout(10))
  expect((await apply()).code).toBe(0)
  await click('checkout', { active: false })
  await commit(`${checkout(10)}\n  other: { active: false, filters: {} }`)
  const held = 'feature_flag.checkout active held'
  expect(await plan()).toMatchObject({ code: 0, sent: { 'feature_flag.other': {} }, edits: [held] })
  expect((await apply()).code).toBe(0)
  expect((await flag('checkout')).active).toBe(false)
  expect(await plan()).toEqual({ ...nothing, edits: [held] })
  expect((await apply('--fail-on-blocked')).code).toBe(3)
})

it('a step that a limit blocked is still the change of the repository at the next merge', async () => {
  const { commit, apply, plan } = world()
  await commit(checkout(10))
  await apply()
  await commit(checkout(100))
  const blocked = { 'feature_flag.checkout': 'rollout_step' }
  expect(await plan()).toEqual({ ...nothing, blocked })
  expect((await apply()).code).toBe(0)
  await commit(`${checkout(100)}\n  other: { active: false, filters: {} }`)
  expect(await plan()).toMatchObject({ blocked, edits: [] })
})

it('an apply of one object leaves the others the change of the repository', async () => {
  const { commit, apply, plan } = world()
  const two = (percent: number) => `${checkout(percent)}\n${checkout(percent).replace('checkout', 'other')}`
  await commit(two(10))
  await apply()
  await commit(two(20))
  expect((await apply('--target checkout')).code).toBe(0)
  expect(await plan()).toMatchObject({ sent: { 'feature_flag.other': {} }, blocked: {}, edits: [] })
})

it('a flag that the product deleted is not restored by an unrelated merge', async () => {
  const { commit, apply, plan, click } = world()
  await commit(checkout(10))
  await apply()
  await click('checkout', { deleted: true })
  await commit(`${checkout(10)}\n  other: { active: false, filters: {} }`)
  expect((await apply()).code).toBe(0)
  expect(await plan()).toEqual({ ...nothing, edits: ['feature_flag.checkout exists held'] })
})

it('a live edit and a retirement contradict each other', async () => {
  const { commit, apply, plan, click } = world()
  await commit(checkout(10))
  await apply()
  await click('checkout', { filters: { groups: [{ properties: [], rollout_percentage: 50 }] } })
  await commit('  checkout: { ensure: absent }')
  const conflict = { ...nothing, code: 3, edits: ['feature_flag.checkout exists conflict'] }
  expect(await plan()).toEqual(conflict)
  expect((await apply()).code).toBe(3)
  expect(await plan()).toEqual(conflict)
  expect((await apply('--allow live_edit=checkout')).code).toBe(0)
  expect(await plan()).toEqual(nothing)
})

it('what an undo put back is held until git changes it', async () => {
  const { commit, apply, plan, vexil } = world()
  await commit(checkout(10))
  await apply()
  await commit(checkout(20))
  await apply()
  expect((await vexil('undo last --auto-approve')).code).toBe(0)
  await commit(`${checkout(20)}\n  other: { active: false, filters: {} }`)
  await apply()
  expect(await plan()).toEqual({ ...nothing, edits: ['feature_flag.checkout filters held'] })
  await commit(checkout(15))
  expect(await plan()).toMatchObject({ code: 0, sent: { 'feature_flag.checkout': {} }, edits: [] })
})

it('what is disabled stays off under a merge that widens, and goes on once the repository has agreed', async () => {
  const { commit, apply, plan, vexil, flag } = world()
  await commit(checkout(10))
  await apply()
  const disabled = await vexil(['disable', 'checkout', '--reason', 'it fails', '--auto-approve'])
  expect(disabled.code, disabled.stderr).toBe(0)
  await commit(checkout(20))
  expect((await apply()).code).toBe(0)
  expect(await plan()).toEqual({ ...nothing, edits: ['feature_flag.checkout active held'] })
  expect(await flag('checkout')).toMatchObject({
    active: false,
    filters: { groups: [{ rollout_percentage: 20 }] },
  })
  await commit(checkout(20).replace('true', 'false'))
  expect(await plan()).toEqual(nothing)
  await apply()
  await commit(checkout(20))
  expect((await plan()).sent).toEqual({ 'feature_flag.checkout': { active: true } })
})

it('a flag that was renamed in the product is followed by its id, and there is no second one', async () => {
  const { commit, apply, plan, click } = world()
  await commit(checkout(10))
  await apply()
  await click('checkout', { key: 'checkout_new' })
  expect(await plan()).toEqual({ ...nothing, blocked: { 'feature_flag.checkout': 'renamed_in_product' } })
})
