import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag, growthRole, supportRole } from './support/configurations.ts'

const open = useTerraform()
const flags = '/api/projects/1/feature_flags'
const definitions = '/api/projects/1/event_definitions'
const plugins = '/api/organizations/01900000-0000-0000-0000-000000000001/plugins'

const grant = (role: string) => `resource "vexil_feature_flag_role_access" "edit" {
  feature_flag_id = vexil_feature_flag.checkout.id
  role_id         = "${role}"
}
`

describe.skipIf(!terraform)('grants, plugins and events with the real Terraform', () => {
  it('grants a role, replaces the grant by one for another role, and takes it back', async () => {
    const address = 'vexil_feature_flag_role_access.edit'
    const stack = await open(flag('checkout') + grant(supportRole))
    await stack.apply()
    expect(await stack.plan()).toEqual({})
    const { feature_flag_id: id } = (await stack.state())[address] ?? {}
    const grants = async () => {
      const page = (await stack.service.get(`${flags}/${id}/role_access`)) as {
        results: { role: { id: string } }[]
      }
      return page.results.map(({ role }) => role.id)
    }
    expect(await grants()).toEqual([supportRole])
    await stack.write({ 'main.tf': flag('checkout') + grant(growthRole) })
    expect(await stack.plan()).toEqual({ [address]: 'delete create' })
    await stack.apply('made.plan')
    expect(await grants()).toEqual([growthRole])
    await stack.write({ 'main.tf': flag('checkout') })
    await stack.apply()
    expect(await grants()).toEqual([])
  })

  it('creates a plugin with its source, changes one file and removes another', async () => {
    const plugin = (source: string) => `resource "vexil_plugin" "clock" {
  name        = "Clock"
  plugin_type = "source"
  source      = ${source}
}
`
    const stack = await open(plugin('{ "index.ts" = "export const one = 1\\n", "site.ts" = "export {}\\n" }'))
    await stack.apply()
    expect(await stack.plan()).toEqual({})
    const { id } = (await stack.state())['vexil_plugin.clock'] ?? {}
    await stack.write({ 'main.tf': plugin('{ "index.ts" = "export const two = 2\\n" }') })
    expect(await stack.plan()).toEqual({ 'vexil_plugin.clock': 'update' })
    await stack.apply('made.plan')
    expect(await stack.service.get(`${plugins}/${id}/source`)).toEqual({
      'index.ts': 'export const two = 2\n',
    })
    expect(await stack.plan()).toEqual({})
    await stack.service.send('PATCH', `${plugins}/${id}/update_source`, {
      'index.ts': 'export const three = 3\n',
    })
    expect(await stack.plan()).toEqual({ 'vexil_plugin.clock': 'update' })
    await stack.destroy()
    await expect(stack.service.get(`${plugins}/${id}`)).rejects.toThrow('404')
  })

  it.each([
    ['forget', { tags: ['ours'], post_to_chat: true }],
    ['restore', { tags: ['payments'], post_to_chat: false }],
  ])('adopts an event and lets go of it: %s', async (way, after) => {
    const stack = await open(
      `resource "vexil_event_definition" "paid" {
  name         = "checkout_paid"
  tags         = ["ours"]
  post_to_chat = true
  on_destroy   = "${way}"
}
`,
      { seed: sampleWorld },
    )
    await stack.apply()
    expect(await stack.plan()).toEqual({})
    const { id } = (await stack.state())['vexil_event_definition.paid'] ?? {}
    expect(await stack.service.get(`${definitions}/${id}`)).toMatchObject({
      tags: ['ours'],
      post_to_chat: true,
    })
    await stack.destroy()
    expect(await stack.service.get(`${definitions}/${id}`)).toMatchObject(after)
  })

  it('gives an event back what it had, after it was replaced too', async () => {
    const event = `resource "vexil_event_definition" "paid" {
  name       = "checkout_paid"
  tags       = ["ours"]
  on_destroy = "restore"
}
`
    const stack = await open(event, { seed: sampleWorld })
    await stack.apply()
    const { id } = (await stack.state())['vexil_event_definition.paid'] ?? {}
    await stack.apply('-replace=vexil_event_definition.paid')
    expect(await stack.service.get(`${definitions}/${id}`)).toMatchObject({ tags: ['ours'] })
    await stack.destroy()
    expect(await stack.service.get(`${definitions}/${id}`)).toMatchObject({ tags: ['payments'] })
  })

  it('deletes an event where that is asked for', async () => {
    const event =
      'resource "vexil_event_definition" "paid" {\n  name = "signed_up"\n  on_destroy = "delete"\n}\n'
    const stack = await open(event, { seed: sampleWorld })
    await stack.apply()
    const { id } = (await stack.state())['vexil_event_definition.paid'] ?? {}
    await stack.destroy()
    await expect(stack.service.get(`${definitions}/${id}`)).rejects.toThrow('404')
  })

  it('refuses an event that was never seen', async () => {
    const stack = await open('resource "vexil_event_definition" "none" {\n  name = "never_seen"\n}\n')
    expect(await stack.refusals('apply')).toEqual([
      {
        summary:
          'event "never_seen" was not created: it does not exist yet, and the service creates it when it first sees such an event',
        detail: expect.any(String),
        at: '"never_seen"',
      },
    ])
  })

  it('puts default tags on everything, beside its own', async () => {
    const stack = await open(flag('checkout', 'tags = ["Own"]') + flag('plain'))
    await stack.write({
      'main.tf': `${flag('checkout', 'tags = ["Own"]\nprovider = vexil.tagged')}${flag('plain', 'provider = vexil.tagged')}`,
      'tagged.tf': `provider "vexil" {
  alias        = "tagged"
  base_url     = "${stack.service.url}"
  api_key      = "${stack.service.env.VEXIL_API_KEY}"
  project_id   = "1"
  default_tags = ["terraform"]
}
`,
    })
    await stack.apply()
    expect(await stack.plan()).toEqual({})
    const state = await stack.state()
    expect(state['vexil_feature_flag.checkout']).toMatchObject({
      tags: ['Own'],
      tags_all: ['own', 'terraform'],
    })
    expect(state['vexil_feature_flag.plain']).toMatchObject({ tags_all: ['terraform'] })
  })
})
