import { describe, expect, it } from 'vitest'
import { aFlag, expectError, flags, openDoor } from './door.ts'

const urlencoded = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }

async function open() {
  const door = await openDoor({ profile: 'posthog' })
  await aFlag(door)
  return door
}

describe('forms, which the public service takes as bodies', () => {
  it('say what JSON says', async () => {
    const door = await open()
    const form = new URLSearchParams([
      ['name', 'New & old'],
      ['active', 'False'],
      ['tags', 'b'],
      ['tags', 'a'],
      ['filters', '{"groups":[{"rollout_percentage":25}]}'],
      ['ensure_experience_continuity', ''],
    ])
    const { status, body } = await door.ask('PATCH', `${flags}/1`, form.toString(), urlencoded)
    expect(status).toBe(200)
    expect({ ...body, tags: body.tags.toSorted() }).toMatchObject({
      name: 'New & old',
      active: false,
      tags: ['a', 'b'],
      filters: { groups: [{ rollout_percentage: 25 }] },
      ensure_experience_continuity: null,
    })
  })

  it('come in parts too', async () => {
    const door = await open()
    const form = new FormData()
    form.set('key', 'from_parts')
    form.set('active', 'true')
    const encoded = new Response(form)
    const { status, body } = await door.ask('POST', flags, await encoded.text(), {
      'content-type': encoded.headers.get('content-type') ?? '',
    })
    expect([status, body.key, body.active]).toEqual([201, 'from_parts', true])
  })

  it.each([
    ['a truth value that is none', 'active=maybe', 'invalid_input', 'active'],
    ['filters that are no JSON', 'filters=all', 'not_a_dict', 'filters'],
    ['an id that is none', 'analytics_dashboards=x', 'invalid_input', 'analytics_dashboards__0'],
  ])('are refused for %s', async (_, form, code, attr) => {
    const door = await open()
    expectError(await door.ask('PATCH', `${flags}/1`, form, urlencoded), 400, 'validation_error', code, attr)
  })

  it('are refused where their parts cannot be told apart', async () => {
    const door = await open()
    const answer = await door.ask('PATCH', `${flags}/1`, 'nothing', {
      'content-type': 'multipart/form-data; boundary=x',
    })
    expectError(answer, 400, 'invalid_request', 'parse_error')
  })

  it('are no bodies for the document', async () => {
    const door = await openDoor()
    await aFlag(door)
    expect((await door.ask('PATCH', `${flags}/1`, 'name=x', urlencoded)).status).toBe(415)
  })
})
