import { describe, expect, it } from 'vitest'
import { commitAll, gitEnv } from '../../git/repository.ts'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()

/** Applies the first files, then these; answers with what the undo of the second run says. */
async function undoOf(flags: string, after: () => Promise<unknown> = async () => {}) {
  const { vexil, declareFlags } = workspace()
  await vexil('apply --auto-approve')
  await declareFlags(flags)
  await vexil('apply --auto-approve')
  await after()
  return vexil('undo last --auto-approve')
}

const again = (what: string) => expect.stringContaining(`the next apply ${what} again`)
const note = (count: string) =>
  `the files still declare what is undone here (${count}): take that back too, or the next apply does it again\n`

describe('undo, of what the files still declare', () => {
  it('says which fields the next apply changes again, and where they are declared', async () => {
    const { code, stdout } = await undoOf(
      '  checkout: { name: Newer, active: false, tags: [shop] }\n  dark_mode: { active: false }',
    )
    expect(code).toBe(0)
    expect(stdout).toContain(note('1 object'))
    expect(stdout).toContain(
      '      still declared in flags.yaml:2: the next apply changes its name, active again\n',
    )
    const planned = await workspace().vexil('plan')
    expect(planned.stdout).toContain('1 to change')
  })

  it.each<[string, string, string]>([
    ['is created', '  fresh: { active: false, filters: {} }', 'restores it'],
    ['is deleted', '  checkout: { ensure: absent }', 'deletes it'],
    ['grants a role', '  dark_mode: { active: false, role_access: [support] }', 'creates it'],
  ])('says that what %s comes again', async (_, flags, what) => {
    const { stdout } = await undoOf(flags)
    expect(stdout).toEqual(again(what))
    expect(stdout).toContain(note('1 object'))
  })

  it('says nothing where the files say something else by now', async () => {
    const { stdout } = await undoOf('  checkout: { name: Newer }', () =>
      workspace().declareFlags('  checkout: { name: New checkout }'),
    )
    expect(stdout).not.toContain('still declare')
    expect((await workspace().vexil('plan')).stdout).toContain('No changes')
  })

  it('names the commit of the run, where the run was of that commit and nothing else', async () => {
    const { vexil, path, service, write } = workspace()
    const commit = await commitAll(path)
    const env = { ...service.env, ...gitEnv }
    await vexil('apply --auto-approve', { env })
    const { stdout } = await vexil('undo last --auto-approve', { env })
    expect(stdout).toContain(`take that back too, as \`git revert ${commit.slice(0, 12)}\` may, or`)
    await write({ 'flags.yaml': 'feature_flags: { checkout: { name: Dirty } }\n' })
    await vexil('apply --auto-approve', { env })
    expect((await vexil('undo last --auto-approve', { env })).stdout).toContain('take that back too, or')
  })

  it('says that nobody can tell where the files have problems', async () => {
    const { stdout } = await undoOf('  checkout: { name: Newer }', () =>
      workspace().write({ 'more.yaml': 'feature_flags: { other: { actve: true } }\n' }),
    )
    expect(stdout).toContain(
      'the files have problems, so nobody can tell whether they still declare what is undone here; `vexil validate` shows them\n',
    )
  })
})
