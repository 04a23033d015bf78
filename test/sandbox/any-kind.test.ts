import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseWorld, WorldFileError } from '../../src/sandbox/index.ts'
import {
  aFlag,
  type Door,
  expectError,
  flags,
  openDoor,
  organization,
  project,
  sampleOrganization,
  worldWith,
} from './door.ts'

vi.mock('../../src/kinds/feature-flag.ts', async original => {
  const { withSeverity } = await import('../kinds/support/severity.ts')
  const { featureFlag } = await original<typeof import('../../src/kinds/feature-flag.ts')>()
  return { featureFlag: withSeverity(featureFlag) }
})
vi.mock('../../src/kinds/index.ts', async original => {
  const { kindsWith } = await import('../kinds/support/kinds-with.ts')
  const { savedView } = await import('../kinds/support/saved-view.ts')
  const { connector } = await import('./connector.ts')
  return kindsWith(await original(), savedView, connector)
})
vi.mock('../../src/schema/validators.generated.js', async () => {
  const { compiledValidators } = await import('../kinds/support/compiled-validators.ts')
  return compiledValidators()
})

const views = `${project}/saved_views`
const time = '2026-01-01T00:00:00Z'

/** A view as it is answered that says no more than its name. */
const bare = {
  id: 1,
  slug: 'weekly',
  columns: [],
  filters: {},
  payload: '',
  tags: [],
  deleted: false,
  created_at: time,
}

async function aView(door: Door, body: Record<string, unknown> = {}) {
  const answer = await door.post(views, { slug: 'weekly', ...body })
  expect(answer.status).toBe(201)
  return answer.body
}

async function slugs(door: Door, query = ''): Promise<readonly string[]> {
  const { results } = (await door.get(`${views}${query}`)).body
  return results.map(({ slug }: { readonly slug: string }) => slug)
}

async function activityOf(door: Door, path: string) {
  const { results } = (await door.get(`${path}/activity`)).body
  return results.map(
    ({ activity, detail }: { activity: string; detail: { name: string; changes: unknown } }) => [
      activity,
      detail.name,
      detail.changes,
    ],
  )
}

describe('a kind that is described and nothing else', () => {
  it('is created, read and listed', async () => {
    const door = await openDoor({ quirks: { tag_order: 'sorted' } })
    expect(await aView(door)).toEqual(bare)
    // These filters say nothing of who gets what, so nobody checks them as those of a flag.
    const filters = { groups: 'by day', payloads: 3, b: 1, a: 2 }
    const monthly = { slug: ' monthly ', columns: ['event'], filters, tags: [' Ops', 'b', 'ops'] }
    const view = await aView(door, monthly)
    expect(view).toEqual({ ...bare, id: 2, slug: 'monthly', columns: ['event'], filters, tags: ['b', 'ops'] })
    expect(Object.keys(view.filters)).toEqual(Object.keys(filters))
    expect((await door.get(`${views}/2`)).body).toEqual(view)
    expect((await door.get(views)).body).toEqual({
      count: 2,
      next: null,
      previous: null,
      results: [bare, view],
    })
  })

  it('is paged', async () => {
    const door = await openDoor()
    for (const slug of ['a', 'b', 'c']) await aView(door, { slug })
    expect(await slugs(door, '?limit=1&offset=1')).toEqual(['b'])
    const { body } = await door.get(`${views}?limit=2`)
    expect([body.count, body.next]).toEqual([3, `http://sandbox.test${views}?limit=2&offset=2`])
  })

  it('is changed by the fields of a PATCH alone', async () => {
    const door = await openDoor({ quirks: { tag_order: 'sorted' } })
    await aView(door, { columns: ['event'], tags: ['a'] })
    const changed = { ...bare, columns: ['event'], tags: ['b', 'c'] }
    const answer = await door.patch(`${views}/1`, { tags: ['C', 'b'], id: 7, created_at: 'never' })
    expect([answer.status, answer.body]).toEqual([200, changed])
    expect((await door.get(`${views}/1`)).body).toEqual(changed)
  })

  it('is soft-deleted, restored, and makes room for its name', async () => {
    const door = await openDoor()
    await aView(door)
    await aView(door, { slug: 'daily' })
    expect((await door.patch(`${views}/1`, { deleted: true })).body).toEqual({ ...bare, deleted: true })
    expect(await slugs(door)).toEqual(['daily'])
    expect((await door.get(`${views}/1`)).body).toEqual({ ...bare, deleted: true })
    expect((await door.patch(`${views}/1`, { deleted: false })).body).toEqual(bare)
    expect(await slugs(door)).toEqual(['weekly', 'daily'])
    await door.patch(`${views}/1`, { deleted: true })
    expect(await aView(door)).toEqual({ ...bare, id: 3 })
    expect((await door.get(`${views}/1`)).status).toBe(404)
  })

  it.each([
    ['POST', '', {}, 'required', 'slug'],
    ['POST', '', { slug: ' ' }, 'blank', 'slug'],
    ['POST', '', { slug: 7 }, 'invalid_input', 'slug'],
    ['POST', '', { slug: 'weekly' }, 'unique', 'slug'],
    ['PATCH', '/1', { slug: 'daily' }, 'unique', 'slug'],
    ['PATCH', '/1', { filters: 'none' }, 'not_a_dict', 'filters'],
    ['PATCH', '/1', { columns: [7] }, 'invalid_input', 'columns__0'],
    ['PATCH', '/1', { tags: ['a', ''] }, 'blank', 'tags__1'],
    ['PATCH', '/1', { deleted: null }, 'null', 'deleted'],
  ])('%s%s of %j is refused', async (method, path, body, code, attr) => {
    const door = await openDoor()
    await aView(door)
    await aView(door, { slug: 'daily' })
    expectError(await door.ask(method, `${views}${path}`, body), 400, 'validation_error', code, attr)
    expect(await slugs(door)).toEqual(['weekly', 'daily'])
  })

  it('is there in its own project alone, and answers no method that it does not have', async () => {
    const door = await openDoor({ empty: false })
    await aView(door)
    expect(await slugs(door)).toEqual(['weekly'])
    expect((await door.get('/api/projects/2/saved_views')).body.count).toBe(0)
    expectError(await door.get('/api/projects/2/saved_views/1'), 404, 'invalid_request', 'not_found')
    expectError(await door.get(`${views}/nine`), 404, 'invalid_request', 'not_found')
    expectError(await door.remove(`${views}/1`), 405, 'invalid_request', 'method_not_allowed')
  })

  it('has a log of what happened', async () => {
    const door = await openDoor()
    await aView(door)
    const states = [[], ['event'], ['time'], []]
    // The second request of each changes nothing, and is no entry.
    for (const columns of states.slice(1)) {
      await door.patch(`${views}/1`, { columns })
      await door.patch(`${views}/1`, { columns })
    }
    const change = (action: string, at: number) => [
      'updated',
      'weekly',
      [{ type: 'SavedView', action, field: 'columns', before: states[at], after: states[at + 1] }],
    ]
    expect(await activityOf(door, views)).toEqual([
      // The field's own action: of none and of an empty list it is said as of a value that came or went.
      change('deleted', 2),
      change('changed', 1),
      change('created', 0),
      ['created', 'weekly', null],
    ])
  })
})

describe('a kind of an organization that is removed for good', () => {
  const connectors = `${organization}/connectors`

  it('has ids, a status and an author as its literal says', async () => {
    const door = await openDoor()
    const { status, body } = await door.post(connectors, { name: ' Store ' })
    const expected = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Store',
      settings: null,
      port: null,
    }
    expect([status, body]).toEqual([
      200,
      { ...expected, owner: expect.objectContaining({ id: 1 }), changed: time },
    ])
    expect((await door.post(connectors, { name: 'Store' })).body.id).not.toBe(body.id)
    expect((await door.get(`${connectors}/${body.id.toUpperCase()}`)).body).toEqual(body)
    expect((await door.get(connectors)).body.count).toBe(2)
    expect((await door.get(`/api/organizations/${sampleOrganization.id}/connectors`)).status).toBe(404)
  })

  it('takes with a change what that endpoint takes, holds files, and goes', async () => {
    const door = await openDoor()
    const { id } = (await door.post(connectors, { name: 'Store' })).body
    const { body } = await door.patch(`${connectors}/${id}`, { name: 'No', settings: { a: 1 }, port: 5 })
    expect(body).toMatchObject({ name: 'Store', settings: { a: 1 }, port: 5 })
    await door.patch(`${connectors}/${id}/files`, { 'a.txt': 'one', 'b.txt': 'two' })
    await door.patch(`${connectors}/${id}/files`, { 'b.txt': null })
    expect((await door.get(`${connectors}/${id}/files`)).body).toEqual({ 'a.txt': 'one' })
    expect(await door.remove(`${connectors}/${id}`)).toMatchObject({ status: 202, body: '' })
    expect((await door.get(`${connectors}/${id}`)).status).toBe(404)
    expect(
      (await door.get(`${connectors}/log`)).body.results.map(
        ({ activity }: { activity: string }) => activity,
      ),
    ).toEqual([...['deleted', 'updated', 'updated', 'updated', 'created']])
  })
})

describe('a world', () => {
  const world = (saved_views: unknown) => JSON.stringify(worldWith({ saved_views } as object))

  it('holds objects of such a kind', async () => {
    const seed = parseWorld(
      world([
        { slug: 'old', deleted: true },
        { slug: 'new', id: 1, tags: ['B', 'a'] },
      ]),
    )
    const door = await openDoor({ seed, quirks: { tag_order: 'sorted' } })
    expect((await door.get(views)).body.results).toEqual([{ ...bare, slug: 'new', tags: ['a', 'b'] }])
    expect((await door.get(`${views}/2`)).body).toMatchObject({ slug: 'old', deleted: true })
    expect(await activityOf(door, views)).toEqual([['deleted', 'old', null]])
    expect(await aView(door)).toMatchObject({ id: 3 })
  })

  it.each([
    [[{}], /saved_views\/0" must have required property 'slug'/],
    [[{ slug: 'a', colums: [] }], /"colums" is not a member/],
    [[{ slug: 'a' }, { slug: 'a' }], /saved view "a" is there twice/],
    [
      [
        { slug: 'a', id: 1 },
        { slug: 'b', id: 1 },
      ],
      /saved view id "1" is there twice/,
    ],
  ])('with %j is refused', (saved_views, message) => {
    expect(() => parseWorld(world(saved_views))).toThrow(WorldFileError)
    expect(() => parseWorld(world(saved_views))).toThrow(message)
  })
})

describe('a sandbox with a folder', () => {
  let data: string | undefined
  afterEach(async () => {
    if (data) await rm(data, { recursive: true, force: true })
  })

  it('keeps such a kind and such a field over a restart', async () => {
    data = await mkdtemp(join(tmpdir(), 'sandbox-'))
    const before = await openDoor({ data })
    await aView(before, { filters: { rows: 1 } })
    await aView(before, { slug: 'gone', deleted: true })
    await aFlag(before, { severity: 'high' })
    await before.sandbox.close()
    const after = await openDoor({ data })
    expect((await after.get(views)).body.results).toEqual([{ ...bare, filters: { rows: 1 } }])
    expect((await after.get(`${flags}/1`)).body.severity).toBe('high')
    expect(await aView(after, { slug: 'next' })).toMatchObject({ id: 3 })
    await after.sandbox.close()
  })
})

describe('a field that is added to the description of a flag', () => {
  it('is taken, answered, changed and told in the log', async () => {
    const door = await openDoor()
    expect((await aFlag(door, { key: 'plain' })).severity).toBe(null)
    expect((await aFlag(door, { severity: 'low' })).severity).toBe('low')
    expect((await door.patch(`${flags}/2`, { severity: 'high' })).body.severity).toBe('high')
    expect((await door.get(flags)).body.results[0].severity).toBe('high')
    const change = { type: 'FeatureFlag', action: 'changed', field: 'severity', before: 'low', after: 'high' }
    expect((await activityOf(door, `${flags}/2`))[0]).toEqual(['updated', 'checkout', [change]])
  })

  it('is checked', async () => {
    const door = await openDoor()
    const answer = await door.post(flags, { key: 'a', severity: 'odd' })
    expectError(answer, 400, 'validation_error', 'invalid_choice', 'severity')
  })

  it('is seeded', async () => {
    const feature_flags = [{ key: 'a', severity: 'low' }, { key: 'b' }]
    const door = await openDoor({ seed: parseWorld(JSON.stringify(worldWith({ feature_flags }))) })
    const { results } = (await door.get(flags)).body
    expect(results.map(({ severity }: { severity: string | null }) => severity)).toEqual([null, 'low'])
  })
})
