import { chmod, readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readRevision } from '../../src/git/commits.ts'
import { listCommitFolder, readContents } from '../../src/git/files.ts'
import { readGitUser } from '../../src/git/run.ts'
import { folderWith, writeFiles } from '../support/cli.ts'
import { commitAll, git, gitEnv } from './repository.ts'

let folder: Awaited<ReturnType<typeof folderWith>>
let seen: Awaited<ReturnType<typeof folderWith>>

beforeEach(async () => {
  folder = await folderWith({ 'vexil.yaml': 'version: 1\n' })
  seen = await folderWith({})
})

afterEach(async () => {
  await folder.remove()
  await seen.remove()
})

const place = () => ({ directory: folder.path, env: gitEnv })
const revision = () => readRevision(place(), async () => false)

/** A shell command that leaves a mark that it was run. */
const mark = () => `touch '${join(seen.path, 'ran')}'`
const hasRun = async () => (await readdir(seen.path)).includes('ran')
async function contentsOf(commit: string) {
  const folder = await listCommitFolder(place(), commit, [])
  return readContents({ place: place(), mark: 'mark', mostBytes: 1000 }, [...(folder?.values() ?? [])])
}
const set = (name: string, value: string, directory = folder.path) => git(directory, 'config', name, value)

/** Makes git read the file again: it is as long as before, and its time is another one. */
const touch = (path: string) => utimes(join(folder.path, path), 1, 1)

async function filtered(name: string, kind: 'clean' | 'process') {
  await writeFiles(folder.path, { '.gitattributes': `*.yaml filter=${name}\n` })
  await commitAll(folder.path)
  await set(`filter.${name}.${kind}`, kind === 'clean' ? `${mark()}; cat` : mark())
  await set(`filter.${name}.required`, 'true')
  await touch('vexil.yaml')
}

async function submodule() {
  const inner = join(folder.path, 'inner')
  await writeFiles(folder.path, { 'inner/flags.yaml': '' })
  await commitAll(inner)
  await writeFiles(folder.path, {
    '.gitmodules': '[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n',
  })
  await commitAll(folder.path)
  await writeFiles(folder.path, { 'inner/.gitattributes': '*.yaml filter=x\n' })
  await set('filter.x.clean', `${mark()}; cat`, inner)
  await touch('inner/flags.yaml')
}

/** Part of the objects is still at the remote, and git would fetch it by a command of the repository. */
async function partial() {
  const commit = await commitAll(folder.path)
  const tree = await git(folder.path, 'rev-parse', `${commit}^{tree}`)
  await set('core.repositoryformatversion', '1')
  await set('extensions.partialClone', 'origin')
  await set('remote.origin.promisor', 'true')
  await set('remote.origin.url', seen.path)
  await set('remote.origin.uploadpack', mark())
  await set('protocol.file.allow', 'always')
  await writeFiles(folder.path, { 'more.yaml': '' })
  await git(folder.path, 'add', 'more.yaml')
  await rm(join(folder.path, '.git/objects', tree.slice(0, 2)), { recursive: true })
}

const ways: [string, () => Promise<unknown>][] = [
  [
    'a monitor of files',
    async () => {
      await commitAll(folder.path)
      await set('core.fsmonitor', `${mark()} #`)
    },
  ],
  ['a filter', () => filtered('x', 'clean')],
  ['a filter that stays', () => filtered('x', 'process')],
  ['a filter with a name of several words', () => filtered('a.b-C', 'clean')],
  ['a filter whose name is made to be misread', () => filtered('a=b', 'clean')],
  ['a filter of a submodule', submodule],
  ['a remote that has what is missing', partial],
]

describe('the settings of a repository', () => {
  it.each(ways)('would have git run %s', async (_, prepare) => {
    await prepare()
    await git(folder.path, 'status', '--porcelain=v2').catch(() => {})
    expect(await hasRun()).toBe(true)
  })

  it.each(ways)('have nothing run for us by %s', async (_, prepare) => {
    await prepare()
    await revision()
    await readGitUser(place())
    expect(await hasRun()).toBe(false)
  })

  it('have no hook and no monitor run for us, whatever git would do with them', async () => {
    const commit = await commitAll(folder.path)
    await writeFiles(folder.path, { '.git/hooks/post-index-change': `#!/bin/sh\n${mark()}\n` })
    await chmod(join(folder.path, '.git/hooks/post-index-change'), 0o755)
    for (const name of ['core.pager', 'pager.status', 'diff.external', 'core.askPass', 'core.editor']) {
      await set(name, mark())
    }
    await set('alias.status', `!${mark()}`)
    await touch('vexil.yaml')
    expect(await revision()).toEqual({ commit, dirty: false })
    expect(await hasRun()).toBe(false)
  })

  it('do not make a file look changed that a filter writes as it is', async () => {
    await filtered('x', 'clean')
    const answer = await revision()
    expect(answer).toEqual({ commit: await git(folder.path, 'rev-parse', 'HEAD'), dirty: false })
  })

  it.each(['smudge', 'process'])('have no filter run for the files of a commit: %s', async kind => {
    await writeFiles(folder.path, { '.gitattributes': '*.yaml filter=x\n' })
    const commit = await commitAll(folder.path)
    await set(`filter.x.${kind}`, kind === 'smudge' ? `${mark()}; cat` : mark())
    await set('filter.x.required', 'true')
    const contents = await contentsOf(commit)
    expect(String(contents?.get('vexil.yaml'))).toBe('version: 1\n')
    expect(await hasRun()).toBe(false)
  })

  it('have nothing fetched for the files of a commit that are still at a remote', async () => {
    await writeFiles(folder.path, { 'other.yaml': 'other' })
    await partial()
    const commit = await git(folder.path, 'rev-parse', 'HEAD')
    expect(await contentsOf(commit)).toEqual(new Map())
    expect(await hasRun()).toBe(false)
  })

  it('leave the commit unknown where a filter cannot be switched off, and say so', async () => {
    await filtered('a=b', 'clean')
    expect(await revision()).toEqual({
      note: 'the commit is not recorded: the repository has a filter with "=" in its name, "a=b", which cannot be switched off; give it another name',
    })
  })
})
