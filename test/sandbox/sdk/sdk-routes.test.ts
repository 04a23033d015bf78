import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { profiles } from '../../../src/model/connection.ts'
import { parseFault } from '../../../src/sandbox/index.ts'
import { type Door, events, flags, openDoor, worldWith } from '../door.ts'

const token = 'phc_shop'
const filters = {
  groups: [{ properties: [{ key: 'id', type: 'cohort', value: 4 }], rollout_percentage: 100 }],
  payloads: { true: { a: 1 } },
}
const seed = worldWith({
  api_token: token,
  group_types: ['company'],
  cohorts: [
    { id: 4, name: 'Germans', properties: { type: 'OR', values: [{ key: 'country', value: 'DE' }] } },
  ],
  persons: [{ distinct_ids: ['ann'], properties: { country: 'DE' } }],
  feature_flags: [
    { id: 7, key: 'germans', name: 'For Germans', filters },
    {
      id: 8,
      key: 'colour',
      filters: {
        groups: [{}],
        multivariate: { variants: [{ key: 'red', rollout_percentage: 100 }] },
        payloads: { red: '"#f00"' },
      },
    },
    { id: 9, key: 'off', active: false },
    {
      id: 10,
      key: 'odd',
      filters: {
        groups: [{ properties: [{ key: 'country', type: 'person', operator: 'regex', value: '(?=D)' }] }],
      },
    },
  ],
})

const definitionRoutes = ['/api/feature_flag/local_evaluation', '/flags/definitions']

describe('definitions for SDKs', () => {
  it.each(definitionRoutes.flatMap(route => [route, `${route}/`]))('are at %s', async route => {
    const door = await openDoor({ seed })
    const { status, body, headers } = await door.get(`${route}?token=${token}&send_cohorts`)
    const inactive = route.startsWith('/flags') ? ['off'] : []
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    // biome-ignore lint/suspicious/noExplicitAny: what was answered
    expect(body.flags.map(({ key }: any) => key).sort()).toEqual(
      ['colour', 'germans', 'odd', ...inactive].sort(),
    )
    expect(body.group_type_mapping).toEqual({ 0: 'company' })
    expect(body.cohorts).toEqual({ 4: { type: 'OR', values: [{ key: 'country', value: 'DE' }] } })
    // biome-ignore lint/suspicious/noExplicitAny: what was answered
    expect(body.flags.find(({ key }: any) => key === 'germans')).toEqual({
      id: 7,
      team_id: 1,
      name: 'For Germans',
      key: 'germans',
      deleted: false,
      active: true,
      ensure_experience_continuity: false,
      filters: { ...filters, payloads: { true: '{"a":1}' } },
    })
  })

  it('have cohorts only when those are asked for, and an object even then', async () => {
    const door = await openDoor({ seed })
    expect((await door.get(`/flags/definitions?token=${token}`)).body.cohorts).toEqual({})
    const empty = await openDoor()
    expect((await empty.get('/flags/definitions?send_cohorts')).body).toEqual({
      flags: [],
      group_type_mapping: { 0: 'organization' },
      cohorts: {},
      property_matching_version: 2,
    })
  })

  it.each([
    ['text', 2, false],
    ['truth', 1, true],
  ] as const)('say how true and false are matched: as %s', async (truth_values, version, value) => {
    const door = await openDoor({ quirks: { truth_values } })
    await door.post(flags, {
      key: 'a',
      filters: {
        groups: [{ properties: [{ key: 'beta', type: 'person', operator: 'exact', value: 'false' }] }],
      },
    })
    expect((await door.get('/flags/definitions')).body.property_matching_version).toBe(version)
    const asked = {
      token: door.sandbox.summary.project_token,
      distinct_id: 'x',
      person_properties: { beta: 'banana' },
    }
    expect((await door.post('/flags/?v=2', asked)).body.flags.a.enabled).toBe(value)
  })

  it.each(profiles)('are not sent again to whoever has them, profile %s', async profile => {
    const door = await openDoor({ seed, profile })
    const ask = (tag: string) => door.ask('GET', '/flags/definitions', undefined, { 'if-none-match': tag })
    const tag = (await door.get('/flags/definitions')).headers.get('etag') ?? ''
    expect(tag).toMatch(/^W\/".+"$/)
    expect(await ask(tag)).toMatchObject({ status: 304, body: '' })
    expect((await ask(`"other", ${tag}`)).status).toBe(304)
    await door.patch(`${flags}/7`, { active: false })
    const after = await ask(tag)
    expect(after.status).toBe(200)
    expect(after.headers.get('etag')).not.toBe(tag)
  })

  it.each(profiles)(
    'are sent whole after a refusal, as some have let go of theirs then, profile %s',
    async profile => {
      const door = await openDoor({ seed, profile })
      const tag = (await door.get('/flags/definitions')).headers.get('etag') ?? ''
      const ask = () => door.ask('GET', '/flags/definitions', undefined, { 'if-none-match': tag })
      door.sandbox.faults.add([parseFault('GET /flags/definitions nth=1 status=402')])
      expect([(await ask()).status, (await ask()).status]).toEqual([402, 200])
    },
  )

  it.each(profiles)('are there in the %s profile', async profile => {
    const door = await openDoor({ seed, profile, quirks: { filters: 'rewritten' } })
    for (const route of definitionRoutes) {
      const { status, body } = await door.get(`${route}?token=${token}&send_cohorts`)
      expect(status).toBe(200)
      // biome-ignore lint/suspicious/noExplicitAny: what was answered
      const payloads = body.flags.flatMap(({ filters }: any) => Object.values(filters.payloads ?? {}))
      expect(payloads.sort()).toEqual(['"#f00"', '{"a": 1}'])
    }
    for (const path of ['/decide/?v=3', '/flags/?v=2', '/batch/'])
      expect((await send(door, path, path === '/batch/' ? oneEvent : ann)).status).toBe(200)
  })

  it.each([
    ['no key', `?token=${token}`, {}, 'not_authenticated'],
    ['a wrong key', `?token=${token}`, { authorization: 'Bearer phx_other' }, 'authentication_failed'],
    ['the token of no project', '?token=phc_none', undefined, 'invalid_api_key'],
  ])('are refused with %s', async (_, query, headers, code) => {
    const door = await openDoor({ seed })
    const { status, code: given } = await asked(door, `/flags/definitions${query}`, headers)
    expect({ status, code: given }).toEqual({ status: 401, code })
  })

  it('are of the project whose token it is', async () => {
    const door = await openDoor({
      seed: {
        organizations: [
          {
            name: 'A',
            projects: [
              { id: 1, name: 'One', feature_flags: [{ key: 'one' }] },
              { id: 2, name: 'Two', api_token: 'phc_two', feature_flags: [{ key: 'two' }] },
            ],
          },
        ],
      },
    })
    const { project_token: one } = door.sandbox.summary
    expect(one).toBe('phc_sandbox_local_only_project_1')
    for (const [of, key] of [
      [one, 'one'],
      ['phc_two', 'two'],
    ])
      expect((await door.get(`/flags/definitions?token=${of}`)).body.flags).toMatchObject([{ key }])
  })
})

describe('the payload of a flag, asked for by itself', () => {
  it.each([
    '/api/projects/@current/feature_flags/germans/remote_config/',
    '/api/projects/1/feature_flags/germans/remote_config?token=phc_shop',
  ])('is a text that holds JSON, at %s', async path => {
    const door = await openDoor({ seed })
    expect(await door.get(path)).toMatchObject({ status: 200, body: '{"a":1}' })
  })

  it('is null where there is none, and 404 without the flag', async () => {
    const door = await openDoor({ seed })
    const path = '/api/projects/1/feature_flags'
    expect(await door.get(`${path}/odd/remote_config`)).toMatchObject({ status: 200, body: null })
    expect((await door.get(`${path}/none/remote_config`)).status).toBe(404)
    expect((await door.get('/api/projects/9/feature_flags/odd/remote_config')).status).toBe(404)
    expect((await door.get(`${path}/%E0%A4%A/remote_config`)).status).toBe(404)
    expect((await asked(door, `${path}/germans/remote_config`, {})).status).toBe(401)
  })
})

async function asked(door: Door, path: string, headers: Record<string, string> | undefined) {
  const own = { authorization: `Bearer ${door.sandbox.summary.api_key}` }
  const response = await door.sandbox.fetch(
    new Request(`http://sandbox.test${path}`, { headers: headers ?? own }),
  )
  // biome-ignore lint/suspicious/noExplicitAny: what was answered
  const body: any = await response.json()
  return { status: response.status, code: body.code }
}

/** Sends what an SDK sends: no key, and a body of any sort. */
async function send(
  door: Door,
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
) {
  const request = new Request(`http://sandbox.test${path}`, {
    method: 'POST',
    // Bytes are a body as well.
    body: body as string,
    headers,
  })
  const response = await door.sandbox.fetch(request)
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const oneEvent = JSON.stringify({ api_key: token, batch: [{ event: 'paid', distinct_id: 'ann' }] })
const ann = JSON.stringify({ token, distinct_id: 'ann' })

describe('what one person gets, for SDKs', () => {
  it.each(['/decide/?v=4', '/decide?v=4', '/flags/?v=2', '/flags?v=3', '/flags/?v=4'])(
    'is told in full by %s',
    async path => {
      const door = await openDoor({ seed })
      const { status, body } = await send(door, path, ann)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        errorsWhileComputingFlags: true,
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        evaluatedAt: Date.UTC(2026, 0, 1),
      })
      expect(body.flags).toEqual({
        germans: {
          key: 'germans',
          enabled: true,
          variant: null,
          reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
          metadata: { id: 7, version: 1, payload: '{"a":1}', description: 'For Germans' },
        },
        colour: {
          key: 'colour',
          enabled: true,
          variant: 'red',
          reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
          metadata: { id: 8, version: 1, payload: '"#f00"', description: null },
        },
        odd: {
          key: 'odd',
          enabled: false,
          variant: null,
          reason: {
            code: 'no_condition_match',
            condition_index: 0,
            description: 'only the service evaluates the pattern "(?=D)": it looks ahead or behind',
          },
          metadata: { id: 10, version: 1, payload: null, description: null },
          failed: true,
        },
      })
    },
  )

  it.each(['/decide/?v=3', '/flags/'])('is told as values and payloads by %s', async path => {
    const door = await openDoor({ seed })
    const { body } = await send(door, path, ann)
    expect(body).toMatchObject({ errorsWhileComputingFlags: true })
    expect(body.featureFlags).toEqual({ germans: true, colour: 'red', odd: false })
    expect(body.featureFlagPayloads).toEqual({ germans: '{"a":1}', colour: '"#f00"' })
  })

  it('is told as older versions were', async () => {
    const door = await openDoor({ seed })
    expect((await send(door, '/decide/?v=2', ann)).body.featureFlags).toEqual({
      germans: true,
      colour: 'red',
    })
    const first = (await send(door, '/decide/', ann)).body.featureFlags
    expect([...first].sort()).toEqual(['colour', 'germans'])
  })

  it('goes by what is sent before what is known', async () => {
    const door = await openDoor({ seed })
    const values = async (more: object) => {
      const { body } = await send(
        door,
        '/flags/?v=1',
        JSON.stringify({ api_key: token, distinct_id: 'ann', ...more }),
      )
      return body.featureFlags.germans
    }
    expect(await values({})).toBe(true)
    expect(await values({ person_properties: { country: 'FR' } })).toBe(false)
    expect(await values({ distinct_id: 'nobody' })).toBe(false)
    expect(await values({ distinct_id: 'nobody', person_properties: { country: 'de' }, groups: null })).toBe(
      true,
    )
  })

  it('is of the flags that were asked for', async () => {
    const door = await openDoor({ seed })
    const keys = async (more: object) =>
      Object.keys(
        (await send(door, '/flags/?v=2', JSON.stringify({ token, distinct_id: 'ann', ...more }))).body.flags,
      )
    expect(await keys({ flag_keys_to_evaluate: ['colour'] })).toEqual(['colour'])
    expect(await keys({ disable_flags: true })).toEqual([])
  })

  it.each([
    ['no token', '{"distinct_id":"ann"}', 401],
    ['a token of no project', '{"token":"phc_none","distinct_id":"ann"}', 401],
    ['nobody', `{"token":"${token}"}`, 400],
    ['no object', '[1]', 400],
    ['no JSON', '{', 400],
  ])('is refused for %s', async (_, body, status) => {
    const door = await openDoor({ seed })
    expect((await send(door, '/flags/?v=2', body)).status).toBe(status)
  })

  it('is asked for with POST alone', async () => {
    const door = await openDoor({ seed })
    expect((await door.get('/decide/?v=3')).status).toBe(405)
    expect((await door.post('/flags/definitions')).status).toBe(405)
  })
})

describe('events from SDKs', () => {
  const event = { event: 'paid', distinct_id: 'ann', properties: { amount: 3 } }
  const batch = JSON.stringify({ api_key: token, batch: [event] })
  const base64 = Buffer.from(batch).toString('base64')
  const list = JSON.stringify([{ ...event, properties: { ...event.properties, token } }])

  it.each<[string, string, string | Uint8Array, Record<string, string>]>([
    ['JSON', '/batch/', batch, { 'content-type': 'application/json' }],
    ['gzip', '/batch/', gzipSync(batch), { 'content-encoding': 'gzip' }],
    ['gzip without a header', '/e/', gzipSync(batch), { 'content-type': 'text/plain' }],
    ['gzip of a bare list', '/e/?compression=gzip-js&ip=1', gzipSync(list), { 'content-type': 'text/plain' }],
    ['a bare list', '/i/v0/e/', list, {}],
    ['one event', '/capture/', JSON.stringify({ ...event, api_key: token }), {}],
    ['a form with base64', '/e/', `data=${encodeURIComponent(base64)}`, {}],
    ['a form whose plus became a blank', '/e/', `data=${base64}`, {}],
    ['a form with JSON', '/track/', `data=${encodeURIComponent(batch)}&compression=`, {}],
    ['base64', '/e/', base64, {}],
    ['base64 of gzip', '/e/', gzipSync(batch).toString('base64'), {}],
  ])('are taken as %s', async (_, path, body, headers) => {
    const door = await openDoor({ seed })
    expect(await send(door, path, body, headers)).toEqual({ status: 200, body: { status: 'Ok' } })
    expect((await door.get(events)).body.results).toMatchObject([
      { event: 'paid', distinct_id: 'ann', timestamp: '2026-01-01T00:00:00Z' },
    ])
  })

  it.each(['42', '12345678901234567891'])(
    'keep the digits of a person who is named by number %s',
    async id => {
      const door = await openDoor({ seed })
      const numbered = `{"api_key":"${token}","event":"paid","distinct_id":${id}}`
      expect((await send(door, '/capture/', numbered)).status).toBe(200)
      expect((await door.get(events)).body.results).toMatchObject([{ distinct_id: id }])
      const asking = `{"token":"${token}","distinct_id":${id}}`
      const named = `{"token":"${token}","distinct_id":"${id}"}`
      const answer = await send(door, '/decide/?v=3', asking)
      expect(answer).toMatchObject({ status: 200, body: { featureFlags: expect.anything() } })
      const { featureFlags } = (await send(door, '/decide/?v=3', named)).body
      expect(answer.body.featureFlags).toEqual(featureFlags)
    },
  )

  it('keep their own id and time, and come once', async () => {
    const door = await openDoor({ seed })
    const uuid = '01900000-0000-0000-0000-000000000077'
    const own = JSON.stringify({
      api_key: token,
      batch: [{ ...event, uuid, timestamp: '2025-12-24T18:00:00Z' }],
    })
    for (let time = 0; time < 2; time++) expect((await send(door, '/batch/', own)).status).toBe(200)
    const { results } = (await door.get(events)).body
    expect(results).toMatchObject([{ id: uuid, timestamp: '2025-12-24T18:00:00Z' }])
    expect(results).toHaveLength(1)
  })

  it.each([
    ['no token', JSON.stringify({ batch: [event] }), 401],
    ['no events', JSON.stringify({ api_key: token, batch: [] }), 400],
    [
      'an event without a name',
      JSON.stringify({ api_key: token, batch: [event, { distinct_id: 'ann' }] }),
      400,
    ],
    ['nobody', JSON.stringify({ api_key: token, batch: [{ event: 'paid' }] }), 400],
    ['neither JSON nor base64', 'what is this?', 400],
    ['broken gzip', Buffer.from([0x1f, 0x8b, 1, 2, 3]), 400],
    ['gzip that unfolds to too much', gzipSync(Buffer.alloc(30_000_000)), 413],
  ])('are refused with %s, whole', async (_, body, status) => {
    const door = await openDoor({ seed })
    expect((await send(door, '/batch/', body)).status).toBe(status)
    expect((await door.get(events)).body.results).toEqual([])
  })
})
