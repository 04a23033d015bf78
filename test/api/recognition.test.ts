import { describe, expect, it } from 'vitest'
import { kinds } from '../../src/kinds/index.ts'
import { type Profile, type ProfileProof, profiles } from '../../src/model/connection.ts'
import type { Kind } from '../../src/model/kind.ts'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { profilesWith } from '../../src/services/differences.ts'
import { startService } from '../support/service.ts'
import { aClient } from './support/client.ts'
import { aServer, json } from './support/server.ts'

describe('a client that nobody told which service answers', () => {
  it.each(profiles)('recognizes %s by the first flag, without a request of its own', async profile => {
    const { url: baseUrl, env, close } = await startService({ seed: sampleWorld, profile })
    const client = aClient({ baseUrl, apiKey: env.VEXIL_API_KEY, profile: 'auto' })
    expect(client.target).toMatchObject({ profile: 'documented', known: 'assumed' })
    await client.feature_flag.list({ query: { limit: 1 } })
    expect(client.target).toMatchObject({ profile, known: 'recognized' })
    expect(client.requestCount).toBe(1)
    expect(client.recognized).toMatchObject({
      possible: [profile],
      signs: expect.arrayContaining([
        expect.objectContaining({
          kind: 'feature_flag',
          request: 'GET /api/projects/1/feature_flags?limit=1',
        }),
      ]),
    })
    await close()
  })

  it.each<[string, object, Profile, ProfileProof]>([
    ['a definition of the public service', { post_to_slack: false }, 'posthog', 'assumed'],
    ['a definition as documented', { post_to_chat: false }, 'documented', 'recognized'],
    ['a definition that shows nothing', { name: 'paid' }, 'documented', 'assumed'],
  ])('takes %s for the earliest service that it may be', async (_, record, profile, known) => {
    const server = await aServer((_request, response) => json(response, 200, { id: 'a', ...record }))
    const client = aClient({ baseUrl: server.url, profile: 'auto' })
    await client.event_definition.read({ id: 'a' })
    expect(client.target).toMatchObject({ profile, known })
  })

  it('writes as the service that it has found spells', async () => {
    const server = await aServer((_request, response) =>
      json(response, 200, { id: 'a', post_to_slack: false }),
    )
    const client = aClient({ baseUrl: server.url, profile: 'auto' })
    await client.event_definition.read({ id: 'a' })
    await client.event_definition.update({ id: 'a', body: { post_to_chat: true } })
    expect(server.received.map(({ body }) => body)).toEqual(['', '{"post_to_slack":true}'])
  })

  it('leaves aside what contradicts an earlier record', async () => {
    const server = await aServer((request, response) => {
      const isFlag = request.url.includes('feature_flags')
      json(response, 200, isFlag ? { id: 1, archived: false } : { id: 'a', post_to_chat: true })
    })
    const client = aClient({ baseUrl: server.url, profile: 'auto' })
    await client.feature_flag.read({ id: 1 })
    await client.event_definition.read({ id: 'a' })
    expect(client.target).toMatchObject({ profile: 'posthog-2026', known: 'recognized' })
  })
})

it('a client that was told believes it', async () => {
  const server = await aServer((_request, response) => json(response, 200, { id: 1, archived: false }))
  const client = aClient({ baseUrl: server.url, profile: 'posthog' })
  await client.feature_flag.read({ id: 1 })
  expect(client.target).toMatchObject({ profile: 'posthog', known: 'set' })
  const sign = { member: 'archived', behaviour: 'flag_fields', is: '2026' }
  const request = 'GET /api/projects/1/feature_flags/1'
  expect(client.recognized).toMatchObject({
    possible: ['posthog-2026'],
    signs: [{ request, kind: 'feature_flag', ...sign }],
  })
})

const tells = Object.values<Kind>(kinds).flatMap(({ name, tells = [] }) =>
  tells.map(tell => [name, tell] as const),
)

it.each(tells)('a %s that tells %j leaves some service and rules out another', (_, { behaviour, is }) => {
  const possible = profilesWith(behaviour, is)
  expect(possible.length).toBeGreaterThan(0)
  expect(possible.length).toBeLessThan(profiles.length)
})
