import { describe, expect, it } from 'vitest'
import { aFlag, expectError, flags, openDoor, organization, worldWith } from './door.ts'

const inGermany = { key: 'country', type: 'person', value: ['DE'], operator: 'exact' }
const persons = [
  { distinct_ids: ['user-1', 'phone-1'], properties: { country: 'DE', age: 40 } },
  { distinct_ids: ['user-2'], properties: { country: 'FR', age: 20 } },
  { distinct_ids: ['user-3'], properties: { country: 'DE', age: 30 } },
]
const seed = worldWith({ persons })

describe('evaluating flags', () => {
  it('tells each person why they get what they get', async () => {
    const door = await openDoor({ seed })
    await aFlag(door, { key: 'germans', filters: { groups: [{ properties: [inGermany] }] } })
    await aFlag(door, { key: 'nobody', filters: { groups: [{ rollout_percentage: 0 }] } })
    await aFlag(door, { key: 'off', active: false })
    await aFlag(door, { key: 'gone', deleted: true })
    await aFlag(door, {
      key: 'colour',
      filters: {
        groups: [{}, { properties: [inGermany], variant: 'red' }],
        multivariate: { variants: [{ key: 'red', rollout_percentage: 100 }] },
      },
    })
    const { body } = await door.get(`${flags}/evaluation_reasons?distinct_id=phone-1`)
    expect(body).toEqual({
      germans: { value: true, evaluation: { reason: 'condition_match', condition_index: 0 } },
      nobody: { value: false, evaluation: { reason: 'out_of_rollout_bound', condition_index: 0 } },
      off: { value: false, evaluation: { reason: 'disabled', condition_index: null } },
      colour: { value: 'red', evaluation: { reason: 'condition_match', condition_index: 1 } },
    })
    const french = await door.get(`${flags}/evaluation_reasons?distinct_id=user-2`)
    expect(french.body.germans).toEqual({
      value: false,
      evaluation: { reason: 'no_condition_match', condition_index: 0 },
    })
  })

  it('speaks of the caller when nobody is named', async () => {
    const door = await openDoor({ seed })
    await aFlag(door, { key: 'germans', filters: { groups: [{ properties: [inGermany] }] } })
    const own = await door.get(`${flags}/evaluation_reasons`)
    expect(own.body.germans.value).toBe(true)
    const minimal = {
      id: 1,
      team_id: 1,
      name: '',
      key: 'germans',
      filters: { groups: [{ properties: [inGermany] }] },
      deleted: false,
      active: true,
      ensure_experience_continuity: false,
    }
    expect((await door.get(`${flags}/my_flags`)).body).toEqual([{ feature_flag: minimal, value: true }])
    expect((await door.get(`${flags}/local_evaluation`)).body).toEqual({
      flags: [minimal],
      group_type_mapping: { '0': 'organization' },
      cohorts: {},
    })
  })

  it('knows the groups that the caller names', async () => {
    const door = await openDoor({ seed })
    await aFlag(door, { filters: { groups: [{}], aggregation_group_type_index: 0 } })
    const without = await door.get(`${flags}/my_flags`)
    expect(without.body[0].value).toBe(false)
    const groups = encodeURIComponent(JSON.stringify({ organization: 'acme' }))
    expect((await door.get(`${flags}/my_flags?groups=${groups}`)).body[0].value).toBe(true)
    const answer = await door.get(`${flags}/my_flags?groups=acme`)
    expectError(answer, 400, 'validation_error', 'invalid_input', 'groups')
  })

  it('leaves inactive flags out of what is evaluated elsewhere', async () => {
    const door = await openDoor({ seed })
    await aFlag(door, { active: false })
    expect((await door.get(`${flags}/local_evaluation`)).body.flags).toEqual([])
  })

  it.each([
    [{ condition: { properties: [inGermany], rollout_percentage: 1 } }, 2],
    [{ condition: { properties: [] } }, 3],
    [
      { condition: { properties: [inGermany, { key: 'age', type: 'person', operator: 'gt', value: '35' }] } },
      1,
    ],
    [
      {
        filters: { groups: [{ properties: [inGermany] }, { properties: [{ ...inGermany, value: ['FR'] }] }] },
      },
      3,
    ],
  ])('estimates whom %j reaches', async (body, affected) => {
    const door = await openDoor({ seed })
    const answer = await door.post(`${flags}/user_blast_radius`, body)
    expect(answer).toMatchObject({ status: 200, body: { users_affected: affected, total_users: 3 } })
  })

  it('estimates nothing without a condition', async () => {
    const door = await openDoor({ seed })
    expectError(await door.post(`${flags}/user_blast_radius`), 400, 'validation_error', 'invalid_input')
  })
})

describe('operations on a flag', () => {
  it('writes down a cohort, which conditions can then name', async () => {
    const door = await openDoor({ seed })
    const flag = await aFlag(door, { key: 'germans', filters: { groups: [{ properties: [inGermany] }] } })
    const { status, body } = await door.post(`${flags}/1/create_static_cohort_for_flag`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: flag.id, key: 'germans', cohort: { id: 1, is_static: true, count: 2 } })
    const properties = [{ key: 'id', type: 'cohort', value: 1 }]
    await aFlag(door, { key: 'members', filters: { groups: [{ properties }] } })
    for (const [person, value] of [
      ['user-1', true],
      ['user-2', false],
      ['stranger', false],
    ] as const) {
      const reasons = await door.get(`${flags}/evaluation_reasons?distinct_id=${person}`)
      expect(reasons.body.members.value).toBe(value)
    }
    const again = await door.post(`${flags}/1/create_static_cohort_for_flag`)
    expect(again.body.cohort.id).toBe(2)
  })

  it('makes a further dashboard on each call', async () => {
    const door = await openDoor()
    const flag = await aFlag(door)
    expect((await door.post(`${flags}/1/dashboard`)).body).toEqual({
      ...flag,
      usage_dashboard: 2,
      success: true,
    })
    expect((await door.post(`${flags}/1/dashboard`)).body.usage_dashboard).toBe(3)
    expect((await door.post(`${flags}/1/enrich_usage_dashboard`)).body).toMatchObject({
      id: 1,
      success: true,
    })
  })
})

const twoProjects = {
  ...seed,
  organizations: [
    {
      ...seed.organizations[0]!,
      projects: [
        { id: 1, name: 'a', persons },
        { id: 2, name: 'b' },
      ],
    },
  ],
}
const there = '/api/projects/2/feature_flags'

describe('flags over an organization', () => {
  it('are found by their key in every project, unless they are deleted', async () => {
    const door = await openDoor({ seed: twoProjects })
    await aFlag(door)
    await door.post(there, { key: 'checkout', active: false })
    const { status, body } = await door.get(`${organization}/feature_flags/checkout/`)
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        flag_id: 1,
        team_id: 1,
        created_by: expect.objectContaining({ email: 'ada@example.com' }),
        filters: { groups: [{ properties: [], rollout_percentage: null }] },
        created_at: '2026-01-01T00:00:00Z',
        active: true,
      },
      expect.objectContaining({ flag_id: 2, team_id: 2, active: false }),
    ])
    await door.patch(`${flags}/1`, { deleted: true })
    expect((await door.get(`${organization}/feature_flags/checkout`)).body).toHaveLength(1)
    expect((await door.get(`${organization}/feature_flags/unknown`)).body).toEqual([])
  })

  it('are copied as new ones, as changes, and over deleted ones; failures are told in a success', async () => {
    const door = await openDoor({ seed: twoProjects })
    await aFlag(door, { name: 'One', tags: ['not copied'], filters: { groups: [{ rollout_percentage: 5 }] } })
    const copy = (targets: unknown) =>
      door.post(`${organization}/feature_flags/copy_flags`, {
        feature_flag_key: 'checkout',
        from_project: 1,
        target_project_ids: targets,
      })
    const first = await copy([2, 99])
    expect(first.status).toBe(200)
    expect(first.body).toEqual({
      success: [expect.objectContaining({ id: 2, name: 'One', tags: [], rollout_percentage: 5 })],
      failed: [{ project_id: 99, errors: 'Project not found.' }],
    })
    await door.patch(`${flags}/1`, { name: 'Two', active: false })
    expect((await copy(['2'])).body.success).toMatchObject([{ id: 2, name: 'Two', active: false }])
    await door.patch(`${there}/2`, { deleted: true })
    expect((await copy([2])).body.success).toMatchObject([{ id: 3, deleted: false }])
  })

  it('are copied with the cohorts that they name', async () => {
    const door = await openDoor({ seed: twoProjects })
    await aFlag(door)
    await door.post(`${flags}/1/create_static_cohort_for_flag`)
    const properties = [{ key: 'id', type: 'cohort', value: 1 }]
    await door.patch(`${flags}/1`, { filters: { groups: [{ properties }] } })
    const body = { feature_flag_key: 'checkout', from_project: 1, target_project_ids: [2] }
    const copy = async () =>
      (await door.post(`${organization}/feature_flags/copy_flags`, body)).body.success[0].filters
    const copied = { groups: [{ properties: [{ key: 'id', type: 'cohort', value: 2 }] }] }
    expect(await copy()).toEqual(copied)
    expect(await copy()).toEqual(copied)
  })

  it.each([
    [{}, 400],
    [{ feature_flag_key: 'checkout', from_project: 1, target_project_ids: [] }, 400],
    [{ feature_flag_key: 'unknown', from_project: 1, target_project_ids: [2] }, 400],
    [{ feature_flag_key: 'checkout', from_project: 9, target_project_ids: [2] }, 400],
  ])('are not copied for %j, and the error has a shape of its own', async (body, status) => {
    const door = await openDoor({ seed: twoProjects })
    await aFlag(door)
    const answer = await door.post(`${organization}/feature_flags/copy_flags`, body)
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: { error: expect.any(String) },
    })
  })
})
