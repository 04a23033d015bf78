import { afterEach, describe, expect, it } from 'vitest'
import { recall } from '../../../src/terraform/resources/remembered.ts'
import { type Service, startService } from '../../support/service.ts'
import { flagsPath, isWrite } from '../../support/workspace.ts'
import { type Config, type Kept, playTerraform, showDiagnostic } from './play.ts'

const requestOf7 = '01900000-0000-0000-0000-000000000007'
const seed = {
  organizations: [
    {
      id: '01900000-0000-0000-0000-000000000001',
      name: 'Acme',
      projects: [
        {
          id: 1,
          name: 'Acme',
          feature_flags: [
            { id: 7, key: 'gated', active: true, filters: { groups: [{ rollout_percentage: 10 }] } },
          ],
        },
      ],
    },
  ],
}
const at = (share: number, more: Config = {}): Config => ({
  key: 'gated',
  active: true,
  release: [{ rollout_percentage: share }],
  ...more,
})

let service: Service
afterEach(() => service.close())

/** One run of Terraform: what it reads, plans and applies, and what it keeps whether or not that failed. */
async function run(config: Config, kept: Kept) {
  const terraform = await playTerraform(service)
  const read = (await terraform.read('feature_flag', kept)) as Kept
  const planned = await terraform.plan('feature_flag', config, read)
  const { result, requests } = await service.watch(() =>
    terraform.carryOut('feature_flag', config, read, planned),
  )
  return {
    kept: result.kept as Kept,
    warned: planned.warnings.map(showDiagnostic),
    said: result.diagnostics.map(showDiagnostic),
    writes: requests.filter(isWrite),
  }
}

describe.each(['required', 'pending', 'accepted'] as const)('where approval is %s', approvals => {
  it('a change is asked for once, until somebody says so or wants something else', async () => {
    service = await startService({ seed, profile: 'posthog-2026', quirks: { approvals } })
    const imported = await (await playTerraform(service)).import('feature_flag', 'gated')
    const first = await run(at(50), imported)
    expect(first.writes).toEqual([`PATCH ${flagsPath}/7`])
    expect(first.said[0]).toContain(`waits for approval`)
    expect(first.warned.filter(line => line.includes('approval'))).toEqual([])

    const second = await run(at(50), first.kept)
    expect(second.writes).toEqual([])
    expect(second.warned).toContainEqual(
      expect.stringContaining(`a change of flag "gated" waits for approval: change request ${requestOf7}`),
    )
    expect(second.said).toEqual([
      `error [allow]: flag "gated" was not changed: it waits for approval in the service: change request ${requestOf7} | Solve that first, or add "approval_pending" to \`allow\`.`,
    ])
    // A third run knows it as well.
    expect((await run(at(50), second.kept)).writes).toEqual([])

    expect((await run(at(50, { allow: ['approval_pending'] }), second.kept)).writes).toEqual([
      `PATCH ${flagsPath}/7`,
    ])
    const other = await run(at(40), second.kept)
    expect(other.writes).toEqual([`PATCH ${flagsPath}/7`])
    expect((await run(at(40), other.kept)).writes).toEqual([])
  })
})

describe('a change that was approved', () => {
  it('is found done, and remembered no more', async () => {
    service = await startService({ seed, profile: 'posthog-2026', quirks: { approvals: 'required' } })
    const imported = await (await playTerraform(service)).import('feature_flag', 'gated')
    const { kept } = await run(at(50), imported)
    expect(recall(kept.private).pending).toBeDefined()
    // As the service does it once the request is approved: past the approvals.
    const open = await startService({
      seed: JSON.parse(JSON.stringify(seed).replace('"rollout_percentage":10', '"rollout_percentage":50')),
      profile: 'posthog-2026',
    })
    await service.close()
    service = open
    const { kept: after, said, writes, warned } = await run(at(50), kept)
    expect([said, writes, warned.filter(line => line.includes('approval'))]).toEqual([[], [], []])
    expect(recall(after.private).pending).toBeUndefined()
  })
})
