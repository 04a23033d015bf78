import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type HealthOptions, parseListen, serveHealth } from '../../src/fleet/serve-health.ts'

async function served(options: Partial<HealthOptions> = {}) {
  const server = await serveHealth({
    listen: '127.0.0.1:0',
    health: () => ({ ok: true, body: { environments: 2 } }),
    metrics: async () => ({ text: 'vexil_store_up 1\n', contentType: 'text/plain; version=0.0.4' }),
    ...options,
  })
  onTestFinished(() => server.close())
  return server
}

const portOf = (url: string) => Number(new URL(url).port)

/** Opens a connection and sends a text. */
async function connected(url: string, text: string) {
  const socket = connect(portOf(url), '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  socket.write(text)
  return socket
}

describe('the probes of a fleet', () => {
  it('report that all is well', async () => {
    const { url } = await served()
    const answer = await fetch(`${url}/healthz?verbose`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual({ status: 'ok', environments: 2 })
  })

  it('report a failure', async () => {
    const { url } = await served({ health: () => ({ ok: false, body: { store: 'unreachable' } }) })
    const answer = await fetch(`${url}/healthz`)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({ status: 'failing', store: 'unreachable' })
  })

  it('show metrics', async () => {
    const { url } = await served()
    const answer = await fetch(`${url}/metrics`)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4')
    expect(await answer.text()).toBe('vexil_store_up 1\n')
  })

  it('answer HEAD without a text', async () => {
    const { url } = await served()
    for (const path of ['/healthz', '/metrics']) {
      const answer = await fetch(url + path, { method: 'HEAD' })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-length')).toMatch(/^[1-9]/)
      expect(await answer.text()).toBe('')
    }
  })

  it.each([
    ['GET', '/s3cret?key=s3cret', 404, 'not found\n'],
    ['GET', '/toString', 404, 'not found\n'],
    ['GET', '//healthz', 404, 'not found\n'],
    ['POST', '/s3cret', 404, 'not found\n'],
    ['POST', '/healthz?key=s3cret', 405, 'use GET\n'],
    ['DELETE', '/metrics', 405, 'use GET\n'],
  ])('answer nothing else: %s %s', async (method, path, status, text) => {
    const { url } = await served()
    const answer = await fetch(url + path, { method, headers: { authorization: 's3cret' } })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD' : null)
    expect(await answer.text()).toBe(text)
  })

  it('keep an error to themselves', async () => {
    const fail = () => {
      throw new Error('s3cret')
    }
    const { url } = await served({ health: fail, metrics: async () => fail() })
    for (const path of ['/healthz', '/metrics']) {
      const answer = await fetch(url + path)
      expect(answer.status).toBe(500)
      expect(await answer.text()).toBe('the answer cannot be computed\n')
    }
  })
})

describe('the end of the probes', () => {
  it('comes at once for connections that wait', async () => {
    const { url, close } = await served()
    const agent = new Agent({ keepAlive: true })
    const asked = request(`${url}/healthz`, { agent }).end()
    const [answer] = await once(asked, 'response')
    answer.resume()
    await once(answer, 'end')
    const silent = await connected(url, '')
    const half = await connected(url, 'GET /healthz HTTP/1.1\r\nhost:')
    const ended = [silent, half].map(socket => new Promise(resolve => socket.once('close', resolve)))
    await close()
    await Promise.all(ended)
    await close()
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })

  it('waits for an answer that is under way', async () => {
    let finish = (_: string) => {}
    const text = new Promise<string>(resolve => {
      finish = resolve
    })
    let started = () => {}
    const isAsked = new Promise<void>(resolve => {
      started = resolve
    })
    const metrics = async () => {
      started()
      return { text: await text, contentType: 'text/plain' }
    }
    const { url, close } = await served({ metrics })
    const answer = fetch(`${url}/metrics`)
    await isAsked
    const closed = close()
    finish('whole\n')
    expect(await (await answer).text()).toBe('whole\n')
    await closed
  })
})

describe('the address of the probes', () => {
  it.each([
    [':9464', { host: undefined, port: 9464 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['10.0.0.1:80', { host: '10.0.0.1', port: 80 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['[::]:65535', { host: '::', port: 65_535 }],
  ])('is read: %s', (text, expected) => {
    expect(parseListen(text)).toEqual(expected)
  })

  it.each([
    '',
    '9464',
    'localhost',
    'localhost:',
    '::1:9464',
    '[::1]',
    '[nonsense]:1',
    ':65536',
    ':-1',
    ':1e3',
  ])('is refused: %j', text => {
    expect(() => parseListen(text)).toThrow(
      `"${text}" is not an address to listen at; write host:port, [IPv6]:port or :port`,
    )
  })

  it('is all addresses of the machine without a host', async () => {
    const { url } = await served({ listen: ':0' })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  it('is refused if another program uses the port', async () => {
    const { url } = await served()
    const listen = `127.0.0.1:${portOf(url)}`
    await expect(served({ listen })).rejects.toThrow(
      `cannot listen at "${listen}": another program uses the port`,
    )
  })

  it('is refused if the machine does not have it', async () => {
    await expect(served({ listen: '192.0.2.1:0' })).rejects.toThrow(
      'cannot listen at "192.0.2.1:0": the machine does not have the address',
    )
  })
})
