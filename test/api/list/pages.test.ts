import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBaseUrl, UnexpectedAnswerError } from '../../../src/api/index.ts'
import { Completeness, readPages } from '../../../src/api/list.ts'
import { aClient, all, failureOf } from '../support/client.ts'
import { aListServer, type ListShape } from '../support/list-server.ts'
import { aServer, json } from '../support/server.ts'

const rowsOf = (n: number) => Array.from({ length: n }, (_, index) => ({ id: index + 1 }))

describe('a list', () => {
  it('yields every row once, in order, with as few requests as there are pages', async () => {
    let shape: ListShape = { rows: [] }
    const server = await aListServer(() => shape)
    const client = aClient({ baseUrl: server.url })
    const shapes = fc.record({
      n: fc.nat({ max: 60 }),
      cap: fc.option(fc.integer({ min: 1, max: 25 }), { nil: undefined }),
      limit: fc.option(fc.integer({ min: 1, max: 25 }), { nil: undefined }),
      withCount: fc.boolean(),
      nextAtEnd: fc.constantFrom('null' as const, 'absent' as const, 'empty' as const),
      withNext: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(shapes, async ({ n, cap, limit, withCount, nextAtEnd, withNext }) => {
        // A service that says neither how many there are nor where they go on cannot be read beyond a page.
        shape = { rows: rowsOf(n), cap, withCount, nextAtEnd, withNext: withNext || !withCount }
        const before = client.requestCount
        const list = client.list('feature_flag', { query: { limit } })
        const rows = await all(list)
        const page = Math.min(limit ?? 1000, cap ?? 1000)
        expect(rows).toEqual(shape.rows)
        expect(client.requestCount - before).toBe(Math.max(1, Math.ceil(n / page)))
        expect(list.inventory).toEqual({ seen: n, count: withCount ? n : null, stable: true, complete: true })
      }),
    )
  })

  it('asks for a thousand rows at once and needs one request for them', async () => {
    const server = await aListServer(() => ({ rows: rowsOf(1000) }))
    expect(await all(aClient({ baseUrl: server.url }).list('feature_flag'))).toHaveLength(1000)
    expect(server.received.map(({ url }) => url)).toEqual(['/api/projects/1/feature_flags/?limit=1000'])
  })

  it('reads the remaining pages several at a time, never more than the parallelism', async () => {
    let waiting: (() => void)[] = []
    const server = await aServer(async (request, response) => {
      const offset = Number(new URL(request.url, 'http://x').searchParams.get('offset') ?? 0)
      // Pages are held back until three are under way together.
      if (offset > 0 && offset <= 6) {
        await new Promise<void>(resolve => {
          waiting.push(resolve)
          if (waiting.length === 3) {
            for (const release of waiting) release()
            waiting = []
          }
        })
      }
      json(response, 200, { count: 7, next: null, results: [{ id: offset }] })
    })
    const client = aClient({ baseUrl: server.url, parallelism: 3 })
    const rows = await all(client.list('feature_flag', { query: { limit: 1 } }))
    expect(rows.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(server.mostAtOnce).toBe(3)
  })

  it('asks for no second page when its reader stops within the first', async () => {
    const server = await aListServer(() => ({ rows: rowsOf(50), cap: 10 }))
    const client = aClient({ baseUrl: server.url })
    const list = client.list('feature_flag')
    for await (const { id } of list) if (id === 3) break
    expect(server.received).toHaveLength(1)
    expect(list.inventory).toEqual({ seen: 10, count: 50, stable: true, complete: false })
  })

  it('asks for grants without any query, and for more of them only when there are more', async () => {
    let shape: ListShape = { rows: rowsOf(3) }
    const server = await aListServer(() => shape)
    const client = aClient({ baseUrl: server.url })
    const params = { parent_lookup_feature_flag_id: 5 }
    await all(client.list('feature_flag_role_access', { params }))
    shape = { rows: rowsOf(3), size: 2 }
    expect(await all(client.list('feature_flag_role_access', { params }))).toEqual(rowsOf(3))
    expect(server.received.map(({ url }) => url)).toEqual([
      '/api/projects/1/feature_flags/5/role_access/',
      '/api/projects/1/feature_flags/5/role_access/',
      '/api/projects/1/feature_flags/5/role_access/?limit=2&offset=2',
    ])
  })

  it('follows a cursor, even when there is a count', async () => {
    const pages: Record<string, unknown> = {
      '': { count: 3, next: '/api/projects/1/events/?before=b', results: [{ id: 'a' }] },
      b: { count: 3, next: '?before=c', results: [{ id: 'b' }] },
      c: { count: 3, next: null, results: [{ id: 'c' }] },
    }
    const server = await aServer((request, response) => {
      json(response, 200, pages[new URL(request.url, 'http://x').searchParams.get('before') ?? ''])
    })
    const list = aClient({ baseUrl: server.url }).list('event')
    expect(await all(list)).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    expect(list.inventory).toEqual({ seen: 3, count: 3, stable: true, complete: true })
  })

  it('keeps the other parameters of its query on every page', async () => {
    const server = await aListServer(() => ({ rows: rowsOf(3) }))
    await all(aClient({ baseUrl: server.url }).list('event', { query: { event: 'paid', limit: 2 } }))
    expect(server.received.map(({ url }) => url)).toEqual([
      '/api/projects/1/events/?event=paid&limit=2',
      '/api/projects/1/events/?event=paid&limit=2&offset=2',
    ])
  })

  it('is not complete when it moved while it was read', async () => {
    let rows = rowsOf(4)
    const server = await aListServer(() => {
      const shape = { rows, cap: 2 }
      // A row of the first page vanishes, so the second page skips one.
      rows = rows.filter(({ id }) => id !== 1)
      return shape
    })
    const list = aClient({ baseUrl: server.url }).list('feature_flag')
    expect((await all(list)).map(({ id }) => id)).toEqual([1, 2, 4])
    expect(list.inventory).toEqual({ seen: 3, count: 3, stable: false, complete: false })
  })

  it('counts a row that comes twice once, and says that the list was not stable', async () => {
    let rows = rowsOf(4)
    const server = await aListServer(() => {
      const shape = { rows, cap: 2 }
      rows = [{ id: 9 }, ...rows]
      return shape
    })
    const list = aClient({ baseUrl: server.url, parallelism: 1 }).list('feature_flag')
    expect((await all(list)).map(({ id }) => id)).toEqual([1, 2, 3, 4])
    expect(list.inventory).toEqual({ seen: 4, count: 6, stable: false, complete: false })
  })

  it.each([
    ['archived objects', [{ id: 3, archived: true }], [1, 2, 3], { seen: 3, count: 3, complete: true }],
    ['the whole list again', [{ id: 1 }, { id: 2 }], [1, 2], { seen: 2, count: 2, complete: true }],
    [
      'an object that was archived meanwhile',
      [{ id: 2, archived: true }],
      [1, 2],
      { seen: 2, count: 2, complete: false },
    ],
  ])('asks for archived objects too, and gets %s', async (_, archived, ids, inventory) => {
    const server = await aServer((request, response) => {
      const results = request.url.includes('archived=true') ? archived : rowsOf(2)
      json(response, 200, { count: results.length, next: null, results })
    })
    const list = aClient({ baseUrl: server.url, profile: 'posthog-2026' }).list('feature_flag')
    expect((await all(list)).map(({ id }) => id)).toEqual(ids)
    expect(list.inventory).toEqual({ ...inventory, stable: inventory.complete })
    expect(server.received).toHaveLength(2)
  })

  it('can be read again', async () => {
    const server = await aListServer(() => ({ rows: rowsOf(2) }))
    const list = aClient({ baseUrl: server.url }).list('feature_flag')
    expect([await all(list), await all(list)]).toEqual([rowsOf(2), rowsOf(2)])
    expect(list.inventory).toEqual({ seen: 2, count: 2, stable: true, complete: true })
  })
})

describe('a link to the next page', () => {
  const served = (next: (url: string) => string, more: object = {}) =>
    aServer((request, response) => {
      const url = `http://${request.headers.host}`
      json(response, 200, { next: next(url), results: [{ id: 1 }], ...more })
    })

  it.each([
    ['another host', () => 'http://flags.example.com/api/projects/1/feature_flags/?offset=1'],
    ['another port', () => 'http://127.0.0.1:9/api/projects/1/feature_flags/?offset=1'],
    [
      'another scheme',
      (url: string) => `${url.replace('http', 'ftp')}/api/projects/1/feature_flags/?offset=1`,
    ],
    ['no scheme', () => '//flags.example.com/api/projects/1/feature_flags/?offset=1'],
    ['another user', () => 'http://a@flags.example.com/api/projects/1/feature_flags/?offset=1'],
    ['another list', (url: string) => `${url}/api/personal_api_keys/?offset=1`],
    ['a climbing path', (url: string) => `${url}/api/projects/1/feature_flags/../../?offset=1`],
    ['nonsense', () => 'http://['],
  ])('to %s is refused', async (_, next) => {
    const server = await served(next)
    const failure = await failureOf(all(aClient({ baseUrl: server.url }).list('feature_flag')))
    expect(failure).toMatchObject({ name: 'UnexpectedAnswerError', code: 'foreign_next' })
    expect(server.received).toHaveLength(1)
  })

  it('says which origin it leads to', async () => {
    const server = await served(() => 'https://elsewhere.example.com/api/projects/1/feature_flags/?offset=1')
    const failure = await failureOf(all(aClient({ baseUrl: server.url }).list('feature_flag')))
    expect(failure).toHaveProperty(
      'message',
      'the answer to GET /api/projects/1/feature_flags has a "next" that leads to another origin, ' +
        'https://elsewhere.example.com, and is not followed',
    )
  })

  it('that leads back is noticed', async () => {
    const server = await served(url => `${url}/api/projects/1/feature_flags/?cursor=same`)
    const failure = await failureOf(all(aClient({ baseUrl: server.url }).list('feature_flag')))
    expect(failure).toMatchObject({ name: 'UnexpectedAnswerError', code: 'looping_next' })
    expect(server.received).toHaveLength(2)
  })

  it('that leads on and on without a new row is noticed', async () => {
    let n = 0
    const server = await served(url => `${url}/api/projects/1/feature_flags/?cursor=${n++}`)
    const failure = await failureOf(all(aClient({ baseUrl: server.url }).list('feature_flag')))
    expect(failure).toMatchObject({ name: 'UnexpectedAnswerError', code: 'looping_next' })
    expect(server.received).toHaveLength(4)
  })

  it.each([null, 1_000_000_000])('that never ends is refused, where the count is %s', async count => {
    let fetched = 0
    const pages = readPages({
      fetch: async query => {
        const from = Number(query.get('offset') ?? 0)
        fetched += 1
        return { count, next: `?limit=1&offset=${from + 1}`, previous: null, results: [{ id: from }] }
      },
      first: { path: '/api/projects/1/feature_flags', query: new URLSearchParams() },
      baseUrl: parseBaseUrl('https://flags.example.com'),
      refuse: (code, reason) => new UnexpectedAnswerError({ requestLine: 'GET /flags', code, reason }),
      parallelism: 1,
      limit: 1,
      completeness: new Completeness(),
    })
    expect(await failureOf(all(pages))).toMatchObject({
      code: 'endless_list',
      message: 'the answer to GET /flags has 10001 pages and goes on; is its list endless?',
    })
    expect(fetched).toBeLessThan(10_010)
  })

  it('that knows nothing of the prefix of a gateway is followed below it', async () => {
    const server = await aServer((request, response) => {
      const isFirst = !request.url.includes('cursor')
      const next = isFirst ? 'http://service.internal/api/projects/1/feature_flags/?cursor=2' : null
      const link = next?.replace('http://service.internal', `http://${request.headers.host}`) ?? null
      json(response, 200, { next: link, results: [{ id: isFirst ? 1 : 2 }] })
    })
    const client = aClient({ baseUrl: `${server.url}/gateway` })
    expect(await all(client.list('feature_flag'))).toEqual([{ id: 1 }, { id: 2 }])
    expect(server.received.map(({ url }) => url)).toEqual([
      '/gateway/api/projects/1/feature_flags/?limit=1000',
      '/gateway/api/projects/1/feature_flags/?cursor=2',
    ])
  })
})

describe('a page that is none', () => {
  it.each([
    ['an array', []],
    ['a record', { id: 1 }],
    ['a results member of another type', { count: 0, results: {} }],
    ['nothing', null],
  ])('is not read: %s', async (_, body) => {
    const server = await aServer((_request, response) => json(response, 200, body))
    expect(await failureOf(all(aClient({ baseUrl: server.url }).list('feature_flag')))).toMatchObject({
      name: 'UnexpectedAnswerError',
      code: 'no_page',
    })
  })

  it('is not read: rows that are no records', async () => {
    const server = await aServer((_request, response) => json(response, 200, { results: ['a'] }))
    expect(await failureOf(all(aClient({ baseUrl: server.url }).list('plugin')))).toMatchObject({
      code: 'no_page',
      message:
        'the answer to GET /api/organizations/01900000-0000-0000-0000-000000000001/plugins has a row that is not a plugin',
    })
  })

  it('is not read: another format', async () => {
    const server = await aServer(
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/csv' }).end('id\n1\n') && undefined,
    )
    const list = aClient({ baseUrl: server.url }).list('event', { query: { format: 'csv' } })
    expect(await failureOf(all(list))).toMatchObject({ name: 'UnexpectedAnswerError', code: 'no_page' })
  })
})
