import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitAll, git, gitEnv } from '../../git/repository.ts'
import { useWorkspace } from '../../support/workspace.ts'

const flags = `feature_flags:
  checkout:
    active: true
    rollout_percentage: 20
  search:
    active: true
    rollout_percentage: 50
`
const files = { 'vexil.yaml': 'version: 1\n', 'flags.yaml': flags, '.gitignore': '.vexil/\n' }
const workspace = useWorkspace(files)
const { vexil, service, write, read, edit } = workspace
const who = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

async function edited() {
  const { path } = workspace()
  const env = { ...service.env, ...gitEnv, ...who }
  await commitAll(path)
  const applied = await vexil('apply --auto-approve', { env })
  expect(applied.code, applied.stderr).toBe(0)
  await edit('checkout', { active: false })
  await edit('search', { active: false }, 2)
  return { path, pull: () => vexil('pull --commit', { env }) }
}

describe('vexil pull --commit', () => {
  it('makes a commit for each person who changed something, with nothing else in it', async () => {
    const { path, pull } = await edited()
    await writeFile(join(path, 'other.txt'), 'mine\n')
    const { code, stdout, stderr } = await pull()
    expect(code, stdout + stderr).toBe(0)
    expect(await git(path, 'status', '--porcelain')).toBe('?? other.txt')
    const log = await git(path, 'log', '--format=%s%n%b', '--name-only', '-2')
    expect(log).toContain('Take over feature_flag.checkout from the product')
    expect(log).toContain('Take over feature_flag.search from the product')
    expect(log.match(/^flags\.yaml$/gm)).toHaveLength(2)
    expect(log.match(/^Changed by .+@.+:$/gm)).toHaveLength(2)
    expect(await git(path, 'show', 'HEAD:flags.yaml')).toBe(flags.replaceAll('true', 'false').trim())
  })

  it('writes nothing where something is staged, or a file has other changes', async () => {
    const { path, pull } = await edited()
    await write({ 'flags.yaml': `# mine\n${flags}` })
    expect(await pull()).toMatchObject({ code: 3, stderr: expect.stringContaining('not committed') })
    await git(path, 'add', 'flags.yaml')
    expect(await pull()).toMatchObject({ code: 3, stderr: expect.stringContaining('changes are staged') })
    expect(await read('flags.yaml')).toBe(`# mine\n${flags}`)
  })

  it('takes back what a hook refuses to commit', async () => {
    const { path, pull } = await edited()
    const hook = join(path, '.git', 'hooks', 'pre-commit')
    await writeFile(hook, '#!/bin/sh\necho not today >&2\nexit 1\n')
    await chmod(hook, 0o755)
    expect(await pull()).toMatchObject({ code: 1, stderr: expect.stringContaining('not today') })
    expect(await read('flags.yaml')).toBe(flags)
    expect(await git(path, 'status', '--porcelain')).toBe('')
  })
})
