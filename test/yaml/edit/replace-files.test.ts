import { writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaceFiles } from '../../../src/yaml/write/check-edited.ts'
import { folderOfTest } from '../../support/folder.ts'

const removed = { file: 'a.yaml', before: 'a\n', after: '', isRemoved: true } as const
const changed = { file: 'b.yaml', before: 'b\n', after: 'new\n' }

describe('files that are replaced', () => {
  it('are removed where nothing is left in them, beside others that are written', async () => {
    const folder = await folderOfTest({ 'a.yaml': 'a\n', 'b.yaml': 'b\n' })
    await replaceFiles(folder, [removed, changed])
    expect(await readdir(folder)).toEqual(['b.yaml'])
    expect(await readFile(join(folder, 'b.yaml'), 'utf8')).toBe('new\n')
  })

  it.each([
    [[removed, { ...changed, before: 'other\n' }]],
    [[{ ...removed, before: 'other\n' }, changed]],
    [[removed, { ...changed, file: 'gone.yaml' }]],
  ])('are all as they were where one of them cannot be', async files => {
    const folder = await folderOfTest({ 'a.yaml': 'a\n', 'b.yaml': 'b\n' })
    await expect(replaceFiles(folder, files)).rejects.toThrow('nothing was written')
    expect(await readdir(folder)).toEqual(['a.yaml', 'b.yaml'])
    expect(await readFile(join(folder, 'a.yaml'), 'utf8')).toBe('a\n')
    expect(await readFile(join(folder, 'b.yaml'), 'utf8')).toBe('b\n')
  })

  it('are all as they were where another edit is on its way', async () => {
    const folder = await folderOfTest({ 'a.yaml': 'a\n', 'b.yaml': 'b\n', '.b.yaml.vexil-edit': 'theirs\n' })
    await expect(replaceFiles(folder, [removed, changed])).rejects.toThrow('another command is editing it')
    expect(await readFile(join(folder, 'a.yaml'), 'utf8')).toBe('a\n')
    expect(await readdir(folder)).toEqual(['.b.yaml.vexil-edit', 'a.yaml', 'b.yaml'])
  })

  it('are put back where one of them changes while the others are written', async () => {
    const folder = await folderOfTest({ 'a.yaml': 'a\n', 'b.yaml': 'b\n' })
    const late = {
      ...{ file: 'b.yaml', before: 'b\n' },
      // Asked for once the file was seen to be as it was.
      get after() {
        writeFileSync(join(folder, 'b.yaml'), 'theirs\n')
        return 'new\n'
      },
    }
    await expect(replaceFiles(folder, [removed, late])).rejects.toThrow('"b.yaml" was changed meanwhile')
    expect(await readdir(folder)).toEqual(['a.yaml', 'b.yaml'])
    expect(await readFile(join(folder, 'a.yaml'), 'utf8')).toBe('a\n')
    expect(await readFile(join(folder, 'b.yaml'), 'utf8')).toBe('theirs\n')
  })
})
