import { describe, expect, it } from 'vitest'
import { type Client, ServiceError, TransportError } from '../../../src/api/index.ts'
import { type Authors, authorOf } from '../../../src/core/live-edits/authors.ts'
import { readTrail, TrailChanges } from '../../../src/core/read/activity-trail.ts'
import { readAuthors, type WantedAuthor } from '../../../src/core/read/read-authors.ts'
import { kinds } from '../../../src/kinds/index.ts'
import type { DeclarableKind } from '../../../src/model/kind.ts'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'

const flag: DeclarableKind = kinds.feature_flag
const day = 86_400_000
const now = Date.parse('2026-11-20T10:00:00Z')

/** A row that turned a flag off, so many days ago. */
function off(id: number, daysAgo: number, more: JsonObject = {}): JsonObject {
  return {
    user: { first_name: 'Ada', email: 'ada@example.com' },
    activity: 'updated',
    item_id: String(id),
    detail: {
      name: `flag_${id}`,
      changes: [{ field: 'active', action: 'changed', before: true, after: false }],
    },
    created_at: new Date(now - daysAgo * day).toISOString(),
    ...more,
  }
}

const wanted = (id: number, more: Partial<WantedAuthor> = {}): WantedAuthor => ({
  kind: flag.name,
  id: String(id),
  field: 'active',
  ...more,
})

const askedOff = (id: number) => ({ kind: flag, id: String(id), field: 'active', live: false })

interface Held {
  /** The newest first. */
  readonly rows?: readonly Json[]
  /** Thrown, or answered, in place of a page. */
  readonly pages?: Readonly<Record<number, Error | Json>>
}

function clientOf({ rows = [], pages = {} }: Held) {
  const asked: string[] = []
  const call = async (
    kind: string,
    endpoint: string,
    { query }: { query: { limit: number; page: number } },
  ) => {
    asked.push(`${kind}.${endpoint} ${query.limit} ${query.page}`)
    const scripted = pages[query.page]
    if (scripted instanceof Error) throw scripted
    const end = query.page * query.limit
    const results = rows.slice(end - query.limit, end)
    const next = end < rows.length ? 'http://elsewhere.example.com/' : null
    return { status: 200, body: scripted ?? { results, next, total_count: rows.length }, text: '{}' }
  }
  // Only what reading a trail asks of a client.
  return { client: { target: {}, call } as unknown as Client, asked }
}

const failure = (status: number) => new ServiceError({ requestLine: 'GET /activity', status })
const page = (number: number) => `feature_flag.allActivity 200 ${number}`
const notes = (why: string) => [`who changed flags in the product is unknown: ${why}`]

const namesOf = (authors: Authors, ids: readonly number[]) =>
  ids.map(id => authorOf(authors, askedOff(id))?.name)

describe('authors', () => {
  it('cost no request where nobody is wanted', async () => {
    const { client, asked } = clientOf({ rows: [off(1, 1)] })
    expect(await readAuthors([], {}, { client })).toEqual({ objects: new Map(), notes: [] })
    expect(asked).toEqual([])
  })

  it('are read page by page, to the one that tells the last of them', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => off(index, 1))
    const { client, asked } = clientOf({ rows })
    const authors = await readAuthors([wanted(3), wanted(250)], {}, { client })
    expect(asked).toEqual([page(1), page(2)])
    expect(authors.notes).toEqual([])
    expect(namesOf(authors, [3, 250, 4])).toEqual(['ada@example.com', 'ada@example.com', undefined])
  })

  it('are not looked for in rows from before the objects converged', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => off(index, index / 100))
    const { client, asked } = clientOf({ rows })
    const since = now - 3 * day
    const authors = await readAuthors(
      [wanted(5000, { since }), wanted(5001, { since: since + day })],
      {},
      { client },
    )
    expect(asked).toEqual([page(1), page(2)])
    expect(authors.notes).toEqual([])
  })

  it('are looked for in 20 pages at the most, and then it is told', async () => {
    const rows = Array.from({ length: 4001 }, (_, index) => off(index, 1))
    const { client, asked } = clientOf({ rows })
    const authors = await readAuthors([wanted(7), wanted(9999)], {}, { client })
    expect(asked).toEqual(Array.from({ length: 20 }, (_, index) => page(index + 1)))
    expect(authors.notes).toEqual(notes('the newest 4000 rows of the activity trail do not show it'))
    expect(namesOf(authors, [7])).toEqual(['ada@example.com'])
  })

  it('end with the trail, and what it does not say is no failure', async () => {
    const { client, asked } = clientOf({ rows: [off(1, 1)] })
    const authors = await readAuthors([wanted(1), wanted(2)], {}, { client })
    expect(asked).toEqual([page(1)])
    expect([namesOf(authors, [1, 2]), authors.notes]).toEqual([['ada@example.com', undefined], []])
  })

  it.each<[string, Held['pages'], string]>([
    ['refused', { 2: failure(403) }, 'the activity trail was refused (403)'],
    ['not there', { 2: failure(404) }, 'the activity trail was refused (404)'],
    ['refused for now', { 2: failure(429) }, 'the activity trail was refused (429)'],
    ['failing', { 2: failure(503) }, 'the activity trail failed (503)'],
    [
      'silent',
      { 2: new TransportError({ requestLine: 'GET /activity', sent: 'maybe', reason: 'silent' }) },
      'the activity trail did not answer',
    ],
    ['a flag', { 2: { id: 7, key: 'activity' } }, 'the service keeps no activity trail of them'],
  ])('keep what was read where the trail is %s from some page on, and say so', async (_, pages, why) => {
    const rows = Array.from({ length: 500 }, (_, index) => off(index, 1))
    const { client, asked } = clientOf({ rows, ...(pages ? { pages } : {}) })
    const authors = await readAuthors([wanted(7), wanted(300)], {}, { client })
    expect(asked).toEqual([page(1), page(2)])
    expect(authors.notes).toEqual(notes(why))
    expect(namesOf(authors, [7, 300])).toEqual(['ada@example.com', undefined])
  })

  it('hide no mistake of ours, and nobody who stops the command', async () => {
    const wrong = clientOf({ pages: { 1: new TypeError('no function') } })
    await expect(readAuthors([wanted(1)], {}, { client: wrong.client })).rejects.toThrow('no function')
    const stopped = clientOf({ pages: { 1: failure(503) } })
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(readAuthors([wanted(1)], {}, { client: stopped.client, signal })).rejects.toThrow('stopped')
  })

  it('of what has no trail are not asked for', async () => {
    const { client, asked } = clientOf({})
    const { notes: told } = await readAuthors(
      [{ kind: 'event_definition', id: 'x', field: 'tags' }],
      {},
      { client },
    )
    expect(told).toEqual([
      'who changed events in the product is unknown: the service keeps no activity trail of them',
    ])
    expect(asked).toEqual([])
  })

  it.each([
    [undefined, []],
    [failure(403), notes('the activity trail was refused (403)')],
  ])('are taken from a trail that was read before, without one more request', async (error, told) => {
    const { client, asked } = clientOf({ rows: [off(1, 1)], ...(error ? { pages: { 1: error } } : {}) })
    const changes = new TrailChanges(flag)
    const trail = await readTrail(flag, { client }, changes).catch(() => undefined)
    const before = asked.length
    const trails = trail ? [{ kind: flag.name, trail, changes }] : []
    const authors = await readAuthors([wanted(1)], { trails }, { client })
    expect([asked.length - before, authors.notes]).toEqual([0, told])
    expect(namesOf(authors, [1])).toEqual([error ? undefined : 'ada@example.com'])
  })

  it('of conditions that name flags are found by their keys', async () => {
    const named = (key: string) => ({
      groups: [{ properties: [{ key, type: 'flag', operator: 'flag_evaluates_to', value: true }] }],
    })
    const changes = [{ field: 'filters', action: 'changed', before: null, after: named('17') }]
    const { client } = clientOf({ rows: [off(1, 1, { detail: { name: 'a', changes } })] })
    const link = {
      kind: flag.name,
      id: '17',
      identity: 'checkout',
      isOn: true,
      isDeleted: false,
      hasKey: true,
    }
    const links = [{ ...link, names: [] }]
    const authors = await readAuthors([wanted(1, { field: 'filters' })], { links }, { client })
    const field = { kind: flag, id: '1', field: 'filters', live: named('checkout') }
    expect(authorOf(authors, field)?.name).toBe('ada@example.com')
  })
})

describe('a row of the trail', () => {
  const changesOf = (row: Json) => {
    const read = new TrailChanges(flag)
    read.add([row])
    return Object.fromEntries(read.objects.get('1')?.changes ?? [])
  }

  it.each<[string, Json, unknown]>([
    ['that turned a flag off tells of its switch', off(1, 0), { active: false }],
    [
      'with the marker of a deletion tells that it is gone',
      off(1, 0, { detail: { changes: [{ field: 'deleted', after: true }] } }),
      { exists: false },
    ],
    [
      'that took that marker away tells that it is back',
      off(1, 0, { detail: { changes: [{ field: 'deleted', after: false }] } }),
      { exists: true },
    ],
    [
      'called deleted tells that it is gone',
      off(1, 0, { activity: 'deleted', detail: { changes: null } }),
      { exists: false },
    ],
    [
      'called restored tells that it is back',
      off(1, 0, { activity: 'restored', detail: null }),
      { exists: true },
    ],
    [
      'of a value that became none tells null',
      off(1, 0, { detail: { changes: [{ field: 'name', action: 'deleted', before: 'x' }] } }),
      { name: null },
    ],
    ['without a time that can be read tells nothing', off(1, 0, { created_at: 'yesterday' }), {}],
    ['without details tells nothing', off(1, 0, { detail: 7 }), {}],
    [
      'with changes that are none tells nothing',
      off(1, 0, { detail: { changes: [null, 'active', { field: 7 }] } }),
      {},
    ],
    ['that is none tells nothing', 'row', {}],
    ['of no object tells nothing', off(1, 0, { item_id: null }), {}],
  ])('%s', (_, row, told) => {
    const values = Object.entries(changesOf(row)).map(([field, { after }]) => [field, after])
    expect(Object.fromEntries(values)).toEqual(told)
  })

  it('that is older than another one for a field tells nothing of it', () => {
    const read = new TrailChanges(flag)
    read.add([off(1, 1), off(1, 2, { user: { first_name: 'Grace', email: 'grace@example.com' } })])
    expect(read.objects.get('1')?.changes.get('active')?.user?.email).toBe('ada@example.com')
  })

  it.each<[Json, unknown]>([
    [
      { first_name: 'Ada', email: 'ada@example.com' },
      { firstName: 'Ada', email: 'ada@example.com' },
    ],
    [
      { first_name: 'System', email: null, is_system: true },
      { firstName: 'System', isSystem: true },
    ],
    [{ first_name: '', email: '' }, undefined],
    [{ first_name: 7, email: ['a'] }, undefined],
    [null, undefined],
    ['ada', undefined],
  ])('names its user: %j', (user, told) => {
    expect(changesOf(off(1, 0, { user })).active?.user).toEqual(told)
  })
})
