import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../../support/service.ts'
import { type Config, type Player, playTerraform, refusalOf } from './play.ts'

const organization = '01900000-0000-0000-0000-000000000001'
const support = '01900000-0000-0000-0000-0000000000aa'
const half = { groups: [{ properties: [], rollout_percentage: 50 }] }

let service: Service
let terraform: Player

beforeAll(async () => {
  service = await startService({
    seed: {
      organizations: [
        {
          id: organization,
          name: 'Example',
          roles: [{ id: support, name: 'support' }],
          projects: [
            {
              id: 1,
              name: 'P',
              feature_flags: [
                {
                  id: 7,
                  key: 'checkout',
                  name: 'New checkout',
                  filters: half,
                  tags: ['web'],
                  role_access: ['support'],
                },
                { id: 8, key: 'banner', filters: half, tags: ['web', 'ops'], active: false },
                { id: 9, key: 'search', filters: half },
              ],
              event_definitions: [{ name: 'checkout_paid', tags: ['payments'] }, { name: 'opened' }],
              persons: [{ distinct_ids: ['person-1'] }],
              events: [
                {
                  event: 'opened',
                  distinct_id: 'person-1',
                  timestamp: '2026-01-01T10:00:00Z',
                  properties: { a: 1 },
                },
                { event: 'checkout_paid', distinct_id: 'person-1', timestamp: '2026-01-01T11:00:00Z' },
                { event: 'opened', distinct_id: 'person-1', timestamp: '2026-01-01T12:00:00Z' },
              ],
            },
          ],
          plugins: [{ id: 3, name: 'GeoIP', plugin_type: 'source' }],
        },
      ],
    },
  })
  terraform = await playTerraform(service)
})
afterAll(() => service.close())

// The rows of a data source are objects, and what is asked of each is one attribute.
const column = (state: Config, list: string, name: string) => (state[list] as Config[]).map(row => row[name])

describe('a data source of one object', () => {
  it.each<[string, Config, Config]>([
    ['feature_flag', { key: 'checkout' }, { id: '7', name: 'New checkout', active: true, tags: ['web'] }],
    ['feature_flag', { id: '8' }, { key: 'banner', active: false }],
    ['plugin', { name: 'GeoIP' }, { id: '3', plugin_type: 'source' }],
    ['plugin', { id: '3' }, { name: 'GeoIP' }],
    ['event_definition', { name: 'checkout_paid' }, { tags: ['payments'] }],
  ])('%s by %o', async (type, config, shown) => {
    expect(await terraform.data(type, config)).toMatchObject(shown)
  })

  it.each<[string, Config, string]>([
    ['feature_flag', { key: 'nowhere' }, 'error [key]: there is no flag "nowhere"'],
    ['feature_flag', { id: '404' }, 'error [id]: there is no flag with the id "404"'],
    ['feature_flag', {}, 'error [key]: neither `id` nor `key` is set'],
    ['feature_flag_role_access', { flag_key: 'nowhere' }, 'error [flag_key]: there is no flag "nowhere"'],
    ['feature_flag_activity', { feature_flag_id: '404' }, 'error: cannot read flags'],
    [
      'feature_flag',
      { key: 'banner', id: '7' },
      'error [key]: the flag with the id "7" has the name "checkout", not "banner" | Set only one of `id` and `key`.',
    ],
    [
      'plugin',
      { name: 'Geo', id: '3' },
      'error [name]: the plugin with the id "3" has the name "GeoIP", not "Geo" | Set only one of `id` and `name`.',
    ],
    [
      'feature_flag_role_access',
      { flag_key: 'banner', feature_flag_id: '7' },
      'error [flag_key]: the flag "banner" has the id "8", not "7" | Set only one of `feature_flag_id` and `flag_key`.',
    ],
    [
      'feature_flag',
      { key: 'checkout', project_id: '' },
      "error [project_id]: `project_id` is empty | Remove it, or set it to null, to use the provider's project.",
    ],
    ['plugin', {}, 'error [name]: neither `id` nor `name` is set | Set one of them.'],
    [
      'feature_flag_role_access',
      {},
      'error [feature_flag_id]: neither `feature_flag_id` nor `flag_key` is set | Set one of them.',
    ],
    ['events', { properties: '[' }, 'error [properties]: `properties` is not JSON'],
  ])('%s with %o says what is wrong', async (type, config, said) => {
    expect(await refusalOf(() => terraform.data(type, config))).toContain(said)
  })
})

describe('a data source with both of the names that it takes', () => {
  it.each<[string, Config]>([
    ['feature_flag', { key: 'checkout', id: '7' }],
    ['plugin', { name: 'GeoIP', id: '3' }],
    ['feature_flag_role_access', { flag_key: 'checkout', feature_flag_id: '7' }],
  ])('%s %o is read where they agree', async (type, config) => {
    expect(await terraform.data(type, config)).toMatchObject(config)
  })
})

describe('a data source of several objects', () => {
  it.each<[Config, string[]]>([
    [{}, ['banner', 'checkout', 'search']],
    [{ active: true }, ['checkout', 'search']],
    [{ tags: ['WEB'] }, ['banner', 'checkout']],
    [{ tags: ['web', 'ops'] }, ['banner']],
    [{ search: 'NEW' }, ['checkout']],
    [{ search: 'nothing' }, []],
  ])('feature_flags with %o', async (config, keys) => {
    expect(column(await terraform.data('feature_flags', config), 'feature_flags', 'key')).toEqual(keys)
  })

  it('feature_flag_role_access names the roles of a flag, by key or by id', async () => {
    const grants = [expect.objectContaining({ id: '1', role_id: support, role_name: 'support' })]
    const byKey = await terraform.data('feature_flag_role_access', { flag_key: 'checkout' })
    expect(byKey.feature_flag_role_access).toEqual(grants)
    const byId = await terraform.data('feature_flag_role_access', { feature_flag_id: '7' })
    expect(byId.feature_flag_role_access).toEqual(grants)
  })

  it('plugins and event_definitions', async () => {
    expect(column(await terraform.data('plugins', {}), 'plugins', 'name')).toEqual(['GeoIP'])
    const definitions = await terraform.data('event_definitions', { tags: ['payments'] })
    expect(column(definitions, 'event_definitions', 'name')).toEqual(['checkout_paid'])
  })
})

describe('events', () => {
  it.each<[Config, string[]]>([
    [{}, ['opened', 'checkout_paid', 'opened']],
    [{ event: 'opened' }, ['opened', 'opened']],
    [{ after: '2026-01-01T10:30:00Z' }, ['opened', 'checkout_paid']],
    [{ before: '2026-01-01T10:30:00Z' }, ['opened']],
    [{ limit: 1, offset: 1 }, ['checkout_paid']],
    [{ distinct_id: 'person-1', person_id: '1', limit: 2 }, ['opened', 'checkout_paid']],
    [{ properties: JSON.stringify([{ key: 'a', value: 1 }]) }, ['opened']],
  ])('with %o', async (config, names) => {
    expect(column(await terraform.data('events', config), 'events', 'event')).toEqual(names)
  })

  it('as CSV are the body', async () => {
    const { body, events } = await terraform.data('events', { format: 'csv', limit: 1 })
    expect(String(body).split('\n')[0]).toContain('event')
    expect(events).toEqual([])
  })

  it('with a select are tuples in the body', async () => {
    const { body } = await terraform.data('events', {
      select: '["event"]',
      where: `["event = 'checkout_paid'"]`,
    })
    expect(JSON.parse(String(body))).toMatchObject({ results: [['checkout_paid']] })
  })

  it('can be read one by one', async () => {
    const { events } = await terraform.data('events', { limit: 1 })
    const id = (events as Config[])[0]?.id
    const { body } = await terraform.data('event', { event_id: id ?? null })
    expect(JSON.parse(String(body))).toMatchObject({ id, event: 'opened' })
  })
})

describe('an operation of the interface', () => {
  it.each<[string, Config, string, unknown]>([
    ['local_evaluation', {}, 'checkout', undefined],
    ['evaluation_reasons', {}, 'checkout', undefined],
    ['my_flags', {}, 'checkout', undefined],
    ['feature_flag_activity', {}, 'results', undefined],
    ['feature_flag_activity', { feature_flag_id: '7' }, 'results', undefined],
    ['organization_feature_flag', { key: 'checkout' }, '"flag_id":7', undefined],
    ['unused_plugins', {}, '3', undefined],
    ['plugin_source', { plugin_id: '3' }, '{', undefined],
    ['plugin_activity', {}, 'results', undefined],
    ['plugin_repository', {}, '[', undefined],
    ['event_values', {}, '[', undefined],
  ])('%s with %o answers as it came', async (type, config, part) => {
    expect(String((await terraform.data(type, config)).body)).toContain(part)
  })

  it('that a service no longer has is said to be gone, whatever ids were given', async () => {
    const today = await startService({ profile: 'posthog-2026' })
    const player = await playTerraform(today)
    const said = await refusalOf(() => player.data('local_evaluation', {}))
    expect(said).toContain('no such list inside a project')
    await today.close()
  })

  it('asks for as much of the trail of all flags as it was told to, whoever read it before', async () => {
    for (let edit = 0; edit < 12; edit++)
      await service.send('PATCH', '/api/projects/1/feature_flags/7', { name: `Edit ${edit}` })
    const rowsOf = async (query: Record<string, string>) => {
      const { body } = await terraform.data('feature_flag_activity', { query })
      return (JSON.parse(String(body)) as { results: readonly unknown[] }).results.length
    }
    await terraform.plan('feature_flag', { key: 'new', active: true }, null)
    expect([await rowsOf({}), await rowsOf({ limit: '3' }), await rowsOf({ limit: '5', page: '2' })]).toEqual(
      [10, 3, 5],
    )
  })
})
