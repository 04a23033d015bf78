import { describe, expect, it } from 'vitest'
import { declared, everyoneAt, nothing, sharesOf, worldOf } from './clones.ts'

const both = (checkout: object, other: object = {}) => declared({ checkout, other })

/** A world in which the flag was applied, and then disabled. */
async function disabled() {
  const world = await worldOf(both({}))
  await world.apply()
  const { code } = await world.vexil([
    ...'disable checkout --auto-approve --reason'.split(' '),
    'payments fail',
  ])
  expect(code).toBe(0)
  expect((await world.flag('checkout')).active).toBe(false)
  return world
}

describe('vexil disable', () => {
  it('stays when a merge widens the flag: who gets it goes on, and the plan says who and why', async () => {
    const { apply, commit, flag, plan } = await disabled()
    await commit(both({ percent: 30 }))
    const planned = await plan()
    expect(planned).toMatchObject({
      code: 0,
      changes: ['update checkout: filters'],
      blocked: [],
      edits: ['checkout active held'],
    })
    expect(planned.text).toContain('payments fail')
    expect(planned.text).toContain('tester')
    await apply()
    const live = await flag('checkout')
    expect([live.active, sharesOf(live)]).toEqual([false, [30]])
    expect(await plan()).toMatchObject({ ...nothing, edits: ['checkout active held'] })
  })

  it('and the repository turns it off as well, and on later: it goes on', async () => {
    const { apply, commit, flag, plan } = await disabled()
    await commit(both({ active: false }))
    expect(await plan()).toMatchObject(nothing)
    await apply()
    await commit(both({}))
    expect(await plan()).toMatchObject({ ...nothing, changes: ['update checkout: active'] })
    await apply()
    expect((await flag('checkout')).active).toBe(true)
    expect(await plan()).toMatchObject(nothing)
  })

  it('is taken into the files by vexil pull, and turned on later it goes on', async () => {
    const { apply, commit, flag, git, plan, vexil } = await disabled()
    expect((await vexil('pull feature_flag.checkout')).code).toBe(0)
    expect(await git('diff', '--numstat')).toBe('1\t1\tflags.yaml')
    const off = await commit({})
    expect(await plan()).toMatchObject(nothing)
    await apply()
    await git('revert', '--no-edit', off)
    expect(await plan()).toMatchObject({ ...nothing, changes: ['update checkout: active'] })
    await apply()
    expect((await flag('checkout')).active).toBe(true)
    expect(await plan()).toMatchObject(nothing)
  })

  it('is over with vexil enable, and with leave by name', async () => {
    const { plan, vexil, apply, flag } = await disabled()
    expect((await vexil(['enable', 'checkout', '--auto-approve'])).code).toBe(0)
    expect(await plan()).toMatchObject(nothing)
    await vexil(['disable', 'checkout', '--auto-approve', '--reason', 'again'])
    expect(await plan()).toMatchObject({ ...nothing, edits: ['checkout active held'] })
    expect((await apply('--allow live_edit')).code).toBe(0)
    expect((await flag('checkout')).active).toBe(false)
    await apply('--allow live_edit=feature_flag.checkout')
    expect((await flag('checkout')).active).toBe(true)
    expect(await plan()).toMatchObject(nothing)
  })
})

describe('vexil undo', () => {
  it('stays over the next merge, until git changes what it put back', async () => {
    const { apply, commit, flag, plan, vexil } = await worldOf(both({}))
    await apply()
    await commit(both({ percent: 20 }))
    await apply()
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    expect(sharesOf(await flag('checkout'))).toEqual([10])
    await commit(both({ percent: 20 }, { percent: 15 }))
    expect(await plan()).toMatchObject({
      code: 0,
      changes: ['update other: filters'],
      edits: ['checkout filters held'],
    })
    await apply()
    expect(sharesOf(await flag('checkout'))).toEqual([10])
    await commit(both({ percent: 15 }, { percent: 15 }))
    expect(await plan()).toMatchObject({ ...nothing, changes: ['update checkout: filters'] })
    await apply()
    expect(sharesOf(await flag('checkout'))).toEqual([15])
    expect(await plan()).toMatchObject(nothing)
  })

  it('and the commit is reverted: they agree', async () => {
    const { apply, commit, git, plan, vexil } = await worldOf(both({}))
    await apply()
    const bad = await commit(both({ percent: 20 }))
    await apply()
    await vexil('undo last --auto-approve')
    await git('revert', '--no-edit', bad)
    expect(await plan()).toMatchObject(nothing)
    await apply()
    await commit(both({ percent: 20 }))
    expect(await plan()).toMatchObject({ ...nothing, changes: ['update checkout: filters'] })
  })

  it('of a merge: the command that it tells reverts it as it stands', async () => {
    const { apply, commit, git, plan, vexil } = await worldOf(both({}))
    await apply()
    await git('checkout', '--quiet', '-b', 'widen')
    await commit(both({ percent: 20 }))
    await git('checkout', '--quiet', 'main')
    await git('merge', '--quiet', '--no-ff', '--no-edit', 'widen')
    await apply()
    const { stdout, stderr } = await vexil('undo last --auto-approve')
    const [, told = ''] = /`git ([^`]+)`/.exec(stdout + stderr) ?? []
    expect(told).toMatch(/^revert -m 1 /)
    await git(...told.split(' '), '--no-edit')
    expect(await plan()).toMatchObject(nothing)
  })

  it('of a run that created a flag: it is not created again', async () => {
    const { apply, commit, flags, plan, vexil } = await worldOf(both({}))
    await apply()
    await commit(declared({ checkout: {}, other: {}, fresh: {} }))
    await apply()
    await vexil('undo last --auto-approve')
    expect((await flags()).map(({ key }) => key)).not.toContain('fresh')
    expect(await plan()).toMatchObject({ ...nothing, edits: ['fresh exists held'] })
  })

  it('does not take back what somebody clicked since', async () => {
    const { apply, click, commit, flag, plan, vexil } = await worldOf(both({}))
    await apply()
    await commit(both({ percent: 20 }))
    await apply()
    await click('checkout', { filters: everyoneAt(5) })
    expect((await vexil('undo last --auto-approve')).code).toBe(5)
    expect(sharesOf(await flag('checkout'))).toEqual([5])
    expect(await plan()).toMatchObject({ ...nothing, edits: ['checkout filters held'] })
  })
})
