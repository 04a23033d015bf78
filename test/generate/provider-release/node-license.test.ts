import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeLicense } from '../../../src/generate/provider-release/single-executable.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vexil-node-'))
  await mkdir(join(folder, 'unpacked/bin'), { recursive: true })
  await mkdir(join(folder, 'installed/bin'), { recursive: true })
  await writeFile(join(folder, 'unpacked/LICENSE'), 'Node.js is licensed for use as follows:\n')
  await writeFile(join(folder, 'installed/LICENSE'), 'the licence of something else')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const textFor = async (node: string) =>
  Buffer.from((await nodeLicense(join(folder, node), 'v20.19.0')).bytes).toString()

describe('the licence of the Node in an executable', () => {
  it('is the file that its archive has', async () => {
    expect(await textFor('unpacked/bin/node')).toBe('Node.js is licensed for use as follows:\n')
  })

  it.each(['installed/bin/node', 'nowhere/bin/node'])(
    'is named where there is no such file: %s',
    async node => {
      expect(await textFor(node)).toContain('https://github.com/nodejs/node/blob/v20.19.0/LICENSE')
    },
  )
})
