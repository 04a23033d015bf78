import { describe, expect, it } from 'vitest'
import type { LiveFlag } from '../../support/workspace.ts'
import { declared, nothing, sharesOf, worldOf } from './clones.ts'

const checkout = (said: object, other: object = {}) => declared({ checkout: said, other })
const today = { profile: 'posthog-2026' } as const
const putAway = { archived: true, active: false }
const held = ['checkout active held', 'checkout archived held']

/** A flag that was put away after an apply, and one beside it. */
async function anArchived(said: object = {}) {
  const world = await worldOf(checkout(said), today)
  await world.apply()
  const { id } = await world.flag('checkout')
  await world.click('checkout', putAway, 2)
  const live = () => world.service.get(`/api/projects/1/feature_flags/${id}/`) as Promise<LiveFlag>
  const state = async () => {
    const { active, archived } = (await live()) as LiveFlag & { readonly archived: boolean }
    return { active, archived }
  }
  return { ...world, live, state }
}

describe('somebody puts a flag away in the product', () => {
  it('and an unrelated merge leaves it there, says who did it, and goes on', async () => {
    const { apply, commit, flag, live, plan, state } = await anArchived()
    await commit(checkout({ percent: 20 }, { percent: 20 }))
    const planned = await plan()
    expect(planned).toMatchObject({
      code: 0,
      changes: ['update checkout: filters', 'update other: filters'],
      blocked: [],
    })
    expect(planned.edits.toSorted()).toEqual(held)
    expect(planned.text).toContain('  live -> archived')
    expect(planned.text).toContain('archived: held, changed in the product by grace@example.com')
    expect((await apply()).code).toBe(0)
    expect(await state()).toEqual(putAway)
    expect([sharesOf(await live()), sharesOf(await flag('other'))]).toEqual([[20], [20]])
    const again = await plan()
    expect([again.changes, again.edits.toSorted()]).toEqual([[], held])
  })

  it('and it comes out again under `revert`, telling first what is lost', async () => {
    const { apply, plan, state } = await anArchived({ more: 'live_edits: revert' })
    const planned = await plan()
    expect(planned.edits.toSorted()).toEqual(['checkout active reverted', 'checkout archived reverted'])
    expect((await apply()).code).toBe(0)
    expect(await state()).toEqual({ archived: false, active: true })
  })

  it('and `pull` writes that into the files', async () => {
    const { apply, plan, state, vexil } = await anArchived()
    const { code, stdout } = await vexil('pull')
    expect([code, stdout]).toEqual([0, expect.stringContaining('archived: true')])
    expect(await plan()).toMatchObject(nothing)
    await apply()
    expect(await state()).toEqual(putAway)
  })
})

it('somebody takes a flag out that is declared as put away: it stays out', async () => {
  const { apply, commit, flag, plan, service } = await worldOf(checkout({ active: false }), today)
  await apply()
  const { id } = await flag('checkout')
  await commit(checkout({ active: false, more: 'archived: true' }))
  expect(await plan()).toMatchObject({ ...nothing, changes: ['update checkout: archived'] })
  await apply()
  await service.send('PATCH', `/api/projects/1/feature_flags/${id}/`, { archived: false })
  expect(await plan()).toMatchObject({ ...nothing, edits: ['checkout archived held'] })
})
