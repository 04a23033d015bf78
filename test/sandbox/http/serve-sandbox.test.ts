import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  createSandbox,
  parseFault,
  type SandboxOptions,
  type ServedSandbox,
  serveSandbox,
} from '../../../src/sandbox/index.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { flags, release, support } from '../door.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function serve(options: Partial<SandboxOptions> = {}): Promise<ServedSandbox> {
  const sandbox = await createSandbox({ runtime: testRuntime(), empty: true, ...options })
  const served = await serveSandbox(sandbox)
  opened.push(sandbox, served)
  return served
}

async function ask({ url, summary }: ServedSandbox, method: string, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${summary.api_key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text && JSON.parse(text), headers: response.headers }
}

describe('a served sandbox', () => {
  it('tells where it is and what is in it', async () => {
    const { url, summary } = await serve()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(summary).toEqual({
      base_url: url,
      api_key: expect.stringMatching(/^phx_sandbox_/),
      organization: '01900000-0000-0000-0000-000000000001',
      project: 1,
      project_token: 'phc_sandbox_local_only_project_1',
      projects: [1],
      roles: [
        { id: release, name: 'growth' },
        { id: support, name: 'support' },
      ],
    })
  })

  it('answers with and without a slash, and links on its own host', async () => {
    const served = await serve()
    for (const [index, slash] of ['', '/'].entries())
      expect((await ask(served, 'POST', `${flags}${slash}`, { key: `ü-${index}` })).status).toBe(201)
    const { status, body, headers } = await ask(served, 'GET', `${flags}/?limit=1`)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(body).toMatchObject({
      count: 2,
      results: [{ key: 'ü-1' }],
      next: `${served.url}${flags}/?limit=1&offset=1`,
    })
  })

  it('answers 405, 204 and HEAD without a body', async () => {
    const served = await serve()
    await ask(served, 'POST', flags, { key: 'a' })
    await ask(served, 'POST', `${flags}/1/role_access`, { role_id: release })
    expect(await ask(served, 'DELETE', `${flags}/1`)).toMatchObject({ status: 405, body: '' })
    expect(await ask(served, 'DELETE', `${flags}/1/role_access/1`)).toMatchObject({ status: 204, body: '' })
    const head = await ask(served, 'HEAD', flags)
    expect([head.status, head.body]).toEqual([200, ''])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100)
  })

  it('refuses a large body without reading it to its end', async () => {
    const served = await serve()
    const answer = await ask(served, 'POST', flags, { key: 'a', name: 'x'.repeat(21_000_000) })
    expect([answer.status, answer.body.code]).toEqual([413, 'request_too_large'])
  })

  it.each([
    ['reset_before', 0],
    ['reset_after', 1],
    ['truncate', 1],
  ])('breaks the connection for "%s", with %i flags made', async (fault, count) => {
    const served = await serve({ faults: [parseFault(`POST ${fault}`)] })
    await expect(ask(served, 'POST', flags, { key: 'a' })).rejects.toThrow(TypeError)
    expect((await ask(served, 'GET', flags)).body.count).toBe(count)
  })

  it('announces a truncated body at its full length', async () => {
    const served = await serve({ faults: [parseFault('GET truncate')] })
    const { hostname, port } = new URL(served.url)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    const key = served.summary.api_key
    socket.write(`GET ${flags} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    await once(socket, 'close')
    const [head = '', body = ''] = text.split('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
    expect(body.length).toBe(Math.floor(length / 2))
  })

  it('closes promptly, idle connections and all', async () => {
    const served = await serve()
    const { hostname, port } = new URL(served.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const closed = once(socket, 'close')
    await served.close()
    await closed
    await expect(ask(served, 'GET', flags)).rejects.toThrow(TypeError)
  })

  it('says so when the port is taken', async () => {
    const { url } = await serve()
    const port = Number(new URL(url).port)
    const other = await createSandbox({ runtime: testRuntime(), empty: true })
    opened.push(other)
    await expect(serveSandbox(other, { port })).rejects.toThrow(
      `port ${port} of "127.0.0.1" is in use; use another port, or 0 for any`,
    )
  })

  it('leaves the globals of the process alone', async () => {
    const { Request: before, Response: answer } = globalThis
    await serve()
    expect([globalThis.Request, globalThis.Response]).toEqual([before, answer])
  })
})
