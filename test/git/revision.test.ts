import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readRevision } from '../../src/git/commits.ts'
import { readGitUser } from '../../src/git/run.ts'
import { writeFiles } from '../support/cli.ts'
import { folderOfTest } from '../support/folder.ts'
import { commitAll, git, gitEnv } from './repository.ts'

let folder: string
beforeEach(async () => {
  folder = await folderOfTest({ 'flags/vexil.yaml': 'version: 1\n', 'elsewhere.txt': 'one\n' })
})

const isOurs = async (path: string) => path.endsWith('ours.json')
const revision = (directory = join(folder, 'flags'), env: object = {}) =>
  readRevision({ directory, env: { ...gitEnv, ...env } }, isOurs)

describe('the revision of a folder', () => {
  it('is the commit that is checked out, whole', async () => {
    const commit = await commitAll(folder)
    expect(commit).toMatch(/^[0-9a-f]{40}$/)
    expect(await revision()).toEqual({ commit, dirty: false })
  })

  it.each<[string, () => Promise<unknown>, boolean]>([
    ['a file that was changed', () => writeFiles(folder, { 'flags/vexil.yaml': 'version: 2\n' }), true],
    ['a file that is new', () => writeFiles(folder, { 'flags/new.yaml': '' }), true],
    ['a file that is gone', () => rm(join(folder, 'flags/vexil.yaml')), true],
    ['a file beside the folder', () => writeFiles(folder, { 'elsewhere.txt': 'two\n' }), false],
    ['a file of ours', () => writeFiles(folder, { 'flags/new/ours.json': '' }), false],
    [
      'a file beside one of ours',
      () => writeFiles(folder, { 'flags/new/ours.json': '', 'flags/new/other.json': '' }),
      true,
    ],
    [
      'what runs leave behind further down',
      () => writeFiles(folder, { 'flags/b/c/.vexil/runs/a.json': '', 'flags/.vexil/.gitignore': '' }),
      false,
    ],
    ['what is installed', () => writeFiles(folder, { 'flags/node_modules/a/a.yaml': '' }), false],
    ['what runs leave behind', () => writeFiles(folder, { 'flags/.vexil/runs/a.json': '{}' }), false],
  ])('tells of %s', async (_, happens, dirty) => {
    const commit = await commitAll(folder)
    await happens()
    expect(await revision()).toEqual({ commit, dirty })
  })

  it('is the whole name in a repository of SHA-256', async () => {
    await git(folder, 'init', '--quiet', '--object-format=sha256')
    const commit = await commitAll(folder)
    expect(commit).toMatch(/^[0-9a-f]{64}$/)
    expect(await revision()).toEqual({ commit, dirty: false })
  })

  it('is nothing where there is no git, no repository, no commit or no work tree', async () => {
    expect(await revision()).toEqual({})
    expect(await revision(folder, { PATH: '/nowhere' })).toEqual({})
    await git(folder, 'init', '--quiet')
    expect(await revision()).toEqual({})
    expect(await revision(join(folder, '.git'))).toEqual({})
  })

  it('is not asked for where no folder has a repository, and is where a variable names one', async () => {
    const seen = join(folder, 'seen')
    await writeFiles(folder, { 'bin/git': `#!/bin/sh\necho "$@" >> '${seen}'\nexit 128\n` })
    await chmod(join(folder, 'bin/git'), 0o755)
    const PATH = `${join(folder, 'bin')}:${gitEnv.PATH}`
    expect(await revision(folder, { PATH })).toEqual({})
    expect(await revision(join(folder, 'not/there'), { PATH })).toEqual({})
    await expect(readFile(seen)).rejects.toThrow('ENOENT')
    await revision(folder, { PATH, GIT_DIR: join(folder, 'elsewhere') })
    expect(await readFile(seen, 'utf8')).toContain('config')
  })

  it('is a line of what to do where the repository belongs to somebody else', async () => {
    await commitAll(folder)
    const directory = join(folder, 'flags')
    expect(await revision(directory, { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' })).toEqual({
      note: `the commit is not recorded: the repository belongs to another user; to have it read, run \`git config --global --add safe.directory ${directory}\``,
    })
  })

  it('is a line where the repository is broken', async () => {
    await commitAll(folder)
    await writeFiles(folder, { '.git/config': '[core\n' })
    expect(await revision()).toEqual({
      note: 'the commit is not recorded: git reports "fatal: bad config line 1 in file .git/config"',
    })
  })

  it('is asked for without a shell and without our key', async () => {
    const odd = join(folder, '$(touch hacked); "x"')
    await mkdir(odd)
    const seen = join(folder, 'seen')
    await writeFiles(folder, {
      'bin/git': `#!/bin/sh\nenv > '${seen}'\nPATH=${gitEnv.PATH} exec git "$@"\n`,
    })
    await chmod(join(folder, 'bin/git'), 0o755)
    await commitAll(folder)
    const { commit } = await revision(odd, {
      PATH: `${join(folder, 'bin')}:${gitEnv.PATH}`,
      VEXIL_API_KEY: 'phx_secret',
      LANG: 'de_DE.UTF-8',
    })
    expect(commit).toMatch(/^[0-9a-f]{40}$/)
    const environment = await readFile(seen, 'utf8')
    expect(environment).toContain('LC_ALL=C')
    expect(environment).not.toContain('phx_secret')
    expect((await readdir(folder)).includes('hacked')).toBe(false)
  })
})

describe('the user of git', () => {
  const user = (directory = folder, env: object = {}) =>
    readGitUser({ directory, env: { ...gitEnv, ...env } })

  it('is named as far as git is told', async () => {
    expect(await user()).toBeUndefined()
    await git(folder, 'init', '--quiet')
    expect(await user()).toBeUndefined()
    await git(folder, 'config', 'user.email', 'ada@example.com')
    expect(await user()).toBe('ada@example.com')
    await git(folder, 'config', 'user.name', 'Ada Lovelace')
    expect(await user()).toBe('Ada Lovelace <ada@example.com>')
  })

  it('is nobody where there is no git', async () => {
    expect(await user(folder, { PATH: '/nowhere' })).toBeUndefined()
  })
})
