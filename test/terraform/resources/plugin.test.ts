import { describe, expect, it } from 'vitest'
import { useService } from '../../support/service.ts'
import { type Config, type Kept, playTerraform, refusalOf, useTerraform } from './play.ts'

const plugins = '/api/organizations/01900000-0000-0000-0000-000000000001/plugins'
const geoip: Config = {
  name: 'GeoIP',
  plugin_type: 'source',
  description: 'Adds the country',
  source: { 'index.ts': 'export {}', 'old.ts': '1' },
}

const service = useService()
const terraform = useTerraform(service)

describe('a plugin', () => {
  it('is created with its source files, and planned to nothing', async () => {
    const kept = await terraform.apply('plugin', geoip)
    expect(kept.state).toMatchObject({ id: '1', name: 'GeoIP', source: geoip.source })
    expect(await terraform.replan('plugin', geoip, kept)).toEqual([])
    expect(await service.get(`${plugins}/1/source`)).toEqual(geoip.source)
  })

  it('changes and removes source files, and leaves those of others alone', async () => {
    const kept = await terraform.apply('plugin', geoip)
    await service.send('PATCH', `${plugins}/1/update_source`, { 'theirs.ts': '2' })
    const changed = { ...geoip, source: { 'index.ts': 'export default 1' } }
    expect(await terraform.replan('plugin', changed, kept)).toEqual(['source'])
    const after = await terraform.apply('plugin', changed, kept)
    expect(await service.get(`${plugins}/1/source`)).toEqual({
      'index.ts': 'export default 1',
      'theirs.ts': '2',
    })
    expect(await terraform.replan('plugin', changed, after)).toEqual([])
  })

  it('shows a source file that was changed by hand', async () => {
    const kept = await terraform.apply('plugin', geoip)
    await service.send('PATCH', `${plugins}/1/update_source`, { 'index.ts': 'hand' })
    expect((await terraform.read('plugin', kept))?.state.source).toEqual({
      'index.ts': 'hand',
      'old.ts': '1',
    })
    expect(await terraform.replan('plugin', geoip, kept)).toEqual(['source'])
  })

  it('lets go of its source files when they are no longer configured', async () => {
    const kept = await terraform.apply('plugin', geoip)
    const { source: _, ...without } = geoip
    expect(await terraform.replan('plugin', without, kept)).toEqual([])
    expect(await service.get(`${plugins}/1/source`)).toEqual(geoip.source)
  })

  it('is renamed in place', async () => {
    const kept = await terraform.apply('plugin', geoip)
    const renamed = { ...geoip, name: 'Geo' }
    const planned = await terraform.plan('plugin', renamed, kept)
    expect(planned).toMatchObject({ changes: ['name'], replaces: [] })
    const after = await terraform.apply('plugin', renamed, kept)
    expect(await service.get(`${plugins}/1`)).toMatchObject({ name: 'Geo' })
    expect(await terraform.replan('plugin', renamed, after)).toEqual([])
  })

  it('of a name that is there already is refused', async () => {
    await service.send('POST', plugins, { name: 'GeoIP', plugin_type: 'source' })
    expect(await refusalOf(() => terraform.apply('plugin', geoip))).toContain(
      'error [name]: plugin "GeoIP" already exists | The service has it with the id 1. It differs in `description`, `source`. | Import it with `terraform import vexil_plugin.NAME 01900000-0000-0000-0000-000000000001/1`, or with |   import {',
    )
  })

  it('whose files cannot be written is kept in the state, with the error', async () => {
    service.faults('PATCH /update_source status=403')
    const planned = await terraform.plan('plugin', geoip, null)
    const { kept, diagnostics } = await terraform.carryOut('plugin', geoip, null, planned)
    expect(kept?.state).toMatchObject({ id: '1', source: null })
    expect(diagnostics.map(({ summary }) => summary)).toEqual(['cannot create plugin "GeoIP"'])
  })

  it('whose files were written, though the answer was lost, is created whole', async () => {
    service.faults('PATCH /update_source nth=1 reset_after')
    const kept = await terraform.apply('plugin', geoip)
    expect(kept.state.source).toEqual(geoip.source)
    expect(await terraform.replan('plugin', geoip, kept)).toEqual([])
  })

  it.each(['reset_after', 'reset_before', 'status=502 committed', 'status=500'])(
    'is changed to the end when the answer about its files is lost: %s',
    async fault => {
      const kept = await terraform.apply('plugin', geoip)
      const changed = { ...geoip, description: 'More', source: { 'index.ts': 'export default 1' } }
      service.faults(`PATCH /update_source nth=1 ${fault}`)
      const after = await terraform.apply('plugin', changed, kept)
      expect(await service.get(`${plugins}/1/source`)).toEqual(changed.source)
      expect(await terraform.replan('plugin', changed, after)).toEqual([])
    },
  )

  it('whose files cannot be changed is told that nobody may, and nothing of flags', async () => {
    const kept = await terraform.apply('plugin', geoip)
    service.faults('PATCH /update_source status=403')
    const refusal = await refusalOf(() =>
      terraform.apply('plugin', { ...geoip, source: { 'index.ts': '2' } }, kept),
    )
    expect(refusal).toMatch(/The key needs permission to change plugins\.$/)
  })

  it('is deleted for good', async () => {
    const kept = await terraform.apply('plugin', geoip)
    expect(await terraform.destroy('plugin', kept)).toEqual([])
    expect(await terraform.read('plugin', kept as Kept)).toBeNull()
  })

  it('needs an organization', async () => {
    const { VEXIL_ORGANIZATION_ID: _, ...env } = service.env
    const other = await playTerraform({ env })
    expect(await refusalOf(() => other.apply('plugin', geoip))).toBe(
      "error: no organization is set | Set `organization_id` in the provider's block or here, or set the environment variable VEXIL_ORGANIZATION_ID.",
    )
  })
})
