import { describe, expect, it } from 'vitest'
import { officialConfiguration, officialState, twoProjectsWorld } from '../stack/state/official-state.ts'
import { useWorkspace, writeTwoEnvironments } from '../support/workspace.ts'

const workspace = useWorkspace({}, { seed: twoProjectsWorld, profile: 'posthog-2026' })
const { vexil, write, read, edit } = workspace

const provider = 'provider["registry.terraform.io/posthog/posthog"]'

function flag(
  name: string,
  attributes: object,
  { alias = '', ...instance }: { alias?: string } & object = {},
) {
  const instances = [{ schema_version: 0, attributes: { project_id: '1', ...attributes }, ...instance }]
  return { mode: 'managed', type: 'posthog_feature_flag', name, provider: `${provider}${alias}`, instances }
}

/** Exports from the state that the fixture has, with more in it, or from these resources alone. */
async function exported(
  { beside = [], alone }: { beside?: readonly object[]; alone?: readonly object[] },
  options = '',
) {
  const state = JSON.parse(await officialState()) as { resources: object[] }
  const resources = alone ?? [...state.resources, ...beside]
  await write({ ...officialConfiguration, 'terraform.tfstate': JSON.stringify({ ...state, resources }) })
  return vexil(`export --from-state terraform.tfstate ${options}`)
}

const elsewhere = flag('elsewhere', { id: 20, key: 'share', project_id: '2' }, { alias: '.two' })
const after = flag('after', {
  ...{ id: 21, key: 'after', active: true, project_id: '2' },
  filters:
    '{"groups":[{"properties":[{"key":"20","operator":"flag_evaluates_to","type":"flag","value":true}],"rollout_percentage":100}]}',
})

describe('vexil export --from-state of several places', () => {
  it('takes a flag of another project over as that one, beside the one with the same key', async () => {
    const { stdout, stderr, code } = await exported({ beside: [elsewhere] })
    expect(code).toBe(0)
    expect(stderr).not.toContain('not taken over')
    expect(stdout).toContain(`resource "vexil_feature_flag" "elsewhere" {
  key                = "share"
  name               = "Elsewhere"
  active             = true
  rollout_percentage = 70
  project_id         = "2"
}`)
    expect(stdout).toContain('to = vexil_feature_flag.elsewhere\n  id = "2/20#release"\n')
    expect(stdout).toContain('to = vexil_feature_flag.Share\n  id = "9#release"\n')
  })

  it.each(['--project 1', '--format yaml'])('stays in one project with %s', async options => {
    const { stdout, stderr } = await exported({ beside: [elsewhere] }, options)
    expect(stderr).toContain(
      'not taken over: posthog_feature_flag.elsewhere: it is in project 2; export it with --project 2\n',
    )
    expect(stdout).not.toContain('Elsewhere')
  })

  it('writes each project as an environment of YAML', async () => {
    const env = await writeTwoEnvironments(workspace())
    const state = { version: 4, resources: [flag('share', { id: 9, key: 'share' }), elsewhere] }
    await write({ 'terraform.tfstate': JSON.stringify(state) })
    const from = 'export --from-state terraform.tfstate --format yaml --profile posthog-2026 --env'
    expect((await vexil(`${from} staging`, { env })).stdout).toContain('rollout_percentage: 70')
    expect((await vexil(`${from} production`, { env })).stdout).not.toContain('rollout_percentage: 70')
  })

  it('refuses an object of which the state does not show the project, where there are several', async () => {
    const { stderr, stdout } = await exported({
      beside: [elsewhere, flag('unknown', { id: 9, key: 'share', project_id: null })],
    })
    expect(stderr).toContain(
      'posthog_feature_flag.unknown: the state does not show its project, and its provider has several configurations\n',
    )
    expect(stdout).not.toContain('unknown')
  })

  it('refuses what another configuration of the provider has under the same id', async () => {
    const { stdout, stderr } = await exported({
      beside: [flag('eu', { id: 9, key: 'share' }, { alias: '.eu' })],
    })
    for (const name of ['Share', 'eu']) {
      expect(stdout).not.toContain(`posthog_feature_flag.${name}\n`)
      expect(stderr).toContain(
        `not taken over: posthog_feature_flag.${name}: another configuration of its provider has this id too: it may belong to another service\n`,
      )
    }
  })

  it('does not take a flag of another host for the one with its id here', async () => {
    const { stdout, stderr } = await exported({
      beside: [flag('eu', { id: 9, key: 'other_host' }, { alias: '.eu' })],
    })
    expect(stdout).not.toContain('other_host')
    expect(stderr).toContain(
      'not taken over: posthog_feature_flag.eu: the flag with id 9 has the name "share" here: it was renamed, or belongs to another service; run terraform apply -refresh-only first\n',
    )
    expect(stdout).toContain('from = posthog_feature_flag.Share\n')
  })

  it('takes a renamed flag over where its neighbours have shown that this is their host, and reports it', async () => {
    const { flag: live } = workspace()
    await edit('share', { key: 'share_renamed' })
    const { stdout, stderr } = await exported({})
    expect((await live('share_renamed')).id).toBe(9)
    expect(stdout).toContain('key                = "share_renamed"\n')
    expect(stderr).toBe(
      'renamed since the state was written: posthog_feature_flag.Share: "share" is now "share_renamed"\n',
    )
  })

  it('reports no difference of a flag that depends on another one', async () => {
    const { stderr, stdout } = await exported({ alone: [after, elsewhere] })
    expect(stdout).toContain('"share"')
    expect(stderr).not.toContain(
      'the state differs from the live object; the live values were written: posthog_feature_flag.after',
    )
  })
})

describe('vexil export --from-state of what is sensitive', () => {
  const secret = (attribute: string) => ({
    sensitive_attributes: [[{ type: 'get_attr', value: attribute }]],
  })

  it.each(['hcl', 'ts', 'yaml'])('writes none of it as %s', async language => {
    await edit('share', { name: 'hush', tags: ['quiet'] })
    const state = { id: 9, key: 'share', name: 'hush', tags: ['quiet'] }
    const alone = [flag('Share', state, secret('name'))]
    const { stdout, stderr } = await exported({ alone }, `--format ${language}`)
    expect(stdout).toContain('quiet')
    expect(`${stdout}${stderr}`).not.toContain('hush')
    expect(stderr).toContain(
      'sensitive in the state, so not written and not changed: posthog_feature_flag.Share: name\n',
    )
  })

  it('writes nothing of who gets a flag where a part of that is sensitive, and nothing into a report', async () => {
    for (const attribute of ['filters', 'rollout_percentage'])
      for (const options of ['', '--json', '--moved']) {
        const alone = [flag('Share', { id: 9, key: 'share' }, secret(attribute))]
        const { stdout } = await exported({ alone }, options)
        expect(stdout).toContain('share')
        expect(stdout).not.toMatch(/\b40\b|rollout_percentage|groups/)
      }
  })

  it('knows it by the marks of a state that is shown', async () => {
    const values = { id: 9, key: 'share', project_id: '1', filters: '{}' }
    const resource = {
      ...{ address: 'posthog_feature_flag.Share', mode: 'managed', type: 'posthog_feature_flag' },
      ...{ name: 'Share', values, sensitive_values: { filters: true, tags: [] } },
    }
    const shown = { format_version: '1.0', values: { root_module: { resources: [resource] } } }
    const { stdout } = await vexil('export --from-state -', { stdin: JSON.stringify(shown) })
    expect(stdout).toContain('"share"')
    expect(stdout).not.toMatch(/\b40\b/)
  })

  it('refuses a flag whose key is sensitive, and a grant of which anything is', async () => {
    const role = '01900000-0000-0000-0000-0000000000aa'
    const grant = {
      ...flag('support', { resource: 'feature_flag', resource_id: '8', role }, secret('role')),
      type: 'posthog_access_control',
    }
    const { stdout, stderr } = await exported({
      alone: [flag('Share', { id: 9, key: 'share' }, secret('key')), grant],
    })
    expect(stdout).not.toContain('share')
    expect(stdout).not.toContain(role)
    expect(stderr).toContain('posthog_feature_flag.Share: its key is sensitive\n')
    expect(stderr).toContain('posthog_access_control.support: its role is sensitive\n')
  })
})

describe('vexil export --from-state of lifecycles', () => {
  const configuration = (lifecycle: string) => ({
    'live/main.tf': `resource "posthog_feature_flag" "Share" {
  key = "share"
  lifecycle {
${lifecycle}
  }
}
`,
  })
  const alone = [flag('Share', { id: 9, key: 'share' })]

  it.each([
    ['prevent_destroy = true', 'prevent_destroy = true'],
    ['ignore_changes = [rollout_percentage, tags]', 'ignore_changes = [filters, tags]'],
    ['ignore_changes = all', 'ignore_changes = all'],
  ])('writes %s as it is in the configuration', async (given, written) => {
    await write(configuration(given))
    const { stderr } = await exported({ alone }, '-d live')
    expect(await read('live/vexil_feature_flags.tf')).toContain(`  lifecycle {\n    ${written}\n  }\n`)
    expect(stderr).not.toContain('lifecycle')
  })

  it('reports what it cannot write', async () => {
    await write(configuration('create_before_destroy = true\nignore_changes = [deleted, tags[0]]'))
    const { stderr } = await exported({ alone }, '-d live')
    expect(stderr).toContain(
      'its lifecycle was not written, or only in part: posthog_feature_flag.Share: ignore_changes of deleted and tags[0], create_before_destroy\n',
    )
    expect((await exported({ alone }, '--format yaml')).stderr).not.toContain('lifecycle')
  })

  it('reads those of modules', async () => {
    const state = JSON.parse(await officialState()) as { resources: { module?: string }[] }
    const inner = state.resources.filter(({ module }) => module !== undefined)
    await write({
      'live/main.tf': 'module "m" {\n  source = "./inner"\n}\n',
      'live/inner/main.tf':
        'resource "posthog_feature_flag" "inner" {\n  lifecycle {\n    prevent_destroy = true\n  }\n}\n',
    })
    await exported({ alone: inner }, '-d live')
    const text = await read('live/vexil_feature_flags.tf')
    expect(text.match(/prevent_destroy = true/g)).toHaveLength(2)
  })

  it('says so where there is no configuration', async () => {
    const { stderr } = await exported({ alone }, '-d empty')
    expect(stderr).toContain(
      'a state has no lifecycle, and the folder has no configuration of 1 resource: copy prevent_destroy and ignore_changes by hand\n',
    )
  })
})
