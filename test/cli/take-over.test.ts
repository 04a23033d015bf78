import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anOrganization, useWorkspace } from '../support/workspace.ts'

const support = '01900000-0000-0000-0000-0000000000aa'
const growth = '01900000-0000-0000-0000-0000000000bb'
const settings = `version: 1\nroles: { support: ${support}, growth: ${growth} }\n`

const seed = anOrganization({
  roles: [
    { id: support, name: 'Support Team' },
    { id: growth, name: 'Growth' },
  ],
  plugins: [
    { id: 1, name: 'geo', plugin_type: 'source', description: 'one', source: { 'index.ts': '1\n' } },
    { id: 2, name: 'geo', plugin_type: 'source', description: 'two', source: { 'index.ts': '2\n' } },
  ],
  projects: [
    {
      id: 1,
      name: 'Production',
      event_definitions: [{ name: 'paid', tags: ['money'] }],
      feature_flags: [
        { key: 'checkout', tags: ['shop'], role_access: ['Support Team', 'Growth'] },
        { key: 'search', active: false },
      ],
    },
  ],
})

const workspace = useWorkspace({ 'vexil.yaml': settings }, { seed })
const { vexil, service, write, read, list, edit } = workspace
const plansNothing = { code: 0, stdout: expect.stringMatching(/^No changes: .*, 0 blocked, /s) }

describe('vexil export into the repository', () => {
  it.each([['.'], ['flags'], ['live/flags']])(
    'leads an editor from %s to the schema that init wrote',
    async folder => {
      await vexil('init')
      expect((await vexil(`export -d ${folder}`)).code).toBe(0)
      expect(await list('schemas')).toContain('declarations.schema.json')
      const text = await read(join(folder, 'feature_flags.yaml'))
      const [, address = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? []
      expect(join(folder, address)).toBe('schemas/declarations.schema.json')
    },
  )

  it('takes over everything where nothing is declared, and nothing the second time', async () => {
    expect((await vexil('export -d flags')).stderr).toBe('5 files written; run vexil plan\n')
    expect(await list('flags')).toEqual([
      'event_definitions.yaml',
      'feature_flags.yaml',
      'plugins.yaml',
      'sources',
    ])
    expect(await vexil('export -d live')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'nothing to write: all 5 live objects are declared already\n',
    })
    expect(await list('live')).toEqual([])
    expect(await vexil('plan --detailed-exitcode')).toMatchObject(plansNothing)
  })

  it('leaves out what is declared, in whichever way, and says how much that is', async () => {
    await write({
      'mine.yaml': `feature_flags:
  search: { active: false }
plugins:
  geo: { id: 1, description: one }
feature_flag_role_access:
  - { flag: checkout, role: growth }
`,
    })
    expect(await vexil('export -d flags')).toMatchObject({
      code: 0,
      stderr: '4 files written; 2 objects are declared already and were not written; run vexil plan\n',
    })
    expect(await list('flags/sources')).toEqual(['geo-2-2'])
    const flags = await read('flags/feature_flags.yaml')
    expect(flags).not.toContain('search')
    // A grant that stands on its own elsewhere is not declared twice.
    expect(flags).toContain('role_access: [support]')
    expect(await vexil('plan --detailed-exitcode')).toMatchObject(plansNothing)
  })

  it('takes over what has come since, in a file of its own', async () => {
    await vexil('export -d flags')
    await service.send('POST', '/api/projects/1/feature_flags/', { key: 'fresh' })
    expect(await vexil('export -d flags')).toMatchObject({
      code: 0,
      stderr: '1 file written; 5 objects are declared already and were not written; run vexil plan\n',
    })
    expect(await list('flags')).toContain('feature_flags-2.yaml')
    expect(await read('flags/feature_flags-2.yaml')).toContain('\nfeature_flags:\n  fresh:\n')
    expect(await vexil('plan --detailed-exitcode')).toMatchObject(plansNothing)
  })

  it('writes everything where the repository does not read', async () => {
    await write({ 'vexil.yaml': `${settings}files: ["flags/*.yaml"]\n` })
    expect((await vexil('export -d flags')).stderr).toBe('5 files written; run vexil plan\n')
    for (const folder of ['live', 'flags/live', '.dump']) {
      expect((await vexil(['export', '-d', folder])).stderr).toBe(
        '5 files written; copy them into your repository and run vexil plan\n',
      )
      expect(await list(folder)).toContain('feature_flags.yaml')
    }
    expect(await vexil('plan --detailed-exitcode')).toMatchObject(plansNothing)
  })

  it('writes nothing where problems hide what is declared', async () => {
    await write({ 'mine.yaml': 'feature_flags:\n  search: { actve: false }\n' })
    const { code, stdout, stderr } = await vexil('export -d flags')
    expect({ code, stdout, files: await list('flags') }).toEqual({ code: 1, stdout: '', files: [] })
    expect(stderr).toContain('mine.yaml:2:13')
    expect(stderr).toMatch(
      /\nvexil: 1 error, so Vexil cannot check what is already declared; fix the errors, or export into a folder that this repository does not read\n$/,
    )
    expect((await vexil('export -d .dump')).code).toBe(0)
  })

  it('says that what it wrote holds in every environment', async () => {
    await write({
      'vexil.yaml': `version: 1
environments: { staging: { project: "2" }, production: { project: "1" } }
roles: { support: ${support}, growth: ${growth} }
`,
    })
    expect((await vexil('export -d flags --env production')).stderr).toBe(
      '5 files written; run vexil plan\nthese objects are declared for every environment (staging, production); `only: [production]` limits an object to one\n',
    )
  })

  it('writes objects that the next plan claims, and that plan does nothing else', async () => {
    await write({ 'vexil.yaml': `${settings}ownership: { tag: Ours }\n` })
    await edit('checkout', { tags: ['shop', 'ours'] })
    expect((await vexil('export -d flags')).stderr).toBe('5 files written; run vexil plan\n')
    const { stdout } = await vexil('plan')
    expect(stdout).toContain('\n0 to create, 0 to change, 2 to claim, 0 to delete, 0 blocked, ')
    await vexil('apply --auto-approve')
    expect(await vexil('plan --detailed-exitcode')).toMatchObject(plansNothing)
  })
})
