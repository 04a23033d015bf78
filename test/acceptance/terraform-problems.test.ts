import { describe, expect, it } from 'vitest'
import { useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag, jsonFlag, supportRole } from './support/configurations.ts'

const open = useTerraform()

const grant = `resource "vexil_feature_flag_role_access" "edit" {
  feature_flag_id = "1"
  role_id         = "growth"
}
`
const plugin = `resource "vexil_plugin" "clock" {
  name        = "Clock"
  plugin_type = "sauce"
}
`
const event = `resource "vexil_event_definition" "paid" {
  name       = "paid"
  on_destroy = "keep"
}
`

describe.skipIf(!terraform)('a problem in a configuration is found before anything is asked', () => {
  it.each([
    [jsonFlag('checkout', '"not json"'), '`filters` cannot be sent', '"not json"'],
    [jsonFlag('checkout', 'jsonencode([])'), '"filters" must be an object', 'jsonencode([])'],
    [
      flag('checkout', 'filters = jsonencode({ groups = [] })'),
      '`release` and `filters` are both set',
      '[{ rollout_percentage = 10 }]',
    ],
    [flag('checkout').replace('= "checkout"', '= ""'), 'the key is empty', '""'],
    [grant, '"growth" is not a UUID', '"growth"'],
    [plugin, '"sauce" is not a plugin_type', '"sauce"'],
    [event, '"keep" is not a value of on_destroy', '"keep"'],
  ])('%#', async (main, summary, at) => {
    const stack = await open(main)
    for (const command of ['validate', 'plan'] as const) {
      const { result, requests } = await stack.service.watch(() => stack.refusals(command))
      expect({ result, requests }).toEqual({
        result: [{ summary, at, detail: expect.any(String) }],
        requests: [],
      })
    }
  })

  it('is told where Terraform leaves out what is misspelt inside of a condition', async () => {
    const stack = await open(flag('checkout').replace('rollout_percentage', 'rollout'))
    expect(await stack.warnings()).toContainEqual({
      summary: 'condition 1 has no limits, so it matches everybody',
      at: '{ rollout = 10 }]',
      detail: expect.stringContaining('Is a name in it misspelt?'),
    })
  })

  it('is silent where a condition says itself that everybody meets it, which plans nothing', async () => {
    const stack = await open(flag('checkout').replace('rollout_percentage = 10', ''))
    await stack.apply()
    await stack.write({ 'main.tf': flag('checkout', '', 100) })
    expect(await stack.warnings()).toEqual([])
    expect(await stack.plan()).toEqual({})
  })

  // A flag that was there before may be like that, which validation cannot know.
  it.each([
    [flag('checkout', '', 101), '101 is not a percentage', '{ rollout_percentage = 101 }]'],
    [
      jsonFlag('checkout', 'jsonencode({ groups = [{ rollout_percentage = -1 }] })'),
      '-1 is not a percentage',
      'jsonencode({ groups = [{ rollout_percentage = -1 }] })',
    ],
    [
      flag('checkout', 'variants = [{ key = "a", rollout_percentage = 30 }]'),
      'the variants add up to 30%',
      '[{ key = "a", rollout_percentage = 30 }]',
    ],
    [flag('checkout', 'payload = "{"'), 'the payload of "true" is not JSON', '"{"'],
  ])('by the plan, where only a live flag could be like this: %#', async (main, summary, at) => {
    const stack = await open(main)
    await stack.succeed('validate')
    const { result, requests } = await stack.service.watch(() => stack.refusals('plan'))
    expect({ result, requests }).toEqual({
      result: [{ summary, at, detail: expect.any(String) }],
      requests: [],
    })
  })

  it.each([
    ['feature_flag', 'key = null\n  active = false', '`key` is null', 'null'],
    ['feature_flag_role_access', 'feature_flag_id = "1"\n  role_id = null', '`role_id` is null', 'null'],
    [
      'feature_flag_role_access',
      `feature_flag_id = null\n  role_id = "${supportRole}"`,
      '`feature_flag_id` is null',
      'null',
    ],
    ['plugin', 'name = null', '`name` is null', 'null'],
    ['plugin', 'name = "x"\n  organization_id = "9"', '"9" is not an id of an organization', '"9"'],
    [
      'plugin',
      'name = "x"\n  source = { "../x.ts" = "" }',
      '"../x.ts" is not a valid file name for a plugin',
      '{ "../x.ts" = "" }',
    ],
    ['event_definition', 'name = null', '`name` is null', 'null'],
    ['event_definition', 'name = "x"\n  project_id = "a/b"', '"a/b" is not an id of a project', '"a/b"'],
  ])('where Terraform lets through what nobody means: %s %s', async (type, body, summary, at) => {
    const stack = await open(`resource "vexil_${type}" "x" {\n  ${body}\n}\n`)
    for (const command of ['validate', 'plan'] as const)
      expect(await stack.refusals(command)).toEqual([{ summary, at, detail: expect.any(String) }])
  })

  it.each([
    ['feature_flag', '', 'neither `id` nor `key` is set', null],
    ['feature_flag', 'id = null', 'neither `id` nor `key` is set', 'null'],
    ['feature_flag', 'id = "growth"', '"growth" is not an id of a flag', '"growth"'],
    ['role', '', 'neither `id` nor `name` is set', null],
    ['feature_flag_role_access', '', 'neither `feature_flag_id` nor `flag_key` is set', null],
    ['feature_flag_role_access', 'feature_flag_id = "abc"', '"abc" is not an id of a flag', '"abc"'],
  ])('where a data source names nothing: %s %s', async (type, body, summary, at) => {
    const stack = await open(`data "vexil_${type}" "x" {\n  ${body}\n}\n`)
    const { result, requests } = await stack.service.watch(() => stack.refusals('validate'))
    expect(result).toMatchObject([{ summary, ...(at === null ? {} : { at }) }])
    expect(requests).toEqual([])
  })

  it('names the element and its attribute where the list comes from elsewhere', async () => {
    const stack = await open(`locals {
  c = [{ rollout_percentage = 10 }, { properties = [{ key = "v", operator = "no_such", value = "1" }] }]
}

resource "vexil_feature_flag" "x" {
  key     = "x"
  release = local.c
}
`)
    expect(await stack.refusals('plan')).toEqual([
      {
        summary: expect.stringContaining('no_such'),
        detail: expect.stringMatching(/^At release\[1\]\.properties\[0\]\.operator\. /),
        at: 'local.c',
      },
    ])
  })

  it('is told by the plan where two resources are one object', async () => {
    const stack = await open(flag('x') + flag('y').replace('= "y"', '= "x"'))
    await stack.succeed('validate')
    expect(await stack.refusals('plan')).toEqual([
      {
        summary: 'another resource is also flag "x"',
        detail:
          'Two resources cannot manage one flag: each would undo the changes of the other. Remove one of them, or give it another `key`.',
        at: '"x"',
      },
    ])
  })

  it('is none where a resource is replaced', async () => {
    const stack = await open(flag('x'))
    await stack.apply()
    expect(await stack.plan('-replace=vexil_feature_flag.x')).toEqual({
      'vexil_feature_flag.x': 'delete create',
    })
    await stack.succeed('taint', 'vexil_feature_flag.x')
    expect(await stack.plan()).toEqual({ 'vexil_feature_flag.x': 'delete create' })
    await stack.apply('made.plan')
    await stack.write({ 'main.tf': flag('x', 'lifecycle {\n create_before_destroy = true\n }') })
    expect(await stack.plan('-replace=vexil_feature_flag.x')).toEqual({
      'vexil_feature_flag.x': 'create delete',
    })
  })

  it.each([
    ['base_url', '"http://flags.example.com"', '`base_url` cannot be used'],
    ['base_url', '"https://eu.posthog.com/project/1"', '`base_url` cannot be used'],
    ['organization_id', '"12"', '"12" is not an id of an organization'],
    ['project_id', '"a b"', '"a b" is not an id of a project'],
  ])('in the block of the provider: %s = %s', async (name, value, summary) => {
    const stack = await open('')
    const required = 'terraform {\n  required_providers {\n    vexil = { source = "vexil/vexil" }\n  }\n}\n'
    await stack.write({ 'provider.tf': `provider "vexil" {\n  ${name} = ${value}\n}\n` })
    await stack.write({ 'main.tf': required + flag('checkout') })
    expect(await stack.refusals('validate')).toEqual([{ summary, at: value, detail: expect.any(String) }])
  })

  it('also in the block of the provider', async () => {
    const stack = await open('')
    await stack.write({
      'provider.tf': 'provider "vexil" {\n  profile     = "other"\n  parallelism = 0\n}\n',
    })
    const provider = 'terraform {\n  required_providers {\n    vexil = { source = "vexil/vexil" }\n  }\n}\n'
    await stack.write({ 'main.tf': provider + flag('checkout') })
    expect(await stack.refusals('validate')).toEqual([
      {
        summary: '"other" is not a profile',
        detail: 'Use "auto", "documented", "posthog" or "posthog-2026".',
        at: '"other"',
      },
      { summary: '`parallelism` must be a whole number from 1 to 64', detail: '', at: '0' },
    ])
  })
})
