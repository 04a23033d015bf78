import { describe, expect, it } from 'vitest'
import { FaultPlan, parseFault } from '../../../src/sandbox/index.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { expectError, flags, openDoor } from '../door.ts'

/** Which of so many equal requests a rule hits. */
function hits(fault: string, method: string, path: string, requests: number): string {
  const plan = new FaultPlan([parseFault(fault)])
  return Array.from({ length: requests }, () => (plan.hit(method, path) ? 'x' : '.')).join('')
}

describe('a fault rule', () => {
  it.each([
    ['truncate', 'xxxx'],
    ['truncate nth=2', '.x..'],
    ['truncate nth=2 times=2', '.xx.'],
    ['truncate times=1', 'x...'],
    ['GET truncate', 'xxxx'],
    ['POST truncate', '....'],
  ])('"%s" hits %s', (fault, expected) => {
    expect(hits(fault, 'GET', flags, 4)).toBe(expected)
  })

  it.each([
    ['/feature_flags', '/api/projects/1/feature_flags', true],
    ['/feature_flags', '/api/projects/1/feature_flags/7', true],
    ['/feature_flags/', '/api/projects/1/feature_flags', true],
    ['/feature_flags/*', '/api/projects/1/feature_flags', false],
    ['/feature_flags/*', '/api/projects/1/feature_flags/7', true],
    ['/feature_flags/*', '/api/projects/1/feature_flags/7/role_access', false],
    ['/feature_flags/*/role_access', '/api/projects/1/feature_flags/7/role_access', true],
    ['/feature_flags/**', '/api/projects/1/feature_flags/7/role_access', true],
    ['/projects/*/feature_flags', '/api/projects/1/feature_flags', true],
    ['/projects/2', '/api/projects/1/feature_flags', false],
    ['/feature.flags/*', '/api/projects/1/feature_flags/7', false],
    ['*', '/api/projects/1/feature_flags', true],
  ])('for %s meets %s: %s', (pattern, path, expected) => {
    const plan = new FaultPlan([{ match: { path: pattern }, effect: { type: 'truncate' } }])
    expect(plan.hit('GET', path) !== undefined).toBe(expected)
  })

  it('counts what it matches even while another one hits', () => {
    const plan = new FaultPlan([parseFault('status=500 times=1'), parseFault('nth=2 status=503')])
    const seen = Array.from({ length: 3 }, () => plan.hit('GET', flags))
    expect(seen).toEqual([{ type: 'status', status: 500 }, { type: 'status', status: 503 }, undefined])
  })
})

describe('a scripted fault', () => {
  it.each([
    ['status=429 retry_after=2', 429, 'throttled_error', 'throttled', '2'],
    ['status=500', 500, 'server_error', 'error', null],
    ['status=503 retry_after=7', 503, 'server_error', 'error', '7'],
    ['status=403', 403, 'invalid_request', 'error', null],
  ])('"%s" answers instead, and nothing is done', async (fault, status, type, code, retryAfter) => {
    const door = await openDoor({ faults: [parseFault(`POST ${fault} times=1`)] })
    const answer = await door.post(flags, { key: 'a' })
    expectError(answer, status, type, code)
    expect(answer.headers.get('retry-after')).toBe(retryAfter)
    expect((await door.get(flags)).body.count).toBe(0)
  })

  it('can come after the work was done', async () => {
    const door = await openDoor({ faults: [parseFault('POST status=500 committed')] })
    expectError(await door.post(flags, { key: 'a' }), 500, 'server_error', 'error')
    expect((await door.get(flags)).body.count).toBe(1)
  })

  it('slows an answer down by the clock of the world', async () => {
    const runtime = testRuntime()
    const door = await openDoor({ runtime, faults: [parseFault('GET slow=1500')] })
    expect((await door.get(flags)).status).toBe(200)
    expect(runtime.sleptMs).toBe(1500)
  })

  it('answers at once when the sandbox closes while it waits', async () => {
    const { promise: slept, resolve: sleeping } = withResolvers()
    const world = {
      ...testRuntime(),
      sleep: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
          sleeping()
        }),
    }
    const door = await openDoor({ runtime: world, faults: [parseFault('slow=999999')] })
    const answer = door.get(flags)
    await slept
    await door.sandbox.close()
    expect((await answer).status).toBe(200)
  })

  it.each([
    ['reset_before', 0],
    ['reset_after', 1],
  ])('"%s" breaks the connection with %i flags made', async (fault, count) => {
    const door = await openDoor({ faults: [parseFault(`POST ${fault}`)] })
    await expect(door.post(flags, { key: 'a' })).rejects.toThrow(
      expect.objectContaining({
        name: 'TypeError',
        message: 'fetch failed',
        cause: expect.objectContaining({ code: 'ECONNRESET' }),
      }),
    )
    expect((await door.get(flags)).body.count).toBe(count)
  })

  it('"truncate" breaks the body off', async () => {
    const door = await openDoor({ faults: [parseFault('POST truncate')] })
    await expect(door.post(flags, { key: 'a' })).rejects.toThrow('terminated')
    expect((await door.get(flags)).body.count).toBe(1)
  })
})

describe('the control plane', () => {
  it('counts requests by method, template and path, whatever became of them', async () => {
    const door = await openDoor({ faults: [parseFault('POST reset_before')] })
    await door.get(`${flags}/`)
    await door.get(`${flags}?limit=1`)
    await door.get(`${flags}/7/`)
    await door.get('/nowhere')
    await expect(door.post(flags)).rejects.toThrow()
    const expected = {
      total: 5,
      templates: {
        'GET /api/projects/{project_id}/feature_flags': 2,
        'GET /api/projects/{project_id}/feature_flags/{id}': 1,
        'POST /api/projects/{project_id}/feature_flags': 1,
      },
      paths: { [`GET ${flags}`]: 2, [`GET ${flags}/7`]: 1, 'GET /nowhere': 1, [`POST ${flags}`]: 1 },
      recent: [`GET ${flags}`, `GET ${flags}`, `GET ${flags}/7`, 'GET /nowhere', `POST ${flags}`],
      billed: 2,
    }
    expect((await door.ask('GET', '/_sandbox/requests', undefined, { authorization: '' })).body).toEqual(
      expected,
    )
    expect(door.sandbox.requests.counts()).toEqual(expected)
    expect((await door.remove('/_sandbox/requests')).status).toBe(204)
    expect((await door.get('/_sandbox/requests/')).body).toEqual({
      total: 0,
      templates: {},
      paths: {},
      recent: [],
      billed: 0,
    })
  })

  it('counts what is billed as local evaluation: what holds flags and was answered in full', async () => {
    const door = await openDoor({ profile: 'posthog-2026' })
    const billed = async (path: string, headers?: Readonly<Record<string, string>>) => {
      door.sandbox.requests.reset()
      const { headers: told } = await door.ask('GET', path, undefined, headers)
      return { billed: door.sandbox.requests.counts().billed, tag: told.get('etag') ?? '' }
    }
    const { billed: first, tag } = await billed('/flags/definitions/')
    expect([first, tag]).toEqual([1, expect.stringMatching(/^W\//)])
    const authorization = `Bearer ${door.sandbox.summary.api_key}`
    expect(await billed('/flags/definitions', { authorization, 'if-none-match': tag })).toMatchObject({
      billed: 0,
    })
    for (const [path, count] of [
      [`${flags}/?archived=true`, 1],
      ['/api/feature_flag/local_evaluation', 1],
      // It is gone there.
      [`${flags}/local_evaluation`, 0],
      [`${flags}/activity`, 0],
      ['/api/projects/99/feature_flags', 0],
    ] as const)
      expect((await billed(path)).billed, path).toBe(count)
    expect((await billed(flags, { authorization: 'Bearer nobody' })).billed).toBe(0)
  })

  it('scripts faults while the sandbox runs', async () => {
    const door = await openDoor()
    const added = await door.ask('POST', '/_sandbox/faults', ['GET status=500', 'POST slow=1'])
    expect([added.status, added.body]).toEqual([
      201,
      [parseFault('GET status=500'), parseFault('POST slow=1')],
    ])
    expect((await door.get(flags)).status).toBe(500)
    expect((await door.get('/_sandbox/faults')).body).toHaveLength(2)
    expect((await door.remove('/_sandbox/faults')).status).toBe(204)
    expect((await door.get(flags)).status).toBe(200)
    expect((await door.ask('POST', '/_sandbox/faults', '"truncate times=1"')).status).toBe(201)
  })

  it.each([
    ['POST', '/_sandbox/faults', '"nonsense"', 400],
    ['POST', '/_sandbox/faults', '{', 400],
    ['POST', '/_sandbox/faults', '[7]', 400],
    ['POST', '/_sandbox/events', '{', 400],
    ['POST', '/_sandbox/events', '[]', 400],
    ['POST', '/_sandbox/events', '{"event":"a","project":9}', 400],
    ['GET', '/_sandbox/unknown', undefined, 404],
  ])('refuses %s %s %s with %i', async (method, path, body, status) => {
    const door = await openDoor()
    const answer = await door.ask(method, path, body)
    expect([answer.status, answer.body]).toEqual([status, { error: expect.any(String) }])
  })

  it('records events, and the first of a name makes its definition', async () => {
    const door = await openDoor()
    const made = await door.ask('POST', '/_sandbox/events', {
      event: 'paid',
      distinct_id: 'ada',
      properties: { amount: 3 },
    })
    expect(made.status).toBe(201)
    const event = await door.get(`/api/projects/1/events/${made.body.id}`)
    expect(event.body).toMatchObject({ event: 'paid', distinct_id: 'ada', properties: '{"amount":3}' })
    expect((await door.get('/api/projects/1/event_definitions')).body.results).toMatchObject([
      { name: 'paid' },
    ])
  })
})

function withResolvers() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}
