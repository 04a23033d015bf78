import { once } from 'node:events'
import { lstat, mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CheckoutOptions, openCheckouts } from '../../src/git/checkouts.ts'
import { readRevision } from '../../src/git/commits.ts'
import { readSourceUrl } from '../../src/git/files.ts'
import { folderOfTest, writeFiles } from '../support/folder.ts'
import { commitAll, git, gitEnv } from './repository.ts'

/** A remote with one commit, a clone that pushes to it, and a folder for checkouts. */
async function aRemote(files: Readonly<Record<string, string>> = { 'flags.yaml': 'one\n' }) {
  const root = await realpath(await folderOfTest({}))
  const [own, remote, folder] = ['own', 'remote.git', 'checkouts'].map(name => join(root, name)) as [
    string,
    string,
    string,
  ]
  await writeFiles(own, files)
  const first = await commitAll(own)
  await git(root, 'init', '--quiet', '--bare', remote)
  await git(own, 'remote', 'add', 'origin', remote)
  const push = async (more: Readonly<Record<string, string>>, branch = 'main') => {
    await writeFiles(own, more)
    await git(own, 'add', '--all')
    await git(own, 'commit', '--quiet', '--message', 'More')
    await git(own, 'push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${branch}`)
    return git(own, 'rev-parse', 'HEAD')
  }
  await git(own, 'push', '--quiet', 'origin', 'HEAD:refs/heads/main')
  const open = (more: Partial<CheckoutOptions> = {}) =>
    openCheckouts({ url: `file://${remote}`, folder, env: gitEnv, ...more })
  return { root, own, remote, folder, first, push, open }
}

/** The same, cloned. */
async function aClone(files?: Readonly<Record<string, string>>) {
  const remote = await aRemote(files)
  const checkouts = remote.open()
  expect(await checkouts.update()).toEqual({ is: 'done' })
  return { ...remote, checkouts, place: (commit: string) => join(remote.folder, 'at', commit) }
}

const done = { is: 'done' }
const statusOf = (directory: string) => git(directory, 'status', '--porcelain', '--untracked-files=all')

describe('a checkout', () => {
  it('has the files of a commit, detached, with the whole history', async () => {
    const { checkouts, push, place, first } = await aClone()
    const second = await push({ 'flags.yaml': 'two\n' })
    expect(await checkouts.update()).toEqual(done)
    expect(await checkouts.at('main')).toEqual({ is: 'done', commit: second, directory: place(second) })
    expect(await readFile(join(place(second), 'flags.yaml'), 'utf8')).toBe('two\n')
    expect(await git(place(second), 'rev-list', 'HEAD')).toBe(`${second}\n${first}`)
    await expect(git(place(second), 'symbolic-ref', 'HEAD')).rejects.toThrow()
    expect(await git(place(second), 'rev-parse', 'HEAD')).toBe(second)
  })

  it('is made while a fetch is asked for, and neither fails', async () => {
    const { checkouts, push } = await aClone()
    for (let count = 0; count < 8; count += 1) {
      await push({ 'flags.yaml': `${count}\n` })
      expect(await checkouts.update()).toEqual(done)
      await checkouts.prune(new Set())
      expect(await Promise.all([checkouts.at('main'), checkouts.update()])).toMatchObject([done, done])
    }
  })

  it('is found by a branch, a tag or a commit', async () => {
    const { own, checkouts, first, place } = await aClone()
    await git(own, 'tag', 'v1')
    await git(own, 'tag', '--annotate', '--message', 'Two', 'v2')
    await git(own, 'push', '--quiet', '--tags', 'origin')
    await checkouts.update()
    for (const revision of ['main', 'refs/heads/main', undefined, 'v1', 'v2', first, first.slice(0, 8)]) {
      const found = await checkouts.at(revision)
      expect({ revision, ...found }).toEqual({ revision, is: 'done', commit: first, directory: place(first) })
    }
  })

  it('is refused for any other revision', async () => {
    const { checkouts, folder } = await aClone()
    for (const revision of ['nope', '0'.repeat(40), 'HEAD']) {
      const why = `"${revision}" is not a branch, a tag or a commit of the repository`
      expect(await checkouts.at(revision)).toEqual({ is: 'failed', why })
    }
    for (const revision of ['--help', '', 'a\0b']) {
      const why = 'a revision is not empty, does not begin with "-" and is one line'
      expect(await checkouts.at(revision)).toEqual({ is: 'failed', why })
    }
    expect(await readdir(join(folder, 'at'))).toEqual([])
  })

  it('is made once for all that want it at once, and shared', async () => {
    const { checkouts, folder, first, place } = await aClone()
    const all = await Promise.all(['main', undefined, first, 'main'].map(name => checkouts.at(name)))
    expect(all).toEqual(all.map(() => ({ is: 'done', commit: first, directory: place(first) })))
    expect(await readdir(join(folder, 'repository.git/worktrees'))).toHaveLength(1)
    expect(await readdir(join(folder, 'making'))).toEqual([])
  })

  it('is used again by the next process', async () => {
    const { checkouts, open, first, place } = await aClone()
    await checkouts.at('main')
    const { ino } = await lstat(join(place(first), 'flags.yaml'))
    expect(await open().at('main')).toMatchObject({ commit: first })
    expect((await lstat(join(place(first), 'flags.yaml'))).ino).toBe(ino)
  })

  it('is made anew if the process that made it was killed', async () => {
    const { checkouts, open, folder, first, place } = await aClone()
    await checkouts.at('main')
    const [own = ''] = await readdir(join(folder, 'repository.git/worktrees'))
    await rm(join(folder, 'repository.git/worktrees', own, 'vexil-complete'))
    await writeFile(join(folder, 'repository.git/worktrees', own, 'locked'), 'initializing')
    await rm(join(place(first), 'flags.yaml'))
    await mkdir(join(folder, 'making', `${first}-half`))
    expect(await open().at('main')).toMatchObject({ commit: first })
    expect(await readdir(join(folder, 'repository.git/worktrees'))).toHaveLength(1)
    expect(await readdir(join(folder, 'making'))).toEqual([])
    expect(await statusOf(place(first))).toBe('')
    expect(await readFile(join(place(first), 'flags.yaml'), 'utf8')).toBe('one\n')
  })

  it('runs no command of the user or the repository, and fetches no submodule', async () => {
    const { own, root, folder, push, open } = await aRemote({
      '.gitattributes': '* filter=x\n',
      'a.yaml': 'a',
    })
    const mark = join(root, 'ran')
    await git(own, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},inner`)
    await writeFiles(own, { '.gitmodules': `[submodule "inner"]\n\tpath = inner\n\turl = ${own}\n` })
    await mkdir(join(own, 'inner'))
    const commit = await push({})
    const settings = ['[filter "x"]', `smudge = touch ${mark}`, 'required = true', '[core]']
    const config = join(root, 'config')
    await writeFile(
      config,
      [...settings, `hooksPath = ${root}/hooks`, '[submodule]', 'recurse = true'].join('\n'),
    )
    await writeFiles(root, { 'hooks/post-checkout': `#!/bin/sh\ntouch ${mark}\n` })
    const env = { ...gitEnv, GIT_CONFIG_GLOBAL: config }
    const checkouts = open({ env })
    await checkouts.update()
    const directory = join(folder, 'at', commit)
    expect(await checkouts.at('main')).toEqual({ is: 'done', commit, directory })
    expect(await readFile(join(directory, 'a.yaml'), 'utf8')).toBe('a')
    expect(await readdir(join(directory, 'inner'))).toEqual([])
    expect(await readdir(root)).not.toContain('ran')
    expect(await readRevision({ directory, env }, async () => false)).toEqual({ commit, dirty: false })
  })

  it('is made regardless of the repository that the environment names', async () => {
    const { own, open, first } = await aRemote()
    const env = { ...gitEnv, GIT_DIR: join(own, '.git'), GIT_WORK_TREE: own, GIT_INDEX_FILE: '/nowhere' }
    const checkouts = open({ env })
    expect(await checkouts.update()).toEqual(done)
    expect(await checkouts.at('main')).toMatchObject({ commit: first })
    expect(await readdir(join(own, '.git'))).not.toContain('worktrees')
  })

  it('leaves when nobody keeps it, with everything that git has of it', async () => {
    const { checkouts, push, folder, first, place } = await aClone()
    await checkouts.at('main')
    const second = await push({ 'flags.yaml': 'two\n' })
    await checkouts.update()
    await checkouts.at('main')
    await checkouts.prune(new Set([second]))
    expect(await readdir(join(folder, 'at'))).toEqual([second])
    expect(await readdir(join(folder, 'repository.git/worktrees'))).toHaveLength(1)
    expect(await checkouts.at(first)).toEqual({ is: 'done', commit: first, directory: place(first) })
  })
})

describe('the records of runs in checkouts', () => {
  it('are shared, and are no change of the folder', async () => {
    const { checkouts, push, place, first } = await aClone()
    await checkouts.at(first)
    const second = await push({ 'flags.yaml': 'two\n' })
    await checkouts.update()
    await checkouts.at(second)
    expect(await statusOf(place(first))).toBe('')
    await writeFile(join(place(first), '.vexil/runs/a.json'), '{}')
    await writeFile(join(place(first), '.vexil/left/b.json'), '{}')
    expect(await readdir(join(place(second), '.vexil/runs'))).toEqual(['a.json'])
    expect(await readdir(join(place(second), '.vexil/left'))).toEqual(['b.json'])
    for (const commit of [first, second]) {
      expect(await statusOf(place(commit))).toBe('')
      const folder = { directory: place(commit), env: gitEnv }
      expect(await readRevision(folder, async () => false)).toEqual({ commit, dirty: false })
    }
    await checkouts.prune(new Set())
    expect(await readdir(join(place(first), '../../state/runs'))).toEqual(['a.json'])
  })

  it('are those of the folder with the settings', async () => {
    const { open, first, folder } = await aRemote({ 'infra/flags/vexil.yaml': 'version: 1\n' })
    const checkouts = open({ within: 'infra/flags/' })
    await checkouts.update()
    await checkouts.at('main')
    await writeFile(join(folder, 'at', first, 'infra/flags/.vexil/runs/a.json'), '{}')
    expect(await readdir(join(folder, 'state/runs'))).toEqual(['a.json'])
    expect(await readdir(join(folder, 'at', first))).toEqual(['.git', 'infra'])
    expect(await statusOf(join(folder, 'at', first))).toBe('')
    expect(() => open({ within: '../infra' })).toThrow('"../infra" is not a folder of the repository')
  })

  it('stay those that the repository has', async () => {
    const { checkouts, place, first } = await aClone({ '.vexil/runs/a.json': '{}' })
    expect(await checkouts.at('main')).toMatchObject(done)
    expect((await lstat(join(place(first), '.vexil/runs'))).isDirectory()).toBe(true)
    expect((await lstat(join(place(first), '.vexil/left'))).isSymbolicLink()).toBe(true)
    await writeFile(join(place(first), '.vexil/runs/b.json'), '{}')
    expect(await statusOf(place(first))).toBe('')
  })

  it.each([
    ['.vexil', undefined, '".vexil" is not a folder in the repository; remove it there'],
    ['.vexil/left', undefined, '".vexil/left" is not a folder in the repository; remove it there'],
    ['infra', 'infra', '"infra" is behind a symbolic link'],
  ])('go nowhere else by a link %s of the repository', async (path, within, why) => {
    const { own, root, push, open } = await aRemote()
    await mkdir(join(root, 'elsewhere'))
    await mkdir(join(own, path, '..'), { recursive: true })
    await symlink(join(root, 'elsewhere'), join(own, path))
    await push({})
    const checkouts = open(within === undefined ? {} : { within })
    await checkouts.update()
    expect(await checkouts.at('main')).toEqual({ is: 'failed', why })
    expect(await readdir(join(root, 'elsewhere'))).toEqual([])
  })
})

describe('an update', () => {
  it('follows branches that were moved, added, removed and renamed', async () => {
    const { checkouts, own, remote, push } = await aClone()
    await git(own, 'checkout', '--quiet', '--orphan', 'other')
    const rewritten = await push({ 'flags.yaml': 'rewritten\n' })
    await git(own, 'push', '--quiet', 'origin', 'HEAD:refs/heads/next')
    expect(await checkouts.update()).toEqual(done)
    expect(await checkouts.at('main')).toMatchObject({ commit: rewritten })
    expect(await checkouts.at('next')).toMatchObject({ commit: rewritten })
    // A folder of refs takes the place of a ref.
    await git(remote, 'update-ref', '-d', 'refs/heads/next')
    await git(own, 'push', '--quiet', 'origin', 'HEAD:refs/heads/next/one')
    expect(await checkouts.update()).toEqual(done)
    expect(await checkouts.at('next')).toMatchObject({ is: 'failed' })
    expect(await checkouts.at('next/one')).toMatchObject({ commit: rewritten })
  })

  it('follows a moved tag', async () => {
    const { checkouts, own, push } = await aClone()
    await git(own, 'tag', 'live')
    await git(own, 'push', '--quiet', '--tags', 'origin')
    await checkouts.update()
    const second = await push({ 'flags.yaml': 'two\n' })
    await git(own, 'tag', '--force', 'live')
    await git(own, 'push', '--quiet', '--force', '--tags', 'origin')
    await checkouts.update()
    expect(await checkouts.at('live')).toMatchObject({ commit: second })
  })

  it('follows the default branch of the remote, which may be none', async () => {
    const { checkouts, remote, push, first } = await aClone()
    const second = await push({ 'flags.yaml': 'two\n' }, 'trunk')
    await checkouts.update()
    expect(await checkouts.at(undefined)).toMatchObject({ commit: first })
    await git(remote, 'symbolic-ref', 'HEAD', 'refs/heads/trunk')
    await checkouts.update()
    expect(await checkouts.at(undefined)).toMatchObject({ commit: second })
    await git(remote, 'symbolic-ref', 'HEAD', 'refs/heads/none')
    expect(await checkouts.update()).toEqual(done)
    expect(await checkouts.at('trunk')).toMatchObject({ commit: second })
    const why = 'the repository has no default branch; name a branch, a tag or a commit'
    expect(await checkouts.at(undefined)).toEqual({ is: 'failed', why })
  })

  it('can clone a repository without commits, and fetch the first one', async () => {
    const { root, own, folder } = await aRemote()
    const empty = join(root, 'empty.git')
    await git(root, 'init', '--quiet', '--bare', empty)
    const checkouts = openCheckouts({ url: empty, folder, env: gitEnv })
    expect(await checkouts.update()).toEqual(done)
    expect(await checkouts.at(undefined)).toMatchObject({ is: 'failed' })
    await git(own, 'push', '--quiet', empty, 'HEAD:refs/heads/main')
    expect(await checkouts.update()).toEqual(done)
    expect(await checkouts.at(undefined)).toMatchObject(done)
  })

  it('keeps the last state if the remote cannot be reached', async () => {
    const { checkouts, remote, first } = await aClone()
    await rm(remote, { recursive: true })
    const { why } = (await checkouts.update()) as { why: string }
    expect(why).toMatch(/^git reports "fatal: .* does not appear to be a git repository"$/)
    expect(await checkouts.at(undefined)).toMatchObject({ commit: first })
    expect(await checkouts.at('main')).toMatchObject({ commit: first })
  })

  it('works after a git that was killed', async () => {
    const { open, folder, push } = await aClone()
    const second = await push({ 'flags.yaml': 'two\n' })
    const locks = ['packed-refs.lock', 'config.lock', 'refs/heads/main.lock', 'refs/vexil/default.lock']
    await writeFiles(join(folder, 'repository.git'), Object.fromEntries(locks.map(name => [name, ''])))
    const checkouts = open()
    expect(await checkouts.update()).toEqual(done)
    expect(await checkouts.at('main')).toMatchObject({ commit: second })
  })

  it('takes no unfinished clone for a whole one', async () => {
    const { open, folder, first } = await aRemote()
    await writeFiles(folder, { 'making/clone-a/HEAD': 'ref: refs/heads/main\n' })
    const checkouts = open()
    expect(await checkouts.at('main')).toEqual({
      is: 'failed',
      why: 'the repository has not been fetched yet',
    })
    expect(await checkouts.update()).toEqual(done)
    expect(await readdir(join(folder, 'making'))).toEqual([])
    expect(await checkouts.at('main')).toMatchObject({ commit: first })
  })

  it('leaves nothing of a clone that failed, and can be tried again', async () => {
    const { open, folder, remote, root } = await aRemote()
    await git(root, 'clone', '--quiet', '--bare', remote, 'copy.git')
    await rm(remote, { recursive: true })
    expect(await open().update()).toMatchObject({ is: 'failed' })
    expect(await readdir(folder)).not.toContain('repository.git')
    expect(await readdir(join(folder, 'making'))).toEqual([])
    expect(await open({ url: join(root, 'copy.git') }).update()).toEqual(done)
  })

  it('runs once for all that want it at once', async () => {
    const { open, folder } = await aRemote()
    const checkouts = open()
    expect(await Promise.all([checkouts.update(), checkouts.update()])).toEqual([done, done])
    expect(await readdir(folder)).toEqual(['at', 'making', 'repository.git', 'state'])
  })

  it('ends when it is stopped, before git starts or while the remote is silent', async () => {
    const folder = await folderOfTest({})
    const stopped = { is: 'failed', why: 'git was stopped' }
    const stop = new AbortController()
    const silent = createServer(() => stop.abort()).listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    // The address is that of a TCP server.
    const { port } = silent.address() as AddressInfo
    const url = `git://127.0.0.1:${port}/flags.git`
    const checkouts = openCheckouts({ url, folder, env: gitEnv, signal: stop.signal })
    expect(await checkouts.update()).toEqual(stopped)
    expect(await checkouts.update()).toEqual(stopped)
    expect(await readdir(join(folder, 'making'))).toEqual([])
  })

  it('reports a folder that cannot be written', async () => {
    const { open, root } = await aRemote()
    const checkouts = open({ folder: join(root, 'own/flags.yaml/x') })
    const why = expect.stringMatching(/^the folder of the repository cannot be written \(ENO\w+\)$/)
    expect(await checkouts.update()).toEqual({ is: 'failed', why })
  })
})

describe('the address of a repository', () => {
  it.each([
    'https://ada:s3cret@127.0.0.1:1/acme/flags.git',
    'https://ada:s3%63ret@127.0.0.1:1/acme/flags.git',
    'https://s3cret@127.0.0.1:1/acme/flags.git',
    'https://127.0.0.1:1/acme/flags.git?token=s3cret',
    "https://ada:it's-s3cret@127.0.0.1:1/acme/flags.git",
    'ext::sh -c s3cret',
    'ssh://ada:s3cret@127.0.0.1:1/acme/flags.git',
  ])('keeps its secrets: %s', async url => {
    const folder = await folderOfTest({})
    const { is, why } = (await openCheckouts({ url, folder, env: gitEnv }).update()) as {
      is: string
      why: string
    }
    expect(is).toBe('failed')
    expect(why).toMatch(/^git reports "/)
    expect(why).not.toMatch(/s3(c|%63)ret/)
  })

  it.each([
    ['-u./command', 'does not begin with "-"'],
    ['', 'is not empty'],
    ['https://a\nb', 'is one line'],
    ['https://ada:s3/cret@example.com/flags', 'is not a URL'],
    ['../flags.git', 'neither a URL nor an absolute path'],
  ])('is refused: %j', (url, why) => {
    const open = () => openCheckouts({ url, folder: '/nowhere', env: gitEnv })
    expect(open).toThrow(why)
    expect(open).not.toThrow(/s3/)
  })

  it('is known to checkouts without its password, and may change', async () => {
    const { checkouts, open, place, first } = await aClone()
    await checkouts.at('main')
    await open({ url: 'https://ada:s3cret@github.invalid/acme/flags.git' }).update()
    const folder = { directory: place(first), env: gitEnv }
    expect(await readSourceUrl(folder, first)).toBe(
      `https://github.invalid/acme/flags/blob/${first}/{file}#L{line}`,
    )
  })
})
