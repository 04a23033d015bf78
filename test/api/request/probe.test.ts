import { describe, expect, it } from 'vitest'
import { kinds } from '../../../src/kinds/index.ts'
import { profiles } from '../../../src/model/connection.ts'
import { pathParameters } from '../../../src/model/endpoint.ts'
import type { Kind } from '../../../src/model/kind.ts'
import { sampleWorld } from '../../../src/sandbox/index.ts'
import { startService } from '../../support/service.ts'
import { aClient, failureOf } from '../support/client.ts'
import { answers, aServer, json } from '../support/server.ts'

const owners = ['project_id', 'parent_lookup_organization_id']

/** Every operation, and whether it is about one object. */
const operations = Object.values<Kind>(kinds).flatMap(({ name, endpoints }) =>
  Object.entries(endpoints).map(([endpoint, { path }]) => ({
    kind: name,
    endpoint,
    isAboutOne: pathParameters(path).some(parameter => !owners.includes(parameter)),
  })),
)

describe('a probe', () => {
  it('names an object that cannot be and writes nothing, and a client that only reads sends it', async () => {
    const server = await aServer(answers(response => json(response, 404, { code: 'not_found' })))
    const client = aClient({ baseUrl: server.url, readOnly: true })
    expect(await failureOf(client.probe('feature_flag', 'update'))).toMatchObject({ status: 404 })
    expect(server.received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['PATCH', '/api/projects/1/feature_flags/0/', '{}'],
    ])
  })

  it('is refused, and not sent, of an operation that is about no object', async () => {
    const server = await aServer(answers())
    const client = aClient({ baseUrl: server.url })
    for (const { kind, endpoint } of operations.filter(({ isAboutOne }) => !isAboutOne)) {
      expect(await failureOf(client.probe(kind, endpoint))).toBeInstanceOf(RangeError)
    }
    expect(server.received).toEqual([])
  })

  it.each(profiles)('leaves everything of %s as it is, whatever operation it is of', async profile => {
    const { sandbox, url: baseUrl, env, close } = await startService({ seed: sampleWorld, profile })
    const client = aClient({ baseUrl, apiKey: env.VEXIL_API_KEY, profile, readOnly: true })
    const before = sandbox.content()
    for (const { kind, endpoint } of operations.filter(({ isAboutOne }) => isAboutOne)) {
      await client.probe(kind, endpoint).catch(() => undefined)
    }
    expect(sandbox.content()).toBe(before)
    await close()
  })
})
