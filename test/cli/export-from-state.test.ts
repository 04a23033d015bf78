import { beforeEach, describe, expect, it } from 'vitest'
import { officialConfiguration, officialState, takenOverWorld } from '../stack/state/official-state.ts'
import { isWrite, support, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({}, { seed: takenOverWorld, profile: 'posthog-2026' })
const { vexil, service, write, read, list, edit } = workspace

interface State {
  readonly resources: Record<string, unknown>[]
}

const provider = 'provider["registry.terraform.io/posthog/posthog"]'

function managed(type: string, name: string, attributes: object, more: object = {}) {
  const instances = [{ schema_version: 0, attributes, ...more }]
  return { mode: 'managed', type, name, provider, instances }
}

/** The state with more in it. */
async function stateWith(...resources: readonly Record<string, unknown>[]): Promise<string> {
  const state = JSON.parse(await officialState()) as State
  return JSON.stringify({ ...state, resources: [...state.resources, ...resources] })
}

/** The same as `terraform show -json` tells it. */
async function shownState(): Promise<string> {
  const { resources } = JSON.parse(await officialState()) as {
    resources: {
      type: string
      name: string
      module?: string
      instances: { index_key?: string; attributes: object }[]
    }[]
  }
  const shown = resources.flatMap(({ type, name, module, instances }) =>
    instances.map(({ index_key: key, attributes }) => ({
      address: `${module ? `${module}.` : ''}${type}.${name}${key ? `["${key}"]` : ''}`,
      ...{ mode: 'managed', type, name, values: attributes },
    })),
  )
  const [inner, root] = [
    shown.filter(({ address }) => address.startsWith('module.')),
    shown.filter(({ address }) => !address.startsWith('module.')),
  ]
  return JSON.stringify({
    format_version: '1.0',
    values: { root_module: { resources: root, child_modules: [{ address: 'module.m', resources: inner }] } },
  })
}

beforeEach(async () => write({ ...officialConfiguration, 'terraform.tfstate': await officialState() }))

describe('vexil export --from-state', () => {
  it('writes the same of a state file and of what Terraform shows, and writes nothing live', async () => {
    const { result, requests } = await service.watch(() => vexil('export --from-state terraform.tfstate'))
    expect(requests.filter(isWrite)).toEqual([])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    const piped = await vexil('export --from-state -', { stdin: await shownState() })
    expect(piped).toEqual(result)
    expect(result.stdout).toContain(`resource "vexil_feature_flag_role_access" "support" {
  feature_flag_id = vexil_feature_flag.new_checkout.id
  role_id         = "${support}"
}`)
    expect(result.stdout).toContain('removed {\n  from = module.m.posthog_feature_flag.inner\n')
    expect(result.stdout.match(/^removed/gm)).toHaveLength(5)
  })

  it('tells what it does not take over and why, and what was changed since', async () => {
    await edit('share', { active: true })
    const access = { resource: 'feature_flag', resource_id: '8', access_level: 'editor' }
    const one = { key: 'x', project_id: '1' }
    const state = await stateWith(
      managed('posthog_dashboard', 'sales', { id: 1 }),
      managed('posthog_feature_flag', 'gone', { ...one, id: 404 }),
      managed('posthog_feature_flag', 'elsewhere', { id: 9, key: 'share', project_id: 2 }),
      managed('posthog_feature_flag', 'twice', { ...one, id: 9 }),
      managed('posthog_feature_flag', 'unfinished', { key: 'x' }),
      managed('posthog_feature_flag', 'old', { ...one, id: 9 }, { deposed: 'ab12cd34' }),
      managed('posthog_access_control', 'everybody', { ...access, id: 'a' }),
      managed('posthog_access_control', 'all_flags', { ...access, resource_id: null, role: support }),
      managed('posthog_access_control', 'insights', { ...access, resource: 'insight', role: support }),
      managed('posthog_access_control', 'taken_back', { ...access, resource_id: '9', role: support }),
      {
        ...managed('posthog_feature_flag', 'some', {}),
        instances: [
          { index_key: 0, attributes: { ...one, id: 404 } },
          { index_key: 1, attributes: { ...one, id: 4 } },
        ],
      },
      {
        ...managed('aws_s3_bucket', 'other', { id: 'b' }),
        provider: 'provider["registry.terraform.io/hashicorp/aws"]',
      },
      { ...managed('posthog_role', 'data', { id: 'r' }), mode: 'data' },
    )
    await write({ 'terraform.tfstate': state })
    const { code, stdout, stderr } = await vexil('export --from-state terraform.tfstate')
    expect(code).toBe(0)
    const first = 'run terraform apply, or terraform state rm, first'
    expect(stderr.split('\n').slice(0, -1)).toEqual([
      'not taken over: posthog_dashboard.sales: Vexil does not manage this type',
      `not taken over: posthog_feature_flag.gone: there is no live flag with id 404; ${first}`,
      'not taken over: posthog_feature_flag.elsewhere: it is in project 2; export it with --project 2',
      'not taken over: posthog_feature_flag.twice: posthog_feature_flag.Share is the same object',
      'not taken over: posthog_feature_flag.unfinished: the state does not contain its id: apply once more first',
      'not taken over: posthog_feature_flag.old: an apply has replaced it but not yet destroyed it: apply once more first',
      'not taken over: posthog_access_control.everybody: it is for a person or for everybody, but Vexil only grants access to roles',
      'not taken over: posthog_access_control.all_flags: it applies to all flags, but a grant of Vexil applies to one flag',
      'not taken over: posthog_access_control.insights: Vexil only manages access of roles to flags',
      `not taken over: posthog_access_control.taken_back: this grant does not exist in the service; ${first}`,
      `not taken over: posthog_feature_flag.some[0]: there is no live flag with id 404; ${first}`,
      'not taken over: posthog_feature_flag.some[1]: posthog_feature_flag.many["b.c"] is the same object',
      'the state differs from the live object; the live values were written: posthog_feature_flag.Share: active',
    ])
    expect(stdout).not.toMatch(/posthog_feature_flag\.(?:some|gone|twice|old)|posthog_dashboard|aws_/)
    expect(stdout).toContain('from = posthog_feature_flag.many\n')
  })

  it('takes over all instances of a resource or none of them', async () => {
    const state = JSON.parse(await officialState()) as {
      resources: { name: string; instances: { attributes: object }[] }[]
    }
    const resources = state.resources.map(resource =>
      resource.name === 'many'
        ? {
            ...resource,
            instances: resource.instances.map((each, index) =>
              index ? each : { ...each, attributes: { id: 404 } },
            ),
          }
        : resource,
    )
    await write({ 'terraform.tfstate': JSON.stringify({ ...state, resources }) })
    const { stdout, stderr } = await vexil('export --from-state terraform.tfstate')
    expect(stdout).not.toContain('many')
    expect(stderr).toContain(
      'not taken over: posthog_feature_flag.many["b.c"]: it can only be migrated together with posthog_feature_flag.many["a"]\n',
    )
  })

  it('leaves to Terraform what is in its state by our own provider', async () => {
    await write({ 'terraform.tfstate': await stateWith(managed('vexil_feature_flag', 'mine', { id: '9' })) })
    const { stderr } = await vexil('export --from-state terraform.tfstate')
    expect(stderr).toBe(
      'not taken over: posthog_feature_flag.Share: vexil_feature_flag.mine is the same object\n',
    )
  })

  it('grants a flag that stays with the other provider by its id', async () => {
    const state = JSON.parse(await officialState()) as State
    const resources = state.resources.filter(({ name }) => name === 'support')
    await write({ 'terraform.tfstate': JSON.stringify({ ...state, resources }) })
    const { stdout } = await vexil('export --from-state terraform.tfstate')
    expect(stdout).toContain('feature_flag_id = "8"\n')
    expect(stdout).not.toContain('resource "vexil_feature_flag" ')
  })

  it('leads to YAML as well, which then plans nothing, and says how Terraform forgets', async () => {
    await write({ 'yaml/vexil.yaml': 'version: 1\n' })
    const { code, stderr } = await vexil('export --from-state terraform.tfstate --format yaml -d yaml')
    expect(code).toBe(0)
    expect(stderr).toContain(
      `7 resources of the state: remove them from the configuration and from the state: terraform state rm posthog_feature_flag.Share 'posthog_feature_flag.many["a"]' `,
    )
    expect(await vexil('plan -C yaml --detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('says which provider is needed once, where the folder says it already', async () => {
    await write({
      'live/main.tf':
        'terraform {\n  required_providers {\n    posthog = { source = "posthog/posthog" }\n  }\n}\n',
    })
    const { stderr } = await vexil('export --from-state terraform.tfstate -d live')
    expect(await list('live')).toEqual([
      'main.tf',
      'vexil_feature_flags.tf',
      'vexil_imports.tf',
      'vexil_providers.tf',
    ])
    expect(await read('live/vexil_providers.tf')).not.toContain('required_providers')
    expect(
      stderr,
    ).toBe(`3 files written; remove the 7 resources that are taken over from the configuration, run terraform init and terraform plan, and remove vexil_imports.tf after the apply
add to required_providers in main.tf: vexil = { source = "vexil/vexil" }
a state has no lifecycle, and the folder has no configuration of 7 resources: copy prevent_destroy and ignore_changes by hand
`)
  })

  it.each([
    ['no JSON', 'no JSON', 'cannot be read: it is not a JSON object; give terraform.tfstate, or - and'],
    [
      'an old state',
      '{"version":3,"resources":[]}',
      'cannot be read: its version is 3, but Vexil only reads 4',
    ],
    [
      'something else',
      '{"a":1}',
      'cannot be read: it is neither a state file nor the output of `terraform show -json`',
    ],
    ['an empty state', '{"version":4,"resources":[]}', 'has no resource of the provider posthog/posthog'],
    ['a file that is not there', undefined, 'cannot be read (ENOENT)'],
  ])('refuses %s', async (_, text, said) => {
    if (text !== undefined) await write({ 'given.json': text })
    const { code, stdout, stderr } = await vexil('export --from-state given.json')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(said)
  })

  it('has no use for --kind, nor --moved for anything else', async () => {
    expect((await vexil('export --from-state terraform.tfstate --kind plugin')).code).toBe(64)
    expect((await vexil('export --moved')).code).toBe(64)
  })
})
