import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { type Attached, useTerraform } from './support/attached.ts'
import { knowsIdentities } from './support/binary.ts'
import { supportRole } from './support/configurations.ts'

const open = useTerraform()

const imports = `import {
  to       = vexil_feature_flag.dark
  identity = { key = "dark-mode" }
}
import {
  to       = vexil_feature_flag_role_access.support
  identity = { project_id = "1", flag_key = "gift-wrapping", role_id = "${supportRole}" }
}
import {
  to       = vexil_plugin.one
  identity = { name = "Session clock" }
}
import {
  to       = vexil_event_definition.paid
  identity = { name = "checkout_paid" }
}
`

interface Shown {
  readonly address: string
  readonly identity?: Readonly<Record<string, unknown>>
  readonly values: Readonly<Record<string, unknown>>
}

/** What the state says of every resource, with its identity. */
async function resourcesIn(stack: Attached): Promise<Readonly<Record<string, Shown>>> {
  const { values } = JSON.parse(await stack.succeed('show', '-json'))
  return Object.fromEntries(values.root_module.resources.map((each: Shown) => [each.address, each]))
}

describe.skipIf(!knowsIdentities)('identities with the real Terraform', () => {
  it('import objects of every kind by their names, and are kept', async () => {
    const stack = await open(imports, { seed: sampleWorld })
    expect(Object.values(await stack.plan('-generate-config-out=generated.tf'))).toEqual(
      Array.from({ length: 4 }, () => 'import'),
    )
    await stack.apply('made.plan')
    const found = await resourcesIn(stack)
    expect(Object.keys(found).length).toBe(4)
    for (const { address, identity, values } of Object.values(found)) {
      const isGrant = address.includes('role_access')
      const { id, role_id, feature_flag_id, project_id, organization_id, name, key } = values
      const owner = address.includes('plugin') ? { organization_id } : { project_id }
      const named = key === undefined ? { name: null } : { key: null }
      expect(identity).toEqual({
        ...owner,
        ...(isGrant ? { role_id, feature_flag_id, flag_key: null } : { id, ...named }),
      })
      expect(name ?? key ?? role_id).toBeTruthy()
    }
    expect(await stack.plan()).toEqual({})
  })

  it('come with what is made, stay when it is renamed, and go with it', async () => {
    const flag = (key: string) =>
      `resource "vexil_feature_flag" "one" {\n  key = "${key}"\n  active = false\n}\n`
    const stack = await open(flag('one'))
    // Read from the plan as JSON, which has no form for what is not known.
    expect(await stack.plan()).toEqual({ 'vexil_feature_flag.one': 'create' })
    await stack.apply('made.plan')
    const made = (await resourcesIn(stack))['vexil_feature_flag.one']
    expect(made?.identity).toEqual({ project_id: '1', id: made?.values.id, key: null })
    await stack.write({ 'main.tf': flag('two') })
    expect(await stack.plan()).toEqual({ 'vexil_feature_flag.one': 'update' })
    await stack.apply('made.plan')
    expect((await resourcesIn(stack))['vexil_feature_flag.one']?.identity).toEqual(made?.identity)
    await stack.service.send('PATCH', `/api/projects/1/feature_flags/${made?.values.id}`, { key: 'three' })
    await stack.apply('-refresh-only')
    const renamed = (await resourcesIn(stack))['vexil_feature_flag.one']
    expect([renamed?.values.key, renamed?.identity]).toEqual(['three', made?.identity])
    expect(await stack.plan('-replace=vexil_feature_flag.one')).toEqual({
      'vexil_feature_flag.one': 'delete create',
    })
    await stack.apply('made.plan')
    await stack.destroy()
  })

  it('that name nothing are errors', async () => {
    const nothing = `import {\n  to = vexil_feature_flag.one\n  identity = { key = "nowhere" }\n}\nresource "vexil_feature_flag" "one" {\n  key = "nowhere"\n}\n`
    const stack = await open(nothing, { seed: sampleWorld })
    expect((await stack.refusals('plan')).map(({ summary }) => summary)).toEqual([
      'there is no flag "nowhere"',
    ])
  })
})
