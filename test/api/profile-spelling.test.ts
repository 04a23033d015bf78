import { describe, expect, it } from 'vitest'
import type { Profile } from '../../src/api/index.ts'
import { aClient, all } from './support/client.ts'
import { aServer, json } from './support/server.ts'

describe('a field that profiles spell differently', () => {
  it.each<[Profile, string]>([
    ['documented', 'post_to_chat'],
    ['posthog', 'post_to_slack'],
    ['posthog-2026', 'post_to_slack'],
  ])('is written as the profile %s spells it', async (profile, name) => {
    const server = await aServer((_, response) => json(response, 200, {}))
    const client = aClient({ baseUrl: server.url, profile })
    await client.event_definition.update({ id: 'a', body: { post_to_chat: true, tags: ['x'] } })
    expect(server.received.map(({ body }) => JSON.parse(body))).toEqual([{ [name]: true, tags: ['x'] }])
  })

  it.each<[Profile, object]>([
    ['documented', { id: 'a', post_to_chat: true }],
    ['documented', { id: 'a', post_to_slack: true }],
    ['documented', { id: 'a', post_to_slack: false, post_to_chat: true }],
    ['posthog', { id: 'a', post_to_chat: true }],
    ['posthog', { id: 'a', post_to_slack: true }],
    ['posthog-2026', { id: 'a', post_to_slack: true }],
  ])('is read in either spelling under the profile %s: %j', async (profile, record) => {
    const server = await aServer((request, response) => {
      json(response, 200, request.url.includes('/a/') ? record : { count: 1, results: [record] })
    })
    const client = aClient({ baseUrl: server.url, profile })
    const wanted = { id: 'a', post_to_chat: true }
    expect(await client.event_definition.read({ id: 'a' })).toEqual(wanted)
    expect((await client.call('event_definition', 'read', { params: { id: 'a' } })).body).toEqual(wanted)
    expect((await client.event_definition.list()).results).toEqual([wanted])
    expect(await all(client.list('event_definition'))).toEqual([wanted])
  })

  it('leaves other kinds alone', async () => {
    const server = await aServer((_, response) => json(response, 200, { id: 1, post_to_slack: true }))
    const client = aClient({ baseUrl: server.url, profile: 'posthog' })
    expect(await client.plugin.source({ id: 1 })).toEqual({ id: 1, post_to_slack: true })
  })
})
