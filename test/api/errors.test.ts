import { inspect } from 'node:util'
import fc from 'fast-check'
import { MockAgent } from 'undici'
import { describe, expect, it } from 'vitest'
import {
  createRedactor,
  isServiceError,
  isTransportError,
  isUnexpectedAnswerError,
  ServiceError,
  TransportError,
  UnexpectedAnswerError,
} from '../../src/api/index.ts'
import { excerpt } from '../../src/api/redact.ts'
import { aClient, all, failureOf, key } from './support/client.ts'
import { aServer, json } from './support/server.ts'

describe('an answer of the service that says no', () => {
  it.each([
    [
      400,
      {
        type: 'validation_error',
        code: 'unique',
        detail: 'There is already a flag with this key.',
        attr: 'key',
      },
      'POST /api/projects/1/feature_flags was refused with 400 unique on "key": There is already a flag with this key',
    ],
    [
      401,
      { type: 'authentication_error', code: 'authentication_failed', detail: 'Invalid key.', attr: null },
      'POST /api/projects/1/feature_flags was refused with 401 authentication_failed: Invalid key; check the API key',
    ],
    [
      403,
      { error: 'Not yours' },
      'POST /api/projects/1/feature_flags was refused with 403: Not yours; the key may lack a scope, or its owner the permission',
    ],
    [404, '', 'POST /api/projects/1/feature_flags was refused with 404'],
    [
      409,
      { type: 'server_error', code: 'conflict', detail: 'Somebody else was faster.', attr: null },
      'POST /api/projects/1/feature_flags was refused with 409 conflict: Somebody else was faster',
    ],
    ...[409, 202].map(
      status =>
        [
          status,
          { code: 'approval_required', detail: 'Ask first.', change_request_id: 'cr-1' },
          `POST /api/projects/1/feature_flags waits for approval (${status}): change request cr-1`,
        ] as [number, object, string],
    ),
    [
      500,
      { type: 'server_error', code: 'error', detail: 'A server error occurred.', attr: null },
      'POST /api/projects/1/feature_flags failed with 500 error: A server error occurred',
    ],
    [
      502,
      '<html><head><title>502 Bad\nGateway</title></head></html>',
      'POST /api/projects/1/feature_flags failed with 502: 502 Bad Gateway',
    ],
  ])('tells what is known: %i', async (status, body, message) => {
    const server = await aServer((_, response) => {
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
    const failure = await failureOf(
      aClient({ baseUrl: server.url }).feature_flag.create({ body: { key: 'a' } }),
    )
    expect(failure).toMatchObject({ name: 'ServiceError', status, message })
    expect([isServiceError(failure), isTransportError(failure), isUnexpectedAnswerError(failure)]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('keeps the parts of the error body apart', async () => {
    const body = { type: 'throttled_error', code: 'throttled', detail: 'Slow down.', attr: 'filters__groups' }
    const server = await aServer((_, response) => json(response, 429, body, { 'retry-after': '9999' }))
    const failure = await failureOf(aClient({ baseUrl: server.url }).plugin.list({ query: { limit: 1 } }))
    expect({ ...(failure as ServiceError) }).toEqual({
      ...body,
      name: 'ServiceError',
      status: 429,
      requestLine: 'GET /api/organizations/01900000-0000-0000-0000-000000000001/plugins?limit=1',
      retryAfterMs: 9_999_000,
    })
  })
})

describe('the field that the service finds fault with', () => {
  it.each([
    ['post_to_slack', 'post_to_chat'],
    ['post_to_slack__0', 'post_to_chat__0'],
    ['tags__post_to_slack', 'tags__post_to_slack'],
    ['post_to_chat', 'post_to_chat'],
  ])('is named as the interface names it: %s is %s', async (said, attr) => {
    const server = await aServer((_, response) => json(response, 400, { code: 'invalid', attr: said }))
    const client = aClient({ baseUrl: server.url, profile: 'posthog' })
    const failure = await failureOf(client.event_definition.update({ id: 'a', body: { post_to_chat: true } }))
    expect(server.received.map(({ body }) => body)).toEqual(['{"post_to_slack":true}'])
    expect(failure).toMatchObject({ attr, message: expect.stringContaining(`400 invalid on "${attr}"`) })
  })
})

describe('text from the service', () => {
  it('stays on one line, without anything that moves a cursor or turns the reading direction', () => {
    const detail = 'one\r\ntwo\t\u001b[31mred\u0007 \u202eevil\u2066 \u200bzero \ud800'
    const error = new ServiceError({ requestLine: 'GET /', status: 400, detail })
    expect(error.message).toBe(
      'GET / was refused with 400: one\\r\\ntwo\\t\\u001b[31mred\\u0007 \\u202eevil\\u2066 \\u200bzero \\ud800',
    )
  })

  it('is never long', () => {
    const long = 'x'.repeat(1_000_000)
    const error = new ServiceError({
      requestLine: `GET /${long}`,
      status: 400,
      code: long,
      attr: long,
      detail: long,
    })
    expect(error.message.length).toBeLessThan(1500)
    expect(error.detail).toBe(`${'x'.repeat(500)}…`)
  })
})

describe('the key', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')

  it.each([
    ['itself', key],
    ['in other letters', key.toUpperCase()],
    ['percent-encoded', encodeURIComponent('se/cr+et=="key"')],
    ['in JSON', JSON.stringify('se/cr+et=="key"')],
    ['in base64', base64(key)],
    ['in base64, after a user', base64(`u:${key}`)],
    ['in base64, after another user', base64(`us:${key}`)],
    ['in base64, after a longer user', base64(`use:${key}`)],
    ['in base64, before something', base64(`${key}:x`)],
    ['in base64 for URLs', Buffer.from(`u:${key}`).toString('base64url')],
    ['of somebody else', 'phx_someOtherKey0123456789'],
    ['behind its word', 'Bearer abc'],
    ['in a URL', 'https://user:password@proxy.example.com'],
  ])('is taken out of a text: %s', (_, form) => {
    const text = createRedactor([key, 'se/cr+et=="key"'])(`before ${form} after`)
    expect(text).toMatch(/^before .*\[redacted\].* after$/)
    for (const secret of [
      key,
      key.slice(4, 20),
      base64(key).slice(4, 40),
      'someOther',
      'abc',
      'password',
      'cr%2Bet',
      'cr+et',
    ]) {
      expect(text).not.toContain(secret)
    }
  })

  it('is taken out whatever it is and wherever it stands', () => {
    const secrets = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
      minLength: 8,
      maxLength: 60,
    })
    const forms = fc.constantFrom(
      (secret: string) => secret,
      encodeURIComponent,
      (secret: string) => JSON.stringify(secret),
      (secret: string) => JSON.stringify({ authorization: `Bearer ${secret}` }),
    )
    fc.assert(
      fc.property(secrets, forms, fc.string(), fc.string(), (secret, form, before, after) => {
        const redact = createRedactor([secret])
        expect(redact(`${before}${form(secret)}${after}`)).not.toContain(form(secret))
        expect(redact(`${before}${secret}${after}`)).not.toContain(secret)
      }),
    )
  })

  it('leaves no half of itself where a text is cut', () => {
    const text = `${'x'.repeat(490)}${key}`
    expect(excerpt(text, createRedactor([key]))).toBe(`${'x'.repeat(490)}[redacted]`)
  })

  it('is in no error, whatever the service answers', async () => {
    const echo = `${key} ${base64(key)} ${encodeURIComponent(key)} Bearer ${key}`
    const server = await aServer((request, response) => {
      const kind = /feature_flags\/(\d+)/.exec(request.url)?.[1]
      if (kind === '1') json(response, 400, { type: echo, code: echo, detail: echo, attr: echo })
      if (kind === '2') response.writeHead(302, { location: `https://x.example.com/?${echo}` }).end()
      if (kind === '3') response.writeHead(200, { 'content-type': 'application/json' }).end(echo)
      if (kind === '4') response.writeHead(200, { 'content-encoding': key }).end('x')
      if (kind === '5') response.socket?.end(`HTTP/1.1 ${echo}\r\n\r\n`)
      if (kind === '6') json(response, 400, echo)
      if (kind === undefined)
        json(response, 200, { results: [], next: `https://${key}.example.com/?${echo}` })
    })
    const client = aClient({ baseUrl: server.url, retry: { attempts: 1 } })
    const failures = await Promise.all([
      ...[1, 2, 3, 4, 5, 6].map(id => failureOf(client.feature_flag.read({ id }))),
      failureOf(client.feature_flag.read({ id: 1, project_id: key })),
      failureOf(all(client.list('feature_flag'))),
      failureOf(all(client.list('event', { query: { event: key } }))),
    ])
    expect(failures.map(failure => (failure as Error).name)).toEqual([
      'ServiceError',
      'UnexpectedAnswerError',
      'UnexpectedAnswerError',
      'UnexpectedAnswerError',
      'TransportError',
      'ServiceError',
      'ServiceError',
      'UnexpectedAnswerError',
      'UnexpectedAnswerError',
    ])
    for (const failure of failures) expectNoKey(failure)
  })

  it('is in no cause of a transport error', async () => {
    const dispatcher = new MockAgent()
    dispatcher.disableNetConnect()
    const inner = Object.assign(new Error(`inner ${key}`), { headers: [key], socket: { key } })
    const error = new AggregateError([inner], `outer ${key}`, { cause: new Error(key, { cause: inner }) })
    const pool = dispatcher.get('http://127.0.0.1:9')
    pool.intercept({ path: () => true }).replyWithError(Object.assign(error, { data: key }))
    const client = aClient({ baseUrl: 'http://127.0.0.1:9', dispatcher, retry: { attempts: 1 } })
    const failure = await failureOf(client.feature_flag.read({ id: 1 }))
    expect(failure).toBeInstanceOf(TransportError)
    expectNoKey(failure)
    expect(((failure as Error).cause as Error).message).toBe('outer [redacted]')
  })

  it('is in no error that is made by hand', () => {
    const redact = createRedactor([key])
    const requestLine = `GET /${key}`
    const cause = new Error(key)
    expectNoKey(new ServiceError({ requestLine, status: 400, detail: key }, redact))
    expectNoKey(new TransportError({ requestLine, sent: 'no', code: key, reason: key, cause }, redact))
    expectNoKey(new UnexpectedAnswerError({ requestLine, code: 'not_json', reason: key }, redact))
  })

  it('is in no event and not in the client', async () => {
    const events: unknown[] = []
    const server = await aServer((_, response) => json(response, 200, { results: [] }))
    const client = aClient({ baseUrl: server.url, onRequest: event => events.push(event) })
    await client.call('event', 'list', { query: { event: key } })
    expectNoKey(events)
    expectNoKey(client)
  })
})

function expectNoKey(value: unknown): void {
  const shown = [inspect(value, { depth: 12, showHidden: true }), JSON.stringify(value)]
  if (value instanceof Error) shown.push(value.message, value.stack ?? '', String(value))
  for (const text of shown) {
    expect(text).not.toContain(key.slice(4, 24))
    expect(text).not.toContain(Buffer.from(key).toString('base64').slice(4, 24))
  }
}
