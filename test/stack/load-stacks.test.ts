import { join } from 'node:path'
import { App, TerraformStack } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { loadStacks } from '../../src/stack/index.ts'
import { inFolder } from '../support/folder.ts'

const names = ['a', 'b', 'c', 'd'] as const
type Name = (typeof names)[number]

/** The stacks of an app, in which each depends on others, as they are read when they are named in an order. */
function orderOf(needs: Readonly<Partial<Record<Name, readonly Name[]>>>, named: readonly Name[]) {
  return inFolder({}, async output => {
    const app = new App({ outdir: output, skipValidation: true })
    const stacks = new Map(
      names.map(name => {
        const stack = new TerraformStack(app, name)
        new VexilProvider(stack, 'vexil', { projectId: '1' })
        new FeatureFlag(stack, 'flag', { key: `flag_${name}`, active: false })
        return [name, stack]
      }),
    )
    for (const [name, others] of Object.entries(needs) as [Name, readonly Name[]][])
      for (const other of others) stacks.get(name)!.addDependency(stacks.get(other)!)
    app.synth()
    const folders = named.map(name => join(output, 'stacks', name))
    const { declarations, problems } = await loadStacks({
      folders,
      directory: output,
      variables: new Map(),
      env: {},
    })
    expect(problems).toEqual([])
    return declarations.desired.map(({ address }) => address.at(-1))
  })
}

describe('several stacks of an app', () => {
  it('are read in the order in which they are named, where none needs another', async () => {
    expect(await orderOf({}, ['c', 'a', 'b'])).toEqual(['c', 'a', 'b'])
  })

  it('are read after those that they need, however they are named', async () => {
    const needs = { a: ['b'], b: ['c', 'd'] } as const
    expect(await orderOf(needs, ['a', 'b', 'd', 'c'])).toEqual(['c', 'd', 'b', 'a'])
    expect(await orderOf(needs, ['d', 'a', 'c', 'b'])).toEqual(['d', 'c', 'b', 'a'])
  })

  it('are read without those that nobody has named', async () => {
    expect(await orderOf({ a: ['b'], b: ['c'] }, ['a', 'c'])).toEqual(['c', 'a'])
  })
})
