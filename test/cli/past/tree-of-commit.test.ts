import { symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { treeOfCommit } from '../../../src/cli/past/past-declarations.ts'
import type { FileTree } from '../../../src/yaml/index.ts'
import { createFinder } from '../../../src/yaml/read/find-files.ts'
import { commitAll, git, gitEnv } from '../../git/repository.ts'
import { folderOfTest, inFolder, writeFiles } from '../../support/folder.ts'
import { rounds } from '../../support/rounds.ts'

const mark = 'a-mark-of-this-test'

async function treeAt(directory: string, commit: string): Promise<FileTree> {
  const found = await treeOfCommit({ directory, env: gitEnv }, commit, mark)
  if (!found) throw new Error('git cannot tell')
  return found
}

/** Everything that a repository may ask of its files. */
async function allOf(directory: string, tree?: FileTree) {
  const finder = await createFinder(directory, tree)
  const patterns = ['**/*.{yaml,yml}', 'a/*', '**/b.*', 'a/**', '*', '{a,b}/*.yaml']
  const found = await Promise.all([
    ...patterns.map(pattern => finder.find(pattern)),
    finder.findOne('a/b.yaml'),
    finder.findOne('a'),
  ])
  const read = await Promise.all(found.flatMap(({ files }) => files).map(file => finder.read(file)))
  return { found, read }
}

const segment = fc.constantFrom('a', 'b', 'c', 'a b', '.d', 'node_modules', 'é')
const ending = fc.constantFrom('a.yaml', 'b.yml', 'b.js', 'c')
const path = fc
  .tuple(fc.array(segment, { maxLength: 2 }), ending)
  .map(([folders, name]) => [...folders.map(folder => `${folder}d`), name].join('/'))
/** What leads out leads to a file: of a folder out there, and of nothing, a commit knows nothing. */
const outside = { outside: 'out', 'in/a.yaml': '', 'in/ad/bd': '', 'in/bd': '', 'in/outside': '' }
const target = fc.oneof(
  path,
  fc.constantFrom(
    '.',
    'ad',
    './ad/../a.yaml',
    '../a.yaml',
    '../bd',
    '../ad/bd',
    '../../outside',
    '/dev/null',
  ),
)

describe('the files of a commit', () => {
  it('are those of the folder that was committed, whatever is asked of them, links and all', async () => {
    const files = fc.dictionary(path, fc.string({ unit: 'binary' }), { maxKeys: 6, noNullPrototype: true })
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.dictionary(path, target, { maxKeys: 4, noNullPrototype: true }),
        (texts, links) =>
          inFolder({ ...outside, 'in/flags/first.yaml': 'a: 1' }, async folder => {
            const directory = join(folder, 'in/flags')
            for (const [name, text] of Object.entries(texts)) {
              await writeFiles(directory, { [name]: text }).catch(() => {})
            }
            for (const [name, to] of Object.entries(links)) {
              await writeFiles(directory, { [join(dirname(name), 'beside')]: '' }).catch(() => {})
              await symlink(to, join(directory, name)).catch(() => {})
            }
            const commit = await commitAll(join(folder, 'in'))
            expect(await allOf(directory, await treeAt(directory, commit))).toEqual(await allOf(directory))
          }),
      ),
      { numRuns: rounds(20) },
    )
  })

  it('are those of the folder under its earlier name, where one folder alone had settings', async () => {
    const folder = await folderOfTest({ 'old/vexil.yaml': 'version: 1\n', 'old/a.yaml': 'a', 'b.yaml': 'b' })
    const before = await commitAll(folder)
    await git(folder, 'mv', 'old', 'new')
    await git(folder, 'commit', '--quiet', '-m', 'renamed')
    const tree = await treeAt(join(folder, 'new'), before)
    const finder = await createFinder(join(folder, 'new'), tree)
    const { files } = await finder.find('**/*.yaml')
    expect(files.map(({ name }) => name)).toEqual(['a.yaml', 'vexil.yaml'])
  })

  it('have the line ends of the work tree, and their size says nothing of where they end', async () => {
    const folder = await folderOfTest({
      'a.yaml': 'a: 1\nb: 2\n',
      'b.yaml': `x: "${mark} 0123"\n`,
      'c.bin': 'a\nb\n',
    })
    await writeFiles(folder, { '.gitattributes': '*.bin -text\n' })
    const commit = await commitAll(folder)
    await git(folder, 'config', 'core.autocrlf', 'true')
    await git(folder, 'rm', '--cached', '-r', '--quiet', '.')
    await git(folder, 'reset', '--hard', '--quiet')
    const onDisk = await createFinder(folder)
    const there = await createFinder(folder, await treeAt(folder, commit))
    for (const name of ['a.yaml', 'c.bin']) {
      const [{ files: here }, { files }] = [await onDisk.findOne(name), await there.findOne(name)]
      expect(await there.read(files[0]!)).toEqual(await onDisk.read(here[0]!))
    }
    const { files } = await there.findOne('a.yaml')
    expect(await there.read(files[0]!)).toEqual({ text: 'a: 1\r\nb: 2\r\n' })
  })

  it('are told apart though one of them holds what another one is announced by', async () => {
    const folder = await folderOfTest({ 'a.yaml': 'a: 1\n' })
    await git(folder, 'init', '--quiet')
    const blob = await git(folder, 'hash-object', 'a.yaml')
    await writeFiles(folder, { '0.yaml': `x: 1\n${blob} blob 5\n${blob} missing\nother-mark ${blob}\n` })
    const commit = await commitAll(folder)
    expect(await allOf(folder, await treeAt(folder, commit))).toEqual(await allOf(folder))
  })
})
