import { afterEach, describe, expect, it } from 'vitest'
import { type Service, startService } from '../../support/service.ts'
import { type Config, playTerraform, refusalOf } from './play.ts'

let service: Service
afterEach(() => service.close())

describe('a flag that the key may not edit', () => {
  async function held() {
    service = await startService({
      seed: {
        organizations: [
          {
            name: 'Example',
            projects: [{ id: 1, name: 'P', feature_flags: [{ id: 7, key: 'held', can_edit: false }] }],
          },
        ],
      },
    })
    const terraform = await playTerraform(service)
    return { terraform, kept: await terraform.import('feature_flag', 'held') }
  }

  const trail = 'GET /api/projects/1/feature_flags/activity'

  it.each<[string, Config, readonly string[]]>([
    ['changed', { key: 'held', active: false }, []],
    ['renamed', { key: 'theirs' }, [trail]],
    ['both', { key: 'theirs', active: false }, [trail]],
  ])('is not %s, and nothing is sent', async (_, config, first) => {
    const { terraform, kept } = await held()
    const { result, requests } = await service.watch(() =>
      refusalOf(() => terraform.apply('feature_flag', config, kept)),
    )
    expect(result).toBe(
      'error [allow]: flag "held" was not changed: the service reports that this key may not edit it | Solve that first, or add "can_edit" to `allow`.',
    )
    expect(requests).toEqual([...first, 'GET /api/projects/1/feature_flags/7'])
  })

  it('is renamed once that is allowed, as far as the service lets it', async () => {
    const { terraform, kept } = await held()
    const { result, requests } = await service.watch(() =>
      refusalOf(() => terraform.apply('feature_flag', { key: 'theirs', allow: ['can_edit'] }, kept)),
    )
    expect(result).toContain('was refused with 403')
    expect(requests).toEqual([
      trail,
      'GET /api/projects/1/feature_flags/7',
      'PATCH /api/projects/1/feature_flags/7',
    ])
  })
})

describe('a plugin whose source files the service does not show', () => {
  const plugin = '/api/organizations/01900000-0000-0000-0000-000000000001/plugins/1'
  const geoip: Config = { name: 'GeoIP', plugin_type: 'source', source: { 'index.ts': 'old' } }
  const rewritten: Config = { ...geoip, source: { 'index.ts': 'new' } }

  async function made() {
    // As the interface document has it, which names the plugin in place of its files.
    service = await startService(
      {},
      handle => async request =>
        new URL(request.url).pathname.includes('/source') && request.method === 'GET'
          ? Response.json({ id: 1, name: 'GeoIP', config_schema: {} })
          : handle(request),
    )
    const terraform = await playTerraform(service)
    const kept = await terraform.apply('plugin', geoip)
    const writesOf = async (config: Config) => {
      const { requests } = await service.watch(() => terraform.apply('plugin', config, kept))
      return requests.filter(line => !line.startsWith('GET'))
    }
    return { terraform, kept, writesOf }
  }

  it.each<[string, Config]>([
    ['they change', rewritten],
    ['they change beside something else', { ...rewritten, description: 'Adds the country' }],
  ])('is left alone where %s', async (_, config) => {
    const { terraform, kept } = await made()
    const { result, requests } = await service.watch(() =>
      refusalOf(() => terraform.apply('plugin', config, kept)),
    )
    expect(result).toBe(
      'error [allow]: plugin "GeoIP" was not changed: its source files cannot be compared: the service does not show them | Solve that first, or add "source_unreadable" to `allow`, or to the provider\'s `allow` for all objects.',
    )
    expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
  })

  it('gets new ones once that is allowed', async () => {
    const { writesOf } = await made()
    const allowed = { ...rewritten, allow: ['source_unreadable'] }
    expect(await writesOf(allowed)).toEqual([`PATCH ${plugin}/update_source`])
  })

  it('is changed in other ways, and they are not written again', async () => {
    const { writesOf } = await made()
    expect(await writesOf({ ...geoip, description: 'Adds the country' })).toEqual([`PATCH ${plugin}`])
  })
})
