import { describe, expect, it, onTestFinished } from 'vitest'
import { startService } from '../../../support/service.ts'
import { flagsPath, isWrite } from '../../../support/workspace.ts'
import { type Config, type Kept, playTerraform, showDiagnostic } from '../play.ts'

const asks = (key: string) => ({
  properties: [{ key, type: 'flag', operator: 'flag_evaluates_to', value: true }],
})

/** Two flags of today's service, of which the second names the first. */
async function twoFlags() {
  const service = await startService({ profile: 'posthog-2026' })
  onTestFinished(() => service.close())
  const { id } = (await service.send('POST', `${flagsPath}/`, {
    key: 'base',
    active: true,
    filters: { groups: [{}] },
  })) as { id: number }
  await service.send('POST', `${flagsPath}/`, {
    key: 'next',
    active: true,
    filters: { groups: [asks(String(id))] },
  })
  return service
}

describe('flags that others wait for', () => {
  it.each<[string, Config, string, number]>([
    [
      'off',
      { active: false },
      'Cannot disable this feature flag because other flags depend on it: next (ID: 2); first remove it from the conditions of those flags, or turn those flags off.',
      1,
    ],
    [
      'part of a circle',
      { active: true, filters: JSON.stringify({ groups: [asks('next')] }) },
      'flag "base" was not changed: its conditions lead back to it: base -> next -> base',
      0,
    ],
  ])('are planned to be %s without a word, and the apply says why not', async (_, change, why, writes) => {
    const service = await twoFlags()
    const terraform = await playTerraform(service)
    const kept = (await terraform.import('feature_flag', 'base')) as Kept
    const before = service.sandbox.content()
    const config = { key: 'base', ...change }
    const planned = await terraform.plan('feature_flag', config, kept)
    expect(planned.warnings).toEqual([])
    const { result, requests } = await service.watch(() =>
      terraform.carryOut('feature_flag', config, kept, planned),
    )
    expect(result.diagnostics.map(showDiagnostic)).toEqual([expect.stringContaining(why)])
    expect(requests.filter(isWrite)).toHaveLength(writes)
    expect(service.sandbox.content()).toBe(before)
  })

  it('are not destroyed, and the service says why', async () => {
    const service = await twoFlags()
    const terraform = await playTerraform(service)
    const kept = (await terraform.import('feature_flag', 'base')) as Kept
    const said = (await terraform.destroy('feature_flag', kept)).map(showDiagnostic)
    expect(said).toEqual([expect.stringContaining('other flags depend on it: next (ID: 2)')])
    expect(said).toEqual([expect.stringContaining('`terraform apply -target=vexil_feature_flag.NAME`')])
    expect(await service.get(`${flagsPath}/1/`)).toMatchObject({ key: 'base', active: true, deleted: false })
  })
})

it('asks with each apply for a creation that waits for approval', async () => {
  const service = await startService({ profile: 'posthog-2026', quirks: { approvals: 'required' } })
  onTestFinished(() => service.close())
  const config = { key: 'fresh', active: true, release: [{}] }
  for (let run = 1; run <= 2; run += 1) {
    const terraform = await playTerraform(service)
    const planned = await terraform.plan('feature_flag', config, null)
    const { result, requests } = await service.watch(() =>
      terraform.carryOut('feature_flag', config, null, planned),
    )
    expect(result.kept).toBeNull()
    expect(result.diagnostics.map(showDiagnostic)).toEqual([expect.stringContaining('waits for approval')])
    expect(requests.filter(isWrite)).toEqual([`POST ${flagsPath}`])
  }
})
