import { describe, expect, it } from 'vitest'
import { aFlag, expectError, flags, openDoor, release, support, worldWith } from './door.ts'

const grants = `${flags}/1/role_access`

describe('grants', () => {
  it('nest the flag and the role, and never tell role_id', async () => {
    const door = await openDoor()
    const flag = await aFlag(door)
    const { status, body } = await door.post(grants, { role_id: support })
    const expected = {
      id: 1,
      feature_flag: flag,
      role: {
        id: support,
        name: 'support',
        feature_flags_access_level: 21,
        created_at: '2026-01-01T00:00:00Z',
        created_by: null,
        members: '',
        associated_flags: 'checkout',
      },
      added_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
    }
    expect({ status, body }).toEqual({ status: 201, body: expected })
    expect((await door.get(`${grants}/1`)).body).toEqual(expected)
    expect((await door.get(grants)).body).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [expected],
    })
  })

  it('are removed for good', async () => {
    const door = await openDoor()
    await aFlag(door)
    await door.post(grants, { role_id: support })
    const answer = await door.remove(`${grants}/1`)
    expect([answer.status, answer.body]).toEqual([204, ''])
    expect((await door.get(`${grants}/1`)).status).toBe(404)
    expect((await door.remove(`${grants}/1`)).status).toBe(404)
    expect((await door.get(grants)).body.count).toBe(0)
  })

  it.each([
    [{}, 'required'],
    [{ role_id: null }, 'null'],
    [{ role_id: 'support' }, 'invalid_input'],
    [{ role_id: 7 }, 'invalid_input'],
    [{ role_id: '01900000-0000-0000-0000-00000000dead' }, 'does_not_exist'],
  ])('are refused for %j', async (body, code) => {
    const door = await openDoor()
    await aFlag(door)
    expectError(await door.post(grants, body), 400, 'validation_error', code, 'role_id')
  })

  it('can be asked for by role and by page', async () => {
    const door = await openDoor()
    await aFlag(door)
    for (const role_id of [support, release.toUpperCase()]) await door.post(grants, { role_id })
    const names = async (query: string) =>
      (await door.get(`${grants}?${query}`)).body.results.map(
        (grant: { role: { name: string } }) => grant.role.name,
      )
    expect(await names(`role_id=${release}`)).toEqual(['growth'])
    expect(await names(`role=${support}`)).toEqual(['support'])
    expect(await names('limit=1&offset=1')).toEqual(['growth'])
  })

  it('of a flag that is not there are none, and cannot be made', async () => {
    const door = await openDoor()
    const unknown = `${flags}/9/role_access`
    expect((await door.get(unknown)).body).toEqual({ count: 0, next: null, previous: null, results: [] })
    expectError(await door.post(unknown, { role_id: support }), 404, 'invalid_request', 'not_found')
  })

  it('are not found under another flag', async () => {
    const door = await openDoor()
    await aFlag(door)
    await aFlag(door, { key: 'other' })
    await door.post(grants, { role_id: support })
    expect((await door.get(`${flags}/2/role_access/1`)).status).toBe(404)
    expect((await door.get(`${flags}/2/role_access`)).body.count).toBe(0)
  })

  it('let their role change a flag that the caller could not change otherwise', async () => {
    const base = worldWith({
      feature_flags: [
        { key: 'a', can_edit: false },
        { key: 'b', can_edit: false, role_access: ['support'] },
      ],
    })
    const users = [{ email: 'ada@example.com', roles: ['support'] }]
    const door = await openDoor({ seed: { ...base, users } })
    expect((await door.get(flags)).body.results.map((flag: { can_edit: boolean }) => flag.can_edit)).toEqual([
      true,
      false,
    ])
    expectError(
      await door.patch(`${flags}/1`, { name: 'x' }),
      403,
      'authentication_error',
      'permission_denied',
    )
    expectError(
      await door.post(grants, { role_id: support }),
      403,
      'authentication_error',
      'permission_denied',
    )
    expect((await door.patch(`${flags}/2`, { name: 'x' })).status).toBe(200)
  })
})
