import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../support/rounds.ts'
import { aFlag, type Door, definitions, flags, openDoor, plugins, worldWith } from './door.ts'

/** Follows `next` to the end. */
async function walk(door: Door, start: string) {
  const pages = []
  for (let path: string | null = start; path !== null; ) {
    const { status, body } = await door.get(path)
    expect(status).toBe(200)
    pages.push(body)
    const next: URL | null = body.next === null ? null : new URL(body.next)
    path = next && next.pathname + next.search
  }
  return pages
}

const ids = (page: { results: readonly { id: number }[] }) => page.results.map(({ id }) => id)

describe('paging', () => {
  it('shows every row once, in one order, whatever the limit, and leads back the same way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(12),
        fc.integer({ min: 1, max: 14 }),
        fc.nat(15),
        async (total, limit, offset) => {
          const keys = Array.from({ length: total }, (_, index) => ({ key: `flag-${index}` }))
          const door = await openDoor({ seed: worldWith({ feature_flags: keys }) })
          const expected = keys.map((_, index) => total - index)
          const pages = await walk(door, `${flags}?limit=${limit}&extra=kept`)
          expect(pages.flatMap(ids)).toEqual(expected)
          expect(pages.map(page => page.count)).toEqual(pages.map(() => total))
          for (const [index, page] of pages.entries()) {
            const before = pages[index - 1]
            if (!before) expect(page.previous).toBeNull()
            else {
              const { pathname, search } = new URL(page.previous)
              expect(ids((await door.get(pathname + search)).body)).toEqual(ids(before))
            }
          }
          const { body } = await door.get(`${flags}?limit=${limit}&offset=${offset}`)
          expect(ids(body)).toEqual(expected.slice(offset, offset + limit))
        },
      ),
      { numRuns: rounds(5) },
    )
  })

  it('links absolutely, on the host that was asked, keeping other parameters', async () => {
    const door = await openDoor()
    for (const key of ['a', 'b', 'c', 'd']) await aFlag(door, { key })
    const { body } = await door.get(`${flags}/?limit=1&offset=1&x=y%20z`)
    expect([body.next, body.previous]).toEqual([
      'http://sandbox.test/api/projects/1/feature_flags/?limit=1&offset=2&x=y+z',
      'http://sandbox.test/api/projects/1/feature_flags/?limit=1&x=y+z',
    ])
  })

  it.each([
    'limit=0',
    'limit=-1',
    'limit=ten',
    'limit=',
    'offset=-5',
    'offset=x',
    'limit=1000000',
    'limit=1.5',
  ])('takes "%s" for nothing given', async query => {
    const door = await openDoor()
    for (const key of ['a', 'b']) await aFlag(door, { key })
    const { status, body } = await door.get(`${flags}?${query}`)
    expect([status, body.next, body.previous, ids(body)]).toEqual([200, null, null, [2, 1]])
  })

  it('is empty beyond the end, with a way back', async () => {
    const door = await openDoor()
    await aFlag(door)
    expect((await door.get(`${flags}?limit=2&offset=9`)).body).toEqual({
      count: 1,
      next: null,
      previous: `http://sandbox.test${flags}?limit=2&offset=7`,
      results: [],
    })
  })

  it('lists flags by their creation, newest first, even when that is changed', async () => {
    const door = await openDoor()
    for (const key of ['a', 'b', 'c']) await aFlag(door, { key })
    await door.patch(`${flags}/1`, { created_at: '2030-01-01T00:00:00Z' })
    await door.patch(`${flags}/3`, { created_at: '2020-01-01T00:00:00.5Z' })
    expect(ids((await door.get(flags)).body)).toEqual([1, 2, 3])
  })

  it.each([
    ['plugins', plugins, { plugins: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }, {}],
    [
      'event definitions',
      definitions,
      {},
      { event_definitions: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
    ],
  ])('works for %s', async (_, path, organization, project) => {
    const door = await openDoor({ seed: worldWith(project, organization) })
    const pages = await walk(door, `${path}?limit=2`)
    expect(pages.map(page => page.results.map((row: { name: string }) => row.name))).toEqual([
      ['a', 'b'],
      ['c'],
    ])
  })
})
