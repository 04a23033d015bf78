import { describe, expect, it } from 'vitest'
import { binaryOf, titleOf } from '../engines/engines.ts'
import { openTofuCases } from '../stack/opentofu-cases.ts'
import { enginesOfRun } from '../suites.ts'
import { useTerraform } from './support/attached.ts'

const open = useTerraform()
const openTofu = enginesOfRun().find(engine => titleOf(engine) === 'opentofu-1.12.6')

interface PlanJson {
  readonly planned_values?: {
    readonly root_module?: {
      readonly resources?: readonly { readonly values: { readonly key: string; readonly name: string } }[]
    }
  }
}

describe.skipIf(!openTofu)('files that OpenTofu reads', () => {
  it.each(openTofuCases)('are read by the real OpenTofu as the cases show: %s', async (_, files, names) => {
    const stack = (await open('')).with(openTofu ? binaryOf(openTofu) : '')
    await stack.write(files)
    if (Object.keys(files).some(name => name.startsWith('m/'))) await stack.run('get')
    const plan = stack.plan()
    if (names === undefined) return expect(plan).rejects.toThrow()
    await plan
    const { planned_values: planned }: PlanJson = JSON.parse(
      await stack.succeed('show', '-json', 'made.plan'),
    )
    const found = (planned?.root_module?.resources ?? []).map(({ values: { key, name } }) => [key, name])
    expect(Object.fromEntries(found)).toEqual(names)
  })
})
