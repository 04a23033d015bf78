import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { worldOf } from './clones.ts'

const flag = `  checkout: { name: "\${env:NAME}", active: true, rollout_percentage: 10 }`

it('a field with a value of the environment has no base: another value is a change', async () => {
  const { vexil, click, folder } = await worldOf({ 'flags.yaml': `feature_flags:\n${flag}\n` })
  const planOf = async (name: string) => JSON.parse((await vexil('plan --json', { NAME: name })).stdout)
  expect((await vexil('apply --auto-approve', { NAME: 'first' })).code).toBe(0)
  const declared = join(folder, '.vexil/runs/declared')
  const tables = await Promise.all(
    (await readdir(declared)).map(name => readFile(join(declared, name), 'utf8')),
  )
  const [table = '{}'] = tables
  expect(tables).toHaveLength(1)
  expect(Object.keys(JSON.parse(table)['feature_flag.checkout'].fields).sort()).toEqual(['active', 'filters'])
  const other = await planOf('second')
  expect(other.changes).toMatchObject([{ after: { name: 'second' } }])
  expect(other.live_edits).toEqual([])
  // The rest of the object is held as ever.
  await click('checkout', { active: false, name: 'third' })
  const told = await planOf('first')
  expect(told.changes).toMatchObject([{ after: { name: 'first' } }])
  expect(told.live_edits).toMatchObject([{ fields: [{ field: 'active', treatment: 'held' }] }])
})
