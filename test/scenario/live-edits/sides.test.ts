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

const at = (percent: number) => declared({ checkout: { percent } })

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
})
