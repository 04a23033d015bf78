import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSandbox, type TestSandbox } from '../../../src/testing/index.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())

describe('a page elsewhere', () => {
  it('gets nothing: neither flags nor a place for its events', async () => {
    const preflight = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    }
    const ask = (method: string, path: string, origin: string) =>
      fetch(`${sandbox.url}${path}`, {
        method,
        headers: { origin, ...(method === 'OPTIONS' ? preflight : {}) },
        ...(method === 'POST'
          ? { body: JSON.stringify({ token: sandbox.projectToken, distinct_id: 'ann', event: 'x' }) }
          : {}),
      })
    const shown = async (answer: Promise<Response>) => {
      const { status, headers } = await answer
      return [status, headers.get('access-control-allow-origin'), headers.get('access-control-allow-headers')]
    }
    const own = 'http://localhost:3000'
    expect(await shown(ask('OPTIONS', '/flags/?v=2', own))).toEqual([204, own, 'content-type'])
    expect(await shown(ask('POST', '/e/', own))).toEqual([200, own, null])
    expect(await shown(ask('POST', '/decide/', own))).toEqual([200, own, null])
    expect(await shown(ask('GET', '/array/wrong/config', own))).toEqual([401, own, null])
    for (const origin of ['https://shop.example', 'null', 'http://localhost.shop.example']) {
      expect(await shown(ask('OPTIONS', '/flags/', origin))).toEqual([403, null, null])
      expect(await shown(ask('POST', '/flags/', origin))).toEqual([403, null, null])
      expect(await shown(ask('POST', '/e/', origin))).toEqual([403, null, null])
    }
    // No page should have the key that these need.
    expect(await shown(ask('OPTIONS', '/flags/definitions', own))).toEqual([405, null, null])
  })
})
