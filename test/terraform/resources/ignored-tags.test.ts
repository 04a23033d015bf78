import { describe, expect, it } from 'vitest'
import { memberOf } from '../../../src/hcl/values/value.ts'
import { useService } from '../../support/service.ts'
import { type Config, type Kept, type Player, playTerraform } from './play.ts'

const flagPath = '/api/projects/1/feature_flags/1'
const tagged: Config = { key: 'checkout', active: false, tags: ['a'] }

const service = useService()

const withDefaults = (...tags: readonly string[]) => playTerraform(service, { default_tags: tags })
const liveTags = async () => [...((await service.get(flagPath)) as { tags: string[] }).tags].sort()

/** Reads, and plans with what a lifecycle ignores put into the configuration. */
async function planIgnoring(terraform: Player, ignored: readonly string[], config: Config, kept: Kept) {
  const read = (await terraform.read('feature_flag', kept)) as Kept
  const there = Object.fromEntries(ignored.map(name => [name, memberOf(read.state, name)]))
  const planned = await terraform.plan('feature_flag', { ...config, ...there }, read)
  return { read, planned }
}

/** Terraform hands the configuration to an apply as it is written. */
async function applyIgnoring(terraform: Player, ignored: readonly string[], config: Config, kept: Kept) {
  const { read, planned } = await planIgnoring(terraform, ignored, config, kept)
  const done = await terraform.carryOut('feature_flag', config, read, planned)
  expect(done.diagnostics).toEqual([])
  return done.kept as Kept
}

describe('`ignore_changes` with default tags', () => {
  it.each([[['tags_all']], [['tags', 'tags_all']]])(
    'of %o plans no default tag that is new',
    async ignored => {
      const kept = await (await withDefaults()).apply('feature_flag', tagged)
      const { planned } = await planIgnoring(await withDefaults('one'), ignored, tagged, kept)
      expect(planned.changes).toEqual([])
    },
  )

  it('of `tags` lets go of those of the resource, and puts the default ones back', async () => {
    const terraform = await withDefaults('one')
    const kept = await terraform.apply('feature_flag', tagged)
    await service.send('PATCH', flagPath, { tags: ['x'] })
    const after = await applyIgnoring(terraform, ['tags'], tagged, kept)
    expect(after.state).toMatchObject({ tags: ['x'], tags_all: ['one', 'x'] })
    expect(await liveTags()).toEqual(['one', 'x'])
  })

  it('of `tags_all` changes those of the resource alone, and the next read tells what is live', async () => {
    const kept = await (await withDefaults('one')).apply('feature_flag', tagged)
    const terraform = await withDefaults('two')
    const config = { ...tagged, tags: ['b'] }
    const after = await applyIgnoring(terraform, ['tags_all'], config, kept)
    expect(await liveTags()).toEqual(['b', 'one'])
    const { planned, read } = await planIgnoring(terraform, ['tags_all'], config, after)
    expect(read.state).toMatchObject({ tags: ['b'], tags_all: ['b', 'one'] })
    expect(planned.changes).toEqual([])
  })
})
