import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterEach, describe, expect, it } from 'vitest'
import { Secrets } from '../../src/api/redact.ts'
import {
  defaultFormat,
  notification,
  type SendOptions,
  type StateChange,
  sendNotification,
} from '../../src/fleet/notify.ts'
import { notificationSchema } from '../../src/schema/run-schemas.ts'
import { testRuntime } from '../support/test-runtime.ts'

const place = 'project 1 at https://flags.example.com'
const drift: StateChange = {
  environment: 'production',
  state: 'drift',
  is: 'begun',
  atMs: Date.UTC(2026, 10, 30, 12),
  objects: 2,
  place,
}

describe('the message for Slack', () => {
  it.each<[Partial<StateChange>, string]>([
    [{}, `production: drift in 2 objects (${place})`],
    [{ objects: 1, state: 'conflict' }, `production: conflict in 1 object (${place})`],
    [{ is: 'ended', objects: 0 }, `production: no more drift (${place})`],
    [{ is: 'ended', state: 'conflict', objects: 0 }, `production: no more conflict (${place})`],
    [
      { state: 'failed', objects: 0, reason: 'the key is wrong\nhere' },
      `production: failed (${place}): the key is wrong\\nhere`,
    ],
    [{ state: 'failed', is: 'ended', objects: 0 }, `production: no longer fails (${place})`],
    [
      { commit: '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567' },
      `production: drift in 2 objects (${place}, commit 0a1b2c3d4e)`,
    ],
    [{ environment: '<!channel> & co' }, `&lt;!channel&gt; &amp; co: drift in 2 objects (${place})`],
  ])('for %j', (members, text) => {
    expect(notification({ ...drift, ...members }, 'slack')).toEqual({ text })
  })

  it('is the default for hooks.slack.com only', () => {
    expect(defaultFormat('https://hooks.slack.com/services/T/B/x')).toBe('slack')
    expect(defaultFormat('https://hooks.slack.com.example.com/')).toBe('json')
    expect(defaultFormat('https://example.com/?hooks.slack.com')).toBe('json')
    expect(defaultFormat('no address')).toBe('json')
  })
})

describe('the JSON message', () => {
  it('has the members of its schema', () => {
    const ajv = new Ajv2020()
    addFormats.default(ajv)
    const change: StateChange = { ...drift, state: 'failed', reason: 'no key', commit: '0a1b2c3d' }
    const messages = [notification(drift, 'json'), notification(change, 'json')]
    const head = { format_version: '1.0', environment: 'production', is: 'begun' }
    const rest = { at: '2026-11-30T12:00:00.000Z', objects: 2, place }
    expect(messages).toEqual([
      { ...head, state: 'drift', ...rest },
      { ...head, state: 'failed', ...rest, reason: 'no key', commit: '0a1b2c3d' },
    ])
    const validate = ajv.compile(notificationSchema())
    expect(messages.filter(message => !validate(message))).toEqual([])
  })
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void

interface Received {
  readonly line: string
  readonly type: string | undefined
  readonly body: string
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A webhook that gives these answers, one for each request; the last one again and again. */
async function aWebhook(...answers: Answer[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = answers[Math.min(received.length, answers.length - 1)]
    received.push({ line: `${request.method} ${request.url}`, type: request.headers['content-type'], body })
    answer?.(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { received, url: `http://127.0.0.1:${port}/hooks/the-secret-path?sig=secret-sign` }
}

const answers =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end('no')

async function send(url: string, more: Partial<SendOptions> = {}) {
  const runtime = testRuntime()
  const hide = new Secrets().hide
  const warning = await sendNotification({ url, body: { text: 'drift' }, runtime, hide, ...more })
  expect(warning ?? '').not.toMatch(/secret|127\.0\.0\.1/)
  return { warning, sleptMs: runtime.sleptMs }
}

describe('a notification', () => {
  it('is one POST of JSON without keys', async () => {
    const { url, received } = await aWebhook(answers(200))
    const secrets = new Secrets()
    secrets.add('phx_the_key_itself')
    const body = { text: 'the key phx_the_key_itself is refused' }
    expect(await send(url, { body, hide: secrets.hide })).toEqual({ warning: undefined, sleptMs: 0 })
    expect(received).toEqual([
      {
        line: 'POST /hooks/the-secret-path?sig=secret-sign',
        type: 'application/json',
        body: '{"text":"the key [redacted] is refused"}',
      },
    ])
  })

  it('goes through no proxy to this machine, and reports a proxy that is no address', async () => {
    const { url, received } = await aWebhook(answers(204))
    const proxyEnvironment = { HTTPS_PROXY: 'no address' }
    expect((await send(url, { proxyEnvironment })).warning).toBeUndefined()
    expect(received).toHaveLength(1)
    expect(await send('https://hooks.example.invalid/secret', { proxyEnvironment })).toEqual({
      warning: 'a notification was not confirmed: the connection cannot be opened',
      sleptMs: 0,
    })
  })

  it.each<[string, Answer[], number, number, string | undefined]>([
    ['after 429 with a wait', [answers(429, { 'retry-after': '7' }), answers(200)], 2, 7_000, undefined],
    ['after 503', [answers(503), answers(200)], 2, 1_000, undefined],
    ['three times at most', [answers(503)], 3, 2_000, 'the webhook answered 503'],
    ['not after a long wait', [answers(429, { 'retry-after': '61' })], 1, 0, 'the webhook answered 429'],
    ['not after a refusal', [answers(404)], 1, 0, 'the webhook answered 404'],
    ['not to another address', [answers(302, { location: '/x' })], 1, 0, 'the webhook answered 302'],
    ['not after another failure', [answers(500)], 1, 0, 'the webhook answered 500'],
    [
      'not if it may have arrived',
      [request => request.socket.destroy()],
      1,
      0,
      'the webhook gave no answer (ECONNRESET); the message may have arrived',
    ],
  ])('is sent again %s', async (_, given, requests, sleptMs, why) => {
    const { url, received } = await aWebhook(...given)
    const warning = why && `a notification was not confirmed: ${why}`
    expect(await send(url)).toEqual({ warning, sleptMs })
    expect(received).toHaveLength(requests)
  })

  it('is sent again if there is no connection', async () => {
    const { url } = await aWebhook(answers(200))
    for (const close of closing.splice(0)) await close()
    expect(await send(url)).toEqual({
      warning: 'a notification was not confirmed: no connection to the webhook (ECONNREFUSED)',
      sleptMs: 2_000,
    })
  })

  it('is stopped by a signal while it waits, but not while it is sent', async () => {
    const stop = new AbortController()
    const { url, received } = await aWebhook((request, response) => {
      stop.abort()
      answers(200)(request, response)
    })
    expect((await send(url, { signal: stop.signal })).warning).toBeUndefined()
    const warning = 'a notification was not confirmed: it was stopped'
    const other = new AbortController()
    const busy = await aWebhook((request, response) => {
      answers(503)(request, response)
      other.abort()
    })
    expect((await send(busy.url, { signal: other.signal })).warning).toBe(warning)
    expect([received.length, busy.received.length]).toEqual([1, 1])
  })

  it('is not sent to what is no address', async () => {
    expect((await send('secret')).warning).toBe('a notification was not confirmed: its address is not valid')
  })
})
