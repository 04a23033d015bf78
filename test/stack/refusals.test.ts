import { S3Backend, type TerraformStack } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { declarableKinds } from '../../src/kinds/index.ts'
import { problemsOf } from './load.ts'

const off = { active: false }
const terraform = 'compute it in TypeScript, or run this stack with Terraform'

function override(path: string, value: unknown) {
  return (stack: TerraformStack) => {
    new FeatureFlag(stack, 'flag', { key: 'flag', ...off })
    stack.addOverride(path, value)
  }
}

describe('a stack is refused for', () => {
  it.each([
    [
      'a resource of another provider',
      'resource.random_id.x',
      { byte_length: 2 },
      'random_id.x: random_id is a resource of another provider; put it into a stack of its own, or run this stack with Terraform',
    ],
    [
      'a data source of another one',
      'data.aws_region.x',
      {},
      'data.aws_region.x: aws_region is a data source of another provider; put it into a stack of its own, or run this stack with Terraform',
    ],
    [
      'a resource of ours that there is not',
      'resource.vexil_flag.x',
      {},
      `vexil_flag.x: the provider has no vexil_flag; there are ${declarableKinds.map(({ name }) => `vexil_${name}`).join(', ')}`,
    ],
    [
      'a backend in a list',
      'terraform.backend',
      [{ s3: { bucket: 'b' } }],
      'terraform.backend.s3: the state of this stack is kept elsewhere, so it is run by Terraform; take the backend out, since Vexil keeps no state; or run this stack with Terraform',
    ],
    [
      'a resource that is no block',
      'resource.vexil_feature_flag.x',
      'checkout',
      'resource.vexil_feature_flag.x: a block is an object or a list of objects, and this is a text; synthesize the stack again, or mend what adds it (addOverride)',
    ],
    [
      'what hides values, as a text',
      'resource.vexil_feature_flag.flag.//.vexil',
      'sensitive',
      'vexil_feature_flag.flag: the member "vexil" of its comment "//" has to be an object, and this is a text; synthesize it again with the vexil that plans it',
    ],
    [
      'what hides values, misspelt',
      'resource.vexil_feature_flag.flag.//.vexil',
      { sensitve: true },
      'vexil_feature_flag.flag: the member "vexil" of its comment "//" names "sensitve", which is not read there; synthesize it again with the vexil that plans it',
    ],
    [
      'what hides values, where nothing is hidden',
      'locals',
      { x: 1, y: 2, '//': { vexil: { sensitive: true } } },
      'locals: the member "vexil" of its comment "//" names "sensitive", which is not read there; synthesize it again with the vexil that plans it',
    ],
    [
      'policies, as a list',
      '//.vexil',
      ['RequireOwner'],
      'the stack: the member "vexil" of its comment "//" has to be an object, and this is a list; synthesize it again with the vexil that plans it',
    ],
    [
      'the cloud',
      'terraform.cloud',
      { organization: 'x' },
      'terraform.cloud: the state of this stack is kept elsewhere, so it is run by Terraform; take the backend out, since Vexil keeps no state; or run this stack with Terraform',
    ],
    [
      'a provisioner',
      'resource.vexil_feature_flag.flag.provisioner',
      [{ 'local-exec': { command: 'x' } }],
      'vexil_feature_flag.flag.provisioner: Vexil does nothing of the kind; take it out, or run this stack with Terraform',
    ],
    [
      'a connection',
      'resource.vexil_feature_flag.flag.connection',
      { host: 'x' },
      'vexil_feature_flag.flag.connection: Vexil does nothing of the kind; take it out, or run this stack with Terraform',
    ],
    [
      'a dynamic block',
      'resource.vexil_feature_flag.flag.dynamic',
      { release: {} },
      'vexil_feature_flag.flag.dynamic: Vexil does nothing of the kind; take it out, or run this stack with Terraform',
    ],
    [
      'replace_triggered_by',
      'resource.vexil_feature_flag.flag.lifecycle',
      { replace_triggered_by: ['x'] },
      'vexil_feature_flag.flag.lifecycle.replace_triggered_by: Vexil does nothing of the kind; take it out, or run this stack with Terraform',
    ],
    [
      'a file that is not there',
      'locals.x',
      '${file("a.txt")}',
      'local.x: function file(): there is no file "a.txt" in the folder of the stack; let the app put it there: new TerraformAsset(...)',
    ],
    [
      'the time',
      'locals.x',
      { at: ['${timestamp()}'] },
      'local.x.at[0]: function timestamp(): is impure: it gives another time at every run; give the time as a variable',
    ],
    [
      'chance',
      'locals.x',
      '${uuid()}',
      'local.x: function uuid(): is impure: it gives something else at every run; give the value as a variable',
    ],
    [
      'a second name of our provider',
      'terraform.required_providers.flags',
      { source: 'vexil/vexil' },
      'terraform.required_providers.flags: it is called "vexil" as well; take one of the two out',
    ],
    [
      'a function of another provider',
      'locals.x',
      '${provider::aws::arn_parse("arn")}',
      `local.x: function provider::aws::arn_parse() is not worked out here; ${terraform}`,
    ],
    [
      'filters that the service would refuse, given to a function of the provider',
      'locals.x',
      '${provider::vexil::rollout("[]")}',
      'local.x: function provider::vexil::rollout(): argument 1: it is not a JSON object; write it with jsonencode({ ... })',
    ],
    [
      'a misspelt function of the provider',
      'locals.x',
      '${provider::vexil::rolout("{}")}',
      `local.x: function provider::vexil::rolout() is not worked out here; did you mean provider::vexil::rollout()?; ${terraform}`,
    ],
    [
      'a misspelt function',
      'locals.x',
      '${jsonencod({})}',
      `local.x: function jsonencod() is not worked out here; did you mean jsonencode()?; ${terraform}`,
    ],
    [
      'an attribute that is only read',
      'resource.vexil_feature_flag.flag.id',
      '7',
      'vexil_feature_flag.flag.id: the service sets it, so it cannot be declared; leave it out',
    ],
    [
      'an attribute that is not there',
      'resource.vexil_feature_flag.flag.rollout',
      7,
      'vexil_feature_flag.flag.rollout: there is no such attribute; there are name, key, filters, active, ensure_experience_continuity, rollback_conditions, archived, evaluation_runtime, evaluation_contexts, bucketing_identifier, is_remote_configuration, has_encrypted_payloads, tags, adopt, project_id, release, rollout_percentage, variants, payload, group_type_index, early_exit, allow',
    ],
    [
      'one that is missing',
      'resource.vexil_plugin.p',
      { icon: 'x' },
      'vexil_plugin.p.name: it has to be given',
    ],
    [
      'a value of another type',
      'resource.vexil_feature_flag.flag.active',
      'maybe',
      'vexil_feature_flag.flag.active: a text "maybe" stands where bool is needed',
    ],
    [
      'remote state that is nowhere',
      'data.terraform_remote_state.x',
      { backend: 's3', config: {} },
      'data.terraform_remote_state.x: it reads the state of a stack that is not beside this one; give the value as a variable, or run this stack with Terraform',
    ],
  ])('%s', async (_, path, value, line) => {
    expect(await problemsOf(override(path, value))).toEqual([line])
  })

  it('a backend elsewhere', async () => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off })
      new S3Backend(stack, { bucket: 'b', key: 'k', region: 'r' })
    })
    expect(problems).toEqual([
      'terraform.backend.s3: the state of this stack is kept elsewhere, so it is run by Terraform; take the backend out, since Vexil keeps no state; or run this stack with Terraform',
    ])
  })

  it('everything that is wrong, at once', async () => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'a', { key: '${uuid()}', name: '${timestamp()}', ...off })
      new FeatureFlag(stack, 'b', { key: '', ...off })
      stack.addOverride('resource.random_id.x', {})
    })
    expect(problems.map(line => line.slice(0, line.indexOf(':')))).toEqual([
      'random_id.x',
      'vexil_feature_flag.a.name',
      'vexil_feature_flag.a.key',
      'vexil_feature_flag.b.key',
    ])
  })
})

it('other providers without anything of theirs do no harm', async () => {
  expect(await problemsOf(override('provider.aws', [{ region: 'x' }]))).toEqual([])
})
