import { describe, expect, it } from 'vitest'
import { declarableKinds } from '../../src/kinds/index.ts'
import { problemsOf } from './load.ts'

const off = { active: false }
const flag = 'vexil_feature_flag'

/** A stack with the flag `flag`, and with more of it or beside it. */
const stackWith = (more: object, attributes: object = {}, resource: object = {}) => ({
  ...more,
  resource: { [flag]: { flag: { key: 'flag', ...off, ...attributes } }, ...resource },
})
const local = (x: unknown) => stackWith({ locals: { x } })
const withMembers = (attributes: object) => stackWith({}, attributes)
const resource = (more: object) => stackWith({}, {}, more)

const orTerraform = 'or run this stack with Terraform'
const elsewhere = `move it to its own stack, ${orTerraform}`
const keptElsewhere = `the state of this stack is stored in a backend, so Terraform has to run the stack; remove the backend, since Vexil keeps no state; ${orTerraform}`
const nothing = `Vexil does not support this; remove it, ${orTerraform}`
const ofVexil = 'the member "vexil" of its comment "//"'
const again = 'synthesize it again with the installed version of vexil'

describe('a stack is refused for', () => {
  it.each<[string, object, string]>([
    [
      'a resource of another provider',
      resource({ random_id: { x: { byte_length: 2 } } }),
      `random_id.x: random_id is a resource of another provider; ${elsewhere}`,
    ],
    [
      'a data source of another one',
      stackWith({ data: { aws_region: { x: {} } } }),
      `data.aws_region.x: aws_region is a data source of another provider; ${elsewhere}`,
    ],
    [
      'a resource of ours that there is not',
      resource({ vexil_flag: { x: {} } }),
      `vexil_flag.x: the provider does not have vexil_flag; there are ${declarableKinds.map(({ name }) => `vexil_${name}`).join(', ')}`,
    ],
    ...[{ s3: { bucket: 'b' } }, [{ s3: { bucket: 'b' } }]].map(backend => {
      const title = `a backend, ${Array.isArray(backend) ? 'in a list' : 'as the engine writes it'}`
      const line = `terraform.backend.s3: ${keptElsewhere}`
      return [title, stackWith({ terraform: { backend } }), line] as [string, object, string]
    }),
    [
      'the cloud',
      stackWith({ terraform: { cloud: { organization: 'x' } } }),
      `terraform.cloud: ${keptElsewhere}`,
    ],
    [
      'a resource that is no block',
      { resource: { [flag]: { x: 'checkout' } } },
      `resource.${flag}.x: a block must be an object or a list of objects, not a text; synthesize the stack again, or correct the code that adds it (addOverride)`,
    ],
    [
      'what hides values, as a text',
      withMembers({ '//': { vexil: 'sensitive' } }),
      `${flag}.flag: ${ofVexil} must be an object, not a text; ${again}`,
    ],
    [
      'what hides values, misspelt',
      withMembers({ '//': { vexil: { sensitve: true } } }),
      `${flag}.flag: ${ofVexil} has the unknown member "sensitve"; ${again}`,
    ],
    [
      'what hides values, if nothing is hidden',
      stackWith({ locals: { x: 1, '//': { vexil: { sensitive: true } } } }),
      `locals: ${ofVexil} has the unknown member "sensitive"; ${again}`,
    ],
    [
      'policies, as a list',
      stackWith({ '//': { vexil: ['RequireOwner'] } }),
      `the stack: ${ofVexil} must be an object, not a list; ${again}`,
    ],
    ...Object.entries({ provisioner: [{ 'local-exec': {} }], connection: { host: 'x' }, dynamic: {} }).map(
      ([name, value]): [string, object, string] => [
        name,
        withMembers({ [name]: value }),
        `${flag}.flag.${name}: ${nothing}`,
      ],
    ),
    [
      'replace_triggered_by',
      withMembers({ lifecycle: { replace_triggered_by: ['x'] } }),
      `${flag}.flag.lifecycle.replace_triggered_by: ${nothing}`,
    ],
    [
      'a file that is not there',
      local('${file("a.txt")}'),
      'local.x: function file(): the file "a.txt" does not exist in the folder of the stack; let the app copy the file: new TerraformAsset(...)',
    ],
    [
      'the time',
      local({ at: ['${timestamp()}'] }),
      'local.x.at[0]: function timestamp(): is impure: it gives another time at every run; give the time as a variable',
    ],
    [
      'chance',
      local('${uuid()}'),
      'local.x: function uuid(): is impure: it gives something else at every run; give the value as a variable',
    ],
    [
      'a second name of our provider',
      stackWith({
        terraform: {
          required_providers: { vexil: { source: 'vexil/vexil' }, flags: { source: 'vexil/vexil' } },
        },
      }),
      'terraform.required_providers.flags: its local name is also "vexil"; remove one of the two',
    ],
    [
      'filters that the service would refuse, given to a function of the provider',
      local('${provider::vexil::rollout("[]")}'),
      'local.x: function provider::vexil::rollout(): argument 1: the argument is not a JSON object; write it with jsonencode({ ... })',
    ],
    ...[
      ['provider::aws::arn_parse("arn")', ''],
      ['provider::vexil::rolout("{}")', 'did you mean provider::vexil::rollout()?; '],
      ['jsonencod({})', 'did you mean jsonencode()?; '],
    ].map(([call = '', meant]): [string, object, string] => [
      `an unknown function: ${call}`,
      local(`\${${call}}`),
      `local.x: function ${call.replace(/\(.*/, '')}() is not worked out here; ${meant}compute it in TypeScript, ${orTerraform}`,
    ]),
    [
      'an attribute that is only read',
      withMembers({ id: '7' }),
      `${flag}.flag.id: the service sets this attribute, so it cannot be declared; remove it`,
    ],
    [
      'an attribute that is not there',
      withMembers({ rollout: 7 }),
      `${flag}.flag.rollout: this attribute does not exist; there are name, key, filters, active, ensure_experience_continuity, rollback_conditions, archived, evaluation_runtime, evaluation_contexts, bucketing_identifier, is_remote_configuration, has_encrypted_payloads, tags, adopt, project_id, release, rollout_percentage, variants, payload, group_type_index, early_exit, allow`,
    ],
    [
      'one that is missing',
      resource({ vexil_plugin: { p: { icon: 'x' } } }),
      'vexil_plugin.p.name: a value is required',
    ],
    [
      'a value of another type',
      withMembers({ active: 'maybe' }),
      `${flag}.flag.active: a text "maybe" stands where bool is needed`,
    ],
    [
      'remote state that is nowhere',
      stackWith({ data: { terraform_remote_state: { x: { backend: 's3', config: {} } } } }),
      `data.terraform_remote_state.x: it reads the state of a stack that is not in this app; pass the value as a variable, ${orTerraform}`,
    ],
  ])('%s', async (_, stack, line) => {
    expect(await problemsOf(stack)).toEqual([line])
  })

  it('everything that is wrong, at once', async () => {
    const a = { key: '${uuid()}', name: '${timestamp()}', ...off }
    const problems = await problemsOf({
      resource: { [flag]: { a, b: { key: '', ...off } }, random_id: { x: {} } },
    })
    expect(problems.map(line => line.slice(0, line.indexOf(':')))).toEqual([
      'random_id.x',
      `${flag}.a.name`,
      `${flag}.a.key`,
      `${flag}.b.key`,
    ])
  })
})

it('other providers without anything of theirs do no harm', async () => {
  const provider = { vexil: [{ project_id: '1' }], aws: [{ region: 'x' }] }
  expect(await problemsOf(stackWith({ provider }))).toEqual([])
})
