import { readFile } from 'node:fs/promises'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/text/json.ts'
import { providerBlock, useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag } from './support/configurations.ts'

const open = useTerraform()
const pages = globSync(['examples/terraform/docs/**/*.md', 'examples/terraform/*.tf', 'docs/*.md'])

/** What Terraform says of `tags_all` in such a list, though it keeps what the state has. */
const redundant = 'Redundant ignore_changes element'

describe.skipIf(!terraform)('what the documentation says to ignore changes of', () => {
  it('is taken without a warning', async () => {
    const texts = await Promise.all(pages.map(page => readFile(page, 'utf8')))
    const lists = texts.flatMap(text =>
      [...text.matchAll(/ignore_changes = (\[[^\]]*\])/g)].map(([, list]) => list),
    )
    expect(lists).toContain('[tags]')
    expect(lists).toContain('[filters]')
    const stack = await open(
      [...new Set(lists)]
        .map((list, at) => flag(`x${at}`, `tags = ["a"]\n  lifecycle {\n    ignore_changes = ${list}\n  }`))
        .join(''),
    )
    await stack.apply()
    expect(await stack.warnings()).toEqual([])
  })

  it('leaves tags to people in the product', async () => {
    const main = (name: string) =>
      flag('x', `name = "${name}"\n  tags = ["a"]\n  lifecycle {\n    ignore_changes = [tags]\n  }`)
    const stack = await open(main('one'))
    await stack.apply()
    const path = '/api/projects/1/feature_flags/1'
    await stack.service.send('PATCH', path, { tags: ['theirs'] })
    expect(await stack.plan()).toEqual({})
    await stack.write({ 'main.tf': main('two') })
    await stack.apply()
    expect(await stack.service.get(path)).toMatchObject({ name: 'two', tags: ['theirs'] })
    expect(await stack.plan()).toEqual({})
  })

  it.each([
    ['[tags_all]', ''],
    ['[tags, tags_all]', 'tags = ["a"]'],
  ])('takes nothing back of tags with %s, where a flag says "%s" of them', async (ignored, tags) => {
    const main = (name: string) =>
      flag('x', `name = "${name}"\n  ${tags}\n  lifecycle {\n    ignore_changes = ${ignored}\n  }`)
    const stack = await open(main('one'))
    const tagged = (tag: string) => ({
      'provider.tf': providerBlock(stack.service, `default_tags = ["${tag}"]`),
    })
    await stack.write(tagged('team'))
    await stack.apply()
    const ours = async () => (await stack.warnings()).filter(({ summary }) => summary !== redundant)
    const path = '/api/projects/1/feature_flags/1'
    await stack.service.send('PATCH', path, { tags: ['a', 'theirs'] })
    expect(await ours()).toEqual([])
    await stack.apply()
    await stack.write({ 'main.tf': main('two'), ...tagged('other') })
    expect(await ours()).toEqual([])
    await stack.apply()
    const after = await stack.service.get(path)
    expect(after).toMatchObject({ name: 'two', tags: expect.arrayContaining(['a', 'theirs']) })
    expect(after).toHaveProperty('tags.length', 2)
    expect(await stack.plan()).toEqual({})
  })

  it('leaves `release` alone where the flag had `rollout_percentage`', async () => {
    const path = '/api/projects/1/feature_flags/1'
    const main = (share: string, name: string, ignored: string) =>
      `resource "vexil_feature_flag" "x" {\n  key = "x"\n  name = "${name}"\n  ${share}\n  lifecycle {\n    ignore_changes = [${ignored}]\n  }\n}\n`
    const stack = await open(main('rollout_percentage = 20', 'one', 'tags'))
    await stack.apply()
    await stack.write({ 'main.tf': main('release = [{ rollout_percentage = 70 }]', 'two', 'release') })
    await stack.apply()
    const groups = [expect.objectContaining({ rollout_percentage: 20 })]
    expect(await stack.service.get(path)).toMatchObject({ name: 'two', filters: { groups } })
    expect(await stack.plan()).toEqual({})
  })

  it('leaves alone what only filters can say, also where something else changes', async () => {
    const path = '/api/projects/1/feature_flags/1'
    const main = (name: string) =>
      flag('x', `name = "${name}"\n  lifecycle {\n    ignore_changes = [filters]\n  }`)
    const stack = await open(main('one'))
    await stack.apply()
    const filters = { groups: [{ properties: [], rollout_percentage: 10 }], newer: true }
    await stack.service.send('PATCH', path, { filters })
    expect(await stack.plan()).toEqual({})
    await stack.write({ 'main.tf': main('two') })
    await stack.apply()
    expect(await stack.service.get(path)).toMatchObject({ name: 'two', filters: { newer: true } })
    expect(await stack.plan()).toEqual({})
  })

  it.each([
    ['release[0].rollout_percentage', [20, 6], [50, 50]],
    ['release[0]', [20, 6], [50, 50]],
    ['variants', [10, 6], [40, 60]],
  ])('leaves %s alone, and sends the rest as it is configured', async (ignored, shares, split) => {
    const path = '/api/projects/1/feature_flags/1'
    const main = (percent: number) => `resource "vexil_feature_flag" "x" {
  key      = "x"
  release  = [{ properties = [{ key = "a", value = "b" }], rollout_percentage = 10 }, { rollout_percentage = ${percent} }]
  variants = [{ key = "a", rollout_percentage = 50 }, { key = "b", rollout_percentage = 50 }]
  lifecycle {
    ignore_changes = [${ignored}]
  }
}
`
    const stack = await open(main(5))
    await stack.apply()
    const { filters } = (await stack.service.get(path)) as { filters: Filters }
    const [first, second] = filters.groups
    const [a, b] = filters.multivariate.variants
    await stack.service.send('PATCH', path, {
      filters: {
        ...filters,
        groups: [
          { ...first, rollout_percentage: 20 },
          { ...second, rollout_percentage: 7 },
        ],
        multivariate: {
          variants: [
            { ...a, rollout_percentage: 40 },
            { ...b, rollout_percentage: 60 },
          ],
        },
      },
    })
    await stack.write({ 'main.tf': main(6) })
    await stack.apply()
    const after = ((await stack.service.get(path)) as { filters: Filters }).filters
    expect(sharesIn(after.groups)).toEqual(shares)
    expect(sharesIn(after.multivariate.variants)).toEqual(split)
    expect(await stack.plan()).toEqual({})
  })
})

interface Filters {
  readonly groups: readonly JsonObject[]
  readonly multivariate: { readonly variants: readonly JsonObject[] }
}

function sharesIn(rows: readonly JsonObject[]) {
  return rows.map(row => row.rollout_percentage)
}
