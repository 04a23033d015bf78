import { gzipSync } from 'node:zlib'
import { MockAgent } from 'undici'
import { describe, expect, it } from 'vitest'
import { parseBaseUrl } from '../../../src/api/base-url.ts'
import { openDispatcher } from '../../../src/api/connection.ts'
import { createExchange } from '../../../src/api/exchange.ts'
import { createRedactor } from '../../../src/api/redact.ts'
import { RetryPolicy } from '../../../src/api/send.ts'
import { aClient, failureOf, key } from '../support/client.ts'
import { answers, aServer, json } from '../support/server.ts'
import { aWorld } from '../support/virtual-runtime.ts'

const line = 'GET /api/projects/1/feature_flags/1'

describe('a request', () => {
  it('carries the key, who asks, and what is understood', async () => {
    const server = await aServer(answers(response => json(response, 200, { id: 1 })))
    await aClient({ baseUrl: server.url, userAgent: 'vexil/1.2.3' }).feature_flag.read({ id: 1 })
    const {
      authorization,
      accept,
      'user-agent': userAgent,
      'content-type': type,
    } = server.received[0]!.headers
    expect({ authorization, accept, userAgent, type }).toEqual({
      authorization: `Bearer ${key}`,
      accept: 'application/json, */*;q=0.5',
      userAgent: 'vexil/1.2.3',
      type: undefined,
    })
  })

  it('uses one connection again and again', async () => {
    const ports = new Set<unknown>()
    const server = await aServer((_, response) => {
      ports.add(response.socket?.remotePort)
      json(response, 200, { id: 1 })
    })
    const client = aClient({ baseUrl: server.url, parallelism: 1 })
    for (let id = 0; id < 5; id++) await client.feature_flag.read({ id })
    expect(ports.size).toBe(1)
  })
})

describe('an answer', () => {
  it('is understood when it is compressed', async () => {
    const server = await aServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync('{"id":1,"name":"Grüße"}'))
    })
    expect(await aClient({ baseUrl: server.url }).feature_flag.read({ id: 1 })).toEqual({
      id: 1,
      name: 'Grüße',
    })
  })

  it('may begin with a byte order mark, and may not say that it is JSON', async () => {
    const server = await aServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('\ufeff{"id":1}')
    })
    expect(await aClient({ baseUrl: server.url }).feature_flag.read({ id: 1 })).toEqual({ id: 1 })
  })

  it.each([
    [
      'not_json',
      200,
      { 'content-type': 'text/html' },
      '<html>\n<body>Sign in</body>',
      `the answer to ${line} is not JSON but begins "<html>\\n<body>Sign in</body>"; is the base URL right?`,
    ],
    [
      'not_json',
      200,
      { 'content-type': 'application/json' },
      '{"id": 1',
      `the answer to ${line} is not JSON but begins "{"id": 1"; is the base URL right?`,
    ],
    ['no_record', 200, {}, '', `the answer to ${line} does not contain a flag`],
    ['no_record', 200, {}, '[]', `the answer to ${line} does not contain a flag`],
    [
      'redirect',
      302,
      { location: 'https://sso.example.com/login' },
      '',
      `the answer to ${line} leads to "https://sso.example.com/login" (302), and is not followed; is the base URL right?`,
    ],
    [
      'encoding',
      200,
      { 'content-encoding': 'br' },
      'x',
      `the answer to ${line} is encoded as "br", which was not requested; is a proxy in between?`,
    ],
  ] as const)('that breaks the promise is %s', async (code, status, headers, text, message) => {
    const server = await aServer((_, response) => {
      response.writeHead(status, headers).end(text)
    })
    const failure = await failureOf(aClient({ baseUrl: server.url }).feature_flag.read({ id: 1 }))
    expect(failure).toMatchObject({ name: 'UnexpectedAnswerError', code, message, requestLine: line })
    expect(server.received).toHaveLength(1)
  })

  it('that breaks off is never taken for a whole one', async () => {
    const server = await aServer((_, response) => {
      // What came is JSON, but half of what was announced.
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '16' })
      response.write('{"id":1}', () => response.destroy())
    })
    const client = aClient({ baseUrl: server.url, retry: { attempts: 1 } })
    expect(await failureOf(client.feature_flag.read({ id: 1 }))).toMatchObject({
      name: 'UnexpectedAnswerError',
      code: 'truncated',
      message: `the answer to ${line} broke off`,
    })
  })

  it('whose chunks end without the last one breaks off too', async () => {
    const server = await aServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"id":1}', () => response.destroy())
    })
    const client = aClient({ baseUrl: server.url, retry: { attempts: 1 } })
    expect(await failureOf(client.feature_flag.read({ id: 1 }))).toMatchObject({ code: 'truncated' })
  })

  it('whose compressed text ends early breaks off too', async () => {
    const server = await aServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"id":1}').subarray(0, 15))
    })
    const client = aClient({ baseUrl: server.url, retry: { attempts: 1 } })
    expect(await failureOf(client.feature_flag.read({ id: 1 }))).toMatchObject({ code: 'truncated' })
  })
})

describe('one exchange', () => {
  const exchangeWith = async (
    respond: Parameters<typeof aServer>[0],
    options: { maxBytes?: number; runtime?: ReturnType<typeof aWorld>; timeoutMs?: number } = {},
  ) => {
    const server = await aServer(respond)
    const baseUrl = parseBaseUrl(server.url)
    return createExchange({
      baseUrl,
      dispatcher: openDispatcher(baseUrl, { parallelism: 1, connectTimeoutMs: 1000 }),
      apiKey: key,
      userAgent: 'vexil',
      runtime: aWorld(),
      redact: createRedactor([key]),
      timeoutMs: 60_000,
      ...options,
    })
  }
  const outgoing = { requestLine: line, method: 'GET', target: '/' } as const

  it.each([
    ['as it comes', (text: string) => [{}, text] as const],
    ['once unpacked', (text: string) => [{ 'content-encoding': 'gzip' }, gzipSync(text)] as const],
  ])('reads no answer that is too large %s', async (_, form) => {
    const [headers, bytes] = form('x'.repeat(3 * 1024 * 1024))
    const exchange = await exchangeWith((_, response) => void response.writeHead(200, headers).end(bytes), {
      maxBytes: 2 * 1024 * 1024,
    })
    expect(await failureOf(exchange(outgoing))).toMatchObject({
      name: 'UnexpectedAnswerError',
      code: 'too_large',
      message: `the answer to ${line} is larger than 2 MB and was not read; ask for less at once`,
    })
  })

  it('gives up on an answer that drips', async () => {
    const runtime = aWorld()
    const exchange = await exchangeWith(
      (_, response) => {
        response.writeHead(200)
        response.write('{', () => {
          runtime.advance(120_001)
          response.write('}')
        })
      },
      { runtime },
    )
    const failure = await failureOf(exchange(outgoing))
    expect(failure).toMatchObject({ name: 'TransportError', sent: 'maybe', code: 'ERR_TOO_SLOW' })
    expect(
      new RetryPolicy({}, runtime).decide(failure, {
        method: 'GET',
        isReading: true,
        isPage: true,
        attempt: 1,
      }),
    ).toEqual({ is: 'final' })
  })

  it('ends with the reason of its signal, before and while it is under way', async () => {
    const controller = new AbortController()
    const exchange = await exchangeWith((_, response) => {
      response.writeHead(200).write('{')
      controller.abort(new Error('enough'))
    })
    const { signal } = controller
    expect(await failureOf(exchange({ ...outgoing, signal }))).toEqual(new Error('enough'))
    expect(await failureOf(exchange({ ...outgoing, signal }))).toEqual(new Error('enough'))
  })
})

describe('a transport', () => {
  it.each([
    ['ENOTFOUND', 'no', 'there is no host of the name in http://127.0.0.1:9; check the base URL', 1],
    [
      'EAI_AGAIN',
      'no',
      'no connection to http://127.0.0.1:9 (EAI_AGAIN); is the service there, and the base URL right?',
      2,
    ],
    [
      'UND_ERR_CONNECT_TIMEOUT',
      'no',
      'no connection to http://127.0.0.1:9 (UND_ERR_CONNECT_TIMEOUT); is the service there, and the base URL right?',
      2,
    ],
    [
      'CERT_HAS_EXPIRED',
      'no',
      'the certificate of http://127.0.0.1:9 was not accepted (CERT_HAS_EXPIRED)',
      1,
    ],
    ['UND_ERR_HEADERS_TIMEOUT', 'maybe', 'http://127.0.0.1:9 stayed silent for too long', 2],
    ['ECONNRESET', 'maybe', 'the connection to http://127.0.0.1:9 was lost (ECONNRESET)', 2],
  ])('that fails with %s says whether the request was sent', async (code, sent, reason, requests) => {
    const dispatcher = new MockAgent()
    dispatcher.disableNetConnect()
    const error = Object.assign(new Error(`failed for ${key}`), { code })
    dispatcher
      .get('http://127.0.0.1:9')
      .intercept({ path: () => true })
      .replyWithError(error)
      .persist()
    const client = aClient({ baseUrl: 'http://127.0.0.1:9', dispatcher, retry: { attempts: 2 } })
    const failure = await failureOf(client.feature_flag.read({ id: 1 }))
    expect(failure).toMatchObject({
      name: 'TransportError',
      sent,
      code,
      message: `${line} got no answer: ${reason}`,
    })
    expect(client.requestCount).toBe(requests)
  })
})
