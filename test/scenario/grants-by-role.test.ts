import { describe, expect, it, onTestFinished } from 'vitest'
import type { Profile } from '../../src/model/connection.ts'
import { startService } from '../support/service.ts'
import { aWorkspace, flagsPath, organization, support } from '../support/workspace.ts'

const growth = '01900000-0000-0000-0000-0000000000bb'
const foreign = '01900000-0000-0000-0000-0000000000cc'
const count = 30
const keys = Array.from({ length: count }, (_, index) => `flag_${index}`)

/** Thirty flags, the first of which only support may edit and all others growth too, and who declares them so. */
async function grantedFlags(profile: Profile, quirks: Readonly<Record<string, string>> = {}) {
  const flags = keys.map((key, index) => ({
    key,
    name: 'Flag',
    role_access: index === 0 ? ['Support'] : ['Support', 'Growth'],
  }))
  const seed = {
    organizations: [
      {
        id: organization,
        name: 'Example',
        roles: [
          { id: support, name: 'Support' },
          { id: growth, name: 'Growth' },
        ],
        projects: [{ id: 1, name: 'Production', feature_flags: flags }],
      },
      {
        id: '01900000-0000-0000-0000-000000000002',
        name: 'Another',
        roles: [{ id: foreign, name: 'Foreign' }],
        projects: [{ id: 9, name: 'Theirs' }],
      },
    ],
  }
  const service = await startService({ profile, seed, quirks })
  onTestFinished(() => service.close())
  const declared = keys
    .map((key, index) => `  ${key}: { name: Flag, role_access: [support${index === 0 ? '' : ', growth'}] }`)
    .join('\n')
  const workspace = await aWorkspace(service, {
    'vexil.yaml': `version: 1\nroles: { support: ${support}, growth: ${growth} }\n`,
    'flags.yaml': `feature_flags:\n${declared}\n`,
  })
  onTestFinished(workspace.remove)
  const plan = async (line = 'plan') => {
    const { result, requests } = await service.watch(() =>
      workspace.vexil(`${line} --json --profile ${profile}`),
    )
    const { changes, blocked, unchanged } = JSON.parse(result.stdout)
    return {
      code: result.code,
      changes: changes.map(
        ({ action, address }: { action: string; address: string }) => `${action} ${address}`,
      ),
      blocked,
      unchanged,
      lists: requests.filter(request => /role_access|access_controls/.test(request)),
      roles: requests.filter(request => request.includes('/roles')).length,
    }
  }
  return { service, plan, workspace }
}

const listOf = (id: number) => `GET ${flagsPath}/${id}/role_access`

describe('a service whose roles name their flags', () => {
  it('is asked for them once, and plans what the lists of grants plan', async () => {
    const { plan } = await grantedFlags('posthog')
    expect(await plan()).toMatchObject({ code: 0, changes: [], blocked: [], lists: [], roles: 1 })
    const whole = await plan('drift')
    expect(whole).toMatchObject({ code: 0, changes: [], roles: 0 })
    expect(whole.lists).toHaveLength(count)
  })

  it('is asked for the grants of each flag where somebody has changed one', async () => {
    const { plan, service, workspace } = await grantedFlags('posthog')
    await service.send('POST', `${flagsPath}/1/role_access/`, { role_id: growth })
    const [grant] = ((await service.get(`${flagsPath}/5/role_access/`)) as { results: { id: number }[] })
      .results
    await service.send('DELETE', `${flagsPath}/5/role_access/${grant?.id}/`)
    const made = await plan()
    expect(made).toMatchObject({ code: 0, blocked: [], roles: 1 })
    expect(made.lists.toSorted()).toEqual([listOf(1), listOf(5)])
    expect(made.changes.toSorted()).toEqual([
      'create feature_flag_role_access.flag_4:support',
      'delete feature_flag_role_access.flag_0:growth',
    ])
    expect((await workspace.vexil('apply --auto-approve --profile posthog')).code).toBe(0)
    expect(await plan()).toMatchObject({ changes: [], lists: [], roles: 1 })
    expect((await plan('drift')).changes).toEqual([])
  })

  it.each([
    ['refuses the list of roles', ['GET /roles status=403'], 1],
    ['has none', ['GET /roles status=404'], 1],
    ['fails there', ['GET /roles status=500'], 5],
  ])('is asked for the grants of each flag where it %s', async (_, faults, roles) => {
    const { plan, service } = await grantedFlags('posthog')
    service.faults(...faults)
    const made = await plan()
    expect(made).toMatchObject({ code: 0, changes: [], blocked: [], roles })
    expect(made.lists).toHaveLength(count)
  })

  it('shows a role of another organization in drift, which has each list read', async () => {
    const { plan, service } = await grantedFlags('posthog')
    await service.send('POST', `${flagsPath}/3/role_access/`, { role_id: foreign })
    expect((await plan('drift')).changes).toEqual(['delete feature_flag_role_access.flag_2:Foreign'])
  })
})

describe.each(['documented', 'posthog-2026'] as const)(
  'a service whose roles name no flags (%s)',
  profile => {
    it('is asked for the grants of each flag', async () => {
      const { plan } = await grantedFlags(profile)
      const made = await plan()
      expect(made.lists.length).toBeGreaterThanOrEqual(count)
      expect(made.roles).toBe(0)
    })
  },
)
