import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { declared, everyoneAt, worldOf } from './clones.ts'

const settings = 'version: 1\nlive_edits: { automation: [ada@example.com] }\n'
/** Whose key the pipeline has, and who clicks. */
const grace = 2

/** An applied flag, and a clone that carries no records. */
async function withoutRecords() {
  const world = await worldOf({ ...declared({ checkout: {} }), 'vexil.yaml': settings })
  expect((await world.apply()).code).toBe(0)
  const forget = () => rm(join(world.folder, '.vexil'), { recursive: true, force: true })
  await forget()
  return { ...world, forget }
}

it('a person whom the trail names is taken at their word where no record is at hand', async () => {
  const { click, plan, apply, flag } = await withoutRecords()
  await click('checkout', { active: false }, grace)
  await click('checkout', { filters: everyoneAt(60) }, grace)
  const said = await plan()
  expect(said).toMatchObject({
    code: 0,
    changes: [],
    edits: ['checkout active held', 'checkout filters held'],
  })
  expect(said.text).toContain('grace@example.com')
  expect((await apply()).code).toBe(0)
  expect(await flag('checkout')).toMatchObject({ active: false })
})

it('what automation has done is no wish of a person', async () => {
  const { click, plan } = await withoutRecords()
  await click('checkout', { filters: everyoneAt(60) })
  expect(await plan()).toMatchObject({ changes: ['update checkout: filters'], edits: [] })
})

it('what was taken over into git, and changed there since, is the change of the repository', async () => {
  const { click, plan, commit, apply, forget } = await withoutRecords()
  await click('checkout', { filters: everyoneAt(60) }, grace)
  await commit(declared({ checkout: { percent: 60 } }))
  expect(await plan()).toMatchObject({ changes: [], edits: [] })
  await commit(declared({ checkout: { percent: 70 } }))
  expect(await plan()).toMatchObject({ changes: ['update checkout: filters'], edits: [] })
  expect((await apply()).code).toBe(0)
  await forget()
  expect(await plan()).toMatchObject({ changes: [], edits: [] })
})

it('asks the trail once for all of it, and not at all where nobody says who is automation', async () => {
  const { click, vexil, service, commit } = await withoutRecords()
  await click('checkout', { active: false }, grace)
  await click('checkout', { filters: everyoneAt(60) }, grace)
  const asked = async () => {
    const { result, requests } = await service.watch(() => vexil('plan --json'))
    const { changes, live_edits } = JSON.parse(result.stdout)
    return { changes, live_edits, trail: requests.filter(request => request.includes('activity')) }
  }
  const held = await asked()
  expect(held.changes).toEqual([])
  expect(held.live_edits).toMatchObject([{ fields: [{ field: 'active' }, { field: 'filters' }] }])
  expect(held.trail).toHaveLength(1)
  await commit({ 'vexil.yaml': 'version: 1\n' })
  const sent = await asked()
  expect(sent.changes).toMatchObject([{ address: 'feature_flag.checkout' }])
  expect(sent.trail).toEqual([])
})
