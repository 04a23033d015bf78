import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readDeclared, writeDeclared } from '../../../src/core/record/run-folder.ts'
import { folderOfTest } from '../../support/folder.ts'

let folder: string
beforeEach(async () => {
  folder = await folderOfTest({})
})

describe('a table of what was declared', () => {
  it('is written by any number of runs at once, and is there once', async () => {
    const declared = { 'feature_flag.checkout': { fields: { active: '0123456789ab' } } }
    const runs = Array.from({ length: 50 }, (_, index) => `run-${index}`)
    const names = await Promise.all(runs.map(run => writeDeclared(folder, declared, run)))
    const [name = ''] = names
    expect(new Set(names).size).toBe(1)
    expect(await readDeclared(folder, name)).toEqual({ declared })
    expect(await readdir(join(folder, '.vexil/runs/declared'))).toEqual([`${name}.json`])
  })
})
