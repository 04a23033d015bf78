import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { folderOfTest } from '../support/folder.ts'
import { startService } from '../support/service.ts'
import { flagsPath, isWrite, useWorkspace as useBench } from '../support/workspace.ts'

const bench = useBench({
  'vexil.yaml': 'version: 1\nroles: { support: 01900000-0000-0000-0000-0000000000aa }\n',
})

const create = async (body: object) =>
  (await bench().service.send('POST', `${flagsPath}/`, body)) as { readonly id: number }

describe('a saved plan and colleagues who were faster', () => {
  it('does not restore over an edit of a flag that somebody has restored', async () => {
    const { vexil, service, flag } = bench()
    const { id } = await create({ key: 'checkout', name: 'Old' })
    await service.send('PATCH', `${flagsPath}/${id}/`, { deleted: true })
    await bench().declareFlags('  checkout: { name: Ours }')
    await vexil('plan --out plan.json')
    await service.send('PATCH', `${flagsPath}/${id}/`, { deleted: false })
    await service.send('PATCH', `${flagsPath}/${id}/`, { name: 'Theirs', active: false })

    const { result, requests } = await service.watch(() => vexil('apply plan.json'))
    expect(result.code).toBe(5)
    expect(requests.filter(isWrite)).toEqual([])
    expect(await flag('checkout')).toMatchObject({ name: 'Theirs', active: false })
  })

  it('goes on where a flag was restored and nothing else was changed', async () => {
    const { vexil, service, flag } = bench()
    const { id } = await create({ key: 'checkout', name: 'Old' })
    await service.send('PATCH', `${flagsPath}/${id}/`, { deleted: true })
    await bench().declareFlags('  checkout: { name: Ours }')
    await vexil('plan --out plan.json')
    await service.send('PATCH', `${flagsPath}/${id}/`, { deleted: false })
    expect((await vexil('apply plan.json')).code).toBe(0)
    expect((await flag('checkout')).name).toBe('Ours')
  })

  it.each([
    ['deleted', { deleted: true }],
    ['deleted and made again', { deleted: true }, { key: 'checkout' }],
  ])('grants nothing on a flag that was %s', async (_, edit, again?: object) => {
    const { vexil, service } = bench()
    const { id } = await create({ key: 'checkout' })
    await bench().declareFlags('  checkout: { role_access: [support] }')
    await vexil('plan --out plan.json')
    await service.send('PATCH', `${flagsPath}/${id}/`, edit)
    if (again) await create(again)

    const { result, requests } = await service.watch(() => vexil('apply plan.json'))
    expect(result.stdout).toContain('not written: its flag is gone; plan again')
    expect(result.code).toBe(5)
    expect(requests.filter(isWrite)).toEqual([])
  })

  it('does not take a renamed flag for one that is done already', async () => {
    const { vexil, service } = bench()
    const { id } = await create({ key: 'checkout', name: 'Old' })
    await bench().declareFlags('  checkout: { name: Ours }')
    await vexil('plan --out plan.json')
    await service.send('PATCH', `${flagsPath}/${id}/`, { key: 'other', name: 'Ours' })
    expect((await vexil('apply plan.json')).code).toBe(5)
  })

  describe('that made a plugin', () => {
    const plugins = () => `/api/organizations/${bench().service.env.VEXIL_ORGANIZATION_ID}/plugins`

    it.each([
      ['writes nothing when applied again', undefined, 0, 'plugin geoip already done'],
      ['does not write over a file of theirs', 'theirs', 5, 'and its source files are not as planned'],
      ['finishes what was cut off before its files', null, 0, 'plugin geoip created'],
    ])('%s', async (_, text, code, said) => {
      const { vexil, write, service } = bench()
      await write({
        'flags.yaml': 'plugins:\n  geoip: { plugin_type: source, source: { index.ts: "ours" } }\n',
      })
      await vexil('plan --out plan.json')
      await vexil('apply plan.json')
      if (text !== undefined)
        await service.send('PATCH', `${plugins()}/1/update_source/`, { 'index.ts': text })
      const { result, requests } = await service.watch(() => vexil('apply plan.json'))
      expect(result).toMatchObject({ code, stdout: expect.stringContaining(said) })
      expect(requests.filter(isWrite)).toHaveLength(text === null ? 1 : 0)
    })
  })

  it('changes a plugin whose declared files are as declared', async () => {
    const { vexil, write, service } = bench()
    const declared = (description: string) =>
      write({
        'flags.yaml': `plugins:\n  geoip: { plugin_type: source, description: ${description}, source: { index.ts: "export {}" } }\n`,
      })
    await declared('Before')
    await vexil('apply --auto-approve')
    await declared('After')
    const { result, requests } = await service.watch(() => vexil('apply --auto-approve'))
    expect(result.code, result.stdout).toBe(0)
    expect(requests.filter(isWrite)).toEqual([expect.stringMatching(/^PATCH .*\/plugins\/1$/)])
  })
})

describe('a lost answer', () => {
  it('to the creation of a plugin does not keep its files from being written', async () => {
    const { vexil, write, service } = bench()
    await write({
      'flags.yaml': 'plugins:\n  geoip: { plugin_type: source, source: { index.ts: "export {}" } }\n',
    })
    service.faults('POST nth=1 reset_after')
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(code, stdout).toBe(0)
    expect((await vexil('plan')).stdout).toMatch(/^No changes/)
  })

  it('is to our own write, which can be undone', async () => {
    const { vexil, service, flag } = bench()
    await create({ key: 'gone' })
    await bench().declareFlags('  fresh: { active: false }\n  gone: { ensure: absent }')
    service.faults('POST nth=1 reset_after', 'PATCH nth=1 reset_after')
    expect((await vexil('apply --auto-approve')).stdout).toContain('2 changes applied.')
    service.faults()
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    expect((await flag('gone')).deleted).toBe(false)
    await expect(flag('fresh')).rejects.toThrow('no flag fresh')
  })
})

describe('a run that cannot be recorded', () => {
  it('is not begun', async () => {
    const { vexil, write, service } = bench()
    await bench().declareFlags('  checkout: { active: false }')
    await write({ '.vexil/runs': 'in the way' })
    const { result, requests } = await service.watch(() => vexil('apply --auto-approve'))
    expect(result.code).toBe(1)
    expect(requests.filter(isWrite)).toEqual([])
  })
})

describe('the place of a plan', () => {
  it('is never one that a click can change', async () => {
    const { vexil } = bench()
    await bench().declareFlags('  checkout: { active: false }')
    expect(await vexil('plan --project @current')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('"@current" is whatever the key\'s user last opened'),
    })
  })
})

describe('a colleague who is faster than the write itself', () => {
  it('and turns the flag on while its conditions are widened: that is said, and the run ends in 5', async () => {
    const share = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] })
    let meanwhile: (() => Promise<unknown>) | undefined
    const service = await startService({}, handle => async (request, connection) => {
      const edit = request.method === 'PATCH' ? meanwhile : undefined
      if (edit) meanwhile = undefined
      await edit?.()
      return handle(request, connection)
    })
    try {
      const body = { key: 'checkout', active: false, filters: share(10) }
      const { id } = (await service.send('POST', `${flagsPath}/`, body)) as { id: number }
      const declared = `filters: ${JSON.stringify(share(50))}`
      const directory = await folderOfTest({
        'vexil.yaml': 'version: 1\n',
        'flags.yaml': `feature_flags:\n  checkout: { active: false, ${declared} }\n`,
      })
      meanwhile = () => service.send('PATCH', `${flagsPath}/${id}/`, { active: true })
      const vexil = (line: string) => cli(line, { directory, env: service.env })
      const { code, stdout } = await vexil('apply --auto-approve')
      expect(stdout).toContain('another user changed active just before the write')
      expect(code).toBe(5)
      expect((await vexil('plan')).stdout).toContain('active: held, changed in the product')
      expect((await vexil('apply --auto-approve')).code).toBe(0)
    } finally {
      await service.close()
    }
  })
})
