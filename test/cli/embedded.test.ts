import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { worldFor } from '../../src/cli/repository/embedded-sandbox.ts'
import { parseWorld } from '../../src/sandbox/index.ts'
import { twoFlags, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, list } = workspace
const nowhere = { env: {} }

describe('--sandbox', () => {
  it('keeps its state beside the repository from one command to the next', async () => {
    const planned = await vexil('plan --sandbox --out plan.json', nowhere)
    expect(planned.stdout).toMatch(/Next: vexil apply plan\.json --sandbox {3}\(valid/)
    expect(await list('.vexil')).toEqual(['sandbox'])
    expect((await vexil('apply plan.json --sandbox', nowhere)).stdout).toContain('3 changes applied.')
    expect((await vexil('plan --sandbox --detailed-exitcode', nowhere)).code).toBe(0)
    expect((await vexil('drift --sandbox', nowhere)).code).toBe(0)
    expect((await vexil('undo last --sandbox --auto-approve', nowhere)).code).toBe(0)
    expect((await vexil('plan --sandbox', nowhere)).stdout).toContain(
      'exists: held, set by vexil undo in run ',
    )
  })

  it('says where its state is, that it is seeded once, and how to start afresh', async () => {
    const { path } = workspace()
    expect(await vexil('plan --sandbox', nowhere)).toMatchObject({
      code: 0,
      stderr:
        'sandbox: made in ".vexil/sandbox" from vexil.yaml and sample data; it is seeded once, delete that folder to start afresh\n',
    })
    await write({ 'vexil.yaml': 'version: 1\nroles: { support: 01900000-0000-0000-0000-0000000000ff }\n' })
    expect(await vexil('plan --sandbox --json', nowhere)).toMatchObject({
      code: 0,
      stderr:
        'sandbox: ".vexil/sandbox" keeps the state of earlier commands and ignores changes of vexil.yaml; delete that folder to start afresh\n',
    })
    expect((await vexil('drift --sandbox', nowhere)).stderr).toBe('')
    await rm(join(path, '.vexil/sandbox'), { recursive: true })
    expect((await vexil('plan --sandbox', nowhere)).stderr).toContain('made in ".vexil/sandbox"')
    expect((await vexil('plan --help')).stdout).toContain('kept in .vexil/sandbox')
  })

  it('never talks to the real service, whatever the environment and the settings say', async () => {
    await write({
      'vexil.yaml': `version: 1
environments:
  production:
    { base_url: "${service.url}", project: "4711", organization: 0190ffff-0000-0000-0000-00000000abcd, profile: posthog, api_key_env: NOT_SET }
roles: { support: 0190ffff-0000-0000-0000-0000000000ff }
`,
    })
    const env = { ...service.env, VEXIL_PROJECT_ID: '99', VEXIL_PROFILE: 'documented' }
    const { result, requests } = await service.watch(() => vexil('apply --sandbox --auto-approve', { env }))
    expect(result.code, result.stderr).toBe(0)
    expect(result.stdout).toMatch(
      /^MEDIUM risk: plan for production \(project 4711 from vexil\.yaml, the sandbox of this folder instead of the service\)/,
    )
    expect(requests).toEqual([])
    expect((await vexil('plan --sandbox --detailed-exitcode', { env })).code).toBe(0)
  })

  it.each([
    ['call feature_flag.list --sandbox', 0],
    ['doctor --sandbox', 0],
    ['export --sandbox', 0],
    ['plan --sandbox --base-url http://127.0.0.1:1', 64],
    ['plan --sandbox --profile hosted', 64],
    ['plan --sandbox --parallelism 0', 64],
  ])('%s ends in %i', async (line, code) => {
    const result = await vexil(line, nowhere)
    expect(result.code, result.stderr).toBe(code)
  })

  it('takes no plan that was made for a real service, nor the other way round', async () => {
    await vexil('plan --out plan.json')
    expect((await vexil('apply plan.json --sandbox')).code).toBe(5)
    await vexil('plan --sandbox --out plan.json')
    expect((await vexil('apply plan.json')).stderr).toMatch(/it was made for sandbox: \(project 1, /)
  })

  it('does without an init', async () => {
    await write({ 'bare/flags.yaml': twoFlags['flags.yaml']!.replace('    role_access: [support]\n', '') })
    expect((await vexil('plan -C bare --sandbox', nowhere)).code).toBe(0)
  })
})

describe('the world behind --sandbox', () => {
  const id = (last: string) => `0190ffff-0000-0000-0000-00000000${last}`
  const environment = (organization: string | undefined, project: string | undefined, roles = {}) => ({
    connection: { ...(organization ? { organization } : {}), ...(project ? { project } : {}) },
    roles,
    cohorts: {},
    groupTypes: {},
  })

  it.each([
    ['nothing', [environment(undefined, undefined)]],
    ['words for ids', [environment('@current', '@current')]],
    [
      'two organizations that share projects and roles',
      [
        environment(id('0001'), '1', { support: id('00aa'), growth: id('00bb') }),
        environment(id('0001').toUpperCase(), '2', { support: id('00aa') }),
        environment(id('0002'), '2', { support: id('00cc') }),
      ],
    ],
    [
      'a name and an id of the sample, on different roles',
      [
        environment(undefined, '12', {
          helpers: '01900000-0000-0000-0000-0000000000aa',
          release: id('00dd'),
        }),
      ],
    ],
  ])('is one, where the settings name %s', (_, environments) => {
    const world = worldFor(environments)
    expect(() => parseWorld(JSON.stringify(world))).not.toThrow()
    const organizations = new Map(world.organizations.map(each => [each.id, each]))
    const projects = new Set(
      world.organizations.flatMap(each => each.projects?.map(project => String(project.id))),
    )
    for (const { connection, roles } of environments) {
      const { organization, project } = connection as { organization?: string; project?: string }
      const home = organizations.get(organization?.toLowerCase()) ?? world.organizations[0]
      for (const [name, role] of Object.entries(roles)) {
        expect(home?.roles).toContainEqual(expect.objectContaining({ id: role, name }))
      }
      if (project && project !== '@current') expect([...projects]).toContain(project)
    }
  })
})
