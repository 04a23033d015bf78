import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/json/json.ts'
import { useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'

const open = useTerraform()

const country = `{ key = "country", value = ["DE", "AT"], type = "person", operator = "exact" }`
const json = (percent: number) => `resource "vexil_feature_flag" "x" {
  key    = "x"
  active = true
  filters = jsonencode({
    multivariate = null
    groups       = [{ properties = [${country}], rollout_percentage = ${percent} }, { rollout_percentage = 5 }]
    payloads     = { true = "{ \\"b\\": 1.0, \\"a\\": 2 }" }
  })
}
`
const typed = (percent: number) => `resource "vexil_feature_flag" "x" {
  key     = "x"
  active  = true
  payload = "{ \\"b\\": 1.0, \\"a\\": 2 }"
  release = [
    { properties = [{ key = "country", values = ["DE", "AT"], operator = "exact" }], rollout_percentage = ${percent} },
    { rollout_percentage = 5 },
  ]
}
`

describe.skipIf(!terraform).each([
  ['JSON', json],
  ['typed attributes', typed],
] as const)('a plan of a release as %s', (_, flag) => {
  it('shows the one percentage that the configuration changes', async () => {
    const stack = await open(flag(10))
    await stack.apply()
    await stack.write({ 'main.tf': flag(25) })
    expect(changedLines(await stack.succeed('plan', '-no-color'))).toEqual([
      '~ rollout_percentage = 10 -> 25',
    ])
  })

  it('shows the one percentage that somebody changed in the product', async () => {
    const stack = await open(flag(10))
    await stack.apply()
    const path = '/api/projects/1/feature_flags/1'
    const { filters } = (await stack.service.get(path)) as { filters: JsonObject }
    const properties = [{ type: 'person', key: 'country', value: ['AT', 'DE'] }]
    await stack.service.send('PATCH', path, {
      filters: {
        ...filters,
        groups: [
          { properties, rollout_percentage: 20, variant: null },
          { properties: [], rollout_percentage: 5 },
        ],
        payloads: { true: '{"a":2,"b":1}' },
      },
    })
    expect(changedLines(await stack.succeed('plan', '-no-color'))).toEqual([
      '~ rollout_percentage = 20 -> 10',
    ])
    await stack.apply()
    expect(await stack.plan()).toEqual({})
  })
})

/** What a plan marks as changed, but for the lines that only lead there. */
function changedLines(plan: string): string[] {
  const lines = plan.split('\n').map(line => line.trim())
  return lines.filter(line => /^[~+-] \S/.test(line) && !/[[{(]$/.test(line) && line !== '~ update in-place')
}
