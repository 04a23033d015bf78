import { describe, expect, it } from 'vitest'
import { aFlag, type Door, expectError, flags, openDoor, release, worldWith } from './door.ts'

async function grantsOf(door: Door, id: number): Promise<readonly string[]> {
  const { body } = await door.get(`${flags}/${id}/role_access`)
  return body.results.map((grant: { role: { name: string } }) => grant.role.name)
}

/** A flag that hangs together with a grant, a tag and a dashboard, and was then deleted softly. */
async function aDeletedFlag(door: Door) {
  const flag = await aFlag(door, { tags: ['beta'], active: false, name: 'Kept' })
  await door.patch(`${flags}/1`, { analytics_dashboards: [flag.usage_dashboard] })
  await door.post(`${flags}/1/role_access`, { role_id: release })
  const { body } = await door.patch(`${flags}/1`, { deleted: true })
  return body
}

describe('deleting a flag softly', () => {
  it('hides it from the list and keeps everything else of it', async () => {
    const door = await openDoor()
    const deleted = await aDeletedFlag(door)
    expect(deleted).toMatchObject({
      id: 1,
      key: 'checkout',
      name: 'Kept',
      deleted: true,
      active: false,
      tags: ['beta'],
    })
    expect((await door.get(flags)).body).toMatchObject({ count: 0, results: [] })
    expect((await door.get(`${flags}/1`)).body).toEqual(deleted)
    expect(await grantsOf(door, 1)).toEqual(['growth'])
  })

  it('can be done at birth', async () => {
    const door = await openDoor()
    expect(await aFlag(door, { deleted: true })).toMatchObject({ deleted: true })
    expect((await door.get(flags)).body.count).toBe(0)
  })

  it('lets the flag be changed, unseen', async () => {
    const door = await openDoor()
    await aDeletedFlag(door)
    const { status, body } = await door.patch(`${flags}/1`, { name: 'Changed' })
    expect([status, body.name, body.deleted]).toEqual([200, 'Changed', true])
    expect((await door.get(flags)).body.count).toBe(0)
  })

  it('is undone by the marker alone, with everything that hung from the flag', async () => {
    const door = await openDoor()
    const deleted = await aDeletedFlag(door)
    const { status, body } = await door.patch(`${flags}/1`, { deleted: false })
    expect({ status, body }).toEqual({ status: 200, body: { ...deleted, deleted: false } })
    expect(await grantsOf(door, 1)).toEqual(['growth'])
    expect((await door.get(flags)).body.count).toBe(1)
  })

  it('is a trap for whoever names the own key when undoing it', async () => {
    const door = await openDoor()
    const deleted = await aDeletedFlag(door)
    const { status, body } = await door.patch(`${flags}/1`, { key: 'checkout', deleted: false })
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...deleted, deleted: false, tags: [], analytics_dashboards: [] },
    })
    expect(await grantsOf(door, 1)).toEqual([])
  })

  it('is no trap for the own key of a live flag', async () => {
    const door = await openDoor()
    await aFlag(door, { tags: ['beta'] })
    await door.post(`${flags}/1/role_access`, { role_id: release })
    expect((await door.patch(`${flags}/1`, { key: 'checkout', deleted: true })).body.tags).toEqual(['beta'])
    expect(await grantsOf(door, 1)).toEqual(['growth'])
  })
})

describe('using the key of a soft-deleted flag', () => {
  it('destroys that flag when a new one is created', async () => {
    const door = await openDoor()
    await aDeletedFlag(door)
    expect(await aFlag(door)).toMatchObject({
      id: 2,
      key: 'checkout',
      tags: [],
      usage_dashboard: 2,
      name: '',
    })
    expect((await door.get(`${flags}/1`)).status).toBe(404)
    expect(await grantsOf(door, 1)).toEqual([])
    expect(await grantsOf(door, 2)).toEqual([])
  })

  it('destroys that flag when another is renamed', async () => {
    const door = await openDoor()
    await aDeletedFlag(door)
    await aFlag(door, { key: 'other' })
    expect((await door.patch(`${flags}/2`, { key: 'checkout' })).body).toMatchObject({
      id: 2,
      key: 'checkout',
    })
    expect((await door.get(`${flags}/1`)).status).toBe(404)
  })

  it('destroys nothing when the new flag is refused', async () => {
    const door = await openDoor()
    const deleted = await aDeletedFlag(door)
    const answer = await door.post(flags, { key: 'checkout', filters: { groups: [{ variant: 'x' }] } })
    expectError(answer, 400, 'validation_error', 'invalid_input', 'filters')
    expect((await door.get(`${flags}/1`)).body).toEqual(deleted)
  })

  it('is refused while an experiment uses that flag', async () => {
    const door = await openDoor({
      seed: worldWith({ feature_flags: [{ key: 'checkout', deleted: true, experiment_set: [5] }] }),
    })
    expectError(await door.post(flags, { key: 'checkout' }), 400, 'validation_error', 'invalid_input')
    expect((await door.patch(`${flags}/1`, { key: 'checkout', deleted: false })).status).toBe(500)
    expect((await door.get(`${flags}/1`)).body).toMatchObject({ deleted: true, experiment_set: [5] })
    expect((await door.patch(`${flags}/1`, { deleted: false })).status).toBe(200)
  })

  it('never gives an id twice', async () => {
    const door = await openDoor()
    const ids = []
    for (let round = 0; round < 3; round++) {
      const { id } = await aFlag(door)
      await door.patch(`${flags}/${id}`, { deleted: true })
      ids.push(id)
    }
    expect(ids).toEqual([1, 2, 3])
  })
})
