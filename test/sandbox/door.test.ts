import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { isAllowedHost } from '../../src/sandbox/http/app.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service | undefined
afterEach(() => service?.close())

/** What is answered to a request with these headers, which `fetch` would not send. */
function ask(url: string, method: string, headers: Record<string, string>, body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, answer => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('the door of the sandbox', () => {
  it.each([
    ['localhost:8100', '127.0.0.1', [], true],
    ['127.0.0.1:8100', '127.0.0.1', [], true],
    ['[::1]:8100', '127.0.0.1', [], true],
    ['flags.localhost', '127.0.0.1', [], true],
    ['sandbox:8100', 'sandbox', [], true],
    ['sandbox:8100', '0.0.0.0', ['sandbox'], true],
    ['10.0.0.7:8100', '0.0.0.0', [], true],
    ['10.0.0.7:8100', '127.0.0.1', [], false],
    ['evil.example.com:8100', '0.0.0.0', [], false],
    ['127.0.0.1.example.com', '127.0.0.1', [], false],
    ['localhost.example.com', '127.0.0.1', [], false],
    ['', '127.0.0.1', [], false],
    [undefined, '127.0.0.1', [], false],
  ])(
    'a request to %s, where it listens on %s and %j is allowed: %s',
    (header, listensOn, allowed, answered) => {
      expect(isAllowedHost(header, listensOn, allowed)).toBe(answered)
    },
  )

  it('answers nothing to a name that somebody else let lead here', async () => {
    service = await startService()
    const headers = { authorization: `Bearer ${service.env.VEXIL_API_KEY}` }
    const url = `${service.url}/api/projects/1/feature_flags/`
    expect(await ask(url, 'GET', headers)).toBe(200)
    expect(await ask(url, 'GET', { ...headers, host: 'evil.example.com' })).toBe(421)
    expect(await ask(`${service.url}/_sandbox/requests`, 'GET', { host: 'evil.example.com' })).toBe(421)
  })

  it.each(['faults', 'events'])(
    'takes JSON only for %s, which no page of the web may send unasked',
    async name => {
      service = await startService()
      const url = `${service.url}/_sandbox/${name}`
      const body = name === 'faults' ? '["GET /* status=500"]' : '{"event":"seen"}'
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
        expect(await ask(url, 'POST', type === '' ? {} : { 'content-type': type }, body)).toBe(415)
      }
      expect(service.sandbox.faults.rules).toEqual([])
      expect(await ask(url, 'POST', { 'content-type': 'application/json' }, body)).toBe(201)
    },
  )
})
