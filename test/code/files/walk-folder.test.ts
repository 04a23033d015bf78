import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { walkFolder } from '../../../src/code/search-code.ts'
import { listFiles } from '../../../src/git/files.ts'
import { git, gitEnv } from '../../git/repository.ts'
import { folderWith } from '../../support/folder.ts'
import { rounds } from '../../support/rounds.ts'

const folders: Awaited<ReturnType<typeof folderWith>>[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map(folder => folder.remove()))
})

async function aFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await folderWith(files)
  folders.push(folder)
  return folder.path
}

const code = {
  'a.ts': '',
  'b.log': '',
  'build/x.ts': '',
  'src/a.ts': '',
  'src/b.log': '',
  'src/deep/a.ts': '',
}

describe('the files of a folder without git', () => {
  it('follow no link, and leave out what is never code of one’s own', async () => {
    const path = await aFolder({
      'a.ts': '',
      'node_modules/a/b.js': '',
      '.vexil/runs/a.json': '',
      '.github/a.yml': '',
    })
    await symlink('/etc', join(path, 'etc'))
    await symlink(join(path, 'a.ts'), join(path, 'b.ts'))
    expect((await walkFolder(path)).sort()).toEqual(['.github/a.yml', 'a.ts'])
  })

  it('are those that git lists, whatever .gitignore files say', async () => {
    const pattern = fc.constantFrom(
      '*.log',
      '!b.log',
      'build',
      '/build/',
      'src/',
      'src/*',
      '!src/deep',
      'a.ts',
      '/a.ts',
      '**/deep/**',
      '!a.ts',
      '# a',
      'dee?',
      '\\!b',
    )
    const rules = fc.array(pattern, { maxLength: 4 }).map(lines => lines.join('\n'))
    await fc.assert(
      fc.asyncProperty(rules, rules, async (top, below) => {
        const path = await aFolder({ ...code, '.gitignore': top, 'src/.gitignore': below })
        const walked = (await walkFolder(path)).sort()
        await git(path, 'init', '--quiet')
        const listed = await listFiles({ directory: path, env: gitEnv })
        expect(walked).toEqual([...(listed.paths ?? [])].sort())
      }),
      { numRuns: rounds(20) },
    )
  })
})
