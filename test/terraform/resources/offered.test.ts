import { describe, expect, it } from 'vitest'
import { declarableKind } from '../../../src/kinds/index.ts'
import { managedFields } from '../../../src/model/kind.ts'
import { startService } from '../../support/service.ts'
import { type Config, playTerraform, refusalOf } from './play.ts'

/** A value of each field that came with a newer service, other than what is so without it. */
const newer: Readonly<Record<string, Config[string]>> = {
  archived: true,
  evaluation_runtime: 'server',
  evaluation_contexts: ['web'],
  bucketing_identifier: 'device_id',
  is_remote_configuration: true,
  has_encrypted_payloads: true,
}
const plain = { key: 'checkout', active: false }
const other = { key: 'other', active: false }

const lacking = (name: string) => ({
  severity: 'warning',
  summary: `"${name}" is declared, but this service does not have this field: the value would be lost`,
  attribute: [name],
})

describe('a field of a newer service', () => {
  it('is known here, each of them', () => {
    const kind = declarableKind('feature_flag')
    const fields = managedFields(kind).filter(name => kind.fields[name]?.newer)
    expect(Object.keys(newer).sort()).toEqual(fields.sort())
  })

  it.each(Object.entries(newer))('is told by a plan of what the service holds: %s', async (name, value) => {
    const service = await startService()
    const terraform = await playTerraform(service)
    const kept = await terraform.apply('feature_flag', plain)
    await terraform.begin()
    const read = await terraform.read('feature_flag', kept)
    const { warnings } = await terraform.plan('feature_flag', { ...plain, [name]: value }, read)
    expect(warnings).toMatchObject([lacking(name)])
    const refusal = await refusalOf(() => terraform.apply('feature_flag', { ...plain, [name]: value }, read))
    expect(refusal).toContain(`"${name}" is declared, but this service does not have this field`)
    await service.close()
  })

  it('is told of a new flag where another one shows it, and else left to the apply', async () => {
    const service = await startService()
    const given = { ...plain, evaluation_runtime: 'server' }
    const planned = async () =>
      (await (await playTerraform(service)).plan('feature_flag', given, null)).warnings
    expect(await planned()).toEqual([])
    await (await playTerraform(service)).apply('feature_flag', other)
    expect(await planned()).toMatchObject([lacking('evaluation_runtime')])
    await service.close()
  })

  it.each([
    ['what is so without it', { evaluation_runtime: 'all', archived: false, evaluation_contexts: [] }],
    ['nothing', {}],
  ])('is not told of, where it says %s, and nothing more is read', async (_, more) => {
    const service = await startService()
    const kept = await (await playTerraform(service)).apply('feature_flag', plain)
    const terraform = await playTerraform(service)
    const { result, requests } = await service.watch(() =>
      terraform.plan('feature_flag', { ...plain, ...more }, kept),
    )
    expect([result.warnings, requests]).toEqual([[], []])
    await service.close()
  })

  it('is planned where the service has it', async () => {
    const service = await startService({ profile: 'posthog-2026' })
    const terraform = await playTerraform(service)
    const kept = await terraform.apply('feature_flag', plain)
    await terraform.begin()
    const read = await terraform.read('feature_flag', kept)
    for (const [name, value] of Object.entries(newer)) {
      await terraform.begin()
      const { warnings } = await terraform.plan('feature_flag', { ...plain, [name]: value }, read)
      expect(warnings, name).toEqual([])
    }
    await service.close()
  })
})

describe('the level of a grant', () => {
  it.each(['viewer', 'editor'])('is told by a plan where the service has no levels: %s', async level => {
    const service = await startService()
    const terraform = await playTerraform(service)
    const { state } = await terraform.apply('feature_flag', plain)
    const grant = { feature_flag_id: state.id!, role_id: '01900000-0000-0000-0000-0000000000aa' }
    const kept = await terraform.apply('feature_flag_role_access', grant)
    await terraform.begin()
    const read = await terraform.read('feature_flag_role_access', kept)
    const { warnings } = await terraform.plan(
      'feature_flag_role_access',
      { ...grant, access_level: level },
      read,
    )
    expect(warnings).toMatchObject([
      {
        severity: 'warning',
        summary: expect.stringContaining('this service has no levels'),
        attribute: ['access_level'],
      },
    ])
    await service.close()
  })
})
