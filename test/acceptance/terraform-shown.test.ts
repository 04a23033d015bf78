import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { cli } from '../support/cli.ts'
import { providerBlock, useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag } from './support/configurations.ts'

const open = useTerraform()

const plugin = (files: string) =>
  `resource "vexil_plugin" "clock" {\n  name = "clock"\n  source = { ${files} }\n}\n`
const event = 'resource "vexil_event_definition" "paid" {\n  name = "checkout_paid"\n  tags = ["ours"]\n'
const named = (name: string, key: string, percent = 10) =>
  flag(key, '', percent).replace(`"vexil_feature_flag" "${key}"`, `"vexil_feature_flag" "${name}"`)

describe.skipIf(!terraform)('what `vexil show --terraform-plan` says of a plan of Terraform', () => {
  it('is what the apply does to the service', async () => {
    const stack = await open(
      `${named('one', 'old')}${named('two', 'back', 100)}${named('three', 'tagged')}${plugin('"index.ts" = "1", "b.ts" = "2"')}${event}  on_destroy = "restore"\n}\n`,
      { seed: sampleWorld },
    )
    await stack.apply()
    const flags = await stack.state()
    const pathOf = (name: string) =>
      `/api/projects/1/feature_flags/${String((flags[`vexil_feature_flag.${name}`] as { id: string }).id)}/`
    await stack.service.send('PATCH', pathOf('two'), { deleted: true })
    await stack.write({
      'main.tf':
        named('one', 'new') +
        named('two', 'back', 100) +
        named('three', 'tagged') +
        plugin('"index.ts" = "1"'),
      'provider.tf': providerBlock(stack.service, 'default_tags = ["team"]'),
    })
    await stack.succeed('plan', '-out=tfplan', '-input=false')
    await stack.write({ 'plan.json': await stack.succeed('show', '-json', 'tfplan') })
    const given = { directory: stack.directory, env: {} }
    const { code, stdout } = await cli('show --terraform-plan plan.json', given)
    expect(code).toBe(0)
    expect(stdout).not.toContain('no changes in the service')
    expect(stdout).toContain('renamed to "new": code that asks for "old" no longer gets it')
    expect(stdout).toContain('restored from its soft delete, with the same id')
    expect(stdout).toContain('this plan restores it')
    expect(stdout).toMatch(/~ flag tagged\n {6}tags \+team\n/)
    expect(stdout).toContain('source b.ts removed: 1 line')
    expect(stdout).toContain('it stays in the service, with the values from before Terraform managed it')
    await stack.succeed('apply', 'tfplan')
    expect(await stack.service.get(pathOf('one'))).toMatchObject({ key: 'new' })
    expect(await stack.service.get(pathOf('two'))).toMatchObject({ deleted: false, tags: ['team'] })
    expect(await stack.service.get(pathOf('three'))).toMatchObject({ tags: ['team'] })
    expect(await stack.plan()).toEqual({})
  })
})
