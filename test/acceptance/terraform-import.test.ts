import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { worldOf } from '../support/live-worlds.ts'
import { type Attached, useTerraform } from './support/attached.ts'
import { isOlderThan, terraform } from './support/binary.ts'
import { supportRole } from './support/configurations.ts'

const open = useTerraform()
const address = 'vexil_feature_flag.dark'
const flags = '/api/projects/1/feature_flags'

/** As a person would write what the sample world holds. */
const darkMode = `resource "vexil_feature_flag" "dark" {
  key     = "dark-mode"
  name    = "Dark colours in the shop"
  active  = true
  filters = jsonencode({ groups = [{ rollout_percentage = 25 }] })
  tags    = ["design"]
}
`

/** As they were written before the service checked them. */
const oldFilters = {
  groups: [{ properties: [{ key: 'age', type: 'person', operator: 'gte', value: 100 }] }],
}

async function idOf(stack: Attached, path: string, name: string): Promise<string> {
  const { results } = (await stack.service.get(path)) as { results: Record<string, unknown>[] }
  const found = results.find(each => each.key === name || each.name === name)
  return String(found?.id)
}

describe.skipIf(!terraform)('what is there already, with the real Terraform', () => {
  it.each([
    ['its id', (id: string) => id],
    ['its key', () => 'dark-mode'],
    ['project and key', () => '1/dark-mode'],
    ['project and id', (id: string) => `1/${id}`],
  ])('is imported by command under %s and then as configured', async (_, written) => {
    const stack = await open(darkMode, { seed: sampleWorld })
    const id = await idOf(stack, flags, 'dark-mode')
    const { requests } = await stack.service.watch(() =>
      stack.succeed('import', '-no-color', '-input=false', address, written(id)),
    )
    expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
    expect((await stack.state())[address]).toMatchObject({ id, key: 'dark-mode', project_id: '1' })
    expect(await stack.plan()).toEqual({})
  })

  it('is imported by a block, and is as configured in the same run', async () => {
    const block = `import {\n  to = ${address}\n  id = "dark-mode"\n}\n`
    const stack = await open(darkMode + block, { seed: sampleWorld })
    expect(await stack.plan()).toEqual({ [address]: 'import' })
    const { requests } = await stack.service.watch(() => stack.apply('made.plan'))
    expect(requests).toEqual([])
    expect(await stack.plan()).toEqual({})
  })

  it('may break rules that hold for anything new', async () => {
    const seed = worldOf([], { feature_flags: [{ key: 'old', active: true, filters: oldFilters }] })
    const block = `import {\n  to = vexil_feature_flag.old\n  id = "old"\n}\n`
    const stack = await open(block, { seed })
    expect(await stack.plan('-generate-config-out=generated.tf')).toEqual({
      'vexil_feature_flag.old': 'import',
    })
    await stack.apply('made.plan')
    expect(await stack.plan()).toEqual({})
    const text = await readFile(join(stack.directory, 'generated.tf'), 'utf8')
    await stack.write({ 'generated.tf': text.replace(/(= |:)100/, '$1200') })
    expect(await stack.refusals('plan')).toMatchObject([
      { summary: 'the value of the operator "gte" must be text' },
    ])
  })

  it('is written down by Terraform itself, in text that plans nothing', async () => {
    const stack = await open('', { seed: sampleWorld })
    const organization = '/api/organizations/01900000-0000-0000-0000-000000000001'
    const plugin = await idOf(stack, `${organization}/plugins`, 'Session clock')
    const blocks = [
      ['vexil_feature_flag.dark', 'dark-mode'],
      ['vexil_feature_flag.wrapping', 'gift-wrapping'],
      ['vexil_feature_flag_role_access.support', `gift-wrapping/${supportRole}`],
      ['vexil_plugin.clock', plugin],
      ['vexil_plugin.country', 'Country of an event'],
      ['vexil_event_definition.paid', 'checkout_paid'],
      ['vexil_event_definition.staging', '2/checkout_paid'],
    ]
    await stack.write({
      'main.tf': blocks.map(([to, id]) => `import {\n  to = ${to}\n  id = "${id}"\n}\n`).join(''),
    })
    const imported = Object.fromEntries(blocks.map(([to]) => [to, 'import']))
    expect(await stack.plan('-generate-config-out=generated.tf')).toEqual(imported)
    const text = await readFile(join(stack.directory, 'generated.tf'), 'utf8')
    // Terraform 1.5 writes JSON as a text.
    if (!isOlderThan('1.6')) expect(text).toContain('jsonencode(')
    expect(await stack.plan()).toEqual(imported)
    const { requests } = await stack.service.watch(() => stack.apply('made.plan'))
    expect(requests).toEqual([])
    expect(await stack.plan()).toEqual({})
  })

  it('is not imported when it is not there', async () => {
    const stack = await open(darkMode)
    const { code, output } = await stack.run('import', '-no-color', '-input=false', address, 'nowhere')
    expect(code).toBe(1)
    expect(output).toContain('there is no flag "nowhere" to import')
    const block = `import {\n  to = ${address}\n  id = "77"\n}\n`
    await stack.write({ 'main.tf': darkMode + block })
    expect(await stack.refusals('plan')).toMatchObject([{ summary: 'there is no flag "77" to import' }])
  })

  it.skipIf(isOlderThan('1.8'))("is moved out of another provider's state and keeps its id", async () => {
    const move = 'moved {\n  from = posthog_feature_flag.dark\n  to   = vexil_feature_flag.dark\n}\n'
    const stack = await open(darkMode + move, { seed: sampleWorld })
    const id = await idOf(stack, flags, 'dark-mode')
    await stack.write({ 'terraform.tfstate': JSON.stringify(posthogState(id)) })
    expect(await stack.plan()).toEqual({ [address]: 'move from posthog_feature_flag.dark' })
    const { requests } = await stack.service.watch(() => stack.apply('made.plan'))
    expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
    expect((await stack.state())[address]).toMatchObject({ id, key: 'dark-mode', project_id: '1' })
    expect(await stack.plan()).toEqual({})
  })
})

/** As the public service's own provider leaves it. */
function posthogState(id: string) {
  const attributes = {
    id: Number(id),
    // The project comes from its provider's block.
    project_id: null,
    deleted: false,
    key: 'dark-mode',
    name: 'Dark colours in the shop',
    active: true,
    filters: '{"groups":[{"properties":[],"rollout_percentage":25}]}',
    rollout_percentage: null,
    tags: ['design'],
  }
  const resource = {
    mode: 'managed',
    type: 'posthog_feature_flag',
    name: 'dark',
    provider: 'provider["registry.terraform.io/posthog/posthog"]',
    instances: [{ schema_version: 0, attributes, sensitive_attributes: [] }],
  }
  return {
    version: 4,
    terraform_version: '1.11.4',
    serial: 1,
    lineage: '0f0c9bd4-5b86-4b4e-9f50-5b7c2d3f1a10',
    outputs: {},
    resources: [resource],
    check_results: null,
  }
}
