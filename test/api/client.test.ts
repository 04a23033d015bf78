import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Page } from '../../src/api/index.ts'
import type { Kinds } from '../../src/kinds/index.ts'
import type { RecordOf } from '../../src/model/kind.ts'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { aClient, failureOf } from './support/client.ts'
import { answers, aServer, json } from './support/server.ts'

describe('the typed calls', () => {
  it('send what the interface documents and answer what it promises', async () => {
    const server = await aServer(answers(response => json(response, 200, { id: 3, key: 'checkout' })))
    const client = aClient({ baseUrl: server.url })
    const flag = await client.feature_flag.update({ id: 3, body: { active: true, tags: ['a'] } })
    expect(flag).toEqual({ id: 3, key: 'checkout' })
    expect(
      server.received.map(({ method, url, body, headers }) => [method, url, body, headers['content-type']]),
    ).toEqual([
      ['PATCH', '/api/projects/1/feature_flags/3/', '{"active":true,"tags":["a"]}', 'application/json'],
    ])
  })

  it('take project and organization from the options or from the call', async () => {
    const server = await aServer(answers(response => json(response, 200, { id: 7 })))
    const client = aClient({ baseUrl: server.url })
    await client.feature_flag.read({ id: 7 })
    await client.feature_flag.read({ id: 7, project_id: 2 })
    await client.plugin.read({ id: 7 })
    await client.plugin.read({ id: 7, parent_lookup_organization_id: 'other' })
    await client.feature_flag.readByKey({ feature_flag_key: 'a/b c' })
    expect(server.received.map(({ url }) => url)).toEqual([
      '/api/projects/1/feature_flags/7/',
      '/api/projects/2/feature_flags/7/',
      '/api/organizations/01900000-0000-0000-0000-000000000001/plugins/7/',
      '/api/organizations/other/plugins/7/',
      '/api/organizations/01900000-0000-0000-0000-000000000001/feature_flags/a%2Fb%20c/',
    ])
  })

  it('send arrays in a query as JSON text, and leave out what is not given', async () => {
    const server = await aServer(answers(response => json(response, 200, { results: [], next: '' })))
    const client = aClient({ baseUrl: server.url })
    const page = await client.event.list({
      query: { properties: [{ key: 'plan', value: 'pro' }], limit: 2, event: undefined, format: 'json' },
    })
    expect(page).toEqual({ count: null, next: null, previous: null, results: [] })
    const { search, searchParams } = new URL(server.received[0]!.url, server.url)
    expect(Object.fromEntries(searchParams)).toEqual({
      properties: '[{"key":"plan","value":"pro"}]',
      limit: '2',
      format: 'json',
    })
    expect(search).not.toContain('event=')
  })

  it('send an empty object where an operation takes a body and none is given', async () => {
    const server = await aServer(answers(response => json(response, 200, { success: true })))
    expect(await aClient({ baseUrl: server.url }).feature_flag.dashboard({ id: 1 })).toEqual({
      success: true,
    })
    expect(server.received.map(({ body }) => body)).toEqual(['{}'])
  })

  it('have the types of the kinds', () => {
    type Calls = ReturnType<typeof aClient>
    expectTypeOf<Calls['feature_flag']['read']>().returns.resolves.toEqualTypeOf<
      RecordOf<Kinds['feature_flag']>
    >()
    expectTypeOf<Calls['event']['list']>().returns.resolves.toEqualTypeOf<Page<RecordOf<Kinds['event']>>>()
    expectTypeOf<Calls['plugin']['source']>().returns.resolves.toEqualTypeOf<JsonObject>()
    expectTypeOf<Calls['feature_flag']['myFlags']>().returns.resolves.toEqualTypeOf<Json | null>()
    expectTypeOf<Calls['feature_flag']['update']>().parameter(0).toHaveProperty('body')
    expectTypeOf<Calls['feature_flag']['list']>().parameter(0).extract<undefined>().toEqualTypeOf<undefined>()
  })

  it('do not compile with arguments that the interface does not take', () => {
    const check = (client: ReturnType<typeof aClient>) => [
      // @ts-expect-error an id is needed
      () => client.feature_flag.read(),
      // @ts-expect-error a grant is named by its flag and its own id
      () => client.feature_flag_role_access.read({ id: 1 }),
      // @ts-expect-error a create has a body
      () => client.feature_flag.create({}),
      // @ts-expect-error the field is spelled otherwise
      () => client.feature_flag.create({ body: { actve: true } }),
      // @ts-expect-error the field is returned only
      () => client.feature_flag.update({ id: 1, body: { can_edit: true } }),
      // @ts-expect-error a grant is created with its role and nothing else
      () => client.feature_flag_role_access.create({ parent_lookup_feature_flag_id: 1, body: { role: 'x' } }),
      // @ts-expect-error there is no such format
      () => client.event.read({ id: 'x', query: { format: 'xml' } }),
      // @ts-expect-error definitions are not created
      () => client.event_definition.create({ body: {} }),
      () => client.feature_flag.userBlastRadius({ body: { condition: { properties: [] } } }),
      () => client.plugin.updateSource({ id: 1, body: { 'index.ts': 'code', 'old.ts': null } }),
      () => client.feature_flag.list(),
      () => client.plugin.upgrade({ id: 1 }),
    ]
    expect(check).toBeTypeOf('function')
  })
})

describe('the named calls', () => {
  it('answer with status, body and text', async () => {
    const server = await aServer(answers(response => response.writeHead(204).end()))
    const client = aClient({ baseUrl: server.url })
    expect(await client.call('plugin', 'delete', { params: { id: '7' } })).toEqual({
      status: 204,
      body: null,
      text: '',
    })
    expect(client.requestCount).toBe(1)
  })

  it('take the documented 405 of a hard delete for the answer that it is', async () => {
    const server = await aServer(answers(response => response.writeHead(405).end()))
    const client = aClient({ baseUrl: server.url })
    expect(await client.call('feature_flag', 'hardDelete', { params: { id: 1 } })).toEqual({
      status: 405,
      body: null,
      text: '',
    })
  })

  it('tolerate another success than the documented one', async () => {
    const server = await aServer(answers(response => json(response, 201, { cohort: {} })))
    const client = aClient({ baseUrl: server.url })
    expect(await client.call('feature_flag', 'createStaticCohort', { params: { id: 1 } })).toEqual({
      status: 201,
      body: { cohort: {} },
      text: '{"cohort":{}}',
    })
  })

  it('hand on an encoding that was asked for as text', async () => {
    const csv = 'id,event\n1,paid\n'
    const server = await aServer(
      answers(response => response.writeHead(200, { 'content-type': 'text/csv' }).end(csv)),
    )
    const client = aClient({ baseUrl: server.url })
    const answer = await client.call('event', 'list', { query: { format: 'csv' } })
    expect(answer).toEqual({ status: 200, body: null, text: csv })
  })

  it('name an endpoint that does not exist', async () => {
    const failure = await failureOf(aClient({ baseUrl: 'http://127.0.0.1:9' }).call('plugin', 'constructor'))
    expect(failure).toEqual(new RangeError('"plugin" has no endpoint "constructor"'))
  })

  it('name a path parameter that is missing', async () => {
    const failure = await failureOf(aClient({ baseUrl: 'http://127.0.0.1:9' }).call('plugin', 'read'))
    expect(failure).toEqual(
      new RangeError(
        'path parameter "id" of /api/organizations/{parent_lookup_organization_id}/plugins/{id} is missing',
      ),
    )
  })

  it.each([
    [
      'feature_flag',
      'projectId',
      'the project is not set; give "project" in the settings file, VEXIL_PROJECT_ID, or the option projectId',
    ],
    [
      'plugin',
      'organizationId',
      'the organization is not set; give "organization" in the settings file, VEXIL_ORGANIZATION_ID, or the option organizationId',
    ],
  ] as const)('name the setting that %s.list misses', async (kind, setting, message) => {
    const client = aClient({ baseUrl: 'http://127.0.0.1:9', projectId: undefined, organizationId: '' })
    expect(await failureOf(client.call(kind, 'list'))).toMatchObject({
      name: 'SettingError',
      setting,
      message,
    })
    expect(client.requestCount).toBe(0)
  })

  it('keep the prefix of the base URL', async () => {
    const server = await aServer(answers(response => json(response, 200, { id: 1 })))
    const client = aClient({ baseUrl: `${server.url}/gateway/flags/` })
    await client.feature_flag.read({ id: 1 })
    expect(server.received.map(({ url }) => url)).toEqual(['/gateway/flags/api/projects/1/feature_flags/1/'])
    expect(client.target).toEqual({
      baseUrl: `${server.url}/gateway/flags`,
      projectId: '1',
      organizationId: '01900000-0000-0000-0000-000000000001',
      profile: 'documented',
      known: 'assumed',
    })
  })

  it('tell of each request that was sent', async () => {
    const events: unknown[] = []
    const server = await aServer(
      answers(
        response => json(response, 503, {}),
        response => {
          response.setHeader('X-RateLimit-Limit', '480, 480;w=60')
          response.setHeader('RateLimit-Remaining', '7')
          response.setHeader('X-Request-Id', 'abc-1')
          json(response, 200, { id: 1 })
        },
      ),
    )
    const [requestLine, dateMs] = ['GET /api/projects/1/feature_flags/1', expect.any(Number)]
    const client = aClient({ baseUrl: server.url, onRequest: event => events.push(event) })
    await client.feature_flag.read({ id: 1 })
    const path = '/api/projects/1/feature_flags/1'
    const about = { requestLine, method: 'GET', path, queryNames: [], elapsedMs: 0, dateMs }
    expect(events).toEqual([
      { ...about, status: 503, attempt: 1, bytes: 2, retryInMs: expect.any(Number) },
      {
        ...{ ...about, status: 200, attempt: 2, bytes: 8, requestId: 'abc-1' },
        limit: { limit: 480, remaining: 7 },
      },
    ])
    expect(client.requestCount).toBe(2)
  })

  it('fail once the client is closed', async () => {
    const client = aClient({ baseUrl: 'http://127.0.0.1:9' })
    await client.close()
    await client.close()
    expect(await failureOf(client.call('feature_flag', 'list'))).toMatchObject({
      name: 'TransportError',
      sent: 'no',
      message: 'GET /api/projects/1/feature_flags got no answer: the client is closed',
    })
  })

  it('are not sent again once the client is closed, and nothing says that they were', async () => {
    const lines: string[] = []
    const server = await aServer(answers(response => response.destroy()))
    const client = aClient({
      baseUrl: server.url,
      onRequest: ({ failure, attempt }) => {
        lines.push(`${failure} ${attempt}`)
        void client.close()
      },
    })
    expect(await failureOf(client.feature_flag.read({ id: 1 }))).toMatchObject({
      name: 'TransportError',
      sent: 'no',
      message: 'GET /api/projects/1/feature_flags/1 got no answer: the client is closed',
    })
    expect({ lines, sent: server.received.length, counted: client.requestCount }).toEqual({
      ...{ lines: ['ECONNRESET 1'], sent: 1, counted: 1 },
    })
  })

  it('that wait for their turn are not sent once the client is closed', async () => {
    const lines: string[] = []
    const server = await aServer(answers(response => json(response, 200, { id: 1 })))
    const client = aClient({
      baseUrl: server.url,
      parallelism: 1,
      onRequest: ({ path }) => {
        lines.push(path)
        void client.close()
      },
    })
    const [first, second] = await Promise.allSettled([1, 2].map(id => client.feature_flag.read({ id })))
    expect([first, second]).toMatchObject([
      { value: { id: 1 } },
      { reason: { sent: 'no', message: expect.stringMatching(/the client is closed$/) } },
    ])
    expect({ lines, sent: server.received.length }).toEqual({
      lines: ['/api/projects/1/feature_flags/1'],
      sent: 1,
    })
  })
})
