import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { ServiceError } from '../../../src/api/index.ts'
import { aClient, failureOf } from '../support/client.ts'
import { answers, aServer, json } from '../support/server.ts'
import { aWorld } from '../support/virtual-runtime.ts'

const ok = (response: ServerResponse) => json(response, 200, { id: 1 })
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    json(response, code, {}, headers)
const reset = (response: ServerResponse) => {
  response.destroy()
}
const cutOff = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"id": 1', () => response.destroy())
}

const calls = {
  GET: ['read', { params: { id: 1 } }],
  POST: ['create', { body: { key: 'a' } }],
  PATCH: ['update', { params: { id: 1 }, body: { name: 'a' } }],
  DELETE: ['hardDelete', { params: { id: 1 } }],
  estimate: ['userBlastRadius', { body: { condition: {} } }],
} as const

describe('a failure', () => {
  const again = 2
  const never = 1
  it.each([
    ['429', status(429), { GET: again, POST: again, PATCH: again, DELETE: again, estimate: again }],
    ['503', status(503), { GET: again, POST: never, PATCH: never, DELETE: never, estimate: again }],
    [
      '503 with Retry-After',
      status(503, { 'retry-after': '1' }),
      { GET: again, POST: never, PATCH: again, DELETE: again, estimate: again },
    ],
    ['502', status(502), { GET: again, POST: never, PATCH: never, DELETE: never, estimate: again }],
    ['504', status(504), { GET: again, POST: never, PATCH: never, DELETE: never, estimate: again }],
    ['500', status(500), { GET: never, POST: never, PATCH: never, DELETE: never, estimate: never }],
    ['400', status(400), { GET: never, POST: never, PATCH: never, DELETE: never, estimate: never }],
    ['404', status(404), { GET: never, POST: never, PATCH: never, DELETE: never, estimate: never }],
    ['a lost connection', reset, { GET: again, POST: never, PATCH: never, DELETE: never, estimate: again }],
    ['an answer cut off', cutOff, { GET: again, POST: never, PATCH: never, DELETE: never, estimate: again }],
  ])('%s is met again only where that is safe', async (_, fail, expected) => {
    const requests: Record<string, number> = {}
    for (const [name, [endpoint, options]] of Object.entries(calls)) {
      const server = await aServer(answers(fail, ok))
      const client = aClient({ baseUrl: server.url })
      await client.call('feature_flag', endpoint, options).catch(error => error)
      requests[name] = server.received.length
    }
    expect(requests).toEqual(expected)
  })

  it('of the connection itself is met again by every method, since nothing was sent', async () => {
    const attempts: number[] = []
    const client = aClient({
      baseUrl: 'http://127.0.0.1:1',
      retry: { attempts: 3 },
      onRequest: ({ attempt }) => attempts.push(attempt),
    })
    const failure = await failureOf(client.call('feature_flag', 'create', { body: { key: 'a' } }))
    expect(failure).toMatchObject({
      name: 'TransportError',
      sent: 'no',
      code: 'ECONNREFUSED',
      message:
        'POST /api/projects/1/feature_flags got no answer: no connection to http://127.0.0.1:1 (ECONNREFUSED); ' +
        'is the service there, and the base URL right?',
    })
    expect(attempts).toEqual([1, 2, 3])
  })
})

describe('the wait before a repeat', () => {
  it('doubles, with full jitter', async () => {
    const runtime = aWorld({ random: () => 0.999 })
    const server = await aServer(answers(status(503)))
    await failureOf(aClient({ baseUrl: server.url, runtime }).feature_flag.read({ id: 1 }))
    expect(runtime.slept).toEqual([500, 999, 1998, 3996])
    expect(server.received).toHaveLength(5)
  })

  it.each([
    ['seconds', () => '7', 7000],
    ['a date', (now: number) => new Date(now + 90_000).toUTCString(), 90_000],
    ['a date that is past', (now: number) => new Date(now - 90_000).toUTCString(), 250],
    ['zero', () => '0', 250],
    ['nonsense', () => '-5', 250],
  ])('is what Retry-After says in %s', async (_, retryAfter, expected) => {
    const runtime = aWorld()
    const throttled = status(429, { 'retry-after': retryAfter(runtime.now()) })
    const server = await aServer(answers(throttled, ok))
    await aClient({ baseUrl: server.url, runtime }).feature_flag.read({ id: 1 })
    expect(runtime.slept).toEqual([expected])
  })

  it('is not begun when the service asks for too long a one', async () => {
    const runtime = aWorld()
    const server = await aServer(answers(status(429, { 'retry-after': '3600' }), ok))
    const failure = await failureOf(aClient({ baseUrl: server.url, runtime }).feature_flag.read({ id: 1 }))
    expect(failure).toMatchObject({ name: 'ServiceError', status: 429, retryAfterMs: 3_600_000 })
    expect([runtime.slept, server.received.length]).toEqual([[], 1])
  })

  it('ends when the signal is aborted', async () => {
    const runtime = aWorld()
    const controller = new AbortController()
    const server = await aServer((_, response) => {
      controller.abort(new Error('enough'))
      json(response, 503, {})
    })
    const client = aClient({ baseUrl: server.url, runtime })
    const failure = await failureOf(client.feature_flag.read({ id: 1, signal: controller.signal }))
    expect(failure).toEqual(new Error('enough'))
    expect(server.received).toHaveLength(1)
  })
})

describe('the budget of a client', () => {
  it('is shared by its requests, and spent retries end in the failure', async () => {
    const server = await aServer(answers(status(503)))
    const client = aClient({ baseUrl: server.url, retry: { attempts: 4, budget: 5 } })
    const counts: number[] = []
    for (const id of [1, 2, 3]) {
      const before = server.received.length
      const failure = (await failureOf(client.feature_flag.read({ id }))) as ServiceError
      expect(failure.status).toBe(503)
      counts.push(server.received.length - before)
    }
    expect(counts).toEqual([4, 3, 1])
  })

  it('comes back with successes', async () => {
    let isDown = true
    const server = await aServer((_, response) => json(response, isDown ? 503 : 200, { id: 1 }))
    const client = aClient({ baseUrl: server.url, retry: { attempts: 2, budget: 1 } })
    const sent = async () => {
      const before = server.received.length
      await client.feature_flag.read({ id: 1 }).catch(() => {})
      return server.received.length - before
    }
    expect([await sent(), await sent()]).toEqual([2, 1])
    isDown = false
    for (let index = 0; index < 10; index++) await sent()
    isDown = true
    expect(await sent()).toBe(2)
  })

  it('is not touched by waits that the service asked for', async () => {
    const server = await aServer(answers(status(429, { 'retry-after': '1' }), ok))
    const client = aClient({ baseUrl: server.url, retry: { budget: 0 } })
    expect(await client.feature_flag.read({ id: 1 })).toEqual({ id: 1 })
  })
})
