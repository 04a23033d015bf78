import { execFileSync } from 'node:child_process'
import { readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, declareFlags, list } = workspace
const state = (...names: string[]) => join(workspace().path, '.vexil', ...names)

/** A link that leads to itself can be named, and nobody can look into it. */
async function loopAt(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
  await symlink(path, path)
}

describe('a folder of runs that cannot be looked into', () => {
  it.each(['undo last --auto-approve', 'undo 20260101T000000Z-1f2e3d4c', 'history', 'history last'])(
    'is not taken for one without runs by %s',
    async line => {
      await vexil('apply --auto-approve')
      await loopAt(state('runs'))
      expect(await vexil(line)).toEqual({
        code: 1,
        stdout: '',
        stderr: `vexil: the runs on record cannot be listed: "${state('runs')}" (ELOOP)\n`,
      })
    },
  )

  it('holds up no plan: nothing that it needs is there', async () => {
    await vexil('apply --auto-approve')
    await loopAt(state('runs'))
    const { code, stdout } = await vexil('plan')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('3 unchanged') })
  })
})

describe('a folder of locks that cannot be looked into', () => {
  it('is not taken for one without locks', async () => {
    await loopAt(state())
    expect(await vexil('unlock --auto-approve')).toEqual({
      code: 1,
      stdout: '',
      stderr: `vexil: the locks in "${state()}" cannot be listed (ELOOP)\n`,
    })
  })
})

describe('a pipe, or a link to a device, in the folder of runs', () => {
  it('is no lock that says whose it is', async () => {
    await vexil('apply --auto-approve')
    await symlink('/dev/zero', await lockPath())
    const { requests, result } = await service.watch(() => vexil('apply --auto-approve'))
    expect({ code: result.code, requests }).toEqual({ code: 3, requests: [] })
    expect(result.stderr).toContain('names no owner')
  })

  it('holds up no plan in place of what is kept to save reading', async () => {
    await vexil('apply --auto-approve')
    for (let run = 0; run < 21; run++) await vexil('apply --auto-approve')
    const [index = ''] = await readdir(state('left'))
    await rm(state('left', index))
    execFileSync('mkfifo', [state('left', index)])
    expect((await vexil('plan')).code).toBe(0)
  })

  it('is no table of what was declared: that is written anew', async () => {
    await vexil('apply --auto-approve')
    const [table = ''] = await readdir(state('runs/declared'))
    await rm(state('runs/declared', table))
    await symlink('/dev/zero', state('runs/declared', table))
    expect((await vexil('apply --auto-approve')).code).toBe(0)
    const [shown] = JSON.parse((await vexil('history last --json')).stdout).runs
    expect(Object.keys(shown.objects)).toHaveLength(3)
  })
})

/** Where the lock of this service is, which only a command that holds it shows. */
async function lockPath(): Promise<string> {
  let name = ''
  await declareFlags('  checkout: { active: false, filters: {} }\n')
  await vexil('apply', {
    env: service.env,
    host: {
      ask: async () => {
        name = (await list('.vexil')).find(each => each.startsWith('lock-')) ?? ''
        return 'no'
      },
    },
  })
  return state(name)
}
