import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { aFlag, type Door, expectError, flags, openDoor, organization, worldWith } from '../door.ts'

const inGermany = { key: 'country', type: 'person', value: ['DE'], operator: 'exact' }
const persons = [
  { distinct_ids: ['user-1'], properties: { country: 'DE' } },
  { distinct_ids: ['user-2'], properties: { country: 'FR' } },
  { distinct_ids: ['user-3'], properties: { country: 'DE' } },
]
const seed = worldWith({ persons })

const when = (key: Json, value: Json = true, more: JsonObject = {}): JsonObject => ({
  key,
  type: 'flag',
  operator: 'flag_evaluates_to',
  value,
  ...more,
})
const released = (...properties: JsonObject[]) => ({ groups: [{ properties }] })

/** Flag 1 is for Germans, 2 for whoever has 1, 3 for whoever does not have 2, and 4 for those who get "red". */
async function fourFlags(): Promise<Door> {
  const door = await openDoor({ seed })
  await aFlag(door, { key: 'germans', filters: released(inGermany) })
  await aFlag(door, { key: 'second', filters: released(when('1')) })
  await aFlag(door, { key: 'others', filters: released(when('second', false)) })
  await aFlag(door, {
    key: 'colour',
    filters: {
      groups: [{ properties: [when('1')], variant: 'red' }, { variant: 'blue' }],
      multivariate: {
        variants: [
          { key: 'red', rollout_percentage: 0 },
          { key: 'blue', rollout_percentage: 100 },
        ],
      },
    },
  })
  await aFlag(door, { key: 'reds', filters: released(when('4', 'red')) })
  return door
}

describe('conditions on other flags', () => {
  it('are kept as they were sent', async () => {
    const door = await fourFlags()
    expect((await door.get(`${flags}/2`)).body.filters).toEqual(released(when('1')))
  })

  it('decide what a person gets, and why', async () => {
    const door = await fourFlags()
    const valuesOf = async (person: string) => {
      const { body } = await door.get(`${flags}/evaluation_reasons?distinct_id=${person}`)
      return Object.fromEntries(Object.keys(body).map(key => [key, body[key].value]))
    }
    expect(await valuesOf('user-1')).toEqual({
      germans: true,
      second: true,
      others: false,
      colour: 'red',
      reds: true,
    })
    expect(await valuesOf('user-2')).toEqual({
      germans: false,
      second: false,
      others: true,
      colour: 'blue',
      reds: false,
    })
    const french = await door.get(`${flags}/evaluation_reasons?distinct_id=user-2`)
    expect(french.body.second).toEqual({
      value: false,
      evaluation: { reason: 'no_condition_match', condition_index: 0 },
    })
  })

  it('decide who is written down as a cohort', async () => {
    const door = await fourFlags()
    expect((await door.post(`${flags}/3/create_static_cohort_for_flag`)).body.cohort.count).toBe(1)
  })

  it('are told with keys and in order to those who evaluate by themselves', async () => {
    const door = await fourFlags()
    const { body } = await door.get(`${flags}/local_evaluation`)
    const told = Object.fromEntries(
      body.flags.map((flag: { key: string; filters: unknown }) => [flag.key, flag.filters]),
    )
    expect(told).toMatchObject({
      germans: released(inGermany),
      second: released(when('germans', true, { dependency_chain: ['germans'] })),
      others: released(when('second', false, { dependency_chain: ['germans', 'second'] })),
      reds: released(when('colour', 'red', { dependency_chain: ['germans', 'colour'] })),
    })
  })
})

describe('what the service checks in a condition on another flag', () => {
  it.each([
    ['an id that is no flag', released(when('99'))],
    ['a key that is no flag', released(when('nowhere'))],
    ['a deleted flag', released(when('gone'))],
    ['a flag of another project', released(when('50'))],
    ['a key that is no text', released(when(1))],
    ['itself, before it is there', released(when('new'))],
    ['another operator', released(when('1', true, { operator: 'exact' }))],
    ['no operator', released({ key: '1', type: 'flag', value: true })],
    ['no value', released({ key: '1', type: 'flag', operator: 'flag_evaluates_to' })],
    ['a flag for groups', { ...released(when('1')), aggregation_group_type_index: 0 }],
  ])('refuses %s', async (_, filters) => {
    const [first] = seed.organizations
    const projects = [...first!.projects!, { id: 2, name: 'b', feature_flags: [{ id: 50, key: 'theirs' }] }]
    const door = await openDoor({ seed: { ...seed, organizations: [{ ...first!, projects }] } })
    await aFlag(door, { key: 'base' })
    await door.patch(`${flags}/${(await aFlag(door, { key: 'gone' })).id}`, { deleted: true })
    const answer = await door.post(flags, { key: 'new', filters })
    expectError(answer, 400, 'validation_error', 'invalid_input', 'filters')
  })

  it.each([
    ['itself', '1', /'first' cannot depend on itself/],
    ['a flag that waits for it', '2', /first → second → first$/],
    ['a flag at the end of a chain', 'third', /first → third → second → first$/],
  ])('refuses to wait for %s', async (_, name, words) => {
    const door = await openDoor()
    await aFlag(door, { key: 'first' })
    await aFlag(door, { key: 'second', filters: released(when('1')) })
    await aFlag(door, { key: 'third', filters: released(when('second')) })
    const answer = await door.patch(`${flags}/1`, { filters: released(when(name)) })
    expectError(answer, 400, 'validation_error', 'invalid_input', 'filters')
    expect(answer.body.detail).toMatch(words)
    expect((await door.get(`${flags}/1`)).body.is_simple_flag).toBe(true)
  })

  it('refuses a new flag that takes up a key which others still name, and waits for those', async () => {
    const door = await openDoor()
    await aFlag(door, { key: 'first' })
    await aFlag(door, { key: 'second', filters: released(when('first')) })
    await door.patch(`${flags}/1`, { key: 'renamed' })
    const answer = await door.post(flags, { key: 'first', filters: released(when('second')) })
    expectError(answer, 400, 'validation_error', 'invalid_input', 'filters')
    expect(answer.body.detail).toMatch(/first → second → first$/)
  })

  it.each([
    [{ active: false }, /^Cannot disable .*: second \(ID: 2\), third \(ID: 3\)\.$/],
    [{ deleted: true }, /^Cannot delete .*: second \(ID: 2\), third \(ID: 3\)\.$/],
  ])('refuses %j while others wait for the flag', async (change, words) => {
    const door = await openDoor()
    await aFlag(door, { key: 'first' })
    await aFlag(door, { key: 'second', filters: released(when('1'), when('1')) })
    await aFlag(door, { key: 'third', filters: released(when('first')) })
    const answer = await door.patch(`${flags}/1`, change)
    expectError(answer, 400, 'validation_error', 'invalid_input')
    expect(answer.body.detail).toMatch(words)

    await door.patch(`${flags}/2`, { active: false })
    await door.patch(`${flags}/3`, { filters: released() })
    expect((await door.patch(`${flags}/1`, change)).status).toBe(200)
  })

  it('names a few of many flags that wait', async () => {
    const door = await openDoor()
    await aFlag(door, { key: 'base' })
    for (let at = 0; at < 7; at++) await aFlag(door, { key: `flag-${at}`, filters: released(when('1')) })
    const { detail } = (await door.patch(`${flags}/1`, { deleted: true })).body
    expect(detail).toMatch(/flag-4 \(ID: 6\), and 2 more\.$/)
  })
})

describe('flags of a world that wait for each other, or for nothing', () => {
  const odd = worldWith({
    persons,
    feature_flags: [
      { key: 'left', filters: released(when('right')) },
      { key: 'right', filters: released(when('left')) },
      { key: 'lost', filters: released(when('nowhere', false)) },
    ],
  })

  it('are met by nobody', async () => {
    const door = await openDoor({ seed: odd })
    const missed = { value: false, evaluation: { reason: 'no_condition_match', condition_index: 0 } }
    const { body } = await door.get(`${flags}/evaluation_reasons?distinct_id=user-1`)
    expect(body).toEqual({ left: missed, right: missed, lost: missed })
  })

  it('have nothing that could be worked out before them', async () => {
    const door = await openDoor({ seed: odd })
    const { body } = await door.get(`${flags}/local_evaluation`)
    expect(body.flags.map((flag: { filters: unknown }) => flag.filters)).toEqual([
      released(when('right', true, { dependency_chain: [] })),
      released(when('left', true, { dependency_chain: [] })),
      released(when('nowhere', false, { dependency_chain: [] })),
    ])
  })
})

it('a flag that names one by its id is not copied to where there is none', async () => {
  const [first] = seed.organizations
  const projects = [...first!.projects!, { id: 2, name: 'b' }]
  const door = await openDoor({ seed: { ...seed, organizations: [{ ...first!, projects }] } })
  await aFlag(door, { key: 'base' })
  await aFlag(door, { key: 'dependent', filters: released(when('1')) })
  const { body } = await door.post(`${organization}/feature_flags/copy_flags`, {
    feature_flag_key: 'dependent',
    from_project: 1,
    target_project_ids: [2],
  })
  expect(body).toEqual({ success: [], failed: [{ project_id: 2, errors: expect.any(String) }] })
})
