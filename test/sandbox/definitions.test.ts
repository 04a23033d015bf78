import { describe, expect, it } from 'vitest'
import { testRuntime } from '../support/test-runtime.ts'
import { type Door, definitions, expectError, openDoor, worldWith } from './door.ts'

const seed = worldWith({
  event_definitions: [
    { name: 'signed_up' },
    { name: 'checkout_paid', id: '01900000-0000-0000-0000-00000000E001', tags: [' Payments ', 'payments'] },
    { name: '$pageview', last_seen_at: '2025-01-01T00:00:00Z' },
    { name: 'checkout_begun', last_seen_at: '2025-06-01T00:00:00Z' },
  ],
})
const one = `${definitions}/01900000-0000-0000-0000-00000000e001`

async function names(door: Door, query = ''): Promise<readonly string[]> {
  return (await door.get(`${definitions}${query}`)).body.results.map((row: { name: string }) => row.name)
}

describe('event definitions', () => {
  it('are listed as they were last seen, those never seen last', async () => {
    const door = await openDoor({ seed })
    expect(await names(door)).toEqual(['checkout_begun', '$pageview', 'checkout_paid', 'signed_up'])
    expect(await names(door, '?limit=2&offset=1')).toEqual(['$pageview', 'checkout_paid'])
  })

  it.each([
    ['?search=check', ['checkout_begun', 'checkout_paid']],
    ['?search=PAID check', ['checkout_paid']],
    ['?event_type=event_custom', ['checkout_begun', 'checkout_paid', 'signed_up']],
    ['?event_type=event_posthog', ['$pageview']],
    ['?ordering=name', ['$pageview', 'checkout_begun', 'checkout_paid', 'signed_up']],
    ['?ordering=-name', ['signed_up', 'checkout_paid', 'checkout_begun', '$pageview']],
    ['?ordering=last_seen_at', ['signed_up', 'checkout_paid', '$pageview', 'checkout_begun']],
    ['?search=check&limit=1&offset=1', ['checkout_paid']],
  ])('answer %s', async (query, expected) => {
    expect(await names(await openDoor({ seed }), query)).toEqual(expected)
  })

  it('have every documented field', async () => {
    const door = await openDoor({ seed })
    expect((await door.get(one)).body).toEqual({
      id: '01900000-0000-0000-0000-00000000e001',
      name: 'checkout_paid',
      created_at: '2026-01-01T00:00:00Z',
      last_seen_at: null,
      last_updated_at: null,
      tags: ['payments'],
      is_action: 'false',
      action_id: null,
      is_calculating: false,
      last_calculated_at: null,
      created_by: null,
      post_to_chat: false,
    })
  })

  it('keep what a PATCH says', async () => {
    const runtime = testRuntime()
    const door = await openDoor({ seed, runtime })
    await runtime.sleep(1000)
    const before = (await door.get(one)).body
    const { status, body } = await door.patch(one, {
      name: 'paid',
      created_at: '2024-01-01T00:00:00Z',
      last_seen_at: '2024-02-01T00:00:00Z',
      tags: ['Money'],
      post_to_chat: true,
      description: 'ignored',
    })
    const expected = {
      ...before,
      name: 'paid',
      created_at: '2024-01-01T00:00:00Z',
      last_seen_at: '2024-02-01T00:00:00Z',
      last_updated_at: '2026-01-01T00:00:01Z',
      tags: ['money'],
      post_to_chat: true,
    }
    expect({ status, body }).toEqual({ status: 200, body: expected })
    expect((await door.get(one)).body).toEqual(expected)
    expect(await names(door)).toContain('paid')
  })

  it.each([
    [{ name: 'signed_up' }, 'unique', 'name'],
    [{ name: ' ' }, 'blank', 'name'],
    [{ name: 'x'.repeat(401) }, 'max_length', 'name'],
    [{ tags: null }, 'null', 'tags'],
    [{ post_to_chat: 'yes' }, 'invalid_input', 'post_to_chat'],
    [{ created_at: 'now' }, 'invalid_input', 'created_at'],
  ])('refuse %j', async (body, code, attr) => {
    const door = await openDoor({ seed })
    expectError(await door.patch(one, body), 400, 'validation_error', code, attr)
  })

  it('are deleted until such an event is seen again, and come back under another id', async () => {
    const door = await openDoor({ seed })
    const answer = await door.remove(one)
    expect([answer.status, answer.body]).toEqual([204, ''])
    expect((await door.get(one)).status).toBe(404)
    expect((await door.remove(one)).status).toBe(404)
    expect((await door.ask('POST', '/_sandbox/events', { event: 'checkout_paid' })).status).toBe(201)
    const [again] = (await door.get(`${definitions}?search=checkout_paid`)).body.results
    expect(again).toMatchObject({ tags: [], last_seen_at: '2026-01-01T00:00:00Z' })
    expect(again.id).not.toBe('01900000-0000-0000-0000-00000000e001')
  })
})
