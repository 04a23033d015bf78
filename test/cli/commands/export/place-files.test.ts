import { link, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { placeFiles } from '../../../../src/cli/edit/write-export.ts'
import { folderOfTest } from '../../../support/folder.ts'

let folder: string
beforeEach(async () => {
  folder = await folderOfTest({})
})

const contents = async () => (await readdir(folder, { recursive: true })).sort()
const files = () => [
  { path: join(folder, 'flags/sources/a/index.ts'), text: 'a', isShared: true },
  { path: join(folder, 'flags/sources/b/index.ts'), text: 'b', isShared: true },
  { path: join(folder, 'flags/plugins.yaml'), text: 'plugins: {}\n' },
  { path: join(folder, 'other.yaml'), text: 'feature_flags: {}\n' },
]

describe('new files', () => {
  it('are put into place, and nothing else is left', async () => {
    await placeFiles(files(), '1')
    expect(await contents()).toEqual([
      'flags',
      'flags/plugins.yaml',
      'flags/sources',
      'flags/sources/a',
      'flags/sources/a/index.ts',
      'flags/sources/b',
      'flags/sources/b/index.ts',
      'other.yaml',
    ])
    expect(await readFile(join(folder, 'flags/plugins.yaml'), 'utf8')).toBe('plugins: {}\n')
  })

  it.each([0, 1, 2, 3])('are all taken back when number %i cannot be put there', async failing => {
    await writeFile(join(folder, 'mine'), '')
    let calls = 0
    const place = async (from: string, to: string) => {
      if (calls++ === failing) throw new Error('the disk is full')
      await link(from, to)
    }
    await expect(placeFiles(files(), '1', place)).rejects.toThrow('the disk is full')
    expect(await contents()).toEqual(['mine'])
  })

  it('leave what others have put into their folders meanwhile', async () => {
    const place = async () => {
      await writeFile(join(folder, 'flags/theirs'), '')
      throw new Error('the disk is full')
    }
    await expect(placeFiles(files(), '1', place)).rejects.toThrow('the disk is full')
    expect(await contents()).toEqual(['flags', 'flags/theirs'])
  })

  it('never take the place of a link to a device, which has no end', async () => {
    await symlink('/dev/zero', join(folder, 'other.yaml'))
    await expect(placeFiles(files(), '1')).rejects.toThrow('other.yaml" already exists')
    expect(await contents()).toEqual(['other.yaml'])
  })

  it('never take the place of one that came meanwhile', async () => {
    const place = async (from: string, to: string) => {
      if (to.endsWith('plugins.yaml')) await writeFile(to, 'theirs')
      await link(from, to)
    }
    await expect(placeFiles(files(), '1', place)).rejects.toThrow(
      `"${join(folder, 'flags/plugins.yaml')}" already exists; choose an empty folder`,
    )
    expect(await contents()).toEqual(['flags', 'flags/plugins.yaml'])
    expect(await readFile(join(folder, 'flags/plugins.yaml'), 'utf8')).toBe('theirs')
  })

  it('go on where a killed export has left some of them, and stop at other ones', async () => {
    await placeFiles(files().slice(0, 1), '1')
    await placeFiles(files(), '2')
    expect(await contents()).toHaveLength(8)
    await rm(join(folder, 'flags'), { recursive: true })
    await placeFiles([{ ...files()[0]!, text: 'mine' }], '3')
    await expect(placeFiles(files().slice(0, 3), '4')).rejects.toThrow(/index\.ts" already exists/)
  })
})
