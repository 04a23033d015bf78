import { describe, expect, it } from 'vitest'
import { flagsPath, isWrite, useWorkspace } from '../support/workspace.ts'

const settings = 'version: 1\nroles: { support: 01900000-0000-0000-0000-0000000000aa }\n'
const workspace = useWorkspace({
  'vexil.yaml': `${settings}ownership: { tag: Ours, prune: never }\n`,
  'flags.yaml': `feature_flags:
  checkout: { name: Declared, active: true, tags: [declared], filters: { groups: [ { rollout_percentage: 100 } ] }, role_access: [support] }
  dark_mode: { name: Dark }
  not_live: { active: false, filters: {} }
`,
})
const { vexil, service, write, flag } = workspace

async function twoLiveFlags(): Promise<void> {
  await service.send('POST', `${flagsPath}/`, {
    key: 'checkout',
    name: 'Live',
    tags: ['live'],
    active: false,
  })
  await service.send('POST', `${flagsPath}/`, { key: 'dark_mode', name: 'Dark' })
}

const withoutTags = ({ tags: _, ...flag }: { tags: readonly string[] }) => flag

describe('vexil claim and vexil unclaim', () => {
  it('put the marker on and take it off, and change nothing else, whatever else differs', async () => {
    await twoLiveFlags()
    const before = await flag('checkout')
    const { result, requests } = await service.watch(() => vexil('claim --auto-approve'))
    expect(result.code).toBe(0)
    expect(result.stdout).toContain('  @ flag checkout claimed\n  @ flag dark_mode claimed\n')
    expect(requests.filter(isWrite)).toHaveLength(2)
    const claimed = await flag('checkout')
    expect([...claimed.tags].sort()).toEqual(['live', 'ours'])
    expect(withoutTags(claimed)).toEqual(withoutTags(before))
    expect((await flag('dark_mode')).tags).toEqual(['ours'])

    expect((await vexil('claim --auto-approve')).stdout).toMatch(/^No changes/)
    const released = await vexil('unclaim --auto-approve')
    expect(released.code).toBe(0)
    expect(await flag('checkout')).toEqual({ ...before, tags: ['live'] })
    expect((await flag('dark_mode')).tags).toEqual([])
    expect((await vexil('unclaim --auto-approve')).stdout).toMatch(/^No changes/)
  })

  it('take globs of addresses', async () => {
    await twoLiveFlags()
    const { code, stderr } = await vexil('claim --auto-approve feature_flag.check* *_live')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'feature_flag.not_live is not live; there is nothing to tag\n',
    })
    expect([...(await flag('checkout')).tags].sort()).toEqual(['live', 'ours'])
    expect((await flag('dark_mode')).tags).toEqual([])
    expect((await vexil('unclaim --auto-approve *')).code).toBe(0)
    expect((await flag('checkout')).tags).toEqual(['live'])
    expect(await vexil('claim --auto-approve light_*')).toMatchObject({ code: 64 })
  })

  it('take addresses, and say what they cannot mark', async () => {
    await twoLiveFlags()
    await vexil('claim --auto-approve dark_mode')
    expect([(await flag('checkout')).tags, (await flag('dark_mode')).tags]).toEqual([['live'], ['ours']])
    expect(await vexil('claim --auto-approve feature_flag.dark_mod')).toMatchObject({
      code: 64,
      stderr: 'vexil: "feature_flag.dark_mod" is not declared; did you mean "feature_flag.dark_mode"?\n',
    })
    expect(await vexil('claim --auto-approve not_live')).toMatchObject({
      code: 0,
      stderr: 'feature_flag.not_live is not live; there is nothing to tag\n',
    })
  })

  it('ask, and refuse where nobody can be asked', async () => {
    await twoLiveFlags()
    const { result, requests } = await service.watch(() => vexil('claim'))
    expect(result.code).toBe(3)
    expect(requests.filter(isWrite)).toEqual([])
    expect(result.stderr).toBe(
      'vexil: there is no terminal to ask for approval; read what would be claimed, then pass --auto-approve\n',
    )
    expect((await vexil('unclaim', { answer: 'no' })).stdout).toMatch(
      /^No changes: taking the ownership tag "Ours" off/,
    )
    expect(await vexil('claim', { answer: 'no' })).toMatchObject({ code: 3, stderr: 'nothing was claimed\n' })
    const { code, stdout } = await vexil('claim', { answer: 'yes' })
    expect(code).toBe(0)
    expect(stdout.split('\n')[0]).toBe(
      `LOW risk: putting the ownership tag "Ours" on objects in project 1 from VEXIL_PROJECT_ID, ${service.url}`,
    )
    expect(await vexil('unclaim', { answer: 'no' })).toMatchObject({
      code: 3,
      stderr: 'nothing was unclaimed\n',
    })
  })

  it('stream events with --json', async () => {
    await twoLiveFlags()
    const { stdout } = await vexil('claim --auto-approve --json')
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ type: 'summary', done: 2 })
  })

  it('need a marker', async () => {
    await write({ 'vexil.yaml': settings })
    for (const verb of ['claim', 'unclaim']) {
      expect(await vexil(`${verb} --auto-approve`)).toEqual({
        code: 1,
        stdout: '',
        stderr: 'vexil: no ownership tag is set; give `ownership.tag` in vexil.yaml\n',
      })
    }
  })
})
