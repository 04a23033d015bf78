import { describe, expect, it } from 'vitest'
import { type KindName, kinds } from '../../../src/kinds/index.ts'
import { pathParameters } from '../../../src/model/endpoint.ts'
import type { Kind } from '../../../src/model/kind.ts'
import { aClient, failureOf } from '../support/client.ts'
import { aServer, json } from '../support/server.ts'

const operations = Object.values<Kind>(kinds).flatMap(kind =>
  Object.entries(kind.endpoints).map(([name, endpoint]) => ({ kind: kind.name as KindName, name, endpoint })),
)
const isEstimate = (name: string) => name === 'userBlastRadius'
const reading = operations.filter(({ name, endpoint }) => endpoint.method === 'GET' || isEstimate(name))
const writing = operations.filter(({ name, endpoint }) => endpoint.method !== 'GET' && !isEstimate(name))

const paramsFor = (path: string) =>
  Object.fromEntries(
    pathParameters(path)
      .filter(name => name !== 'project_id' && name !== 'parent_lookup_organization_id')
      .map(name => [name, '7']),
  )

describe('a client that only reads', () => {
  it.each(writing)('refuses $kind.$name before anything is sent', async ({ kind, name, endpoint }) => {
    const server = await aServer((_, response) => json(response, 200, {}))
    const client = aClient({ baseUrl: server.url, readOnly: true })
    const failure = await failureOf(client.call(kind, name, { params: paramsFor(endpoint.path) }))
    expect(failure).toMatchObject({ name: 'ReadOnlyError' })
    expect((failure as Error).message).toMatch(
      /^(POST|PUT|PATCH|DELETE) \/api\/.* was not sent: this client only reads$/,
    )
    expect([server.received, client.requestCount]).toEqual([[], 0])
  })

  it.each(reading)('lets $kind.$name through', async ({ kind, name, endpoint }) => {
    const server = await aServer((_, response) =>
      json(response, 200, name === 'source' ? {} : { results: [] }),
    )
    const client = aClient({ baseUrl: server.url, readOnly: true })
    await client.call(kind, name, { params: paramsFor(endpoint.path) })
    expect(server.received.map(({ method }) => method)).toEqual([endpoint.method])
  })

  it('refuses the typed calls too', async () => {
    const client = aClient({ baseUrl: 'http://127.0.0.1:9', readOnly: true })
    expect(await failureOf(client.feature_flag.update({ id: 1, body: { active: false } }))).toHaveProperty(
      'message',
      'PATCH /api/projects/1/feature_flags/1 was not sent: this client only reads',
    )
  })
})
