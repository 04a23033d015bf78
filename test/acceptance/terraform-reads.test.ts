import { describe, expect, it } from 'vitest'
import { useTerraform } from './support/attached.ts'
import { isOlderThan, terraform } from './support/binary.ts'

const open = useTerraform()
const flags = '/api/projects/1/feature_flags'

const count = 80
const keys = Array.from({ length: count }, (_, index) => `flag-${String(index).padStart(3, '0')}`)
const filters = { groups: [{ properties: [], rollout_percentage: 10 }] }
const world = {
  users: [{ id: 1, email: 'ada@example.com' }],
  organizations: [
    {
      id: '01900000-0000-0000-0000-000000000001',
      name: 'Example',
      projects: [{ id: 1, name: 'Production', feature_flags: keys.map(key => ({ key, filters })) }],
    },
  ],
}

const main = (percent: number) => `locals {
  keys = toset([for index in range(${count}) : format("flag-%03d", index)])
}
resource "vexil_feature_flag" "each" {
  for_each = local.keys
  key      = each.key
  active   = true
  filters  = jsonencode({ groups = [{ rollout_percentage = each.key == "flag-007" ? ${percent} : 10 }] })
}
`
const imports = `import {
  for_each = local.keys
  to       = vexil_feature_flag.each[each.key]
  id       = each.key
}
`

const pages = 4

/**
 * The list once, whole. Terraform asks for the objects as it gets round to them: until as many wait as there are pages
 * left after the first, those that came before are asked for alone.
 */
function expectPages(requests: readonly string[]): void {
  expect(requests.filter(each => each === `GET ${flags}`)).toHaveLength(pages)
  const alone = requests.filter(each => each !== `GET ${flags}`)
  expect(alone.every(each => each.startsWith(`GET ${flags}/`))).toBe(true)
  expect(alone.length).toBeLessThan(pages)
}

// Imports take `for_each` since then.
describe.skipIf(!terraform || isOlderThan('1.7'))('many flags with the real Terraform', () => {
  it('are read in pages, not one by one', async () => {
    const stack = await open(main(10) + imports, { seed: world, quirks: { page_size_cap: 20 } })
    const imported = await stack.service.watch(() => stack.apply())
    expectPages(imported.requests)
    expect(Object.keys(await stack.state())).toHaveLength(count)

    await stack.write({ 'main.tf': main(20) })
    const planned = await stack.service.watch(() => stack.plan())
    expect(planned.result).toEqual({ 'vexil_feature_flag.each["flag-007"]': 'update' })
    expectPages(planned.requests)
    const changed = await stack.service.watch(() => stack.apply('made.plan'))
    expect(changed.requests).toEqual([`GET ${flags}/8`, `PATCH ${flags}/8`])
  })
})
