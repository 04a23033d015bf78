import { describe, expect, it } from 'vitest'
import { commitAll, gitEnv } from '../../git/repository.ts'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, declareFlags } = workspace

/** Applies the first files, then these; answers with what the undo of the second run says. */
async function undoOf(flags: string, after: () => Promise<unknown> = async () => {}) {
  await vexil('apply --auto-approve')
  await declareFlags(flags)
  await vexil('apply --auto-approve')
  await after()
  return vexil('undo last --auto-approve')
}

const still = (what: string) => expect.stringContaining(`      still declared ${what} in flags.yaml:`)
const note = (count: string) =>
  `the files still declare what is undone here (${count}): change them too; until then plans with the record of this undo hold these values\n`

describe('undo, of what the files still declare', () => {
  it('says which fields are declared otherwise, and where, and later plans hold them', async () => {
    const { code, stdout } = await undoOf(
      '  checkout: { name: Newer, active: false, tags: [shop] }\n  dark_mode: { active: false }',
    )
    expect(code).toBe(0)
    expect(stdout).toContain(note('1 object'))
    expect(stdout).toContain('      still declared with other values (name, active) in flags.yaml:2\n')
    const planned = await vexil('plan')
    expect(planned.stdout).toContain('0 to change, 0 to delete, 0 blocked, 1 held')
    expect(planned.stdout).toContain('name: held, set by vexil undo in run ')
  })

  it.each<[string, string, string]>([
    ['is created', '  fresh: { active: false, filters: {} }', 'present'],
    ['is deleted', '  checkout: { ensure: absent }', 'absent'],
    ['grants a role', '  dark_mode: { active: false, role_access: [support] }', 'present'],
  ])('says that what %s is still declared', async (_, flags, what) => {
    const { stdout } = await undoOf(flags)
    expect(stdout).toEqual(still(what))
    expect(stdout).toContain(note('1 object'))
  })

  it('says nothing where the files say something else by now', async () => {
    const { stdout } = await undoOf('  checkout: { name: Newer }', () =>
      declareFlags('  checkout: { name: New checkout }'),
    )
    expect(stdout).not.toContain('still declare')
    expect((await vexil('plan')).stdout).toContain('No changes')
  })

  it('names the commit of the run, where the run was of that commit and nothing else', async () => {
    const { path } = workspace()
    const commit = await commitAll(path)
    const env = { ...service.env, ...gitEnv }
    await vexil('apply --auto-approve', { env })
    const { stdout } = await vexil('undo last --auto-approve', { env })
    expect(stdout).toContain(
      `change them too, for example with \`git revert ${commit.slice(0, 12)}\`; until then`,
    )
    await write({ 'flags.yaml': 'feature_flags: { checkout: { name: Dirty } }\n' })
    await vexil('apply --auto-approve --allow live_edit=checkout', { env })
    expect((await vexil('undo last --auto-approve', { env })).stdout).toContain('change them too; until then')
  })

  it('says that nobody can tell where the files have problems', async () => {
    const { stdout } = await undoOf('  checkout: { name: Newer }', () =>
      write({ 'more.yaml': 'feature_flags: { other: { actve: true } }\n' }),
    )
    expect(stdout).toContain(
      'the files have problems, so it is unknown whether they still declare what is undone here; `vexil validate` shows them\n',
    )
  })
})
