import { describe, expect, it } from 'vitest'
import { flagsPath, isWrite, useWorkspace as useBench } from '../support/workspace.ts'

const bench = useBench({ 'vexil.yaml': 'version: 1\n' })

const declarePlugin = (members: string) =>
  bench().write({ 'flags.yaml': `plugins:\n  geoip: { ${members} }\n` })
const plugins = () => `/api/organizations/${bench().service.env.VEXIL_ORGANIZATION_ID}/plugins`

/** What the last run has on record. */
async function recordEntries(): Promise<object[]> {
  const { records, read } = bench()
  const file = (await records()).at(-1)
  return JSON.parse(await read(`.vexil/runs/${file}`)).entries
}

/** Undoes the last run, which must leave everything alone and say why. */
async function undoWritesNothing() {
  const { vexil, service } = bench()
  const { result, requests } = await service.watch(() => vexil('undo last --auto-approve'))
  expect(requests.filter(isWrite)).toEqual([])
  expect(result.stdout).toContain('blocked by changed_since')
  expect(result.code).toBe(5)
}

describe('undo, when a colleague was there since', () => {
  it('does not delete a flag that the run created and a colleague edited', async () => {
    const { vexil, edit } = bench()
    await bench().declareFlags(
      '  checkout: { name: Ours, active: true, filters: { groups: [ { rollout_percentage: 10 } ] } }',
    )
    await vexil('apply --auto-approve')
    await edit('checkout', { filters: { groups: [{ properties: [], rollout_percentage: 50 }] } })
    await undoWritesNothing()
  })

  it('does not restore a flag that the run changed and a colleague deleted', async () => {
    const { vexil, service, edit } = bench()
    await service.send('POST', `${flagsPath}/`, { key: 'checkout', name: 'Old' })
    await bench().declareFlags('  checkout: { name: Ours }')
    await vexil('apply --auto-approve')
    await edit('checkout', { deleted: true })
    await undoWritesNothing()
  })

  it('does not write over source files that a colleague wrote', async () => {
    const { vexil, service } = bench()
    await declarePlugin('plugin_type: source, source: { index.ts: "one" }')
    await vexil('apply --auto-approve')
    await declarePlugin('plugin_type: source, source: { index.ts: "two" }')
    await vexil('apply --auto-approve')
    await service.send('PATCH', `${plugins()}/1/update_source/`, { 'index.ts': 'theirs' })
    await undoWritesNothing()
  })

  it('does not delete a plugin whose source files a colleague wrote', async () => {
    const { vexil, service } = bench()
    await declarePlugin('plugin_type: source, source: { index.ts: "one" }')
    await vexil('apply --auto-approve')
    await service.send('PATCH', `${plugins()}/1/update_source/`, { 'index.ts': 'theirs' })
    await undoWritesNothing()
  })

  it('does not turn another plugin of the name into the one that the run deleted', async () => {
    const { vexil, service } = bench()
    await declarePlugin('plugin_type: source, description: Ours')
    await vexil('apply --auto-approve')
    await declarePlugin('ensure: absent')
    await vexil('apply --auto-approve')
    await service.send('POST', `${plugins()}/`, {
      name: 'geoip',
      plugin_type: 'source',
      description: 'Theirs',
    })
    await undoWritesNothing()
  })
})

describe('undo', () => {
  it('puts back removed source files and takes away new ones', async () => {
    const { vexil, service } = bench()
    await declarePlugin('plugin_type: source, source: { a.ts: "a", b.ts: "b" }')
    await vexil('apply --auto-approve')
    await declarePlugin('plugin_type: source, source: { a.ts: null, b.ts: "b2", c.ts: "c" }')
    await vexil('apply --auto-approve')
    expect(await service.get(`${plugins()}/1/source/`)).toEqual({ 'b.ts': 'b2', 'c.ts': 'c' })
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    expect(await service.get(`${plugins()}/1/source/`)).toEqual({ 'a.ts': 'a', 'b.ts': 'b' })
  })

  it('deletes what the run created and failed to write the source files of', async () => {
    const { vexil, service } = bench()
    await declarePlugin('plugin_type: source, source: { index.ts: "one" }')
    service.faults('PATCH /plugins/*/update_source status=400')
    const failed = await vexil('apply --auto-approve')
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('plugin geoip failed') })
    service.faults()
    expect(await recordEntries()).toMatchObject([{ outcome: 'failed', id: '1' }])
    const { code, stdout } = await vexil('undo last --auto-approve')
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('- plugin geoip deleted'),
    })
    expect(await service.get(`${plugins()}/`)).toMatchObject({ count: 0 })
  })

  it('puts back the fields of what the run changed and failed to write the source files of', async () => {
    const { vexil, service } = bench()
    await declarePlugin('plugin_type: source, description: Old, source: { index.ts: "one" }')
    await vexil('apply --auto-approve')
    await declarePlugin('plugin_type: source, description: New, source: { index.ts: "two" }')
    service.faults('PATCH /plugins/*/update_source status=400')
    expect((await vexil('apply --auto-approve')).code).toBe(1)
    service.faults()
    expect(await service.get(`${plugins()}/1/`)).toMatchObject({ description: 'New' })
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    expect(await service.get(`${plugins()}/1/`)).toMatchObject({ description: 'Old' })
    expect(await service.get(`${plugins()}/1/source/`)).toEqual({ 'index.ts': 'one' })
  })

  it('leaves alone what a run could not even create', async () => {
    const { vexil, service } = bench()
    await declarePlugin('plugin_type: source, source: { index.ts: "one" }')
    service.faults('POST /plugins status=400')
    await vexil('apply --auto-approve')
    service.faults()
    expect(await recordEntries()).toMatchObject([{ outcome: 'failed' }])
    expect((await recordEntries())[0]).not.toHaveProperty('id')
    expect((await vexil('undo last --auto-approve')).stderr).toBe(
      'vexil: there is no run to undo: none of those on record here has changed anything\n',
    )
  })

  it('leaves alone what somebody else had made as declared before the run', async () => {
    const { vexil, service } = bench()
    const theirs = { key: 'theirs', active: false, filters: { groups: [{ rollout_percentage: 5 }] } }
    const members = 'active: false, filters: { groups: [ { rollout_percentage: 5 } ] }'
    await bench().declareFlags(`  ours: { ${members} }\n  theirs: { ${members} }`)
    await vexil('plan --out plan.json')
    await service.send('POST', `${flagsPath}/`, theirs)
    expect((await vexil('apply plan.json')).code).toBe(0)
    expect(await recordEntries()).toMatchObject([{ outcome: 'done' }, { outcome: 'already' }])
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    expect(await service.get(`${flagsPath}/`)).toMatchObject({ results: [{ key: 'theirs' }] })
  })

  it('says of a deleted plugin that its source does not come back', async () => {
    const { vexil, service } = bench()
    await declarePlugin('plugin_type: source, description: Ours, source: { index.ts: "one" }')
    await vexil('apply --auto-approve')
    await declarePlugin('ensure: absent')
    await vexil('apply --auto-approve')
    const { code, stdout } = await vexil('undo last --auto-approve')
    expect(code).toBe(0)
    expect(stdout).toContain(
      '      without the source files that it may have had: the service deleted them and the record of the run does not contain them\n',
    )
    expect(await service.get(`${plugins()}/`)).toMatchObject({ count: 1 })
  })

  it('keeps what a colleague changed in a field that the run did not write', async () => {
    const { vexil, service, edit, flag } = bench()
    await service.send('POST', `${flagsPath}/`, { key: 'checkout', name: 'Old', tags: ['old'] })
    await bench().declareFlags('  checkout: { name: Ours }')
    await vexil('apply --auto-approve')
    await edit('checkout', { tags: ['theirs'] })
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    expect(await flag('checkout')).toMatchObject({ name: 'Old', tags: ['theirs'] })
  })

  it('of an undo does the run again', async () => {
    const { vexil, service, flag } = bench()
    await service.send('POST', `${flagsPath}/`, { key: 'checkout', name: 'Old' })
    await bench().declareFlags('  checkout: { name: Ours }\n  fresh: { active: false }')
    await vexil('apply --auto-approve')
    const id = (await flag('fresh')).id
    await vexil('undo last --auto-approve')
    expect((await flag('checkout')).name).toBe('Old')
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    expect((await flag('checkout')).name).toBe('Ours')
    expect((await flag('fresh')).id).toBe(id)
    expect((await vexil('plan')).stdout).toMatch(/^No changes/)
  })
})
