import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { JsonObject } from '../../src/model/text/json.ts'
import { completed } from '../support/builders.ts'
import { startService } from '../support/service.ts'
import {
  anOrganization,
  flagsPath,
  isWrite,
  organization,
  useWorkspace,
  writeTwoEnvironments,
} from '../support/workspace.ts'

const support = '01900000-0000-0000-0000-0000000000aa'
const growth = '01900000-0000-0000-0000-0000000000bb'

const world = anOrganization({
  roles: [
    { id: support, name: 'Support Team' },
    { id: growth, name: 'Growth' },
  ],
  plugins: [
    {
      name: 'Country of an event',
      plugin_type: 'source',
      source: { 'index.ts': 'export {}\n', 'plugin.json': '{}\n' },
    },
  ],
  projects: [
    {
      id: 1,
      name: 'Production',
      event_definitions: [{ name: 'paid', tags: ['money'] }],
      feature_flags: [
        {
          key: 'checkout',
          name: 'New checkout',
          tags: ['shop'],
          role_access: ['Support Team', 'Growth'],
        },
        { key: 'gone', deleted: true },
      ],
    },
  ],
})

const settings = `version: 1\nroles: { support: ${support} }\n`
const rolesNote = `roles without a name in vexil.yaml are written as UUIDs; to get names, add roles: { "Growth": ${growth} } there before the export`
const pluginsPath = `/api/organizations/${organization}/plugins/`
const otherOrganization = '01900000-0000-0000-0000-000000000002'
const workspace = useWorkspace({ 'vexil.yaml': settings, 'repository/vexil.yaml': settings }, { seed: world })
const { vexil } = workspace
const { write, read, list } = workspace

describe('vexil export', () => {
  it('takes a folder or --json, and says that both at once mean nothing', async () => {
    const { code, stderr } = await vexil('export --json -d live')
    expect({ code, stderr }).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('cannot be used with'),
    })
    expect(await list('live')).toEqual([])
  })

  it('writes the live state as YAML that plans nothing, in the names that the settings give to roles', async () => {
    const { service } = workspace()
    const { result, requests } = await service.watch(() => vexil('export'))
    expect(requests.filter(isWrite)).toEqual([])
    expect(result.code).toBe(0)
    expect(result.stdout.match(/yaml-language-server/g)).toHaveLength(1)
    expect(result.stdout).toContain(`role_access: [${growth}, support]`)
    expect(result.stdout).not.toContain('gone')
    expect(result.stderr).toBe(`${rolesNote}\n`)

    await vexil('export -d live')
    // In one stream the sources of plugins stand in the YAML itself.
    await write({
      'live/vexil.yaml': settings,
      'stream/vexil.yaml': settings,
      'stream/all.yaml': result.stdout,
    })
    for (const folder of ['live', 'stream'])
      expect(await vexil(`plan -C ${folder} --detailed-exitcode --prune all`)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('0 blocked, 5 unchanged'),
      })
  })

  it('writes roles by the names that it has told to be given', async () => {
    await write({ 'vexil.yaml': `version: 1\nroles: { support: ${support}, "Growth": ${growth} }\n` })
    const { stdout, stderr } = await vexil('export')
    expect(stdout).toContain('role_access: [Growth, support]')
    expect(stderr).toBe('')
  })

  it('writes files with -d, the sources of plugins too, and overwrites nothing', async () => {
    const { path } = workspace()
    const written = await vexil('export -d ../elsewhere', { directory: join(path, 'repository') })
    const files = written.stdout.split('\n').map(line => line.replace(`wrote ${path}/elsewhere/`, ''))
    expect(written).toMatchObject({
      code: 0,
      stderr: `${files.length - 1} files written; copy them into your repository and run vexil plan\n${rolesNote}\n`,
    })
    const source = files.find(file => file.endsWith('/index.ts')) ?? ''
    expect(await read(`elsewhere/${source}`)).toBe('export {}\n')
    const before = await list('elsewhere')

    const again = await vexil('export -d ../elsewhere', { directory: join(path, 'repository') })
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toMatch(/^vexil: ".*" already exists; choose an empty folder\n$/)
    expect(await list('elsewhere')).toEqual(before)

    const [, second = ''] = files
    await write({ [`half/${second}`]: 'mine' })
    expect((await vexil('export -d ../half', { directory: join(path, 'repository') })).code).toBe(1)
    expect(await read(`half/${second}`)).toBe('mine')
    expect(await list('half')).toEqual([second.split('/')[0]])
  })

  it('leaves grants out with --no-grants, and asks for none', async () => {
    const { service } = workspace()
    const { result, requests } = await service.watch(() => vexil('export --no-grants'))
    expect(result.stdout).not.toContain('role_access')
    expect(requests.filter(line => line.includes('role_access'))).toEqual([])
  })

  it('takes the kinds that it is told', async () => {
    const { stdout } = await vexil('export --kind event_definition')
    expect(stdout).toMatch(/\nevent_definitions:\n {2}paid:\n {4}tags: \[money\]\n$/)
    expect(stdout).not.toContain('feature_flags')
    expect(await vexil('export --kind feature_flags')).toEqual({
      code: 64,
      stdout: '',
      stderr: 'vexil: "feature_flags" cannot be exported; did you mean "feature_flag"?\n',
    })
  })

  it('gives the objects with --json', async () => {
    const { objects, ...head } = JSON.parse((await vexil('export --json')).stdout)
    expect(head).toEqual({ format_version: '1.0', exit_code: 0 })
    expect(objects.map(({ kind, identity }: Record<string, unknown>) => `${kind} ${identity}`)).toEqual([
      'feature_flag checkout',
      'plugin Country of an event',
      'event_definition paid',
    ])
    expect(objects[0].grants).toEqual([
      { id: support, name: 'Support Team' },
      { id: growth, name: 'Growth' },
    ])
  })

  it('leaves nothing half written where it fails, and can be run again', async () => {
    const { path } = workspace()
    // A file where the sources would go.
    await write({ 'live/sources': '' })
    const failed = await vexil('export -d live')
    expect(failed).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^vexil: ".*live\/sources\/.*" cannot be written \(ENOTDIR\); nothing was written\n$/,
      ),
    })
    expect(await list('live')).toEqual(['sources'])
    await rm(join(path, 'live/sources'))
    expect((await vexil('export -d live')).code).toBe(0)
    expect(await vexil('plan --detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('tells what no declaration can be written of, and that pruning would delete it', async () => {
    const { service } = workspace()
    await service.send('POST', `${flagsPath}/`, { key: 'constructor', filters: { groups: [] } })
    const { code, stderr } = await vexil('export -d flags')
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^not exported: flag "constructor" \(id \d+\): "constructor" cannot be used as a name in a declaration$/m,
    )
    await write({ 'vexil.yaml': `${settings}ownership: { prune: all }\n` })
    expect((await vexil('export -d flags')).stderr).toMatch(
      /^nothing to write: of 4 live objects, 3 are declared already and 1 cannot be exported\nnot exported: .*\nthese objects are not declared, so `prune: all` would delete them\n$/,
    )
  })

  it('tells apart by its id what shares its name with what is not exported', async () => {
    const { service } = workspace()
    const name = 'Country of an event'
    const first = { plugin_type: 'source', name, description: service.env.VEXIL_API_KEY }
    await service.send('POST', pluginsPath, first)
    // One of the two is declared already, by its id; a third one is left out, since it holds the key.
    await write({ 'flags/mine.yaml': `plugins: { "${name} (1)": { id: 1, plugin_type: source } }\n` })
    await service.send('POST', pluginsPath, { plugin_type: 'source', name })
    expect((await vexil('export -d flags --kind plugin')).stderr).toContain('not exported: ')
    expect(await read('flags/plugins.yaml')).toContain(`  ${name}:\n    id: 3\n`)
    expect(await vexil('plan --detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('limits what it declares by an id to the environments where that id means it', async () => {
    const { service } = workspace()
    await service.send('POST', pluginsPath, { plugin_type: 'source', name: 'Country of an event' })
    const env = await writeTwoEnvironments(workspace())
    await vexil('export -d flags --env production', { env })
    // Both projects are of one organization, whose plugins they share.
    expect(await read('flags/plugins.yaml')).not.toContain('only')
    await write({ 'vexil.yaml': (await read('vexil.yaml')).replace(organization, otherOrganization) })
    await rm(join(workspace().path, 'flags'), { recursive: true })
    await vexil('export -d flags --env production', { env })
    expect((await read('flags/plugins.yaml')).match(/only: \[production\]/g)).toHaveLength(2)
  })

  it('works in a folder without any declarations or settings', async () => {
    await write({ 'empty/README.md': '' })
    expect((await vexil('export -C empty --kind feature_flag')).stdout).toContain(`[${support}, ${growth}]`)
  })
})

describe('vexil export of filters without "groups"', () => {
  const flag = (key: string, filters: JsonObject) => ({ key, filters })
  const properties = [{ key: 'a', value: 'b', type: 'person' }]
  const exactly = properties.map(property => ({ ...property, operator: 'exact' }))
  const feature_flags = [
    flag('both', { properties, rollout_percentage: 40 }),
    flag('half', { rollout_percentage: 50 }),
    flag('slip', { propertes: properties }),
  ]
  const { vexil, service } = useWorkspace(
    { 'vexil.yaml': settings },
    { seed: anOrganization({ projects: [{ id: 1, name: 'Production', feature_flags }] }) },
  )

  it('writes the one condition that they are, and leaves out what is no such condition', async () => {
    const { code, stdout, stderr } = await vexil('export')
    expect(code).toBe(0)
    expect(parse(stdout).feature_flags).toEqual({
      both: { active: true, release: { a_b: { properties: { a: 'b' }, rollout_percentage: 40 } } },
      half: { active: true, rollout_percentage: 50 },
    })
    expect(parse((await vexil('export --raw')).stdout).feature_flags).toEqual({
      both: { active: true, filters: { groups: [{ properties, rollout_percentage: 40 }] } },
      half: { active: true, filters: { groups: [{ rollout_percentage: 50 }] } },
    })
    expect(stderr).toBe(
      'not exported: flag "slip" (id 3): its filters have no "groups", and "propertes" may decide who gets the flag; correct the flag in the product first\n',
    )
  })

  it('is made with the same condition in a service that has none', async () => {
    await vexil('export -d .')
    const other = await startService()
    try {
      expect(await vexil('apply --auto-approve', { env: other.env })).toMatchObject({ code: 0 })
      const { results } = (await other.get(`${flagsPath}/`)) as { results: JsonObject[] }
      expect(results.map(({ key, filters }) => [key, filters]).sort()).toEqual([
        ['both', completed({ groups: [{ properties: exactly, rollout_percentage: 40 }] })],
        ['half', completed({ groups: [{ rollout_percentage: 50 }] })],
      ])
    } finally {
      await other.close()
    }
  })

  it('plans nothing there, and makes no flag for everybody in a service that has none', async () => {
    await service.send('PATCH', `${flagsPath}/2/`, {
      filters: { properties: [{ key: 'a', value: 'b' }], rollout_percentage: 40 },
    })
    await vexil('export -d .')
    expect(await vexil('plan --detailed-exitcode')).toMatchObject({ code: 0 })
    const other = await startService()
    try {
      const applied = await vexil('apply --auto-approve', { env: other.env })
      expect(applied.stderr).toContain('feature_flag "half": a property without a type')
      const { results } = (await other.get(`${flagsPath}/`)) as { results: unknown[] }
      expect(results).toEqual([])
    } finally {
      await other.close()
    }
  })

  it('tells of a slip in a condition, which limits nobody here or elsewhere', async () => {
    await service.send('PATCH', `${flagsPath}/3/`, { filters: { groups: [{ rollout_percentge: 10 }] } })
    const { stdout, stderr } = await vexil('export')
    expect(parse(stdout).feature_flags.slip).toEqual({
      active: true,
      rollout_percentage: 100,
      ignore: ['/filters/groups/0/rollout_percentge'],
    })
    expect(stderr).toBe(
      'written under ignore, since it cannot be declared: flag "slip" (id 3): /filters/groups/0/rollout_percentge; check whether this was intended to limit who gets the flag\n',
    )
  })

  it('says of what is left out that it is, where nothing else is to be written', async () => {
    await vexil('export -d .')
    const declared = await vexil('export -d .')
    expect(declared.stderr).toContain(
      'nothing to write: of 3 live objects, 2 are declared already and 1 cannot be exported\nnot exported: flag "slip"',
    )
    for (const id of [1, 2]) await service.send('PATCH', `${flagsPath}/${id}/`, { deleted: true })
    const { stderr } = await vexil('export -d .')
    expect(stderr).toContain(
      'nothing to write: the one live object cannot be exported\nnot exported: flag "slip"',
    )
    const { VEXIL_API_KEY: key = '' } = service.env
    await service.send('PATCH', `${flagsPath}/3/`, { name: `of ${key}`, filters: { groups: [] } })
    const withKey = await vexil('export -d .')
    expect(withKey.code).toBe(3)
    expect(withKey.stderr).toContain(
      'nothing to write: the one live object cannot be exported\nnot exported: the key',
    )
  })
})
