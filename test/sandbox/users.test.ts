import { describe, expect, it } from 'vitest'
import { profiles } from '../../src/model/connection.ts'
import type { WorldFile } from '../../src/sandbox/index.ts'
import { aFlag, type Door, flags, openDoor, worldWith } from './door.ts'

const users: WorldFile['users'] = [
  { id: 7, email: 'pipeline@example.com', first_name: 'Pipeline' },
  { id: 3, email: 'ada@example.com', first_name: 'Ada' },
  { id: 9, email: 'grace@example.com', first_name: 'Grace' },
]

/** Sends as the user with that id. */
function as(door: Door, id: number) {
  const authorization = `Bearer ${door.sandbox.summary.api_key}_user_${id}`
  return (method: string, path: string, body?: unknown) => door.ask(method, path, body, { authorization })
}

describe.each(profiles)('users of %s', profile => {
  it('are told by the activity trail, each by the key that they came with', async () => {
    const door = await openDoor({ profile, seed: { ...worldWith({}), users } })
    const { id } = await aFlag(door, { filters: { groups: [{ rollout_percentage: 5 }] } })
    expect((await as(door, 9)('PATCH', `${flags}/${id}`, { active: false })).status).toBe(200)
    expect((await as(door, 3)('PATCH', `${flags}/${id}`, { name: 'Theirs' })).status).toBe(200)
    const { results } = (await door.get(`${flags}/activity`)).body
    expect(results.map(({ user }: { user: unknown }) => user)).toEqual([
      { first_name: 'Ada', email: 'ada@example.com' },
      { first_name: 'Grace', email: 'grace@example.com' },
      { first_name: 'Pipeline', email: 'pipeline@example.com' },
    ])
  })

  it('have one key each, and scopes bind that of the first alone', async () => {
    const door = await openDoor({ profile, scopes: ['feature_flag:read'], seed: { ...worldWith({}), users } })
    const create = { key: 'checkout', filters: { groups: [{ rollout_percentage: 5 }] } }
    expect((await door.post(flags, create)).status).toBe(403)
    // The first one has the key of the sandbox, and no other.
    for (const id of [7, 8]) expect((await as(door, id)('GET', flags)).status).toBe(401)
    const made = await as(door, 9)('POST', flags, create)
    expect([made.status, made.body.created_by.email]).toEqual([201, 'grace@example.com'])
  })
})
