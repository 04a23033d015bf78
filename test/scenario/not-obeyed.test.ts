import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startService } from '../support/service.ts'
import { aWorkspace, flagsPath, isWrite, type Workspace } from '../support/workspace.ts'

/** The fields of a PATCH of which the service says that it has written them, and has not. */
let ignored: readonly string[] = []
let desk: Workspace
beforeEach(async () => {
  ignored = []
  const service = await startService({}, handle => async (request, connection) => {
    if (request.method !== 'PATCH') return handle(request, connection)
    const { url, method, headers } = request
    const fields = Object.entries((await request.json()) as object).filter(
      ([name]) => !ignored.includes(name),
    )
    const body = JSON.stringify(Object.fromEntries(fields))
    return handle(new Request(url, { method, headers, body }), connection)
  })
  desk = await aWorkspace(service, { 'vexil.yaml': 'version: 1\n' })
})
afterEach(async () => {
  await desk.service.close()
  await desk.remove()
})

const apply = 'apply --auto-approve'

describe.each([
  ['a deletion', 'ensure: absent', false],
  ['a restoration', 'name: Back', true],
])('%s that is answered with 200 and not done', (_, declared, deleted) => {
  it('has failed, and says so; the next run does it', async () => {
    const { service, vexil, declareFlags } = desk
    await service.send('POST', `${flagsPath}/`, { key: 'checkout', name: 'Back' })
    if (deleted) await service.send('PATCH', `${flagsPath}/1/`, { deleted })
    await declareFlags(`  checkout: { ${declared} }`)
    ignored = ['deleted']
    const { code, stdout } = await vexil(apply)
    expect(code, stdout).toBe(1)
    expect(stdout).toContain(
      `the answer to PATCH ${flagsPath}/1 shows that it was not done: "deleted" is still ${deleted}`,
    )
    expect(await service.get(`${flagsPath}/1/`)).toMatchObject({ deleted })
    ignored = []
    expect((await vexil(apply)).code).toBe(0)
    expect(await service.get(`${flagsPath}/1/`)).toMatchObject({ deleted: !deleted })
    const { requests } = await service.watch(() => vexil(apply))
    expect(requests.filter(isWrite)).toEqual([])
  })
})

describe('the undo of a restoration', () => {
  it('says what it could not put back in the flag that it deletes again', async () => {
    const { service, vexil, declareFlags } = desk
    await service.send('POST', `${flagsPath}/`, { key: 'checkout', name: 'Before' })
    await service.send('PATCH', `${flagsPath}/1/`, { deleted: true })
    await declareFlags('  checkout: { name: After }')
    expect((await vexil(apply)).code).toBe(0)
    ignored = ['name']
    const { stdout } = await vexil('undo last --auto-approve')
    expect(stdout).toContain('the service did not store name')
    expect(await service.get(`${flagsPath}/1/`)).toMatchObject({ deleted: true, name: 'After' })
  })
})
