import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fetchShared, pushShared } from '../../src/git/files.ts'
import { folderOfTest, writeFiles } from '../support/folder.ts'
import { commitAll, git, gitEnv } from './repository.ts'

const ref = 'refs/vexil/runs'

/** A clone whose remote takes a question, notes it in `asked`, and never answers. */
async function besideSilence() {
  const root = await folderOfTest({ 'own/a.txt': 'a' })
  const own = join(root, 'own')
  await commitAll(own)
  await git(root, 'init', '--quiet', '--bare', 'remote.git')
  await git(own, 'remote', 'add', 'origin', `file://${root}/remote.git`)
  const script = join(root, 'silent.sh')
  // It ends when git is no longer there to be read.
  await writeFiles(root, { 'silent.sh': `echo >> '${root}/asked'\nread -r nothing\n`, asked: '' })
  await git(own, 'config', 'remote.origin.uploadpack', `sh '${script}'`)
  await git(own, 'config', 'remote.origin.receivepack', `sh '${script}'`)
  return {
    shared: { place: { directory: own, env: gitEnv, longestMs: 500 }, remote: 'origin', ref },
    index: join(root, 'index'),
    file: join(own, 'a.txt'),
    asked: async () => (await readFile(join(root, 'asked'), 'utf8')).split('\n').length - 1,
  }
}

const tooSlow = { is: 'not', why: 'git got no answer in time' }

it('a remote that takes a question and never answers is given up', async () => {
  const { shared, asked } = await besideSilence()
  expect(await fetchShared(shared)).toEqual(tooSlow)
  expect(await asked()).toBeLessThan(2)
})

it('a remote that never answers a push is not asked again', async () => {
  const { shared, asked, index, file } = await besideSilence()
  const files = new Map([['runs/a.txt', file]])
  expect(await pushShared(shared, { tip: undefined, files, message: 'Record 1 run', index })).toEqual(tooSlow)
  expect(await asked()).toBeLessThan(2)
})
