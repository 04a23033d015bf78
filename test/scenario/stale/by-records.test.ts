import { expect, it } from 'vitest'
import { agingWorld, flagsAt } from './aging-world.ts'

it('the later one counts: the commit, or the run that brought it to the service', async () => {
  const { on, deliver, commit, vexil, stale } = await agingWorld(flagsAt({ nav: 20 }))
  await deliver({})
  on(5)
  await commit(flagsAt({ nav: 100 }))
  on(40)
  expect((await stale()).told).toEqual([])
  expect((await vexil('apply --auto-approve --allow rollout_step')).code).toBe(0)
  on(69)
  expect((await stale()).told).toEqual([])
  on(71)
  expect((await stale()).told).toEqual(['nav everyone 30 run'])
  expect((await stale('--activity')).told).toEqual(['nav everyone 31 trail'])
})

it('what is gone is told once its removal has been applied for so long, and no sooner', async () => {
  const { on, deliver, commit, vexil, stale } = await agingWorld(flagsAt({ nav: 20 }))
  await deliver({})
  on(5)
  await commit(flagsAt({ nav: 'ensure: absent' }))
  on(40)
  expect((await stale()).told).toEqual([])
  expect((await vexil('apply --auto-approve')).code).toBe(0)
  on(71)
  expect(await stale()).toMatchObject({ code: 6, told: ['nav gone 30 run'] })
  expect((await vexil('retire')).stdout).toContain('next: delete the declaration of nav')
})

it('a flag that is disabled is different from the declaration; the service tells what it is with --activity', async () => {
  const { on, deliver, vexil, stale } = await agingWorld(
    flagsAt({ nav: 100, kill: 'active: false, permanent: true' }),
  )
  await deliver({}, '--allow rollout_step')
  on(40)
  expect((await vexil('disable nav --reason fails --auto-approve')).code).toBe(0)
  on(80)
  expect(await stale()).toMatchObject({
    code: 0,
    told: [],
    notes: [expect.stringContaining('different from the declaration')],
    permanent: 1,
  })
  expect((await stale('--activity')).told).toEqual(['nav nobody 40 trail'])
  expect((await vexil('retire --activity')).stdout).not.toContain('kill')
})
