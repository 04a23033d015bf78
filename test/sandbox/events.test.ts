import { describe, expect, it } from 'vitest'
import { type Door, events, expectError, openDoor, project, worldWith } from './door.ts'

const uuid = (digit: number) => `01900000-0000-0000-0000-00000000000${digit}`
const seed = worldWith({
  persons: [
    { distinct_ids: ['ada', 'ada-phone'], properties: { email: 'ada@example.com', plan: 'plus' } },
    { distinct_ids: ['kim'], properties: { plan: 'free' } },
  ],
  events: [
    {
      id: uuid(1),
      event: 'paid',
      distinct_id: 'ada',
      timestamp: '2025-12-01T10:00:00Z',
      properties: { amount: 10, $browser: 'Firefox' },
    },
    {
      id: uuid(2),
      event: 'paid',
      distinct_id: 'kim',
      timestamp: '2025-12-02T10:00:00Z',
      properties: { amount: 25, note: 'a "quoted", text' },
    },
    {
      id: uuid(3),
      event: '$pageview',
      distinct_id: 'ada-phone',
      timestamp: '2025-12-30T10:00:00Z',
      properties: { $browser: 'Safari' },
    },
    { id: uuid(4), event: 'left', distinct_id: '77', timestamp: '2025-12-31T10:00:00Z' },
  ],
})

async function found(query: string): Promise<readonly number[]> {
  const door = await openDoor({ seed })
  const { status, body } = await door.get(`${events}${query}`)
  expect(status).toBe(200)
  return idsOf(body)
}

function idsOf(body: { results: readonly { id: string }[] }): readonly number[] {
  return body.results.map(({ id }) => Number(id.at(-1)))
}

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))

describe('the list of events', () => {
  it.each([
    ['', [4, 3, 2, 1]],
    ['?orderBy=["timestamp"]', [1, 2, 3, 4]],
    ['?after=2025-12-01T10:00:00Z', [4, 3, 2]],
    ['?before=2025-12-02T10:00:00Z', [1]],
    ['?after=-7d', [4, 3]],
    ['?before=-29d', [2, 1]],
    ['?after=2025-12-01T12:00:00Z&before=-1d', [3, 2]],
    ['?distinct_id=77', [4]],
    ['?distinct_id=ada', [1]],
    ['?event=paid', [2, 1]],
    ['?person_id=1', [3, 1]],
    ['?person_id=2', [2]],
    ['?person_id=99', []],
    [`?properties=${json([{ key: '$browser', value: 'Firefox', type: 'event' }])}`, [1]],
    [`?properties=${json([{ key: 'amount', operator: 'gt', value: '10' }])}`, [2]],
    [`?properties=${json([{ key: '$browser', operator: 'is_not_set' }])}`, [4, 2]],
    [`?properties=${json([{ key: 'plan', value: ['plus'], type: 'person' }])}`, [3, 1]],
    [`?properties=${json({ key: 'plan', value: 'free', type: 'person' })}`, [2]],
    [
      `?properties=${json({
        type: 'OR',
        values: [
          { key: 'amount', value: 25 },
          { key: '$browser', value: 'Safari' },
        ],
      })}`,
      [3, 2],
    ],
    [
      `?properties=${json({
        type: 'AND',
        values: [
          { key: 'amount', operator: 'is_set' },
          { key: 'plan', value: 'plus', type: 'person' },
        ],
      })}`,
      [1],
    ],
    [`?where=${json(["event = 'paid'"])}`, [2, 1]],
    [`?where=${json(['properties.amount >= 25'])}`, [2]],
    [`?where=${json(["properties.$browser != 'Safari'", "event == 'paid'"])}`, [2, 1]],
    [`?where=${json(["person.properties.email = 'ada@example.com'"])}`, [3, 1]],
    [`?where=${encodeURIComponent("distinct_id = 'kim'")}`, [2]],
    [`?where=${json(['properties.$browser = null', "timestamp < '2025-12-31'"])}`, [2]],
    ['?limit=2', [4, 3]],
    ['?limit=2&offset=3', [1]],
  ])('answers "%s"', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  it('knows a person by UUID, and the members of a cohort', async () => {
    const door = await openDoor({ seed })
    await door.post(`${project}/feature_flags`, {
      key: 'a',
      filters: { groups: [{ properties: [{ key: 'plan', value: 'plus', type: 'person' }] }] },
    })
    await door.post(`${project}/feature_flags/1/create_static_cohort_for_flag`)
    const cohort = await door.get(`${events}?properties=${json([{ key: 'id', type: 'cohort', value: 1 }])}`)
    expect(idsOf(cohort.body)).toEqual([3, 1])
    expect((await door.get(`${events}?person_id=${uuid(9)}`)).body.results).toEqual([])
  })

  it('answers texts only, in the documented envelope', async () => {
    const door = await openDoor({ seed })
    expect((await door.get(`${events}?limit=1&offset=3`)).body).toEqual({
      count: 4,
      next: null,
      previous: 'http://sandbox.test/api/projects/1/events?limit=1&offset=2',
      results: [
        {
          id: uuid(1),
          distinct_id: 'ada',
          properties: '{"amount":10,"$browser":"Firefox"}',
          event: 'paid',
          timestamp: '2025-12-01T10:00:00Z',
          person: '{"is_identified":true,"distinct_ids":["ada"],"properties":{"email":"ada@example.com"}}',
          elements: '[]',
          elements_chain: '',
        },
      ],
    })
  })

  it('answers the selected expressions', async () => {
    const door = await openDoor({ seed })
    const select = ['event', 'properties.amount', 'person.properties.email', 'uuid']
    const { body } = await door.get(`${events}?event=paid&select=${json(select)}`)
    expect(body).toMatchObject({
      count: 2,
      columns: select,
      results: [
        ['paid', 25, null, uuid(2)],
        ['paid', 10, 'ada@example.com', uuid(1)],
      ],
    })
    const repeated = await door.get(`${events}?event=left&select=event&select=distinct_id`)
    expect(repeated.body.results).toEqual([['left', '77']])
  })

  it.each([
    ['after=soon', 'after'],
    ['before=soon', 'before'],
    ['properties=plan', 'properties'],
    [`properties=${json(['plan'])}`, 'properties'],
    [`properties=${json([{ key: 'a', type: 'session', value: 1 }])}`, 'properties'],
    [`select=${json(['count()'])}`, 'select'],
    [`select=${json(['secret'])}`, 'select'],
    [`where=${json(['event'])}`, 'where'],
    [`where=${json(['1 = 1'])}`, 'where'],
    [`where=${json(["event = 'a' or 1=1"])}`, 'where'],
    [`where=${json([7])}`, 'where'],
  ])('refuses %s', async (query, attr) => {
    const door = await openDoor({ seed })
    expectError(await door.get(`${events}?${query}`), 400, 'validation_error', 'invalid_input', attr)
  })
})

describe('events as comma-separated text', () => {
  async function csv(door: Door, path: string): Promise<string> {
    const { status, body, headers } = await door.get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    return body
  }

  it('are rows without an envelope', async () => {
    const door = await openDoor({ seed })
    const columns = 'id,distinct_id,properties,event,timestamp,person,elements,elements_chain'
    expect(await csv(door, `${events}?format=csv&distinct_id=77`)).toBe(
      `${columns}\r\n${uuid(4)},77,{},left,2025-12-31T10:00:00Z,,[],\r\n`,
    )
    expect(await csv(door, `${events}/${uuid(4)}?format=csv`)).toContain(`${uuid(4)},77`)
    expect(await csv(door, `${events}?format=csv&event=none`)).toBe('')
  })

  it('quote what needs it, and take select', async () => {
    const door = await openDoor({ seed })
    const select = json(['event', 'properties.note'])
    expect(await csv(door, `${events}?format=csv&event=paid&select=${select}`)).toBe(
      'event,properties.note\r\npaid,"a ""quoted"", text"\r\npaid,\r\n',
    )
    expect(await csv(door, `${events}/values?format=csv&key=amount`)).toBe('name\r\n10\r\n25\r\n')
  })
})

describe('one event and its values', () => {
  it('is read by its id', async () => {
    const door = await openDoor({ seed })
    expect((await door.get(`${events}/${uuid(2)}`)).body).toMatchObject({ id: uuid(2), event: 'paid' })
  })

  it.each([
    ['', []],
    ['?key=$browser', ['Firefox', 'Safari']],
    ['?key=$browser&value=fire', ['Firefox']],
    ['?key=$browser&event_name=$pageview', ['Safari']],
    ['?key=amount', ['10', '25']],
    ['?key=custom_event', ['left', 'paid']],
    ['?key=unknown', []],
  ])('are seen for "%s"', async (query, expected) => {
    const door = await openDoor({ seed })
    expect((await door.get(`${events}/values${query}`)).body).toEqual(expected.map(name => ({ name })))
  })
})
