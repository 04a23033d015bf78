import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Profile, Quirks, WorldFile } from '../../src/sandbox/index.ts'
import { supportRole } from '../support/builders.ts'
import { grantedRoles } from '../support/granted-roles.ts'
import { type Service, startService } from '../support/service.ts'
import { aWorld, flagsPath, isWrite, organization } from '../support/workspace.ts'
import {
  type Config,
  type Kept,
  type Player,
  playTerraform,
  refusalOf,
  showDiagnostic,
} from '../terraform/resources/play.ts'

const definitions = '/api/projects/1/event_definitions'
const plugins = `/api/organizations/${organization}/plugins`
const at = (percent: number): Config => ({ release: [{ rollout_percentage: percent }] })
const checkout: Config = { key: 'checkout', name: 'Checkout', active: true, tags: ['shop'], ...at(10) }

const seed: WorldFile = aWorld(
  { event_definitions: [{ name: 'paid', tags: ['old'] }] },
  { roles: [{ id: supportRole, name: 'support' }] },
)

let service: Service
let terraform: Player
/** The bodies of the PATCHes that came in. */
let patches: Record<string, unknown>[]
/** What a colleague does just before the next PATCH goes in. */
let beforePatch: (() => Promise<unknown>) | undefined

async function start(quirks: Partial<Quirks> = {}, named: { profile?: Profile } = {}): Promise<void> {
  patches = []
  beforePatch = undefined
  service = await startService({ seed, quirks, ...named }, handle => async (request, connection) => {
    if (request.method !== 'PATCH') return handle(request, connection)
    const body = await request.text()
    patches.push(JSON.parse(body))
    const edit = beforePatch
    beforePatch = undefined
    await edit?.()
    return handle(new Request(request.url, { method: 'PATCH', headers: request.headers, body }), connection)
  })
  terraform = await playTerraform(service, named)
}

/** Starts the service of today in its place, which has versions, more fields and levels of roles. */
async function startToday(): Promise<void> {
  await terraform.provider.close()
  await service.close()
  await start({}, { profile: 'posthog-2026' })
}

beforeEach(() => start())
afterEach(async () => {
  await terraform.provider.close()
  await service.close()
})

/** Applies a configuration, and expects that nothing is left to do. */
async function settle(type: string, config: Config, kept: Kept | null = null): Promise<Kept> {
  const applied = await terraform.apply(type, config, kept)
  expect(await terraform.replan(type, config, applied)).toEqual([])
  return applied
}

/** What is only said in another way, such as typed conditions after an import, becomes so in the state alone. */
async function expectNothingWritten(type: string, config: Config, kept: Kept): Promise<void> {
  const { requests } = await service.watch(() => settle(type, config, kept))
  expect(requests.filter(isWrite)).toEqual([])
}

const flag = (kept: Kept) => service.get(`${flagsPath}/${kept.state.id}/`) as Promise<Record<string, unknown>>
const edit = (kept: Kept, body: object) => service.send('PATCH', `${flagsPath}/${kept.state.id}/`, body)

describe('a flag of Terraform', () => {
  it('is created, changed, put back, deleted, restored, renamed and imported', async () => {
    const made = await settle('feature_flag', checkout)
    const wider = { ...checkout, ...at(25), tags: ['shop', 'beta'] }
    const changed = await settle('feature_flag', wider, made)
    expect(await flag(changed)).toMatchObject({
      name: 'Checkout',
      tags: expect.arrayContaining(['beta', 'shop']),
    })

    await edit(changed, { name: 'By hand', active: false })
    expect(await terraform.replan('feature_flag', wider, changed)).toEqual(['active', 'name'])
    const read = await terraform.read('feature_flag', changed)
    const back = await settle('feature_flag', wider, read)
    expect(await flag(back)).toMatchObject({ name: 'Checkout', active: true })

    expect(await terraform.destroy('feature_flag', back)).toEqual([])
    expect(await flag(back)).toMatchObject({ deleted: true })
    const restored = await settle('feature_flag', checkout)
    expect(restored.state.id).toBe(back.state.id)
    expect(await flag(restored)).toMatchObject({ deleted: false, key: 'checkout', tags: ['shop'] })

    const renamed = await settle('feature_flag', { ...checkout, key: 'checkout_v2' }, restored)
    expect(renamed.state.id).toBe(back.state.id)
    const imported = await terraform.import('feature_flag', 'checkout_v2')
    await expectNothingWritten('feature_flag', { ...checkout, key: 'checkout_v2' }, imported)
  })

  it.each<[string, Config]>([
    ['says nothing but its key', { key: 'bare', active: false }],
    [
      'has typed conditions, variants and payloads',
      {
        key: 'typed',
        active: true,
        release: [
          {
            properties: [{ key: 'country', values: ['DE'], operator: 'exact', type: 'person' }],
            rollout_percentage: 40,
          },
        ],
        variants: [
          { key: 'a', rollout_percentage: 50, payload: '{"theme": "night"}' },
          { key: 'b', rollout_percentage: 50 },
        ],
      },
    ],
    [
      'has filters in JSON',
      {
        key: 'json',
        active: true,
        filters: '{"groups":[{"rollout_percentage":100,"properties":[]}],"payloads":{"true":{"limit":3}}}',
      },
    ],
    ['is for groups', { key: 'groups', active: true, group_type_index: 0, ...at(50) }],
  ])('that %s has no second diff, created or imported', async (_, config) => {
    await settle('feature_flag', config)
    const imported = await terraform.import('feature_flag', String(config.key))
    await expectNothingWritten('feature_flag', config, imported)
  })

  const later: Config = { key: 'later', active: false, archived: true, evaluation_runtime: 'server' }
  it('is refused with fields that the service has not', async () => {
    await settle('feature_flag', checkout)
    const apply = () => refusalOf(() => terraform.apply('feature_flag', later))
    const { result, requests } = await service.watch(apply)
    expect(result).toContain('but this service does not have this field')
    expect(requests.filter(isWrite)).toEqual([])
  })

  it('has the fields of today where the service has them', async () => {
    await startToday()
    const made = await settle('feature_flag', later)
    expect(await flag(made)).toMatchObject({ archived: true, evaluation_runtime: 'server' })
    const imported = await terraform.import('feature_flag', String(made.state.id))
    expect(await terraform.replan('feature_flag', later, imported)).toEqual([])
    const { archived: _put, evaluation_runtime: _away, ...silent } = later
    expect(await terraform.replan('feature_flag', silent, imported)).toEqual(['archived'])
    await settle('feature_flag', silent, imported)
    expect(await flag(made)).toMatchObject({ archived: false, evaluation_runtime: 'server' })
  })

  it('carries its version and what it was like, where the service has versions', async () => {
    await startToday()
    const made = await settle('feature_flag', checkout)
    const { version } = await flag(made)
    patches.length = 0
    await settle('feature_flag', { ...checkout, name: 'New' }, made)
    expect(patches).toEqual([{ name: 'New', version, original_flag: { name: 'Checkout' } }])
  })

  it('is left alone where a colleague changes it between the look and the write', async () => {
    await startToday()
    const made = await settle('feature_flag', checkout)
    const config = { ...checkout, name: 'Ours' }
    const planned = await terraform.plan('feature_flag', config, made)
    beforePatch = () => edit(made, { name: 'Theirs' })
    const { kept, diagnostics } = await terraform.carryOut('feature_flag', config, made, planned)
    expect(kept?.state.name).toBe('Checkout')
    expect(diagnostics.map(showDiagnostic)).toEqual([
      'error: cannot change flag "checkout" | It was changed after the plan was made. Nothing was written; plan again to see the current state.',
    ])
    expect(await flag(made)).toMatchObject({ name: 'Theirs' })
    expect(await terraform.replan('feature_flag', config, kept ?? made)).toEqual(['name'])
  })

  it('is refused before anything is written where it was changed after the plan', async () => {
    const made = await settle('feature_flag', checkout)
    const config = { ...checkout, name: 'Ours' }
    const planned = await terraform.plan('feature_flag', config, made)
    await edit(made, { name: 'Theirs' })
    patches.length = 0
    const { diagnostics } = await terraform.carryOut('feature_flag', config, made, planned)
    expect(diagnostics.map(({ summary }) => summary)).toEqual(['cannot change flag "checkout"'])
    expect(patches).toEqual([])
  })

  it('that waits for approval is told with the id of the request, and sent once', async () => {
    await service.close()
    await start({ approvals: 'required' })
    await service.send('POST', `${flagsPath}/`, { key: 'checkout', active: false, filters: { groups: [{}] } })
    const kept = await terraform.import('feature_flag', 'checkout')
    const config = { key: 'checkout', active: true }
    const asked = await service.watch(() => refusalOf(() => terraform.apply('feature_flag', config, kept)))
    expect(asked.requests.filter(isWrite)).toEqual([`PATCH ${flagsPath}/1`])
    expect(asked.result).toMatch(
      /^error: cannot change flag "checkout" \| .*change request 01900000-0000-0000-0000-000000000001/,
    )
    expect(asked.result).toContain('makes the change when a person approves that request; then plan again')
    expect(await flag(kept)).toMatchObject({ active: false })
  })
})

describe('a grant of Terraform', () => {
  const grantOn = (kept: Kept): Config => ({ feature_flag_id: kept.state.id ?? null, role_id: supportRole })

  it('is created, taken back by hand, made again, imported and destroyed', async () => {
    const granted = await settle('feature_flag', checkout)
    const id = String(granted.state.id)
    const grant = grantOn(granted)
    const made = await settle('feature_flag_role_access', grant)
    expect(await grantedRoles(service, id)).toEqual([supportRole])

    await service.send('DELETE', `${flagsPath}/${id}/role_access/1/`)
    expect(await terraform.replan('feature_flag_role_access', grant, made)).toEqual(['gone'])
    await settle('feature_flag_role_access', grant)
    await terraform.begin()
    expect(await refusalOf(() => terraform.apply('feature_flag_role_access', grant))).toContain(
      `terraform import vexil_feature_flag_role_access.NAME 1/${id}/${supportRole}`,
    )
    await settle('feature_flag_role_access', { ...grant, adopt: true })
    for (const name of [`checkout/${supportRole}`, `1/${id}/${supportRole.toUpperCase()}`]) {
      const imported = await terraform.import('feature_flag_role_access', name)
      expect(await terraform.replan('feature_flag_role_access', grant, imported)).toEqual([])
      if (name.startsWith('1/'))
        expect(await terraform.destroy('feature_flag_role_access', imported)).toEqual([])
    }
    expect(await grantedRoles(service, id)).toEqual([])
  })

  it('is refused with a level where the service has none', async () => {
    const granted = await settle('feature_flag', checkout)
    const grant = { ...grantOn(granted), access_level: 'viewer' }
    expect(await refusalOf(() => terraform.apply('feature_flag_role_access', grant))).toContain(
      'a level is declared, but this service has no levels',
    )
    expect(await grantedRoles(service, String(granted.state.id))).toEqual([])
  })

  it('has a level, where the service has levels', async () => {
    await startToday()
    const granted = await settle('feature_flag', checkout)
    const path = `${flagsPath}/${granted.state.id}/access_controls/`
    const level = async () => {
      const { access_controls: rows } = (await service.get(path)) as {
        access_controls: { role: string; access_level: string }[]
      }
      return rows.find(({ role }) => role === supportRole)?.access_level
    }
    const grant = { ...grantOn(granted), access_level: 'viewer' }
    const made = await settle('feature_flag_role_access', grant)
    expect(await level()).toBe('viewer')
    const higher = { ...grant, access_level: 'manager' }
    const changed = await settle('feature_flag_role_access', higher, made)
    expect([await level(), changed.state.id]).toEqual(['manager', made.state.id])

    await service.send('PUT', path, { role: supportRole, access_level: 'none' })
    expect(await terraform.replan('feature_flag_role_access', higher, changed)).toEqual(['access_level'])
    const read = await terraform.read('feature_flag_role_access', changed)
    expect(read?.state.access_level).toBe('none')
    const back = await settle('feature_flag_role_access', higher, read)
    expect(await level()).toBe('manager')

    const silent = grantOn(granted)
    expect(await terraform.replan('feature_flag_role_access', silent, back)).toEqual(['access_level'])
    const assumed = await settle('feature_flag_role_access', silent, back)
    expect(await level()).toBe('editor')
    const imported = await terraform.import('feature_flag_role_access', `checkout/${supportRole}`)
    expect(imported.state).toMatchObject({ access_level: 'editor', id: assumed.state.id })
    expect(await terraform.destroy('feature_flag_role_access', imported)).toEqual([])
    expect(await level()).toBeUndefined()
  })

  it('for a role that the service does not know underlines the role', async () => {
    const granted = await settle('feature_flag', checkout)
    const stranger = { ...grantOn(granted), role_id: '01900000-0000-0000-0000-00000000dead' }
    expect(await refusalOf(() => terraform.apply('feature_flag_role_access', stranger))).toMatch(
      /^error \[role_id\]: cannot create grant .*does_not_exist/,
    )
  })
})

describe('a plugin of Terraform', () => {
  it('is created with its files, changed, imported and destroyed', async () => {
    const source = { 'index.ts': 'export const one = 1' }
    const geoip = { name: 'geoip', plugin_type: 'source', description: 'Country', source }
    const made = await settle('plugin', geoip)
    const newer = { ...geoip, description: 'The country', source: { 'index.ts': 'export const two = 2' } }
    const changed = await settle('plugin', newer, made)
    expect(await service.get(`${plugins}/${changed.state.id}/source/`)).toEqual(newer.source)
    const imported = await terraform.import('plugin', 'geoip')
    expect(await terraform.replan('plugin', newer, imported)).toEqual([])
    expect(await terraform.destroy('plugin', imported)).toEqual([])
    expect(await service.get(`${plugins}/`)).toMatchObject({ results: [] })
  })
})

describe('an event definition of Terraform', () => {
  const now = async () =>
    ((await service.get(`${definitions}/`)) as { results: { tags: string[] }[] }).results

  it('is adopted, changed by hand, put back, imported, and restored when it is let go', async () => {
    const paid = { name: 'paid', tags: ['payments'], on_destroy: 'restore' }
    const made = await settle('event_definition', paid)
    await service.send('PATCH', `${definitions}/${made.state.id}/`, { tags: ['by hand'] })
    expect(await terraform.replan('event_definition', paid, made)).toEqual(['tags', 'tags_all'])
    const read = await terraform.read('event_definition', made)
    const back = await settle('event_definition', paid, read)
    const imported = await terraform.import('event_definition', 'paid')
    await expectNothingWritten('event_definition', paid, imported)
    expect(await terraform.destroy('event_definition', back)).toEqual([])
    expect(await now()).toMatchObject([{ tags: ['old'] }])
  })
})
