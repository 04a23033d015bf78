import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useWorld } from './support.ts'

const world = useWorld()
const flag = `  checkout: { name: "\${env:NAME}", active: true, rollout_percentage: 10 }`

it('a field with a value of the environment has no base: another value is a change', async () => {
  const { commit, service, vexil, click, path } = world()
  const env = (name: string) => ({ env: { ...process.env, ...service.env, NAME: name } })
  await commit(flag)
  expect((await vexil('apply --auto-approve', env('first'))).code).toBe(0)
  const folder = join(path, '.vexil/runs/declared')
  const tables = await Promise.all((await readdir(folder)).map(name => readFile(join(folder, name), 'utf8')))
  const [table = '{}'] = tables
  expect(tables).toHaveLength(1)
  expect(Object.keys(JSON.parse(table)['feature_flag.checkout'].fields).sort()).toEqual(['active', 'filters'])
  const other = JSON.parse((await vexil('plan --json', env('second'))).stdout)
  expect(other.changes).toMatchObject([{ after: { name: 'second' } }])
  expect(other.live_edits).toEqual([])
  // The rest of the object is held as ever.
  await click('checkout', { active: false, name: 'third' })
  const told = JSON.parse((await vexil('plan --json', env('first'))).stdout)
  expect(told.changes).toMatchObject([{ after: { name: 'first' } }])
  expect(told.live_edits).toMatchObject([{ fields: [{ field: 'active', treatment: 'held' }] }])
})
