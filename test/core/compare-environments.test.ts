import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareEnvironments, liveObjects } from '../../src/core/compare-environments.ts'
import type { ComparedObject, NumbersByName } from '../../src/core/comparison.ts'
import { isSameField } from '../../src/core/diff.ts'
import { declarableKind } from '../../src/kinds/index.ts'
import type { JsonObject } from '../../src/model/text/json.ts'
import { everyoneAt } from '../support/builders.ts'
import { someFilters } from '../targeting/some-filters.ts'

function flag(key: string, fields: JsonObject, over: Partial<ComparedObject> = {}): ComparedObject {
  return { address: `feature_flag.${key}`, kind: 'feature_flag', state: 'present', fields, ...over }
}

function grant(role: string, fields: JsonObject = {}): ComparedObject {
  const kind = 'feature_flag_role_access'
  return { address: `${kind}.a:${role}`, kind, state: 'present', fields, parent: 'feature_flag.a' }
}

function pair(left: readonly ComparedObject[], right: readonly ComparedObject[]) {
  return compareEnvironments([
    { name: 'staging', objects: left },
    { name: 'production', objects: right },
  ]).rows
}

const on = (percent: number) => ({ active: true, filters: everyoneAt(percent) })

describe('compareEnvironments', () => {
  it('tells how one object differs, field by field, from the first environment to the other', () => {
    const rows = pair([flag('a', { ...on(100), name: 'A' })], [flag('a', { ...on(10), tags: ['x'] })])
    expect(rows).toEqual([
      {
        address: 'feature_flag.a',
        kind: 'feature_flag',
        verdict: 'differs',
        environments: {
          staging: { state: 'present', summary: 'on, 100%' },
          production: { state: 'present', summary: 'on, 10%' },
        },
        differences: [
          {
            from: 'staging',
            to: 'production',
            fields: ['filters', 'name', 'tags'],
            files: [],
            before: { filters: everyoneAt(100), name: 'A' },
            after: { filters: everyoneAt(10), tags: ['x'] },
            summary: [
              'condition 1  everyone  100% -> 10%',
              'in staging only:',
              '  description: "A"',
              'in production only:',
              '  tags +x',
            ],
          },
        ],
      },
    ])
  })

  it.each<[string, ComparedObject[], ComparedObject[], string]>([
    ['the same', [flag('a', on(5))], [flag('a', on(5))], 'equal'],
    [
      'the same, written otherwise',
      [flag('a', { filters: { groups: [{}] } })],
      [flag('a', { filters: everyoneAt(100) })],
      'equal',
    ],
    ['on and off', [flag('a', on(5))], [flag('a', { ...on(5), active: false })], 'differs'],
    ['not there', [flag('a', on(5))], [], 'only'],
    ['declared absent', [flag('a', on(5))], [flag('a', {}, { state: 'absent' })], 'only'],
    ['left alone', [flag('a', {}, { state: 'skipped' })], [flag('a', on(5))], 'only'],
    ['absent in both', [flag('a', {}, { state: 'absent' })], [flag('a', {}, { state: 'absent' })], 'equal'],
    ['absent in one, unknown to the other', [flag('a', {}, { state: 'absent' })], [], 'differs'],
    [
      'a field that one says nothing of, for everybody in the other',
      [flag('a', { active: true })],
      [flag('a', on(100))],
      'differs',
    ],
    [
      'a percentage that both leave to the service',
      [flag('a', on(5), { ignore: ['/filters/groups/0/rollout_percentage'] })],
      [flag('a', on(50), { ignore: ['/filters/groups/0/rollout_percentage'] })],
      'equal',
    ],
    [
      'a percentage that one leaves to the service',
      [flag('a', on(5), { ignore: ['/filters/groups/0/rollout_percentage'] })],
      [flag('a', on(50))],
      'differs',
    ],
    ['a grant without a level', [grant('support')], [grant('support', { access_level: 'editor' })], 'equal'],
    [
      'a grant with another level',
      [grant('support')],
      [grant('support', { access_level: 'viewer' })],
      'differs',
    ],
    [
      'source files',
      [flag('a', {}, { files: { 'index.ts': 'a\n' } })],
      [flag('a', {}, { files: { 'index.ts': 'b\n' } })],
      'differs',
    ],
  ])('judges %s', (_, left, right, verdict) => {
    const rows = pair(left, right)
    expect(rows.map(row => row.verdict)).toEqual([verdict])
    // A difference without a word would be a line that says nothing.
    for (const { differences } of rows) for (const { summary } of differences) expect(summary).not.toEqual([])
  })

  it('finds two flags equal exactly where a plan would', () => {
    const kind = declarableKind('feature_flag')
    fc.assert(
      fc.property(someFilters, someFilters, (left, right) => {
        const [row] = pair([flag('a', { filters: left })], [flag('a', { filters: right })])
        expect(row?.verdict).toBe(isSameField(kind, 'filters', left, right) ? 'equal' : 'differs')
        expect(row?.differences.every(({ summary }) => summary.length > 0)).toBe(true)
      }),
    )
  })

  it('compares each with the first that has the object', () => {
    const { rows } = compareEnvironments([
      { name: 'qa', objects: [] },
      { name: 'staging', objects: [flag('a', on(100))] },
      { name: 'production', objects: [flag('a', on(10))] },
    ])
    expect(rows[0]).toMatchObject({
      verdict: 'only',
      environments: { qa: { state: 'missing' } },
      differences: [{ from: 'staging', to: 'production' }],
    })
  })
})

describe('cohorts and types of groups', () => {
  const inCohort = (value: number) => ({ key: 'id', type: 'cohort', operator: 'in', value })
  const ofGroup = (index: number) => ({ key: 'plan', type: 'group', group_type_index: index, value: 'pro' })
  const filters = (cohort: number, group: number): JsonObject => ({
    groups: [
      { properties: [inCohort(cohort)], rollout_percentage: 10 },
      { properties: [ofGroup(group)], aggregation_group_type_index: group },
    ],
    payloads: { true: { group_type_index: 7, type: 'cohort', value: 7 } },
  })
  const verdictWith = (production: NumbersByName, staging: NumbersByName) => {
    const at = (name: string, numbers: NumbersByName, fields: JsonObject) => ({
      name,
      numbers,
      objects: [flag('a', fields)],
    })
    return compareEnvironments([
      at('staging', staging, { filters: filters(3, 0) }),
      at('production', production, { filters: filters(9, 1) }),
    ]).rows[0]
  }

  it('are the same where both environments call them the same', () => {
    const staging = { cohorts: { beta: 3 }, groupTypes: { company: 0, team: 1 } }
    const production = { cohorts: { beta: 9 }, groupTypes: { company: 1, team: 0 } }
    expect(verdictWith(production, staging)?.verdict).toBe('equal')
  })

  it.each<[string, NumbersByName]>([
    ['without names', {}],
    ['with other names', { cohorts: { alpha: 9 }, groupTypes: { team: 1 } }],
    ['with one of the names', { cohorts: { beta: 9 } }],
  ])('are others %s', (_, production) => {
    const staging = { cohorts: { beta: 3 }, groupTypes: { company: 0 } }
    const row = verdictWith(production, staging)
    expect(row?.verdict).toBe('differs')
    // Programs are given what each has, with its own numbers.
    expect(row?.differences[0]?.after).toEqual({ filters: filters(9, 1) })
    expect(row?.differences[0]?.summary.join()).not.toContain('company')
  })

  it('are told by the names that both environments have for types of groups', () => {
    const groupTypes = { company: 0, team: 1 }
    const row = verdictWith({ groupTypes }, { groupTypes })
    expect(row?.differences[0]?.summary).toContain('  counts groups of type company -> groups of type team')
  })
})

describe('liveObjects', () => {
  const live = { kind: 'feature_flag', identity: 'a', id: '1', fields: { active: true } }

  it('calls roles by the names of the settings, or by those that the service has', () => {
    const grants = [{ id: 'AA', name: 'Support Team' }, { id: 'bb', name: 'Growth' }, { id: 'cc' }]
    const objects = liveObjects([{ ...live, grants }], new Map([['aa', 'support']]))
    expect(objects.map(({ address }) => address)).toEqual([
      'feature_flag.a',
      'feature_flag_role_access.a:support',
      'feature_flag_role_access.a:Growth',
      'feature_flag_role_access.a:cc',
    ])
  })

  it('takes a field that only one service has for what it means where nobody says it', () => {
    const [today] = liveObjects([{ ...live, fields: { active: true, archived: false } }], new Map())
    const [before] = liveObjects([live], new Map())
    expect(pair([today as ComparedObject], [before as ComparedObject])).toMatchObject([{ verdict: 'equal' }])
  })

  it('numbers objects of one name by what they are, since their ids are others elsewhere', () => {
    const plugin = (id: string, identity: string, description: string) => ({
      kind: 'plugin',
      identity,
      id,
      fields: { description },
    })
    const staging = [plugin('1', 'geoip', 'b'), plugin('2', 'geoip', 'a'), plugin('3', 'geoip #2', 'c')]
    const production = [plugin('7', 'geoip #2', 'c'), plugin('8', 'geoip', 'a'), plugin('9', 'geoip', 'b')]
    const rows = pair(liveObjects(staging, new Map()), liveObjects(production, new Map()))
    expect(rows.map(({ address, verdict }) => [address, verdict])).toEqual([
      ['plugin.geoip', 'equal'],
      ['plugin.geoip #2', 'equal'],
      ['plugin.geoip #3', 'equal'],
    ])
  })
})
