import { describe, expect, it } from 'vitest'
import { testRuntime } from '../support/test-runtime.ts'
import { aFlag, expectError, flags, openDoor, worldWith } from './door.ts'

const ada = {
  id: 1,
  uuid: '01900000-0000-0000-0000-000000000101',
  distinct_id: 'user-1',
  first_name: 'Ada',
  email: 'ada@example.com',
  is_email_verified: true,
}

describe('creating a flag', () => {
  it('fills in everything but the key', async () => {
    const door = await openDoor()
    const flag = await aFlag(door, { key: ' checkout ' })
    const expected = {
      id: 1,
      name: '',
      key: 'checkout',
      filters: { groups: [{ properties: [], rollout_percentage: null }] },
      deleted: false,
      active: true,
      created_by: ada,
      created_at: '2026-01-01T00:00:00Z',
      is_simple_flag: true,
      rollout_percentage: null,
      ensure_experience_continuity: false,
      experiment_set: [],
      surveys: {},
      features: {},
      rollback_conditions: null,
      performed_rollback: null,
      can_edit: true,
      tags: [],
      usage_dashboard: 1,
      analytics_dashboards: [],
      has_enriched_analytics: false,
    }
    expect(flag).toEqual(expected)
    expect((await door.get(`${flags}/1`)).body).toEqual(expected)
    expect((await door.get(flags)).body).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [expected],
    })
  })

  it('takes every writable field and ignores the others', async () => {
    const door = await openDoor()
    const flag = await aFlag(door, {
      name: ' A name ',
      active: false,
      created_at: '2024-05-01T12:00:00.25+02:00',
      ensure_experience_continuity: true,
      rollback_conditions: [{ threshold: 1 }],
      performed_rollback: true,
      has_enriched_analytics: true,
      tags: [' Beta ', 'alpha', 'beta'],
      filters: { groups: [{ properties: [], rollout_percentage: 30 }], custom: { kept: null } },
      id: 77,
      rollout_percentage: 5,
      can_edit: false,
      nonsense: 1,
    })
    expect({ ...flag, tags: [...flag.tags].sort() }).toMatchObject({
      id: 1,
      name: 'A name',
      active: false,
      created_at: '2024-05-01T10:00:00.250000Z',
      ensure_experience_continuity: true,
      rollback_conditions: [{ threshold: 1 }],
      performed_rollback: true,
      has_enriched_analytics: true,
      tags: ['alpha', 'beta'],
      filters: { groups: [{ properties: [], rollout_percentage: 30 }], custom: { kept: null } },
      is_simple_flag: true,
      rollout_percentage: 30,
      can_edit: true,
    })
    expect(flag).not.toHaveProperty('nonsense')
  })

  it('ends a rollback by switching the flag on, whatever else is said', async () => {
    const door = await openDoor()
    expect(await aFlag(door, { active: true, performed_rollback: true })).toMatchObject({
      performed_rollback: false,
    })
  })

  it('keeps the order of filters in the answer, and gives them back as the database orders them', async () => {
    const door = await openDoor()
    const filters = {
      payloads: {},
      multivariate: null,
      groups: [{ variant: null, properties: [] }],
      ab: 1,
      aa: 2,
    }
    const flag = await aFlag(door, { filters })
    expect(JSON.stringify(flag.filters)).toBe(JSON.stringify(filters))
    const read = await door.get(`${flags}/${flag.id}`)
    expect(Object.keys(read.body.filters)).toEqual(['aa', 'ab', 'groups', 'payloads', 'multivariate'])
    expect(read.body.filters).toEqual(filters)
  })

  it.each([
    [{}, 'required', 'key'],
    [{ key: '  ' }, 'blank', 'key'],
    [{ key: 'k'.repeat(401) }, 'max_length', 'key'],
    [{ key: null }, 'null', 'key'],
    [{ key: 7 }, 'invalid_input', 'key'],
    [{ key: 'a', name: null }, 'null', 'name'],
    [{ key: 'a', active: 'yes' }, 'invalid_input', 'active'],
    [{ key: 'a', filters: null }, 'null', 'filters'],
    [{ key: 'a', filters: 'all' }, 'not_a_dict', 'filters'],
    [{ key: 'a', filters: [] }, 'not_a_dict', 'filters'],
    [{ key: 'a', tags: null }, 'null', 'tags'],
    [{ key: 'a', tags: 'beta' }, 'not_a_list', 'tags'],
    [{ key: 'a', tags: ['ok', 7] }, 'invalid_input', 'tags__1'],
    [{ key: 'a', tags: [' '] }, 'blank', 'tags__0'],
    [{ key: 'a', tags: ['x'.repeat(256)] }, 'max_length', 'tags__0'],
    [{ key: 'a', created_at: 'yesterday' }, 'invalid_input', 'created_at'],
    [{ key: 'a', analytics_dashboards: ['one'] }, 'invalid_input', 'analytics_dashboards__0'],
    [{ key: 'a', analytics_dashboards: [99] }, 'does_not_exist', 'analytics_dashboards'],
  ])('refuses %j', async (body, code, attr) => {
    const door = await openDoor()
    expectError(await door.post(flags, body), 400, 'validation_error', code, attr)
    expect((await door.get(flags)).body.count).toBe(0)
    // What was refused has used up no id.
    expect(await aFlag(door)).toMatchObject({ id: 1, usage_dashboard: 1 })
  })

  it('refuses a key that a live flag has, and tells keys apart by case', async () => {
    const door = await openDoor()
    await aFlag(door)
    expectError(await door.post(flags, { key: 'checkout ' }), 400, 'validation_error', 'unique', 'key')
    expect(await aFlag(door, { key: 'Checkout' })).toMatchObject({ id: 2 })
  })

  it('allows one key in each project', async () => {
    const seed = worldWith({}).organizations[0]!
    const door = await openDoor({
      seed: {
        organizations: [
          {
            ...seed,
            projects: [
              { id: 1, name: 'a' },
              { id: 2, name: 'b' },
            ],
          },
        ],
      },
    })
    await aFlag(door)
    const other = await door.post('/api/projects/2/feature_flags', { key: 'checkout' })
    expect(other).toMatchObject({ status: 201, body: { id: 2 } })
    expect((await door.get(`${flags}/2`)).status).toBe(404)
  })

  it.each([
    [{ groups: [{ properties: [], rollout_percentage: 40 }] }, true, 40],
    [{ groups: [{ rollout_percentage: 40 }] }, true, 40],
    [{ groups: [{}] }, true, null],
    [{ groups: [{ rollout_percentage: 1 }, { rollout_percentage: 2 }] }, false, null],
    [{ groups: [] }, false, null],
    [
      { groups: [{ properties: [{ key: 'a', value: 'b', type: 'person' }], rollout_percentage: 40 }] },
      false,
      null,
    ],
    [{ groups: [{ rollout_percentage: 40 }], aggregation_group_type_index: 0 }, false, null],
    [{ groups: [{ rollout_percentage: 40 }], aggregation_group_type_index: null }, true, 40],
  ])('computes from %j whether one percentage describes it', async (filters, isSimple, percentage) => {
    const door = await openDoor()
    expect(await aFlag(door, { filters })).toMatchObject({
      is_simple_flag: isSimple,
      rollout_percentage: percentage,
    })
  })
})

describe('changing a flag', () => {
  it('touches the fields of the body only', async () => {
    const door = await openDoor()
    const flag = await aFlag(door, {
      name: 'One',
      tags: ['a'],
      filters: { groups: [{ rollout_percentage: 5 }] },
    })
    const { status, body } = await door.patch(`${flags}/1`, { active: false })
    expect({ status, body }).toEqual({ status: 200, body: { ...flag, active: false } })
  })

  it('replaces filters whole and tags whole', async () => {
    const door = await openDoor()
    await aFlag(door, {
      tags: ['a', 'b'],
      filters: { groups: [{ rollout_percentage: 5 }], payloads: { true: '1' } },
    })
    const filters = { groups: [{ rollout_percentage: 6 }] }
    expect((await door.patch(`${flags}/1`, { filters, tags: ['c'] })).body).toMatchObject({
      filters,
      tags: ['c'],
    })
    expect((await door.patch(`${flags}/1`, { tags: [] })).body.tags).toEqual([])
  })

  it('only adds dashboards', async () => {
    const door = await openDoor()
    const { usage_dashboard: one } = await aFlag(door)
    const { usage_dashboard: two } = await aFlag(door, { key: 'other' })
    await door.patch(`${flags}/1`, { analytics_dashboards: [one] })
    await door.patch(`${flags}/1`, { analytics_dashboards: [two] })
    expect((await door.patch(`${flags}/1`, { analytics_dashboards: [] })).body.analytics_dashboards).toEqual([
      one,
      two,
    ])
  })

  it('renames it, but never onto a live flag', async () => {
    const door = await openDoor()
    await aFlag(door)
    await aFlag(door, { key: 'other' })
    expectError(await door.patch(`${flags}/1`, { key: 'other' }), 400, 'validation_error', 'unique', 'key')
    expect((await door.patch(`${flags}/1`, { key: 'third' })).body).toMatchObject({ id: 1, key: 'third' })
    expect(await aFlag(door)).toMatchObject({ id: 3 })
  })

  it('refuses a whole body for one wrong member', async () => {
    const door = await openDoor()
    const flag = await aFlag(door)
    const answer = await door.patch(`${flags}/1`, { name: 'New', tags: ['x'.repeat(300)] })
    expectError(answer, 400, 'validation_error', 'max_length', 'tags__0')
    expect((await door.get(`${flags}/1`)).body).toEqual(flag)
  })
})

describe('the activity of flags', () => {
  it('tells what was created and changed, newest first, and nothing of changes that change nothing', async () => {
    const runtime = testRuntime()
    const door = await openDoor({ runtime })
    await aFlag(door)
    await runtime.sleep(1500)
    await door.patch(`${flags}/1`, { active: false, name: '' })
    await door.patch(`${flags}/1`, {})
    await door.patch(`${flags}/1`, { active: false })
    const user = { first_name: 'Ada', email: 'ada@example.com' }
    const common = { user, scope: 'FeatureFlag', item_id: '1' }
    const detail = { name: 'checkout', trigger: null, type: null, short_id: null }
    const change = { type: 'FeatureFlag', action: 'changed', field: 'active', before: true, after: false }
    const expected = {
      results: [
        {
          ...common,
          activity: 'updated',
          detail: { ...detail, changes: [change] },
          created_at: '2026-01-01T00:00:01.500000Z',
        },
        {
          ...common,
          activity: 'created',
          detail: { ...detail, changes: null },
          created_at: '2026-01-01T00:00:00Z',
        },
      ],
      next: null,
      previous: null,
      total_count: 2,
    }
    expect((await door.get(`${flags}/1/activity`)).body).toEqual(expected)
    expect((await door.get(`${flags}/activity`)).body).toEqual(expected)
  })

  it('pages by number', async () => {
    const door = await openDoor()
    for (const key of ['a', 'b', 'c']) await aFlag(door, { key })
    const first = await door.get(`${flags}/activity?limit=2`)
    expect(first.body.results.map((row: { item_id: string }) => row.item_id)).toEqual(['3', '2'])
    expect(first.body).toMatchObject({ previous: null, total_count: 3 })
    const second = await door.get(new URL(first.body.next).pathname + new URL(first.body.next).search)
    expect(second.body.results.map((row: { item_id: string }) => row.item_id)).toEqual(['1'])
    expect(second.body).toMatchObject({ next: null, previous: expect.stringContaining('page=1') })
  })
})
