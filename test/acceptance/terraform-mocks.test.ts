import { describe, expect, it } from 'vitest'
import { declarableKinds } from '../../src/kinds/index.ts'
import { terraformSchema } from '../../src/schema/terraform/terraform-schema.ts'
import { useTerraform } from './support/attached.ts'
import { isOlderThan, terraform } from './support/binary.ts'

const open = useTerraform()

const reference = (address: string) => ['$', '{', address, '}'].join('')
const { resources, dataSources } = terraformSchema()
const flagId = reference('vexil_feature_flag.feature_flag.id')

/** Every type with what it requires: texts that only the service makes, which a mock makes up. */
function requiring(type: string, attributes: (typeof resources)[string]['attributes']) {
  const required = Object.entries(attributes).filter(([, attribute]) => attribute.required)
  const own = type === 'vexil_feature_flag' ? 'x' : flagId
  return Object.fromEntries(required.map(([name]) => [name, own]))
}

const configuration = {
  resource: Object.fromEntries(
    Object.entries(resources).map(([type, { attributes }], at) => [
      type,
      {
        [declarableKinds[at]?.name ?? type]: requiring(type, attributes),
        second: {
          ...requiring(type, attributes),
          ...('project_id' in attributes
            ? { project_id: reference('data.vexil_feature_flag.x.filters') }
            : {}),
          ...('organization_id' in attributes
            ? { organization_id: reference('data.vexil_plugin.x.organization_id') }
            : {}),
          ...('filters' in attributes
            ? { key: 'y', filters: reference('data.vexil_feature_flag.x.filters') }
            : {}),
        },
      },
    ]),
  ),
  data: Object.fromEntries(
    Object.entries(dataSources).map(([type, { attributes }]) => [
      type,
      {
        x: {
          ...requiring('', attributes),
          // One object is named by its id or by its name, and neither of the two is required.
          ...Object.fromEntries(
            ['id', 'feature_flag_id'].filter(name => attributes[name]?.optional).map(name => [name, '1']),
          ),
          ...(type === 'vexil_plugin_activity'
            ? { organization_id: reference('data.vexil_plugin.x.organization_id') }
            : {}),
        },
      },
    ]),
  ),
}

const mocked = `mock_provider "vexil" {}
run "plan" {
  command = plan
}
run "apply" {
  assert {
    condition     = vexil_feature_flag.feature_flag.key == "x"
    error_message = "the key is another one"
  }
}
`

const calling = `resource "vexil_feature_flag" "x" {
  key      = "x"
  release  = [{ rollout_percentage = 10 }]
  variants = [{ key = "a", rollout_percentage = 60 }, { key = "b", rollout_percentage = 40 }]
}
locals {
  filters = provider::vexil::filters(vexil_feature_flag.x)
}
output "most" {
  value = provider::vexil::rollout(local.filters).max_percentage
}
output "shares" {
  value = provider::vexil::variants(local.filters)
}
output "ada" {
  value = provider::vexil::evaluate("x", local.filters, "ada", "{}")
}
`

const asDeclared = `  assert {
    condition     = output.most == 10 && output.shares["a"] == 60 && !output.ada.undecided
    error_message = "the flag is not as declared"
  }
`

const mockedCalls = `mock_provider "vexil" {}
run "plan" {
  command = plan
${asDeclared}}
run "apply" {
${asDeclared}}
`

describe.skipIf(!terraform)('`terraform test` with a mock of the provider', () => {
  it.skipIf(isOlderThan('1.7'))(
    'plans and applies every resource and reads every data source, and asks nobody',
    async () => {
      expect(
        Object.keys(configuration.resource).length * Object.keys(configuration.data).length,
      ).toBeGreaterThan(20)
      const stack = await open('')
      await stack.write({
        'provider.tf':
          'terraform {\n  required_providers {\n    vexil = { source = "vexil/vexil" }\n  }\n}\n',
        'main.tf.json': JSON.stringify(configuration),
        'tests/mocked.tftest.hcl': mocked,
      })
      const { result, requests } = await stack.service.watch(() => stack.run('test', '-no-color'))
      expect(result.output).toContain('Success! 2 passed, 0 failed.')
      expect(requests).toEqual([])
    },
  )

  it.skipIf(isOlderThan('1.8'))(
    'gives the functions a flag as its attributes say, through to the tearing down',
    async () => {
      const stack = await open('')
      await stack.write({
        'provider.tf':
          'terraform {\n  required_providers {\n    vexil = { source = "vexil/vexil" }\n  }\n}\n',
        'main.tf': calling,
        'tests/mocked.tftest.hcl': mockedCalls,
      })
      const { result, requests } = await stack.service.watch(() => stack.run('test', '-no-color'))
      expect(result.output).toContain('Success! 2 passed, 0 failed.')
      expect(requests).toEqual([])
    },
  )

  it('still tells of a text like those in a plan', async () => {
    const stack = await open(`resource "vexil_feature_flag_role_access" "x" {
  feature_flag_id = "1"
  role_id         = "abcdefgh"
}
`)
    await stack.succeed('validate')
    expect(await stack.refusals('plan')).toMatchObject([
      { summary: '"abcdefgh" is not a UUID', at: '"abcdefgh"' },
    ])
  })
})
