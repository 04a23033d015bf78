import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/text/json.ts'
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

describe.skipIf(!terraform)('a plan from JSON to typed attributes that say the same', () => {
  it('takes `filters` away at once, also from an output, and the one after it is empty', async () => {
    const output = 'output "filters" {\n  value = vexil_feature_flag.x.filters\n}\n'
    const stack = await open(json(10) + output)
    await stack.apply()
    expect((await stack.outputs()).filters).toContain('"rollout_percentage":10')
    await stack.write({ 'main.tf': typed(10) + output })
    const plan = await stack.succeed('plan', '-no-color')
    const [resources = '', outputs = ''] = plan.split('Changes to Outputs:')
    expect(resources).toMatch(/^ {6}- filters +=[^+]*? {8}\) -> null$/m)
    expect(outputs).toMatch(/^ {2}- filters = jsonencode\([^+]*?^ {4}\) -> null$/m)
    expect(plan).not.toContain('(known after apply)')
    const { requests } = await stack.service.watch(() => stack.apply())
    expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
    expect((await stack.state())['vexil_feature_flag.x']).toMatchObject({ filters: null })
    expect(await stack.outputs()).toEqual({})
    expect(await stack.succeed('plan', '-no-color', '-detailed-exitcode')).toContain('No changes')
  })
})

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

describe.skipIf(!terraform)('a plan of a share of everybody', () => {
  const flag = (release: string) => `resource "vexil_feature_flag" "x" {
  key    = "x"
  active = true
  ${release}
}
`

  it('shows the share, also where somebody changed it, and the conditions that somebody added', async () => {
    const stack = await open(flag('rollout_percentage = 5'))
    await stack.apply()
    await stack.write({ 'main.tf': flag('rollout_percentage = 25') })
    expect(changedLines(await stack.succeed('plan', '-no-color'))).toEqual(['~ rollout_percentage = 5 -> 25'])
    await stack.apply()
    const path = '/api/projects/1/feature_flags/1'
    const edit = (groups: object[]) => stack.service.send('PATCH', path, { filters: { groups } })
    await edit([{ properties: [], rollout_percentage: 40 }])
    expect(changedLines(await stack.succeed('plan', '-no-color'))).toEqual([
      '~ rollout_percentage = 40 -> 25',
    ])
    await edit([
      { properties: [], rollout_percentage: 40 },
      { properties: [], rollout_percentage: 7 },
    ])
    expect(changedLines(await stack.succeed('plan', '-no-color'))).toEqual([
      '- rollout_percentage = 40 -> null',
      '- rollout_percentage = 7 -> null',
      '+ rollout_percentage = 25',
    ])
    await stack.apply()
    await stack.write({ 'main.tf': flag('release = [{ rollout_percentage = 25 }]') })
    await stack.apply()
    expect(await stack.plan()).toEqual({})
  })

  it('refuses another way of saying it, on the line of the share', async () => {
    const stack = await open(flag('release = [{}]\n  rollout_percentage = 5'))
    expect(await stack.refusals('validate')).toMatchObject([
      { summary: '`release` and `rollout_percentage` are both set', at: '5' },
    ])
  })
})

/** What a plan marks as changed, but for the lines that only lead there. */
function changedLines(plan: string): string[] {
  const lines = plan.split('\n').map(line => line.trim().replaceAll(/ +/g, ' '))
  const isLegend = (line: string) => /^~ update in-place( \(current -> planned\))?$/.test(line)
  return lines.filter(line => /^[~+-] \S/.test(line) && !/[[{(]$/.test(line) && !isLegend(line))
}

describe.skipIf(!terraform)('a file that begins with a byte-order mark', () => {
  const plugin = `resource "vexil_plugin" "x" {
  name        = "x"
  plugin_type = "source"
  source      = { "index.ts" = file("index.ts") }
}
`

  it.each([10, 5_000])('is kept as it is, with %i letters', async length => {
    const stack = await open(plugin)
    await stack.write({ 'index.ts': `\ufeff// ${'x'.repeat(length)}\n` })
    await stack.apply()
    const { 'vexil_plugin.x': { source } = {} } = await stack.state()
    expect(source).toEqual({ 'index.ts': `\ufeff// ${'x'.repeat(length)}\n` })
    expect(await stack.plan()).toEqual({})
  })

  it('is told of filters, which are no JSON then', async () => {
    const stack = await open(
      'resource "vexil_feature_flag" "x" {\n  key = "x"\n  filters = file("x.json")\n}\n',
    )
    await stack.write({ 'x.json': `\ufeff${JSON.stringify({ groups: [] }).padEnd(500)}` })
    expect(await stack.refusals('plan')).toMatchObject([
      {
        detail: 'It begins with a byte-order mark (U+FEFF); save its file without one.',
      },
    ])
  })
})

describe.skipIf(!terraform)('tags of which one is added in the product', () => {
  it('differ in that one alone, however the others are spelled', async () => {
    const stack = await open(`resource "vexil_feature_flag" "x" {
  key    = "x"
  active = false
  tags   = ["A b", "c"]
}
`)
    await stack.apply()
    expect(await stack.plan()).toEqual({})
    await stack.service.send('PATCH', '/api/projects/1/feature_flags/1', { tags: ['a b', 'c', 'd'] })
    const plan = await stack.succeed('plan', '-no-color')
    const [, changed = ''] = plan.split('will perform the following actions')
    const [, tags = ''] = /^ {6}~ tags +=([^\]]*)\]/m.exec(changed) ?? []
    expect(tags.match(/^ +[-+~].*$/gm)?.map(line => line.trim())).toEqual(['- "d",'])
    await stack.apply()
    expect(await stack.plan()).toEqual({})
  })
})
