import { describe, expect, it } from 'vitest'
import { type Client, ServiceError, TransportError } from '../../../src/api/index.ts'
import { readTrail } from '../../../src/core/read/activity-trail.ts'
import { shadowFinder } from '../../../src/core/read/find-soft-deleted.ts'
import { kinds } from '../../../src/kinds/index.ts'
import type { DeclarableKind } from '../../../src/model/kind.ts'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { flagRecord } from '../../support/builders.ts'

const flag: DeclarableKind = kinds.feature_flag

const row = (id: string | number, name: string) => ({ item_id: id, detail: { name } })

interface Held {
  /** The rows of the trail, the newest first. */
  readonly rows?: readonly Json[]
  readonly rowsAPage?: number
  /** Flags by id; an error is thrown. */
  readonly flags?: Readonly<Record<string, JsonObject | Error>>
}

/** A service that pages its trail as the public one does, and remembers what it was asked for. */
function clientOf({ rows = [], rowsAPage = 1000, flags = {} }: Held) {
  const asked: unknown[] = []
  const call = async (
    _: string,
    endpoint: string,
    options: { query?: { page: number }; params?: JsonObject },
  ) => {
    if (endpoint === 'read') {
      const one = flags[String(options.params?.id)] ?? refusal(404)
      if (one instanceof Error) throw one
      return { status: 200, body: one, text: '{}' }
    }
    asked.push(options.query)
    const page = options.query?.page ?? 1
    const end = page * rowsAPage
    const body = {
      results: rows.slice(end - rowsAPage, end),
      next: end < rows.length ? 'http://elsewhere.example.com/?page=2' : null,
      total_count: rows.length,
    }
    return { status: 200, body, text: '{}' }
  }
  // Only what reading a trail asks of a client.
  return { client: { target: {}, call } as unknown as Client, asked }
}

function refusal(status: number): ServiceError {
  return new ServiceError({ requestLine: 'GET /api/projects/1/feature_flags/7', status })
}

async function behind(name: string, held: Held) {
  const found = await shadowFinder({ client: clientOf(held).client })(flag, name)
  return found?.is === 'unknown' ? found.reason : found?.live.id
}

const deleted = (id: number, key = 'checkout') => flagRecord({ id, key, deleted: true })
const living = (id: number, key = 'checkout') => flagRecord({ id, key })

describe('the activity trail', () => {
  it('is read page by page in its order, and to its last one', async () => {
    const rows = Array.from({ length: 2500 }, (_, index) => row(index, `flag_${index}`))
    const { client, asked } = clientOf({ rows })
    const trail = await readTrail(flag, { client })
    expect(asked).toEqual([1, 2, 3].map(page => ({ limit: 1000, page })))
    expect(trail).toMatchObject({ is: 'read' })
    expect(trail.is === 'read' && [trail.ids.size, trail.gap]).toEqual([2500, undefined])
  })

  it.each([
    [20, undefined],
    [21, 'the activity trail has more than 20 pages of 1000 rows'],
  ])('is read to its end, or up to 20 pages of it: %i', async (pages, gap) => {
    const rows = Array.from({ length: pages }, (_, index) => row(index, 'checkout'))
    const { client, asked } = clientOf({ rows, rowsAPage: 1 })
    const trail = await readTrail(flag, { client })
    expect(asked).toHaveLength(20)
    expect(trail.is === 'read' && trail.gap).toBe(gap)
  })

  it.each([
    [
      'lists its flags',
      { status: 200, body: { results: [] }, text: '{}' },
      'the activity trail was refused (404)',
    ],
    ['refuses to list them', refusal(403), 'the activity trail was refused (404)'],
    ['has none either, since it is not there', refusal(404), refusal(404).message],
  ])('that is not there in a project that %s', async (_, list, told) => {
    const call = async (_: string, endpoint: string) => {
      if (endpoint !== 'list') throw refusal(404)
      if (list instanceof Error) throw list
      return list
    }
    // Only what reading a trail asks of a client.
    const client = { target: {}, call } as unknown as Client
    const trail = await readTrail(flag, { client }).catch((error: ServiceError) => error)
    expect(trail instanceof Error ? trail.message : trail.is === 'refused' && trail.reason).toBe(told)
  })

  it('names the ids of a name, the newest first and each once', async () => {
    const rows = [row(7, 'b'), row('9', ' a '), row(3, 'a'), row(9, 'a'), { detail: { name: 'a' } }, 'row']
    expect(await readTrail(flag, { client: clientOf({ rows }).client })).toEqual({
      is: 'read',
      ids: new Map([
        ['b', ['7']],
        ['a', ['9', '3']],
      ]),
      lastNames: new Map([
        ['7', 'b'],
        ['9', 'a'],
        ['3', 'a'],
      ]),
    })
  })

  it('is read once, however many names are looked behind', async () => {
    const { client, asked } = clientOf({ rows: [row(7, 'a')] })
    const find = shadowFinder({ client })
    await Promise.all(['a', 'b', 'c'].map(name => find(flag, name)))
    expect(asked).toHaveLength(1)
  })

  it('that gets no answer in time is thrown, and not taken for none', async () => {
    const late = new TransportError({
      requestLine: 'GET /',
      sent: 'maybe',
      code: 'ETIMEDOUT',
      reason: 'late',
    })
    const client = { target: {}, call: () => Promise.reject(late) } as unknown as Client
    await expect(shadowFinder({ client })(flag, 'checkout')).rejects.toBe(late)
  })

  it.each(Object.values<DeclarableKind>(kinds as never).filter(({ lifecycle }) => !lifecycle?.softDelete))(
    'is not asked for by a kind that is deleted for good: $name',
    async kind => {
      const { client, asked } = clientOf({ rows: [row(7, 'checkout')] })
      if (kind.lifecycle) expect(await shadowFinder({ client })(kind, 'checkout')).toBeUndefined()
      expect(asked).toEqual([])
    },
  )
})

describe('behind a name', () => {
  const unread = (id: number) => `the activity trail names an object (id ${id}) that cannot be read`

  it.each<[string, Held, string | undefined]>([
    ['nobody ever had', { rows: [row(7, 'other')], flags: { 7: living(7, 'other') } }, undefined],
    ['a deleted one had', { rows: [row(7, 'checkout')], flags: { 7: deleted(7) } }, '7'],
    ['a living one has', { rows: [row(7, 'checkout')], flags: { 7: living(7) } }, undefined],
    [
      'several deleted ones have, the newest by its id',
      {
        rows: [row(9, 'checkout'), row(10, 'checkout'), row(7, 'checkout')],
        flags: { 7: deleted(7), 9: deleted(9), 10: deleted(10) },
      },
      '10',
    ],
    [
      'one had that is deleted under another name',
      { rows: [row(7, 'new'), row(7, 'checkout')], flags: { 7: deleted(7, 'new') } },
      undefined,
    ],
    [
      'one had that is gone, and one that took it after that and is called otherwise by now',
      { rows: [row(9, 'new'), row(9, 'checkout'), row(7, 'checkout')], flags: { 9: living(9, 'new') } },
      undefined,
    ],
    [
      'one had that was called otherwise, and then destroyed',
      { rows: [row(8, 'new'), row(7, 'new'), row(7, 'checkout')], flags: { 8: living(8, 'new') } },
      undefined,
    ],
    [
      'one had that is gone, and one that is deleted',
      { rows: [row(9, 'checkout'), row(7, 'checkout')], flags: { 7: deleted(7) } },
      '7',
    ],
    ['the newest one is unknown to the service', { rows: [row(9, 'checkout')], flags: {} }, unread(9)],
    ['the newest one is not shown', { rows: [row(9, 'checkout')], flags: { 9: refusal(403) } }, unread(9)],
    [
      'the trail names none within its gap',
      { rows: [row(7, 'other'), row(8, 'other')], rowsAPage: 1, flags: {} },
      undefined,
    ],
    [
      'the trail names one in spite of its gap',
      {
        rows: [row(7, 'checkout'), ...Array(20).fill(row(8, 'other'))],
        rowsAPage: 1,
        flags: { 7: deleted(7) },
      },
      '7',
    ],
    [
      'the trail may name one past its gap',
      { rows: Array(21).fill(row(8, 'other')), rowsAPage: 1 },
      'the activity trail has more than 20 pages of 1000 rows',
    ],
  ])('that %s', async (_, held, found) => {
    expect(await behind('checkout', held)).toBe(found)
  })

  it('a read that fails is thrown', async () => {
    await expect(
      behind('checkout', { rows: [row(7, 'checkout')], flags: { 7: refusal(500) } }),
    ).rejects.toThrow('failed with 500')
  })
})
