import { expect, it, onTestFinished } from 'vitest'
import { cli, folderWith } from '../support/cli.ts'
import { deleteIn, flagsPath, startWithDeleted } from '../support/deleted-flags.ts'

const settings = 'version: 1\n'
const flags = 'feature_flags:\n  another: { name: Renamed }\n  deleted_1: { active: true }\n'

it.each([
  ['is refused', 'GET /activity status=403'],
  ['fails', 'GET /activity status=500'],
  ['breaks off', 'GET /activity truncate'],
])('writes nothing at all where all or nothing is asked for and the trail %s', async (_, fault) => {
  const { service } = await startWithDeleted({ count: 1 })
  const { path: directory, remove } = await folderWith({ 'vexil.yaml': settings, 'flags.yaml': flags })
  onTestFinished(async () => {
    await service.close()
    await remove()
  })
  const vexil = (line: string) => cli(line, { directory, env: service.env })
  // Planned while nothing had that key; deleted with it before the plan is applied.
  await service.send('PATCH', `${flagsPath}/2/`, { key: 'put_aside' })
  expect((await vexil('plan --out made.json')).stdout).toContain('1 to create, 1 to change')
  await service.send('PATCH', `${flagsPath}/2/`, { key: 'deleted_1' })
  const deleted = await deleteIn(service, 1)
  const before = await service.get(`${flagsPath}/1/`)

  service.faults(fault)
  const { code } = await vexil('apply made.json --all-or-nothing')
  service.faults()
  expect(code).not.toBe(0)
  await deleted.expectKept(true)
  expect(await service.get(`${flagsPath}/1/`)).toEqual(before)
})
