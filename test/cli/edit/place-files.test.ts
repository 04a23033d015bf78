import { writeFileSync } from 'node:fs'
import { chmod, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { placeFiles } from '../../../src/cli/edit/write-edit.ts'
import { folderOfTest } from '../../support/folder.ts'

let folder: string
beforeEach(async () => {
  folder = await folderOfTest({})
})

const contents = async () => (await readdir(folder, { recursive: true })).sort()
const files = () => [
  { file: 'flags/sources/a/index.ts', after: 'a', isShared: true },
  { file: join(folder, 'flags/sources/b/index.ts'), after: 'b', isShared: true },
  { file: 'flags/plugins.yaml', after: 'plugins: {}\n' },
  { file: 'other.yaml', after: 'feature_flags: {}\n' },
]

/** A file during whose write something else happens. */
function during<T extends { readonly after: string }>(file: T, happen: () => void): T {
  return Object.defineProperty({ ...file }, 'after', {
    get() {
      happen()
      return file.after
    },
  })
}

describe('new files', () => {
  it('are written, and nothing else remains', async () => {
    await placeFiles(folder, files(), '1')
    const sources = ['sources', 'sources/a', 'sources/a/index.ts', 'sources/b', 'sources/b/index.ts']
    const below = ['plugins.yaml', ...sources].map(name => `flags/${name}`)
    expect(await contents()).toEqual(['flags', ...below, 'other.yaml'])
    expect(await readFile(join(folder, 'flags/plugins.yaml'), 'utf8')).toBe('plugins: {}\n')
  })

  it.each([0, 1, 2, 3])('are all removed when number %i cannot be written', async failing => {
    await writeFile(join(folder, 'mine'), '')
    const all = files()
    all.splice(failing, 0, { file: 'mine', after: 'new' })
    await expect(placeFiles(folder, all, '1')).rejects.toThrow(
      '"mine" already exists; choose an empty folder',
    )
    all.splice(failing, 1, { file: 'mine/below', after: 'new' })
    await expect(placeFiles(folder, all, '1')).rejects.toThrow(
      '"mine/below" cannot be written (ENOTDIR); nothing was written',
    )
    expect(await contents()).toEqual(['mine'])
  })

  it('stay out of the way of files that come meanwhile', async () => {
    const [first, second, third, last] = files()
    const late = during(last!, () => writeFileSync(join(folder, 'flags/plugins.yaml'), 'theirs'))
    await expect(placeFiles(folder, [first!, second!, third!, late], '1')).rejects.toThrow(
      '"flags/plugins.yaml" already exists; choose an empty folder',
    )
    expect(await contents()).toEqual(['flags', 'flags/plugins.yaml'])
    expect(await readFile(join(folder, 'flags/plugins.yaml'), 'utf8')).toBe('theirs')
  })

  it('never replace a link to a device, which has no end', async () => {
    await symlink('/dev/zero', join(folder, 'other.yaml'))
    await symlink('/dev/zero', join(folder, 'shared.ts'))
    for (const file of ['other.yaml', 'shared.ts'])
      await expect(
        placeFiles(folder, [...files().slice(0, 3), { file, after: 'a', isShared: true }], '1'),
      ).rejects.toThrow(`"${file}" already exists`)
    expect(await contents()).toEqual(['other.yaml', 'shared.ts'])
  })

  it('complete a killed export, and stop at other files', async () => {
    await placeFiles(folder, files().slice(0, 1), '1')
    await writeFile(join(folder, 'flags/sources/a/.index.ts.1.unfinished'), '')
    await placeFiles(folder, files(), '2')
    expect(await contents()).toHaveLength(9)
    await rm(join(folder, 'flags'), { recursive: true })
    await placeFiles(folder, [{ ...files()[0]!, after: 'mine' }], '3')
    await expect(placeFiles(folder, files().slice(0, 3), '4')).rejects.toThrow(/index\.ts" already exists/)
  })
})

const removed = { file: 'a.yaml', before: 'a\n', after: '', isRemoved: true } as const
const changed = { file: 'b.yaml', before: 'b\n', after: 'new\n' }

describe('existing files', () => {
  beforeEach(async () => {
    const files = { 'in/a.yaml': 'a\n', 'in/b.yaml': '\ufeffb\n', 'outside.yaml': 'b\n' }
    folder = join(await folderOfTest(files), 'in')
  })

  const expectUnchanged = async () => {
    expect(await contents()).toEqual(['a.yaml', 'b.yaml'])
    expect(await readFile(join(folder, 'a.yaml'), 'utf8')).toBe('a\n')
    expect(await readFile(join(folder, 'b.yaml'), 'utf8')).toBe('\ufeffb\n')
  }

  it('are removed, or get another text and keep their byte order mark and their permissions', async () => {
    await chmod(join(folder, 'b.yaml'), 0o640)
    await placeFiles(folder, [removed, changed, { file: 'new.yaml', after: 'c\n' }], '1')
    expect(await contents()).toEqual(['b.yaml', 'new.yaml'])
    expect(await readFile(join(folder, 'b.yaml'), 'utf8')).toBe('\ufeffnew\n')
    expect((await stat(join(folder, 'b.yaml'))).mode & 0o777).toBe(0o640)
  })

  it.each([
    [[removed, { ...changed, before: 'other\n' }]],
    [[{ ...removed, before: 'other\n' }, changed]],
    [[removed, { ...changed, file: 'gone.yaml' }]],
    [[removed, { file: 'flags/new.yaml', after: '' }, { ...changed, file: '../outside.yaml' }]],
  ])('do not change if one of them cannot', async all => {
    await expect(placeFiles(folder, all)).rejects.toThrow('nothing was written')
    await expectUnchanged()
  })

  it('do not change while another command edits one of them', async () => {
    await writeFile(join(folder, '.b.yaml.vexil-edit'), 'theirs\n')
    await expect(placeFiles(folder, [removed, changed])).rejects.toThrow('another command is editing it')
    expect(await readFile(join(folder, '.b.yaml.vexil-edit'), 'utf8')).toBe('theirs\n')
    await rm(join(folder, '.b.yaml.vexil-edit'))
    await expectUnchanged()
  })

  it('are restored if one of them changes while the others are written', async () => {
    const late = during(changed, () => writeFileSync(join(folder, 'b.yaml'), 'theirs\n'))
    await expect(placeFiles(folder, [removed, late])).rejects.toThrow('"b.yaml" was changed meanwhile')
    expect(await contents()).toEqual(['a.yaml', 'b.yaml'])
    expect(await readFile(join(folder, 'a.yaml'), 'utf8')).toBe('a\n')
    expect(await readFile(join(folder, 'b.yaml'), 'utf8')).toBe('theirs\n')
  })
})
