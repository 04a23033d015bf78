import { beforeEach, describe, expect, it } from 'vitest'
import { unknown } from '../../../src/hcl/values/value.ts'
import { startService, useService } from '../../support/service.ts'
import { type Config, type Kept, playTerraform, refusalOf, useTerraform } from './play.ts'

const support = '01900000-0000-0000-0000-0000000000aa'
const release = '01900000-0000-0000-0000-0000000000bb'
const grants = '/api/projects/1/feature_flags/1/role_access'

const service = useService()
const terraform = useTerraform(service)
let grant: Config
beforeEach(async () => {
  const { state } = await terraform.apply('feature_flag', { key: 'checkout', active: false })
  grant = { feature_flag_id: state.id ?? null, role_id: support }
})

describe('a grant', () => {
  it('is created, planned to nothing, and taken back', async () => {
    const kept = await terraform.apply('feature_flag_role_access', grant)
    expect(kept.state).toMatchObject({ id: '1', feature_flag_id: '1', role_id: support, project_id: '1' })
    expect(await terraform.replan('feature_flag_role_access', grant, kept)).toEqual([])
    expect(await terraform.destroy('feature_flag_role_access', kept)).toEqual([])
    expect(await service.get(grants)).toMatchObject({ count: 0 })
    expect(await terraform.destroy('feature_flag_role_access', kept)).toEqual([])
  })

  it.each<[string, Config]>([
    ['role_id', { role_id: release }],
    ['feature_flag_id', { feature_flag_id: '2' }],
    ['feature_flag_id', { feature_flag_id: unknown }],
    ['project_id', { project_id: '2' }],
  ])('is replaced for another %s', async (name, over) => {
    const kept = await terraform.apply('feature_flag_role_access', grant)
    const planned = await terraform.plan('feature_flag_role_access', { ...grant, ...over }, kept)
    expect(planned.replaces).toEqual([name])
  })

  it('is the same in whichever case the role is written', async () => {
    const kept = await terraform.apply('feature_flag_role_access', grant)
    const upper = { ...grant, role_id: support.toUpperCase() }
    expect(await terraform.replan('feature_flag_role_access', upper, kept)).toEqual([])
  })

  it('that was taken back by hand is gone', async () => {
    const kept = await terraform.apply('feature_flag_role_access', grant)
    await service.send('DELETE', `${grants}/1`)
    expect(await terraform.replan('feature_flag_role_access', grant, kept)).toEqual(['gone'])
  })

  it('that is there already is refused, and taken over with `adopt = true`', async () => {
    await service.send('POST', grants, { role_id: support })
    const { result, requests } = await service.watch(() =>
      refusalOf(() => terraform.apply('feature_flag_role_access', grant)),
    )
    expect(result).toContain(
      `error [role_id]: grant "${support}" already exists | The service has it with the id 1. | Import it with \`terraform import vexil_feature_flag_role_access.NAME 1/1/${support}\``,
    )
    expect(requests).toEqual([`GET ${grants}`])
    await terraform.begin()
    const kept = await terraform.apply('feature_flag_role_access', { ...grant, adopt: true })
    expect(kept.state.id).toBe('1')
  })

  it('on a service that fails on a second one is never asked for twice', async () => {
    const other = await startService({ profile: 'posthog' })
    const player = await playTerraform(other, { profile: 'posthog' })
    await player.apply('feature_flag', { key: 'checkout', active: false })
    other.faults('POST /role_access nth=1 reset_after')
    const kept = await player.apply('feature_flag_role_access', grant)
    expect(kept.state.id).toBe('1')
    expect(await player.replan('feature_flag_role_access', grant, kept)).toEqual([])
    await other.close()
  })

  it('for a role that the service does not know underlines the role', async () => {
    const stranger = { ...grant, role_id: '01900000-0000-0000-0000-00000000dead' }
    expect(await refusalOf(() => terraform.apply('feature_flag_role_access', stranger))).toMatch(
      /^error \[role_id\]: cannot create grant .*does_not_exist/,
    )
  })

  it.each(['999', '1'])('on the flag %s, which there is none of, says so', async id => {
    await service.send('PATCH', '/api/projects/1/feature_flags/1', { deleted: true })
    expect(
      await refusalOf(() => terraform.apply('feature_flag_role_access', { ...grant, feature_flag_id: id })),
    ).toBe(
      `error [feature_flag_id]: there is no flag with the id "${id}" in project 1 | Use the id of a resource, \`vexil_feature_flag.NAME.id\`, or of a data source, \`data.vexil_feature_flag.NAME.id\`. If the flag is in another project, set the same \`provider\` or \`project_id\` here.`,
    )
  })

  it('is read with one list per flag', async () => {
    const first = await terraform.apply('feature_flag_role_access', grant)
    const second = await terraform.apply('feature_flag_role_access', { ...grant, role_id: release })
    const { requests } = await service.watch(() =>
      Promise.all([first, second].map((kept: Kept) => terraform.read('feature_flag_role_access', kept))),
    )
    expect(requests).toEqual([`GET ${grants}`])
  })
})
