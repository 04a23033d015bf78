import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { CompiledChunks, readCompiledFile } from '../../../../src/cli/host/compiled-code.ts'
import { folderOfTest } from '../../../support/folder.ts'

const require = createRequire(import.meta.url)

let folder: string
beforeEach(async () => {
  folder = await folderOfTest({
    'main.cjs':
      "'use strict';const {sep}=require('node:path');const {twice}=require('./twice.cjs');module.exports={sep,four:()=>twice(2),later:()=>Promise.resolve().then(()=>require('./later.cjs')),__filename,__dirname}",
    'twice.cjs': 'module.exports={twice:n=>2*n,thrice:n=>3*n}',
    'later.cjs': 'module.exports={later:true}',
  })
})

const file = () => join(folder, 'code')

/** A command that runs `main.cjs` and keeps what it compiled; answers with what was wanting before. */
async function ran(command: string, run: (main: Main) => unknown = main => main.four()) {
  const chunks = new CompiledChunks({ folder: folder, kept: readCompiledFile(file()), command, require })
  const result = await run(chunks.load('main.cjs') as Main)
  const hasMore = chunks.hasMore()
  if (hasMore) await writeFile(file(), chunks.toKeep())
  return { result, hasMore }
}

interface Main {
  readonly sep: string
  readonly four: () => number
  readonly later: () => Promise<unknown>
  readonly __filename: string
  readonly __dirname: string
}

const whole = { result: 4, hasMore: false }
const compiled = { result: 4, hasMore: true }

describe('the chunks of a program', () => {
  it('are loaded once, ask for each other and for Node, and know where they are', async () => {
    const { result } = await ran('plan', async main => [
      main.sep,
      main.four(),
      await main.later(),
      new Set(await Promise.all([main.later(), main.later()])).size,
      main.__filename,
      main.__dirname,
    ])
    expect(result).toEqual(['/', 4, { later: true }, 1, join(folder, 'main.cjs'), folder])
  })

  it('are compiled by the first command, and run as they were compiled by the same one later', async () => {
    expect(await ran('plan')).toEqual(compiled)
    expect(await ran('plan')).toEqual(whole)
    expect([...readCompiledFile(file()).chunks.keys()].sort()).toEqual(['main.cjs', 'twice.cjs'])
  })

  it('are added to by another command, and lose nothing', async () => {
    await ran('plan', main => main.later())
    expect(await ran('apply')).toEqual(compiled)
    expect(await ran('apply')).toEqual(whole)
    const { commands, chunks } = readCompiledFile(file())
    expect(commands).toEqual(['plan', 'apply'])
    expect([...chunks.keys()].sort()).toEqual(['later.cjs', 'main.cjs', 'twice.cjs'])
    expect((await ran('plan', main => main.later())).hasMore).toBe(false)
  })

  it('are added to by a command that loads more than it did before', async () => {
    await ran('plan')
    expect((await ran('plan', main => main.later())).hasMore).toBe(true)
    expect((await ran('plan', main => main.later())).hasMore).toBe(false)
  })

  it.each<[string, (kept: Buffer) => Buffer]>([
    ['was cut off', kept => kept.subarray(0, kept.length - 40)],
    ['was cut off in its table', kept => kept.subarray(0, 40)],
    ['is empty', () => Buffer.alloc(0)],
    ['was never written to the disk', kept => Buffer.alloc(kept.length)],
    [
      'has another byte',
      kept => Buffer.from(kept.map((byte, at) => (at === kept.length - 60 ? byte ^ 1 : byte))),
    ],
    ['is something else', () => Buffer.from('{"some": "thing else"}')],
  ])('are compiled anew where what was kept %s', async (_, damaged) => {
    await ran('plan')
    await writeFile(file(), damaged(await readFile(file())))
    expect(await ran('plan')).toEqual(compiled)
    expect(await ran('plan')).toEqual(whole)
  })

  it('are compiled anew where a text is another one, though as long', async () => {
    await ran('plan')
    await writeFile(join(folder, 'twice.cjs'), 'module.exports={twice:n=>5*n,thrice:n=>3*n}')
    expect(await ran('plan')).toEqual({ result: 10, hasMore: true })
    expect(await ran('plan')).toEqual({ result: 10, hasMore: false })
  })
})
