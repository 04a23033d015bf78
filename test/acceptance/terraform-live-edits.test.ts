import { describe, expect, it } from 'vitest'
import { useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag } from './support/configurations.ts'

const open = useTerraform()
const path = '/api/projects/1/feature_flags/1'
const takenBack = 'flag "checkout" was changed in the product: active on -> off; applying reverts it'

describe.skipIf(!terraform)('what people change in the product', () => {
  it('is warned of at its attribute, until it is applied or configured', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    expect(await stack.warnings()).toEqual([])
    await stack.service.send('PATCH', path, { active: false })
    const [warning, ...others] = await stack.warnings()
    expect(others).toEqual([])
    expect(warning).toMatchObject({ summary: takenBack, at: 'true' })
    expect(warning?.detail).toMatch(/^It was last applied on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\. /)
    expect(await stack.warnings('-refresh=false')).toEqual([])
    await stack.apply('-refresh-only')
    expect(await stack.warnings()).toHaveLength(1)
    await stack.apply()
    expect(await stack.warnings()).toEqual([])
  })

  it('is warned of as well where the configuration has changed too, and not where it alone has', async () => {
    const stack = await open(flag('checkout', 'name = "one"'))
    await stack.apply()
    await stack.write({ 'main.tf': flag('checkout', 'name = "two"', 20) })
    expect(await stack.warnings()).toEqual([])
    await stack.service.send('PATCH', path, { name: 'theirs' })
    expect(await stack.warnings()).toMatchObject([
      {
        summary:
          'flag "checkout" was changed in the product and in the configuration: `name`; applying reverts the product\'s change',
        at: '"two"',
      },
    ])
  })

  it.each(['[active]', 'all'])('is not warned of where changes of it are ignored: %s', async ignored => {
    const main = flag('checkout', `lifecycle {\n    ignore_changes = ${ignored}\n  }`)
    const stack = await open(main)
    await stack.apply()
    await stack.service.send('PATCH', path, { active: false })
    expect(await stack.warnings()).toEqual([])
    expect(await stack.plan()).toEqual({})
    await stack.write({ 'main.tf': flag('checkout') })
    expect(await stack.warnings()).toMatchObject([{ summary: takenBack }])
  })

  it('is warned of where the flag is to be destroyed, by name or with everything', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    await stack.service.send('PATCH', path, { active: false })
    const lost = {
      summary:
        'flag "checkout" was changed in the product: active on -> off; destroying it loses this change',
    }
    expect(await stack.warnings('-destroy')).toMatchObject([lost])
    await stack.write({ 'main.tf': '' })
    // Terraform 1.11 plans this one by its state of before it was read.
    await stack.apply('-refresh-only')
    expect(await stack.warnings()).toMatchObject([lost])
    await stack.apply()
    expect(await stack.state()).toEqual({})
    expect(await stack.service.get(path)).toMatchObject({ deleted: true })
  })

  it('is warned of after an import that changed nothing', async () => {
    const stack = await open(flag('checkout'))
    await stack.service.send('POST', '/api/projects/1/feature_flags', {
      key: 'checkout',
      active: true,
      filters: { groups: [{ rollout_percentage: 10 }] },
    })
    await stack.succeed('import', '-no-color', 'vexil_feature_flag.checkout', 'checkout')
    expect(await stack.warnings()).toEqual([])
    await stack.service.send('PATCH', path, { active: false })
    expect(await stack.warnings()).toMatchObject([{ summary: takenBack }])
  })
})
