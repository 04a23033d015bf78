import { describe, expect, it } from 'vitest'
import { declared, everyoneAt, nothing, sharesOf, worldOf } from './clones.ts'

const both = (checkout: object, other: object = {}) => declared({ checkout, other })

/** The service has a clock of its own. */
const withoutTimes = (text: string) => text.replaceAll(/\d+ \w+ ago \([\d-]+ [\d:]+ UTC\)/g, 'TIME')

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
  it('stays over the next merge, and is a conflict once git changes what it put back', async () => {
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
    expect(await plan()).toMatchObject({ code: 3, changes: [], edits: ['checkout filters conflict'] })
    await apply('--allow live_edit=feature_flag.checkout')
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
    const planned = await plan()
    expect(planned).toMatchObject({ ...nothing, edits: ['fresh exists held'] })
    const [, run = ''] = /^(\S+) .* undo of /m.exec((await vexil('history')).stdout) ?? []
    const told = planned.text.slice(planned.text.indexOf('HELD'))
    expect(withoutTimes(told)).toBe(`HELD (set by vexil undo; not sent)
  = flag fresh                                        flags.yaml:4
      exists: held, set by vexil undo in run ${run}, by tester TIME
        deleted by \`vexil undo\`
      to go on: revert the commit that asked for it, or edit flags.yaml:4 to match: \`ensure: absent\`
            or: --allow live_edit=feature_flag.fresh creates it again

0 to create, 0 to change, 0 to delete, 0 blocked, 1 held, 2 unchanged
`)
    const { stdout } = await vexil('plan --json --out plan.json')
    expect(JSON.parse(stdout).live_edits[0].fields[0].set_by).toEqual({ command: 'undo', run })
    expect((await apply('plan.json')).stderr).toBe('nothing to do: the plan has no changes, and 1 held\n')
    expect((await vexil('show plan.json')).stdout).toContain(`set by vexil undo in run ${run}, by tester on `)
  })

  it.each([
    ['the commit is reverted', undefined],
    [
      'the declaration says absent',
      'feature_flags:\n  checkout: {}\n  other: {}\n  fresh: { ensure: absent }\n',
    ],
    ['the declaration is taken out', 'feature_flags:\n  checkout: {}\n  other: {}\n'],
  ])('of a run that created a flag is agreed with where %s', async (_, text) => {
    const { apply, commit, git, plan, vexil } = await worldOf(both({}))
    await apply()
    const fresh = await commit(declared({ checkout: {}, other: {}, fresh: {} }))
    await apply()
    await vexil('undo last --auto-approve')
    if (text === undefined) await git('revert', '--no-edit', fresh)
    else await commit({ 'flags.yaml': text })
    expect(await plan()).toMatchObject(nothing)
  })

  it('of a run that deleted a flag: it is not deleted again, and the plan says why', async () => {
    const { apply, commit, flags, plan, vexil } = await worldOf(both({}))
    await apply()
    await commit({ 'flags.yaml': 'feature_flags:\n  checkout: { ensure: absent }\n' })
    await apply()
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    const planned = await plan()
    expect(planned).toMatchObject({ ...nothing, edits: ['checkout exists held'] })
    expect(planned.text).toContain('        declared absent, and put back by `vexil undo`\n')
    expect(planned.text).toContain(
      'to go on: revert the commit that asked for it, or edit flags.yaml:2 to match\n',
    )
    expect(planned.text).toContain('or: --allow live_edit=feature_flag.checkout deletes it\n')
    await apply('--allow live_edit=feature_flag.checkout')
    expect((await flags()).map(({ key }) => key)).toEqual(['other'])
  })

  it('of one field, beside a click in another one: each is told by whose doing, with the ways to go on', async () => {
    const { apply, click, commit, plan, vexil } = await worldOf(both({}))
    await apply()
    await commit(both({ percent: 20 }))
    await apply()
    await vexil('undo last --auto-approve')
    await click('checkout', { active: false })
    const { text, edits } = await plan()
    expect(edits).toEqual(['checkout active held', 'checkout filters held'])
    const told = text.slice(text.indexOf('HELD'))
    expect(told).toMatch(
      /^HELD \(changed in the product; not sent\)\n.*\n +active: held, changed in the product by ada@.*(?:\n {8}.*)+\n\nHELD \(set by vexil undo; not sent\)\n/,
    )
    expect(told.match(/(?<=(?:to go on|or): ).*/g)).toEqual([
      '`vexil pull feature_flag.checkout` writes the live values into the files',
      'revert the commit that asked for it, or edit flags.yaml:2 to match',
      '--allow live_edit=feature_flag.checkout sends the declared values',
    ])
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
