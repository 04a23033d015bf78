import { getEventListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CarriedRequest } from '../../../src/api/exchange.ts'
import { openDirectly } from '../../../src/api/open-connections.ts'
import { createCertificate } from '../../../src/terraform/serve/certificate.ts'
import { failureOf } from '../support/client.ts'
import { aServer } from '../support/server.ts'

const connectionsTo = (origin: string, { connectTimeoutMs = 10_000, parallelism = 1 } = {}) => {
  const connections = openDirectly({ origin, parallelism, connectTimeoutMs })
  onTestFinished(() => connections.close())
  const ask = (more: Partial<CarriedRequest> = {}) =>
    connections.request({
      origin,
      path: '/',
      method: 'GET',
      headers: {},
      body: null,
      signal: null,
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
      ...more,
    })
  return { ask, close: connections.close }
}

const portOf = async (server: Server) => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

describe('a connection without a proxy', () => {
  it('asks for a path as it is written, and tells how long a body is', async () => {
    const server = await aServer((_, response) => void response.end())
    const { ask } = connectionsTo(server.url)
    for (const method of ['PATCH', 'DELETE'] as const)
      await text((await ask({ method, path: '/a/../b//c?d=%2e', body: 'ü' })).body)
    const received = server.received.map(({ method, url, body, headers }) => ({
      method,
      url,
      body,
      length: headers['content-length'],
    }))
    const expected = { url: '/a/../b//c?d=%2e', body: 'ü', length: '2' }
    expect(received).toEqual([
      { method: 'PATCH', ...expected },
      { method: 'DELETE', ...expected },
    ])
  })

  it('has no more requests under way than it may', async () => {
    const held: ServerResponse[] = []
    const server = await aServer((_, response) => {
      held.push(response)
      if (held.length === 2) for (const each of held.splice(0)) each.end()
    })
    const { ask } = connectionsTo(server.url, { parallelism: 2 })
    await Promise.all(Array.from({ length: 6 }, async () => text((await ask()).body)))
    expect(server.mostAtOnce).toBe(2)
  })

  it('ends where nothing answers', async () => {
    const server = await aServer(() => undefined)
    const failure = await failureOf(connectionsTo(server.url).ask({ headersTimeout: 1 }))
    expect(failure).toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' })
  })

  it('ends where what comes before an answer never ends', async () => {
    const port = await portOf(
      createServer(socket => {
        socket.on('error', () => undefined)
        // The next one goes out when the one before it has, so that there is never a silence.
        const drip = () =>
          socket.write('HTTP/1.1 102 Processing\r\n\r\n', error => error ?? setImmediate(drip))
        drip()
      }),
    )
    const { ask } = connectionsTo(`http://127.0.0.1:${port}`)
    expect(await failureOf(ask({ headersTimeout: 50 }))).toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' })
  })

  it('ends where an answer does not go on', async () => {
    const server = await aServer((_, response) => void response.writeHead(200).write('{'))
    const { body } = await connectionsTo(server.url).ask({ bodyTimeout: 1 })
    expect(await failureOf(text(body))).toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' })
  })

  it('ends where it is not made', async () => {
    // Takes a connection, and never says a word of TLS.
    const port = await portOf(createServer(socket => void socket.on('error', () => undefined)))
    const { ask } = connectionsTo(`https://127.0.0.1:${port}`, { connectTimeoutMs: 1 })
    expect(await failureOf(ask())).toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT' })
  })

  it('is not made where nobody vouches for the certificate', async () => {
    const { pem, keyPem } = createCertificate(Date.now())
    const port = await portOf(createHttpsServer({ cert: pem, key: keyPem }))
    const { ask } = connectionsTo(`https://127.0.0.1:${port}`)
    expect(await failureOf(ask())).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  })

  it('is cut off by its signal, which has one listener for all that are under way', async () => {
    const server = await aServer(() => undefined)
    const { ask } = connectionsTo(server.url, { parallelism: 2 })
    const controller = new AbortController()
    const { signal } = controller
    // The third waits for a connection.
    const failures = [1, 2, 3].map(() => failureOf(ask({ signal })))
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    controller.abort('enough')
    expect(await Promise.all(failures)).toMatchObject(failures.map(() => ({ cause: 'enough' })))
    expect(await failureOf(ask({ signal }))).toMatchObject({ cause: 'enough' })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('is closed once what is under way has come', async () => {
    const server = await aServer((_, response) => void response.end('whole'))
    const { ask, close } = connectionsTo(server.url)
    const said = ask().then(({ body }) => text(body))
    await close()
    expect(await said).toBe('whole')
  })
})
