import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyWorld, parseWorld, sampleWorld, WorldFileError } from '../../src/sandbox/index.ts'
import { type Door, definitions, events, flags, openDoor, plugins } from './door.ts'

const example = join(import.meta.dirname, '../../examples/sandbox/world.yaml')

function messagesOf(text: string): readonly string[] {
  try {
    parseWorld(text, 'w.yaml')
  } catch (error) {
    if (error instanceof WorldFileError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('a world file', () => {
  it('is the one in the examples, and everything in it can be asked for', async () => {
    const seed = parseWorld(await readFile(example, 'utf8'), example)
    const door = await openDoor({ seed })
    const organization = '/api/organizations/01900000-0000-0000-0000-000000000010'
    expect(door.sandbox.summary).toMatchObject({
      project: 1,
      projects: [1, 2],
      roles: [{ name: 'release' }, { name: 'support' }],
    })
    expect((await door.get(flags)).body.results).toMatchObject([
      { id: 1, key: 'sourdough', tags: ['menu'], created_by: { email: 'lin@example.com' } },
    ])
    expect((await door.get(`${flags}/2`)).body).toMatchObject({
      deleted: true,
      created_by: { email: 'sam@example.com' },
    })
    expect((await door.get(`${flags}/1/role_access`)).body.results).toMatchObject([
      { role: { name: 'support' } },
    ])
    expect((await door.get(`${flags}/my_flags`)).body[0].value).toBe(true)
    expect((await door.get(definitions)).body.results).toMatchObject([
      { name: '$pageview' },
      { name: 'order_placed', tags: ['orders'] },
    ])
    expect((await door.get(events)).body.count).toBe(3)
    expect((await door.get(`${organization}/plugins/1/source`)).body).toEqual({
      'index.ts': expect.stringContaining('processEvent'),
    })
  })

  it.each([
    [
      'users: 3',
      [
        "w.yaml:1:1 this file must have required property 'organizations'",
        'w.yaml:1:1 "users" must be array',
      ],
    ],
    ['', ['w.yaml:1:1 this file must be object']],
    ['organizations: []', ['w.yaml:1:1 "organizations" must NOT have fewer than 1 items']],
    [
      'organizations:\n  - name: A\n    projcts: []',
      ['w.yaml:3:5 "projcts" is not a member of "organizations/0"'],
    ],
    ['{"organizations": [{"name": 7}]}', ['w.yaml:1:21 "organizations/0/name" must be string']],
    ['organizations: [', [expect.stringMatching(/^w\.yaml:1:17 flow sequence/)]],
    [
      'organizations:\n  - { name: A, name: B }',
      [expect.stringMatching(/^w\.yaml:2:\d+ map keys must be unique/)],
    ],
    [
      'users: [{ email: a@b.de, roles: [chef] }, { email: a@b.de }]\norganizations: [{ name: A }]',
      ['w.yaml:1:34 there is no role "chef"', 'w.yaml:1:45 user "a@b.de" is there twice'],
    ],
    [
      `organizations:
  - name: A
    roles: [{ name: chef }, { name: chef }]
    projects:
      - name: P
        feature_flags:
          - { key: a, role_access: [waiter] }
          - { key: a, created_by: x@y.de }
      - { name: P, feature_flags: [{ key: a }] }`,
      [
        'w.yaml:3:31 role "chef" is there twice',
        'w.yaml:7:37 there is no role "waiter" in the organization',
        'w.yaml:8:15 flag "a" is there twice',
        'w.yaml:8:23 there is no user "x@y.de"',
      ],
    ],
    [
      `organizations:
  - name: A
    projects:
      - name: P
        api_token: phc_a
        group_types: [company, company]
        groups: [{ type: team, key: a }, { type: company, key: a }, { type: company, key: a }]
        persons: [{ distinct_ids: [ann] }]
        cohorts:
          - { id: 1, name: c }
          - { id: 1, name: d, persons: [bo] }
          - { name: d, persons: [ann] }
      - { name: Q, api_token: phc_a }`,
      [
        'w.yaml:6:32 group type "company" is there twice',
        'w.yaml:7:20 there is no group type "team" in the project',
        'w.yaml:7:86 group "a" is there twice',
        'w.yaml:10:13 cohort "c" needs either "properties" or "persons"',
        'w.yaml:11:15 cohort id "1" is there twice',
        'w.yaml:11:41 there is no person "bo"',
        'w.yaml:12:15 cohort "d" is there twice',
        'w.yaml:13:20 API token "phc_a" is there twice',
      ],
    ],
    [
      'organizations: [{ name: A, projects: [{ name: P, api_token: secret }] }]',
      [expect.stringMatching(/api_token" must match pattern/)],
    ],
  ])('%j is refused', (text, messages) => {
    expect(messagesOf(text)).toEqual(messages)
  })

  it('cannot be blown up by its aliases', () => {
    const lines = Array.from(
      { length: 12 },
      (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`)}]`,
    )
    expect(messagesOf(`a0: &a0 [x]\n${lines.join('\n')}`)).toEqual([
      'w.yaml:1:1 the aliases of this file expand to too much',
    ])
  })

  it('may choose ids, which are then not given to others', async () => {
    const seed = parseWorld(
      'organizations: [{ name: A, projects: [{ name: P, feature_flags: [{ key: a }, { key: b, id: 1 }] }] }]',
    )
    const door = await openDoor({ seed })
    const { results } = (await door.get(flags)).body
    expect(results.map(({ id, key }: { id: number; key: string }) => [id, key])).toEqual([
      [2, 'a'],
      [1, 'b'],
    ])
  })
})

describe('the worlds that come with the sandbox', () => {
  it('are empty but for a project and two roles', async () => {
    const door = await openDoor({ empty: true })
    for (const path of [flags, definitions, events, plugins])
      expect((await door.get(path)).body.count).toBe(0)
    expect(door.sandbox.summary).toMatchObject({
      project: 1,
      projects: [1],
      roles: [{ name: 'growth' }, { name: 'support' }],
    })
  })

  it('or hold a sample: two projects, people, events, plugins and three flags', async () => {
    const door = await openDoor({ empty: false })
    expect(door.sandbox.summary).toMatchObject({ project: 1, projects: [1, 2] })
    const count = async (path: string) => (await door.get(path)).body.count
    expect(await Promise.all([flags, events, plugins].map(count))).toEqual([2, 600, 2])
    const names = (await door.get(definitions)).body.results.map((row: { name: string }) => row.name)
    expect(names).toEqual(
      expect.arrayContaining(['checkout_paid', '$pageview', 'signed_up', 'newsletter_opened']),
    )
    expect((await door.get(`${flags}/2`)).body).toMatchObject({ key: 'old-search', deleted: true })
    expect(
      (await door.post(`${flags}/user_blast_radius`, { condition: { properties: [] } })).body.total_users,
    ).toBe(200)
  })

  it('are valid world files, and the same each time', async () => {
    for (const world of [emptyWorld, sampleWorld]) expect(parseWorld(JSON.stringify(world))).toEqual(world)
    const read = async (door: Door) => (await door.get(`${events}?limit=5`)).body
    const [one, other] = [await openDoor({ empty: false }), await openDoor({ empty: false })]
    expect(await read(one)).toEqual(await read(other))
  })

  it('hold null where the service does', async () => {
    const [only] = emptyWorld.organizations
    const nothing = {
      ensure_experience_continuity: null,
      rollback_conditions: null,
      performed_rollback: null,
    }
    const blank = { plugin_type: null, name: null, description: null, config_schema: null, public_jobs: null }
    const world = {
      organizations: [
        {
          ...only!,
          plugins: [blank],
          projects: [
            {
              name: 'P',
              feature_flags: [{ key: 'a', ...nothing, has_enriched_analytics: null, name: null, tags: null }],
              event_definitions: [{ name: 'paid', tags: null, last_seen_at: null }],
            },
          ],
        },
      ],
    }
    const door = await openDoor({ seed: parseWorld(JSON.stringify(world)) })
    expect((await door.get(`${flags}/1`)).body).toMatchObject({
      ...nothing,
      has_enriched_analytics: null,
      // These are never null there.
      name: '',
      tags: [],
    })
    expect((await door.get(plugins)).body.results).toMatchObject([blank])
    expect((await door.get(definitions)).body.results).toMatchObject([{ tags: [], last_seen_at: null }])
  })

  it('serve ten thousand flags page by page', async () => {
    const feature_flags = Array.from({ length: 10_000 }, (_, index) => ({ key: `flag-${index}` }))
    const [only] = emptyWorld.organizations
    const seed = { organizations: [{ ...only!, projects: [{ name: 'P', feature_flags }] }] }
    const door = await openDoor({ seed })
    const { body } = await door.get(`${flags}?limit=1000&offset=9500`)
    expect([body.count, body.next, body.results.length, body.results[0].key]).toEqual([
      10_000,
      null,
      500,
      'flag-499',
    ])
    expect((await door.post(flags, { key: 'flag-7777' })).body.code).toBe('unique')
  })
})
