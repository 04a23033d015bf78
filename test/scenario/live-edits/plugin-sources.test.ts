import { describe, expect, it } from 'vitest'
import { organization } from '../../support/workspace.ts'
import { nothing, worldOf } from './clones.ts'

const plugins = `/api/organizations/${organization}/plugins`

function files(source: string, policy = '') {
  return {
    'vexil.yaml': `version: 1\n${policy}`,
    'plugins.yaml': `plugins:\n  geoip: { plugin_type: source, source: ${source} }\n`,
  }
}

/** A plugin that an apply has left with one source file, which somebody has rewritten in the product since. */
async function edited({ policy = '', theirs = { 'index.ts': 'theirs\n' } as object } = {}) {
  const world = await worldOf(files('{ index.ts: "ours\\n" }', policy))
  expect((await world.apply()).code).toBe(0)
  const { get, send } = world.service
  await send('PATCH', `${plugins}/1/update_source/`, theirs)
  return { ...world, live: () => get(`${plugins}/1/source/`) }
}

describe('a source file of a plugin that was changed in the product', () => {
  it('stays as it is there, and the plan names it', async () => {
    const { apply, plan, live } = await edited()
    const planned = await plan()
    expect(planned).toMatchObject({ changes: [], edits: ['plugin.geoip source/index.ts held'] })
    expect(planned.text).toContain('source/index.ts: held, changed in the product')
    expect(planned.text).toContain('+theirs')
    expect((await apply()).code).toBe(0)
    expect(await live()).toEqual({ 'index.ts': 'theirs\n' })
    expect((await plan()).text).toContain('held for')
  })

  it('is set back where somebody allows it, and the plan says first what is lost', async () => {
    const { apply, plan, live } = await edited()
    const planned = await plan('--allow live_edit=plugin.geoip')
    expect(planned.edits).toEqual(['plugin.geoip source/index.ts reverted'])
    expect(planned.text.indexOf('lost with this plan')).toBeGreaterThan(-1)
    expect(planned.text.indexOf('lost with this plan')).toBeLessThan(planned.text.indexOf('-theirs'))
    expect((await apply('--allow live_edit=plugin.geoip')).code).toBe(0)
    expect(await live()).toEqual({ 'index.ts': 'ours\n' })
    expect(await plan()).toMatchObject(nothing)
  })

  it.each(['source: revert', 'default: revert, source: revert'])('is set back under %s', async ways => {
    const { apply, plan, live } = await edited({ policy: `live_edits: { ${ways} }\n` })
    expect((await plan()).edits).toEqual(['plugin.geoip source/index.ts reverted'])
    expect((await apply()).code).toBe(0)
    expect(await live()).toEqual({ 'index.ts': 'ours\n' })
  })

  it('is a conflict where the repository has changed it too, and other files go on', async () => {
    const { apply, commit, plan, live } = await edited()
    await commit(files('{ index.ts: "ours, newer\\n", more.ts: "more\\n" }'))
    const planned = await plan()
    expect(planned).toMatchObject({ code: 3, edits: ['plugin.geoip source/index.ts conflict'] })
    expect(planned.text).toContain('source/index.ts was changed in the repository and in the product')
    expect((await apply()).code).toBe(3)
    expect(await live()).toEqual({ 'index.ts': 'theirs\n', 'more.ts': 'more\n' })
    expect((await apply('--allow live_edit=plugin.geoip')).code).toBe(0)
    expect(await live()).toEqual({ 'index.ts': 'ours, newer\n', 'more.ts': 'more\n' })
  })

  it('is left alone where both sides have changed it to the same', async () => {
    const { commit, plan } = await edited()
    await commit(files('{ index.ts: "theirs\\n" }'))
    expect(await plan()).toMatchObject(nothing)
  })

  it('is a live edit where it was deleted there', async () => {
    const { apply, plan, live } = await edited({ theirs: { 'index.ts': null } })
    expect((await plan()).edits).toEqual(['plugin.geoip source/index.ts held'])
    expect((await apply()).code).toBe(0)
    expect(await live()).toEqual({})
  })

  it('is told by drift, which ends in 6', async () => {
    const { vexil } = await edited()
    const { code, stdout } = await vexil('drift --json')
    expect(code).toBe(6)
    expect(JSON.parse(stdout)).toMatchObject({
      sides: { edited: ['plugin.geoip'], differing: [], unapplied: [] },
      live_edits: [{ address: 'plugin.geoip', fields: [{ field: 'source/index.ts', treatment: 'held' }] }],
    })
  })

  it('is no live edit where the repository alone has changed it', async () => {
    const { apply, commit, plan, vexil, service } = await worldOf(files('{ index.ts: "ours\\n" }'))
    await apply()
    await commit(files('{ index.ts: "newer\\n" }'))
    expect(await plan()).toMatchObject({ changes: ['update plugin.geoip: '], edits: [] })
    expect(JSON.parse((await vexil('drift --json')).stdout).sides).toMatchObject({
      unapplied: ['plugin.geoip'],
      differing: [],
    })
    expect((await apply()).code).toBe(0)
    expect(await service.get(`${plugins}/1/source/`)).toEqual({ 'index.ts': 'newer\n' })
  })

  it('is not overwritten either after an undo has put it back', async () => {
    const { apply, commit, plan, vexil, service } = await worldOf(files('{ index.ts: "ours\\n" }'))
    await apply()
    await commit(files('{ index.ts: "newer\\n" }'))
    await apply()
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    const planned = await plan()
    expect(planned.edits).toEqual(['plugin.geoip source/index.ts held'])
    expect(planned.text).toContain('set by vexil undo')
    expect((await apply()).code).toBe(0)
    expect(await service.get(`${plugins}/1/source/`)).toEqual({ 'index.ts': 'ours\n' })
  })
})

describe('a source file that pull takes over', () => {
  it.each([
    ['a text', { 'index.ts': `theirs, \${NAME}\n` }],
    ['that it was deleted', { 'index.ts': null }],
  ])('is said in the declaration: %s', async (_, theirs) => {
    const { plan, vexil } = await edited({ theirs })
    expect((await vexil('pull')).code).toBe(0)
    expect(await plan()).toMatchObject(nothing)
  })

  it('is left out where the declaration names a file of its own', async () => {
    const world = await worldOf({ ...files('{ index.ts: { file: geoip.ts } }'), 'geoip.ts': 'ours\n' })
    await world.apply()
    await world.service.send('PATCH', `${plugins}/1/update_source/`, { 'index.ts': 'theirs\n' })
    const { code, stdout, stderr } = await world.vexil('pull')
    expect(code).toBe(3)
    expect(stdout + stderr).toContain(
      'skipped: plugin.geoip: source/index.ts is declared in a file of its own',
    )
    expect(await world.git('status', '--porcelain')).toBe('')
  })
})

describe('source files that the service does not show', () => {
  it('are compared with nothing, as before', async () => {
    const { apply, commit, plan, service } = await worldOf(files('{ index.ts: "ours\\n" }'))
    service.faults('GET /source status=403')
    await apply()
    await service.send('PATCH', `${plugins}/1/update_source/`, { 'index.ts': 'theirs\n' })
    await commit(files('{ index.ts: "newer\\n" }'))
    expect(await plan()).toMatchObject({ blocked: ['plugin.geoip source_unreadable'], edits: [] })
  })
})
