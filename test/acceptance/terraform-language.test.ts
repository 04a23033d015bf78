import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { useTerraform } from './support/attached.ts'
import { isOlderThan, terraform } from './support/binary.ts'
import { flag } from './support/configurations.ts'

const open = useTerraform()
const address = 'vexil_feature_flag.checkout'
const flags = '/api/projects/1/feature_flags'

describe.skipIf(!terraform)("what Terraform's own language does to flags", () => {
  it('leaves to the people in the product what ignore_changes names', async () => {
    const stack = await open(flag('checkout', 'lifecycle { ignore_changes = [release, name] }'))
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    const change = { name: 'Theirs', filters: { groups: [{ properties: [], rollout_percentage: 80 }] } }
    await stack.service.send('PATCH', `${flags}/${id}`, change)
    expect(await stack.plan()).toEqual({})
    await stack.write({
      'main.tf': flag('checkout', 'tags = ["ours"]\nlifecycle { ignore_changes = [release, name] }'),
    })
    await stack.apply()
    expect(await stack.service.get(`${flags}/${id}`)).toMatchObject({ ...change, tags: ['ours'] })
    expect(await stack.plan()).toEqual({})
  })

  it('leaves JSON filters to the people in the product as well', async () => {
    const main = `resource "vexil_feature_flag" "checkout" {
  key     = "checkout"
  filters = jsonencode({ groups = [{ rollout_percentage = 10 }] })
  lifecycle { ignore_changes = [filters] }
}
`
    const stack = await open(main)
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    const filters = { groups: [{ properties: [], rollout_percentage: 80 }] }
    await stack.service.send('PATCH', `${flags}/${id}`, { filters })
    expect(await stack.plan()).toEqual({})
    await stack.write({ 'main.tf': main.replace('lifecycle', 'name = "Ours"\n  lifecycle') })
    await stack.apply()
    expect(await stack.service.get(`${flags}/${id}`)).toMatchObject({ name: 'Ours', filters })
    expect(await stack.plan()).toEqual({})
  })

  it('asks whether another flag is on with a truth value, which its own type makes text', async () => {
    const asking = (value: string) =>
      `{ properties = [{ key = vexil_feature_flag.base.id, type = "flag", operator = "flag_evaluates_to", value = ${value} }] }`
    const stack = await open(`resource "vexil_feature_flag" "base" {
  key     = "base"
  release = []
}
resource "vexil_feature_flag" "checkout" {
  key     = "checkout"
  release = [${['true', 'false', '"bold"'].map(asking).join(', ')}]
}
`)
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    const { filters } = (await stack.service.get(`${flags}/${id}`)) as {
      filters: { groups: { properties: { value: unknown }[] }[] }
    }
    expect(filters.groups.map(({ properties }) => properties[0]?.value)).toEqual([true, false, 'bold'])
    expect(await stack.plan()).toEqual({})
  })

  it('refuses a condition that is null, which is none that everybody meets', async () => {
    const stack = await open(`variable "staff_only" { default = false }
resource "vexil_feature_flag" "checkout" {
  key     = "checkout"
  release = [var.staff_only ? { rollout_percentage = 5 } : null]
}
`)
    const refusals = await stack.refusals('apply')
    expect(refusals.map(({ summary }) => summary)).toEqual([expect.stringMatching(/^a condition /)])
    expect(await stack.service.get(flags)).toMatchObject({ results: [] })
  })

  it('takes a label from a variable without a value for none', async () => {
    const team = (value: string) => `variable "team" {
  type    = string
  default = ${value}
}
resource "vexil_feature_flag" "checkout" {
  key    = "checkout"
  active = false
  tags   = ["ours", var.team]
}
`
    const stack = await open(team('null'))
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    const tags = async () => ((await stack.service.get(`${flags}/${id}`)) as { tags: string[] }).tags
    expect(await tags()).toEqual(['ours'])
    expect(await stack.plan()).toEqual({})
    await stack.write({ 'main.tf': team('"growth"') })
    await stack.apply()
    expect((await tags()).sort()).toEqual(['growth', 'ours'])
    await stack.write({ 'main.tf': team('null') })
    await stack.apply()
    expect(await tags()).toEqual(['ours'])
    expect(await stack.plan()).toEqual({})
  })

  it('loses nothing where one of the same key is to be made before the other is destroyed', async () => {
    const stack = await open(flag('checkout', 'lifecycle { create_before_destroy = true }'))
    await stack.apply()
    const state = await stack.state()
    expect(await stack.refusals('apply', `-replace=${address}`)).toMatchObject([
      {
        summary: 'flag "checkout" already exists',
        detail: expect.stringContaining('If the plan shows a replacement (`+/-`), import nothing'),
      },
    ])
    expect(await stack.state()).toEqual(state)
    expect(await stack.plan()).toEqual({})
  })

  it('destroys nothing that the replacement has taken over, made before the other is destroyed', async () => {
    const adopting = 'adopt = true\n  lifecycle { create_before_destroy = true }'
    const event = `resource "vexil_event_definition" "paid" {
  name       = "checkout_paid"
  tags       = ["ours"]
  on_destroy = "delete"
  lifecycle { create_before_destroy = true }
}
`
    const stack = await open(flag('checkout', adopting) + event, { seed: sampleWorld })
    await stack.apply()
    const state = await stack.state()
    const said = await stack.apply(`-replace=${address}`, '-replace=vexil_event_definition.paid')
    expect(said).toContain('flag "checkout" was not destroyed')
    expect(await stack.state()).toMatchObject({ [address]: { id: state[address]?.id, deleted: false } })
    expect(await stack.plan()).toEqual({})
    expect(await stack.service.get(`${flags}/${state[address]?.id}`)).toMatchObject({ deleted: false })
    await stack.destroy()
    expect(await stack.service.get(`${flags}/${state[address]?.id}`)).toMatchObject({ deleted: true })
  })

  it('writes down what a colleague has changed, and changes nothing, with -refresh-only', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    await stack.service.send('PATCH', `${flags}/${id}`, { name: 'Theirs' })
    const { requests } = await stack.service.watch(() => stack.apply('-refresh-only'))
    expect(requests).toEqual([`GET ${flags}`])
    expect((await stack.state())[address]).toMatchObject({ id, name: 'Theirs' })
    expect(await stack.plan()).toEqual({})
  })

  it('destroys nothing that prevent_destroy holds', async () => {
    const stack = await open(flag('checkout', 'lifecycle { prevent_destroy = true }'))
    await stack.apply()
    const { requests } = await stack.service.watch(async () => {
      expect(await stack.refusals('destroy')).toMatchObject([
        { summary: expect.stringMatching(/instance cannot be destroyed$/i) },
      ])
    })
    expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
    expect(await stack.plan()).toEqual({})
  })

  it('makes a flag for each of a map, and removes the one that is taken out', async () => {
    const each = (percentages: string) => `resource "vexil_feature_flag" "each" {
  for_each = ${percentages}
  key      = each.key
  active   = true
  release  = [{ rollout_percentage = each.value }]
}
`
    const stack = await open(each('{ one = 1, two = 2, three = 3 }'))
    await stack.apply()
    expect(await stack.plan()).toEqual({})
    await stack.write({ 'main.tf': each('{ one = 10, two = 2 }') })
    expect(await stack.plan()).toEqual({
      'vexil_feature_flag.each["one"]': 'update',
      'vexil_feature_flag.each["three"]': 'delete',
    })
    await stack.apply('made.plan')
    expect(await stack.plan()).toEqual({})
    expect(Object.keys(await stack.state()).sort()).toEqual([
      'vexil_feature_flag.each["one"]',
      'vexil_feature_flag.each["two"]',
    ])
  })

  it('moves a flag to another address without asking the service for anything but a read', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    const moved = flag('checkout').replace('"vexil_feature_flag" "checkout"', '"vexil_feature_flag" "shop"')
    await stack.write({
      'main.tf': `${moved}\nmoved {\n  from = vexil_feature_flag.checkout\n  to   = vexil_feature_flag.shop\n}\n`,
    })
    expect(await stack.plan()).toEqual({ 'vexil_feature_flag.shop': `move from ${address}` })
    const { requests } = await stack.service.watch(() => stack.apply('made.plan'))
    expect(requests).toEqual([])
    expect((await stack.state())['vexil_feature_flag.shop']).toMatchObject({ id, key: 'checkout' })
  })

  it.skipIf(isOlderThan('1.7'))(
    'forgets a flag that is removed from the configuration without being destroyed',
    async () => {
      const stack = await open(flag('checkout'))
      await stack.apply()
      const { id } = (await stack.state())[address] ?? {}
      await stack.write({
        'main.tf': `removed {\n  from = ${address}\n  lifecycle {\n    destroy = false\n  }\n}\n`,
      })
      await stack.apply()
      expect(await stack.state()).toEqual({})
      expect(await stack.service.get(`${flags}/${id}`)).toMatchObject({ deleted: false })
    },
  )

  it('waits for values of other resources, in filters and in the provider block', async () => {
    const unknowns = `resource "terraform_data" "percent" {
  input = 30
}
resource "vexil_feature_flag" "json" {
  key     = "json"
  active  = true
  filters = jsonencode({ groups = [{ rollout_percentage = terraform_data.percent.output }] })
}
resource "vexil_feature_flag" "typed" {
  key     = "typed"
  active  = true
  release = [{ rollout_percentage = terraform_data.percent.output }]
  tags    = ["p\${terraform_data.percent.output}"]
}
`
    const stack = await open(unknowns)
    expect(await stack.plan()).toEqual({
      'terraform_data.percent': 'create',
      'vexil_feature_flag.json': 'create',
      'vexil_feature_flag.typed': 'create',
    })
    await stack.apply('made.plan')
    expect(await stack.plan()).toEqual({})
    const { results } = (await stack.service.get(flags)) as { results: unknown[] }
    const filters = { groups: [{ rollout_percentage: 30 }] }
    expect(results).toHaveLength(2)
    expect(results).toMatchObject([{ filters }, { filters }])
  })

  it('plans with a provider whose address and project are not known yet', async () => {
    const stack = await open('')
    await stack.write({
      'provider.tf': `terraform {
  required_providers {
    vexil = { source = "vexil/vexil" }
  }
}
provider "vexil" {
  base_url   = terraform_data.where.output.url
  api_key    = "${stack.service.env.VEXIL_API_KEY}"
  project_id = terraform_data.where.output.project
}
`,
      'main.tf': `resource "terraform_data" "where" {
  input = { url = "${stack.service.url}", project = "1" }
}
${flag('checkout')}`,
    })
    const made = { 'terraform_data.where': 'create', [address]: 'create' }
    expect(await stack.plan()).toEqual(made)
    await stack.apply('made.plan')
    expect(await stack.plan()).toEqual({})
  })
})
