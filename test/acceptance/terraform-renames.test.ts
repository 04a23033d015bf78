import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { flagsPath } from '../support/workspace.ts'
import { type Attached, useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'

const open = useTerraform()

const flags = (key: string) => `resource "vexil_feature_flag" "base" {
  key                = "${key}"
  rollout_percentage = 100
}

resource "vexil_feature_flag" "naming" {
  key     = "naming"
  active  = true
  release = [{ properties = [{ key = vexil_feature_flag.base.key, type = "flag", operator = "flag_evaluates_to", value = "true" }] }]
}

resource "vexil_feature_flag_role_access" "support" {
  feature_flag_id = vexil_feature_flag.base.id
  role_id         = "01900000-0000-0000-0000-0000000000aa"
}
`

async function keysById({ service }: Attached): Promise<Readonly<Record<string, string>>> {
  const { results } = (await service.get(`${flagsPath}/`)) as { results: { key: string; id: number }[] }
  return Object.fromEntries(results.map(({ id, key }) => [id, key]))
}

describe.skipIf(!terraform).each(['documented', 'posthog-2026'] as const)('a rename (%s)', profile => {
  it('that Terraform plans is one where Vexil applies its plan, and then neither has anything to do', async () => {
    const stack = await open(flags('ren_old'), { profile })
    await stack.apply()
    const before = await keysById(stack)
    await stack.write({ 'main.tf': flags('ren_new') })
    expect(await stack.plan()).toEqual({
      'vexil_feature_flag.base': 'update',
      'vexil_feature_flag.naming': 'update',
    })
    await stack.write({ 'plan.json': await stack.succeed('show', '-json', 'made.plan') })

    const given = { directory: stack.directory, env: stack.service.env }
    const planned = await cli('plan --plan-json plan.json --json', given)
    expect(JSON.parse(planned.stdout)).toMatchObject({
      changes: [{ address: 'feature_flag.ren_new', before: { key: 'ren_old' }, after: { key: 'ren_new' } }],
      blocked: [],
    })
    const applied = await cli('apply --plan-json plan.json --auto-approve', given)
    expect(applied.code).toBe(0)
    const renamed = Object.entries(before).map(([id, key]) => [id, key === 'ren_old' ? 'ren_new' : key])
    expect(await keysById(stack)).toEqual(Object.fromEntries(renamed))

    const again = await cli('plan --plan-json plan.json --detailed-exitcode', given)
    expect(again.code).toBe(0)
    expect(await stack.plan()).toEqual({})
  })
})
