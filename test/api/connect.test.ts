import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../src/api/index.ts'
import { aClient, failureOf, key } from './support/client.ts'
import { answers, aServer, json } from './support/server.ts'
import { aWorld } from './support/virtual-runtime.ts'

const messageOf = (baseUrl: string, more: object = {}) => {
  try {
    createClient({ baseUrl, apiKey: key, runtime: aWorld(), ...more })
    return 'fine'
  } catch (error) {
    return (error as Error).message
  }
}

describe('a base URL', () => {
  it.each([
    'https://flags.example.com',
    'https://flags.example.com/some/prefix/',
    'https://flags.example.com/api/flags',
    'https://flags.example.com/projects/flags',
    'https://flags.example.com/project/12/posthog',
    'https://flags.example.com/projects/42/flags',
    'https://flags.example.com/organization/acme/posthog',
    'https://flags.example.com/api/users-service/posthog',
    'https://flags.example.com/api/projects-gw',
    'https://flags.example.com/api/environments/prod',
    'http://127.0.0.1:8000',
    'http://127.8.9.10',
    'http://localhost:8000',
    'http://LOCALHOST',
    'http://[::1]:8000',
  ])('is taken: %s', baseUrl => {
    expect(messageOf(baseUrl)).toBe('fine')
  })

  it.each([
    [
      'http://flags.example.com',
      'the base URL "http://flags.example.com" is plain http, over which the key could be read; use https',
    ],
    [
      'http://127.0.0.1.example.com',
      'the base URL "http://127.0.0.1.example.com" is plain http, over which the key could be read; use https',
    ],
    [
      'http://localhost.example.com',
      'the base URL "http://localhost.example.com" is plain http, over which the key could be read; use https',
    ],
    [
      'http://10.0.0.1',
      'the base URL "http://10.0.0.1" is plain http, over which the key could be read; use https',
    ],
    [
      'http://[::2]',
      'the base URL "http://[::2]" is plain http, over which the key could be read; use https',
    ],
    [
      'http://0.0.0.0',
      'the base URL "http://0.0.0.0" is plain http, over which the key could be read; use https',
    ],
    ['flags.example.com', 'the base URL is not a URL; write it like https://flags.example.com'],
    ['ftp://flags.example.com', 'the base URL is not a URL; write it like https://flags.example.com'],
    ['', 'the base URL is not a URL; write it like https://flags.example.com'],
    ['https://user:secret@flags.example.com', 'the base URL contains a user or a password; remove them'],
    ['https://flags.example.com/?token=secret', 'the base URL ends in "?..."; remove that part'],
    ['https://flags.example.com/#secret', 'the base URL ends in "#..."; remove that part'],
    ...[
      ['/api/', '/api'],
      ['/api/projects/1', '/api'],
      ['/project/1', '/project'],
      ['/project/@current/feature_flags/7', '/project'],
      ['/organization/settings', '/organization'],
      ['/api/users/@me/', '/api'],
    ].flatMap(([path, inside]) =>
      // A part of a path may begin as the interface does.
      ['/gate', '/api-gateway', '/projects-x'].map(gateway => [
        `https://flags.example.com${gateway}${path}`,
        `the base URL must end before "${inside}"; it is where the service begins: write https://flags.example.com${gateway}`,
      ]),
    ),
  ])('is refused: %s', (baseUrl, message) => {
    expect(messageOf(baseUrl)).toBe(message)
  })
})

describe('options', () => {
  it.each([
    [{ apiKey: '' }, 'the key is empty'],
    [{ apiKey: 'a\nb' }, 'the key contains characters that are not allowed in a key; was it cut or wrapped?'],
    [{ parallelism: 0 }, 'parallelism is a whole number from 1, not "0"'],
    [{ parallelism: 1.5 }, 'parallelism is a whole number from 1, not "1.5"'],
    [{ timeoutMs: 0 }, 'the timeout is more than 0 ms, not "0"'],
    [{ rate: { requests: 0, perMs: 1000 } }, 'the rate is at least 1 request in more than 0 ms'],
    [{ proxyEnvironment: { HTTPS_PROXY: 'no url' } }, 'the proxy in HTTPS_PROXY is not a URL'],
    [
      { proxyEnvironment: { HTTPS_PROXY: 'proxy.example.com:8080' } },
      'the proxy in HTTPS_PROXY is not a URL',
    ],
  ])('that make no sense are refused: %j', (options, message) => {
    expect(messageOf('https://flags.example.com', options)).toBe(message)
  })
})

describe('a proxy', () => {
  /** A proxy that opens no tunnel and tells what it was asked. */
  async function aProxy() {
    const asked: { readonly target?: string; readonly headers: string }[] = []
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      asked.push({ target: request.url, headers: JSON.stringify(request.rawHeaders) })
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked }
  }

  it.each([['https_proxy'], ['HTTPS_PROXY'], ['ALL_PROXY']])(
    'of %s is asked for a tunnel, and is not told the key',
    async name => {
      const { url, asked } = await aProxy()
      const baseUrl = 'https://flags.example.com'
      const client = aClient({ baseUrl, proxyEnvironment: { [name]: url.replace('//', '//user:password@') } })
      const failure = await failureOf(client.feature_flag.create({ body: { key: 'a' } }))
      expect(failure).toMatchObject({
        name: 'TransportError',
        sent: 'no',
        message:
          'POST /api/projects/1/feature_flags got no answer: the proxy did not connect to https://flags.example.com: ' +
          'Proxy response (403) !== 200 when HTTP Tunneling',
      })
      expect(asked.map(({ target }) => target)).toEqual(['flags.example.com:443'])
      expect(asked[0]?.headers).not.toContain(key)
      expect(asked[0]?.headers).toContain(`Basic ${Buffer.from('user:password').toString('base64')}`)
    },
  )

  it.each(['0.0.0.0', '*', 'other, 0.0.0.0:1'])('is passed by where NO_PROXY is %s', async noProxy => {
    const { url, asked } = await aProxy()
    const client = aClient({
      // Nothing listens there, and without NO_PROXY the proxy would be asked.
      baseUrl: 'https://0.0.0.0:1',
      retry: { attempts: 1 },
      proxyEnvironment: { HTTPS_PROXY: url, NO_PROXY: noProxy },
    })
    expect(await failureOf(client.feature_flag.read({ id: 1 }))).toMatchObject({
      code: 'ECONNREFUSED',
    })
    expect(asked).toEqual([])
  })

  it('is never asked for this machine, since it would read the key', async () => {
    const { url, asked } = await aProxy()
    const server = await aServer(answers(response => json(response, 200, { id: 1 })))
    const proxyEnvironment = { HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: url }
    await aClient({ baseUrl: server.url, proxyEnvironment }).feature_flag.read({ id: 1 })
    expect([server.received.length, asked]).toEqual([1, []])
  })
})
