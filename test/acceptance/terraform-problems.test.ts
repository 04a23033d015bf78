import { describe, expect, it } from 'vitest'
import { useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag, jsonFlag } from './support/configurations.ts'

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
    [jsonFlag('checkout', 'jsonencode([])'), '`filters` is not an object', 'jsonencode([])'],
    [
      flag('checkout', 'filters = jsonencode({ groups = [] })'),
      '`release` and `filters` are both given',
      '[{ rollout_percentage = 10 }]',
    ],
    [flag('checkout').replace('= "checkout"', '= ""'), '`key` is empty', '""'],
    [grant, '`role_id` is not a UUID', '"growth"'],
    [plugin, '"sauce" is not a `plugin_type`', '"sauce"'],
    [event, '"keep" is not a way to let go of it', '"keep"'],
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
        detail: 'Take "auto", "documented", "posthog" or "posthog-2026".',
        at: '"other"',
      },
      { summary: '`parallelism` is a whole number from 1 to 64', detail: '', at: '0' },
    ])
  })
})
