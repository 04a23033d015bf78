import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/model/text/json.ts'
import { knownOperators, operators } from '../../../src/targeting/operators.ts'
import { events, expectError, openDoor, worldWith } from '../door.ts'

const uuid = (digit: number) => `01900000-0000-0000-0000-00000000000${digit}`
const seed = worldWith({
  group_types: ['company', 'team'],
  groups: [
    { type: 'company', key: 'acme', properties: { plan: 'pro', seats: 20 } },
    { type: 'company', key: 'solo', properties: { plan: 'free' } },
    { type: 'team', key: 'a', properties: { plan: 'pro' } },
  ],
  persons: [
    { distinct_ids: ['ann'], properties: { country: 'DE' } },
    { distinct_ids: ['bo'], properties: { country: 'FR' } },
  ],
  cohorts: [
    { id: 4, name: 'Germans', properties: { type: 'AND', values: [{ key: 'country', value: 'DE' }] } },
    { id: 5, name: 'Written down', persons: ['bo'] },
  ],
  events: [
    {
      id: uuid(1),
      event: 'clicked',
      distinct_id: 'ann',
      timestamp: '2025-12-01T10:00:00Z',
      properties: { $groups: { company: 'acme' }, at: 'Jan 5 2024' },
    },
    {
      id: uuid(2),
      event: 'clicked',
      distinct_id: 'bo',
      timestamp: '2025-12-02T10:00:00Z',
      properties: { $group_0: 'solo', $group_1: 'a' },
    },
    { id: uuid(3), event: 'left', distinct_id: 'cy', timestamp: '2025-12-03T10:00:00Z' },
  ],
})

async function asked(property: Json) {
  const door = await openDoor({ seed })
  return door.get(`${events}?properties=${encodeURIComponent(JSON.stringify([property]))}`)
}

/** The numbers of the events that meet a condition, the oldest first. */
async function found(property: Json): Promise<readonly number[]> {
  const { status, body } = await asked(property)
  expect(status).toBe(200)
  return body.results.map(({ id }: { id: string }) => Number(id.at(-1))).reverse()
}

const group = (more: Record<string, Json>) => ({ type: 'group', group_type_index: 0, ...more })

describe('events by their properties', () => {
  it.each<[Record<string, Json>, readonly number[]]>([
    [group({ key: 'plan', value: 'pro' }), [1]],
    [group({ key: 'plan', value: ['pro', 'free'] }), [1, 2]],
    [group({ key: 'seats', operator: 'gte', value: '20' }), [1]],
    [group({ key: 'plan', value: 'pro', group_type_index: 1 }), [2]],
    [group({ key: 'plan', operator: 'is_not_set' }), [3]],
    [{ type: 'cohort', key: 'id', value: 4 }, [1]],
    [{ type: 'cohort', key: 'id', value: 4, operator: 'not_in' }, [2]],
    [{ type: 'cohort', key: 'id', value: 5 }, [2]],
    [{ type: 'static-cohort', key: 'id', value: 5 }, [2]],
    [{ type: 'hogql', key: "event = 'left'" }, [3]],
    [{ type: 'hogql', key: "person.properties.country != 'DE'" }, [2, 3]],
    [{ key: 'at', operator: 'is_date_before', value: '2024-02-01' }, [1]],
    [{ type: 'person', key: 'country', operator: 'regex', value: '^\\w+$' }, [1, 2]],
    [
      {
        type: 'OR',
        values: [group({ key: 'plan', value: 'free' }), { type: 'hogql', key: "event == 'left'" }],
      },
      [2, 3],
    ],
  ])('%j finds %j', async (property, expected) => {
    expect(await found(property)).toEqual(expected)
  })

  it.each<Record<string, Json>>([
    { key: 'at', operator: 'same_as', value: 'x' },
    { key: 'at', operator: 'semver_gt', value: '1.0.0' },
    { key: 'at', operator: 5, value: 'x' },
    { key: 'at', operator: 'regex', value: '(?=a)' },
    { key: 'at', operator: 'regex', value: '[' },
    { key: 'at', operator: 'is_date_before', value: 'soon' },
    group({ key: 'plan', value: 'pro', group_type_index: 4 }),
    { type: 'cohort', key: 'id', value: 99 },
    { type: 'hogql', key: 'count()' },
    { type: 'hogql' },
    { type: 'session', key: 'x', value: 'y' },
    { type: 'element', key: 'tag_name', value: 'button' },
  ])('%j is refused, and not answered with nothing', async property => {
    expectError(await asked(property), 400, 'validation_error', 'invalid_input', 'properties')
  })

  it('answers every operator that it works out, and refuses all others', async () => {
    const operator = fc.oneof(fc.constantFrom(...Object.keys(knownOperators)), fc.string({ minLength: 1 }))
    const type = fc.constantFrom('event', 'person', 'group')
    await fc.assert(
      fc.asyncProperty(operator, type, async (name, of) => {
        const value = name.startsWith('is_date') ? '2024-01-01' : '1'
        const { status } = await asked({ key: 'text', type: of, group_type_index: 0, operator: name, value })
        expect(status).toBe(Object.hasOwn(operators, name) ? 200 : 400)
      }),
    )
  })
})
