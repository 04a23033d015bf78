import { describe, expect, it } from 'vitest'
import { folderOfTest } from '../../support/folder.ts'
import {
  type Clone,
  cloneIn,
  declared,
  everyoneAt,
  nothing,
  sharesOf,
  type World,
  worldOf,
} from './clones.ts'

/** A declaration by country: `{ DE: 20 }` is twenty percent of Germany. */
const countries = (shares: Readonly<Record<string, number>>, more = '') => ({
  'flags.yaml': `feature_flags:
  checkout: { active: true, filters: ${JSON.stringify(byCountry(shares))}${more} }
`,
})

const byCountry = (shares: Readonly<Record<string, number>>) => ({
  groups: Object.entries(shares).map(([country, rollout_percentage]) => ({
    properties: [{ key: 'country', type: 'person', operator: 'exact', value: [country] }],
    rollout_percentage,
  })),
})

const at = (percent: number) => declared({ checkout: { percent } })

/** Everything that somebody has applied, one after the other, with the last one taken back. */
async function undone(...states: readonly Readonly<Record<string, string>>[]): Promise<World> {
  const [first = {}, ...others] = states
  const world = await worldOf(first)
  await world.apply()
  for (const state of others) {
    await world.commit(state)
    await world.apply()
  }
  expect((await world.vexil('undo last --auto-approve')).code).toBe(0)
  return world
}

describe('what an undo took back is a side of its own', () => {
  it('and does not come back with an edit of another condition: that is a conflict', async () => {
    const { apply, commit, flag, plan } = await undone(countries({ FR: 20 }), countries({ FR: 20, AT: 50 }))
    await commit(countries({ FR: 5, AT: 50 }))
    const planned = await plan()
    expect(planned).toMatchObject({ code: 3, changes: [], edits: ['checkout filters conflict'] })
    expect(planned.text).toContain('vexil undo')
    expect((await apply()).code).toBe(3)
    expect((await flag('checkout')).filters).toMatchObject(byCountry({ FR: 20 }))
    await commit(countries({ FR: 5 }))
    expect(await plan()).toMatchObject({
      changes: ['update checkout: filters'],
      edits: ['checkout filters merged'],
    })
    await apply()
    expect(sharesOf(await flag('checkout'))).toEqual([5])
    expect(await plan()).toMatchObject(nothing)
  })

  it.each(['', ', allow: [live_edit], live_edits: revert'])(
    'and goes together with an edit of another condition, and stays after that%s',
    async more => {
      const { apply, commit, flag, plan } = await undone(
        countries({ FR: 20, AT: 10 }, more),
        countries({ FR: 20, AT: 50 }, more),
      )
      await commit(countries({ FR: 5, AT: 50 }, more))
      expect(await plan()).toMatchObject({
        code: 0,
        changes: ['update checkout: filters'],
        edits: ['checkout filters merged'],
      })
      for (const _ of [1, 2]) {
        expect((await apply()).code).toBe(0)
        expect(sharesOf(await flag('checkout'))).toEqual([5, 10])
        expect(await plan()).toMatchObject({ ...nothing, edits: ['checkout filters held'] })
      }
      await commit(countries({ FR: 5, AT: 10 }, more))
      expect(await plan()).toMatchObject(nothing)
    },
  )

  it('at a commit that declares something else already: that is not sent until git changes it', async () => {
    const { apply, commit, flag, plan, vexil } = await worldOf(at(10))
    await apply()
    await commit(at(50))
    await apply()
    await commit(at(25))
    await vexil('undo last --auto-approve')
    expect(await plan()).toMatchObject({ ...nothing, edits: ['checkout filters held'] })
    await apply()
    expect(sharesOf(await flag('checkout'))).toEqual([10])
    await commit(at(30))
    expect(await plan()).toMatchObject({ code: 3, changes: [], edits: ['checkout filters conflict'] })
    await commit(at(10))
    expect(await plan()).toMatchObject(nothing)
  })

  it('also where the undo itself is undone after a pull: the flag is not deleted again', async () => {
    const { apply, commit, flag, plan, vexil } = await undone({}, at(10))
    expect((await vexil('pull checkout')).code).toBe(0)
    await commit({})
    expect(await plan()).toMatchObject(nothing)
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    expect(await plan()).toMatchObject({ ...nothing, edits: ['checkout exists held'] })
    await apply()
    expect(sharesOf(await flag('checkout'))).toEqual([10])
  })
})

describe('what was taken over into the files', () => {
  it('is what an edit after it is measured from', async () => {
    const { apply, click, commit, flag, plan, vexil } = await worldOf(at(30))
    await apply()
    await click('checkout', { filters: everyoneAt(35) })
    expect((await vexil('pull checkout')).code).toBe(0)
    await commit({})
    await commit(at(60))
    expect(await plan()).toMatchObject({ ...nothing, changes: ['update checkout: filters'] })
    await apply()
    expect(sharesOf(await flag('checkout'))).toEqual([60])
    expect(await plan()).toMatchObject(nothing)
  })

  it('before the run that the base is of is no such thing: a click to an older value is a conflict', async () => {
    const { apply, click, commit, plan } = await worldOf(at(35))
    await commit(at(30))
    await apply()
    await click('checkout', { filters: everyoneAt(35) })
    await commit(at(60))
    expect(await plan()).toMatchObject({ code: 3, changes: [], edits: ['checkout filters conflict'] })
  })
})

describe('machines whose clocks differ, with records on a shared ref', () => {
  const shared = (more = '') => ({ 'vexil.yaml': `version: 1\nruns: { ref: refs/vexil/runs }\n${more}` })
  const minutes = 60_000

  /** A clone on a machine whose clock is ahead, or behind; it has what main has now. */
  async function machine(world: World, clockMs: number): Promise<Clone> {
    const folder = await folderOfTest({})
    await world.git('clone', '--quiet', `file://${world.folder}`, folder)
    return cloneIn(folder, world.service, clockMs)
  }

  it('what another one applied after one from the future is the base, and that one is reported', async () => {
    const world = await worldOf({ ...shared(), ...at(10) })
    const early = await machine(world, 60 * minutes)
    await early.apply()
    await world.commit(at(20))
    await (await machine(world, 0)).apply()
    await world.click('checkout', { filters: everyoneAt(10) })
    const third = await machine(world, 0)
    const planned = await third.plan()
    expect(planned).toMatchObject({ ...nothing, edits: ['checkout filters held'] })
    const { stderr } = await third.vexil('plan')
    expect(stderr).toMatch(/run \S+ is from the future: .* clock/)
    expect(stderr.match(/from the future/g)).toHaveLength(1)
  })

  it('and the newest run is the one that knew of all others: an undo takes that back', async () => {
    const world = await worldOf({ ...shared(), ...at(10) })
    await (await machine(world, 60 * minutes)).apply()
    await world.commit(at(20))
    await (await machine(world, 0)).apply()
    const third = await machine(world, 0)
    expect((await third.vexil('undo last --auto-approve')).code).toBe(0)
    expect(sharesOf(await world.flag('checkout'))).toEqual([10])
  })

  it.each([
    ['that shares it', true],
    ['that has no network until later', false],
  ])('a disable from a slow one %s stays, whatever is allowed for good', async (_, isShared) => {
    const world = await worldOf({
      ...shared('allow: [live_edit]\n'),
      ...declared({ checkout: {}, other: {} }),
    })
    const laptop = await machine(world, -10 * minutes)
    await (await machine(world, 0)).apply()
    if (!isShared) await laptop.git('remote', 'set-url', 'origin', 'file:///nowhere')
    const disable = (key: string) => laptop.vexil(['disable', key, '--auto-approve', '--reason', 'it fails'])
    await disable('checkout')
    await laptop.git('remote', 'set-url', 'origin', `file://${world.folder}`)
    if (!isShared) await disable('other')
    const next = await machine(world, 0)
    const held = ['checkout active held', ...(isShared ? [] : ['other active held'])]
    expect(await next.plan()).toMatchObject({ ...nothing, edits: held })
    await next.apply()
    expect((await world.flag('checkout')).active).toBe(false)
  })

  it('a plan that was saved before a disable changes nothing of that flag when it is applied after it', async () => {
    const world = await worldOf({ ...shared(), ...declared({ checkout: {}, other: {} }) })
    await (await machine(world, 0)).apply()
    await world.commit(declared({ checkout: { percent: 50 }, other: { percent: 50 } }))
    const [first, second] = [await machine(world, 0), await machine(world, 0)]
    const both = ['update checkout: filters', 'update other: filters']
    for (const each of [first, second])
      expect(await each.plan('--out plan.json')).toMatchObject({ changes: both, edits: [] })
    const laptop = await machine(world, -10 * minutes)
    await laptop.vexil(['disable', 'checkout', '--auto-approve', '--reason', 'it fails'])
    for (const each of [first, second]) {
      expect((await each.vexil('apply plan.json --auto-approve')).code).toBe(5)
      const checkout = await world.flag('checkout')
      expect([checkout.active, sharesOf(checkout)]).toEqual([false, [10]])
      expect(sharesOf(await world.flag('other'))).toEqual([50])
    }
    const next = await machine(world, 0)
    const held = { changes: ['update checkout: filters'], edits: ['checkout active held'] }
    expect(await next.plan()).toMatchObject(held)
    await next.apply()
    expect(await world.flag('checkout')).toMatchObject({ active: false })
    expect(await (await machine(world, 0)).plan()).toMatchObject({ changes: [], edits: held.edits })
  })
})
