import { describe, expect, it } from 'vitest'
import { flagsPath, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({ 'vexil.yaml': 'version: 1\n' }, { quirks: { tag_order: 'sorted' } })
const { vexil, service, write, declareFlags, flag, edit } = workspace

const off = 'active: false, filters: {}'

async function planned(): Promise<string> {
  const { code, stdout, stderr } = await vexil('plan')
  expect(code, stderr).toBe(0)
  return stdout
}

async function apply(flags: string): Promise<readonly string[]> {
  await declareFlags(`  ${flags}\n`)
  const { code, stderr, stdout } = await vexil('apply --auto-approve')
  expect(code, stderr + stdout).toBe(0)
  expect(await planned()).toMatch(/^No changes/)
  return (await flag('a')).tags
}

describe('owner and expires', () => {
  it('are tags beside those that are declared, and take the place of older ones', async () => {
    expect(await apply(`a: { ${off}, tags: [b], owner: payments, expires: 2027-03-01 }`)).toEqual([
      'b',
      'expires:2027-03-01',
      'owner:payments',
    ])
    await declareFlags(`  a: { ${off}, tags: [c], owner: growth, expires: 2027-03-01 }`)
    expect(await planned()).toContain('owner: payments -> growth\n')
    expect(await planned()).toContain('tags +c -b\n')
    expect(await apply(`a: { ${off}, tags: [c], owner: growth }`)).toEqual(['c', 'owner:growth'])
  })

  it('are beside the tags that the flag has, where none are declared, and stay when they are declared no more', async () => {
    await service.send('POST', `${flagsPath}/`, {
      key: 'a',
      active: false,
      tags: ['theirs', 'owner:old', 'owner:older', 'expires:soon'],
    })
    expect(await apply('a: { owner: payments }')).toEqual(['expires:soon', 'owner:payments', 'theirs'])
    await edit('a', { tags: ['theirs', 'new', 'owner:payments'] })
    expect(await apply('a: { owner: growth, expires: 2027-03-01 }')).toEqual([
      'expires:2027-03-01',
      'new',
      'owner:growth',
      'theirs',
    ])
    await declareFlags('  a: { active: false }')
    expect(await planned()).toMatch(/^No changes/)
    expect((await flag('a')).tags).toHaveLength(4)
  })

  it('are said of a new flag in words', async () => {
    await declareFlags(`  a: { ${off}, owner: payments, expires: 2027-03-01 }`)
    const text = await planned()
    expect(text).toContain('owner: payments\n')
    expect(text).toContain('expires: 2027-03-01\n')
    expect(text).not.toContain('tags')
  })

  it('go with the ownership tag, and are none of its business', async () => {
    await write({ 'vexil.yaml': 'version: 1\nownership: { tag: ours }\n' })
    expect(await apply(`a: { ${off}, owner: payments }`)).toEqual(['ours', 'owner:payments'])
    await declareFlags(`  a: { ${off}, owner: growth }`)
    expect((await vexil('unclaim --auto-approve')).stdout).toContain('tags -ours\n')
    expect((await flag('a')).tags).toEqual(['owner:payments'])
  })

  it('stay in the files with live_tags: false', async () => {
    await write({ 'vexil.yaml': 'version: 1\nlive_tags: false\n' })
    expect(await apply(`a: { ${off}, tags: [b], owner: payments }`)).toEqual(['b'])
    await edit('a', { tags: ['b', 'owner:theirs'] })
    const { stdout } = await vexil('export')
    expect(stdout).toContain('owner:theirs')
    await write({ 'flags.yaml': stdout })
    expect(await planned()).toMatch(/^No changes/)
  })

  it('are exported as they are declared, where one tag says one of them', async () => {
    const tags = {
      a: ['owner:payments', 'expires:2027-03-01'],
      b: ['x', 'owner:payments', 'owner:growth', 'expires:soon'],
      c: ['x', 'owner:growth'],
    }
    for (const [key, each] of Object.entries(tags))
      await service.send('POST', `${flagsPath}/`, { key, active: false, tags: each })
    const { stdout } = await vexil('export --kind feature_flag')
    expect(stdout).toContain('    owner: payments\n    expires: "2027-03-01"\n  b:')
    expect(stdout).toMatch('    tags: [expires:soon, owner:growth, owner:payments, x]\n')
    expect(stdout).toMatch('    tags: [x]\n    owner: growth\n')
    await write({ 'flags.yaml': stdout })
    expect(await planned()).toMatch(/^No changes/)
  })

  it('warn of what has expired, by the clock of the runtime', async () => {
    await declareFlags(`  a: { ${off}, expires: 2025-12-31 }`)
    expect((await vexil('plan')).stderr).toBe('1 warning: vexil validate shows it\n')
    const { code, stdout, stderr } = await vexil('validate')
    expect(code).toBe(0)
    expect(stdout + stderr).toContain('this flag is still declared, but it expired on 2025-12-31')
  })
})

describe('defaults of the settings', () => {
  const defaults = 'defaults:\n  - { files: flags.yaml, owner: payments, tags: [money], protect: true }\n'

  it('count as declared: a plan after an apply is empty, and tags of others stay', async () => {
    await write({ 'vexil.yaml': `version: 1\n${defaults}` })
    expect(await apply(`a: { ${off}, tags: [b] }`)).toEqual(['b', 'money', 'owner:payments'])
    await service.send('POST', `${flagsPath}/`, { key: 'theirs', active: false, tags: ['x', 'owner:old'] })
    await apply(`a: { ${off}, tags: [b] }\n  theirs: { active: false }`)
    expect((await flag('theirs')).tags).toEqual(['money', 'owner:payments', 'x'])
    expect((await vexil('plan --owner payments')).code).toBe(0)
    await declareFlags('  a: { ensure: absent }\n  theirs: { active: false }\n')
    expect(await planned()).toContain('flag a  delete blocked by protected')
  })
})
