import { createHash } from 'node:crypto'
import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect, it } from 'vitest'
import { version } from '../../../src/model/version.ts'
import { providerFiles } from '../../../src/terraform/install.ts'
import { run } from '../../acceptance/support/binary.ts'
import { isFull } from '../../suites.ts'
import { packageRoot } from '../../support/built.ts'
import { folderOfTest } from '../../support/folder.ts'

const sources = [
  'src',
  'package.json',
  'tsconfig.json',
  'LICENSE',
  ...['cdktf', 'chunks', 'config', 'notices', 'program', 'testing'].map(each => `esbuild.${each}.js`),
]

it.skipIf(!isFull())('is the same provider, byte by byte, when it is built again elsewhere', async () => {
  const folder = await folderOfTest({})
  for (const each of sources) await cp(join(packageRoot, each), join(folder, each), { recursive: true })
  await symlink(join(packageRoot, 'node_modules'), join(folder, 'node_modules'))
  const { code, output } = await run(execPath, ['esbuild.config.js'], { directory: folder })
  expect({ code, output }).toEqual({ code: 0, output: '' })
  const [again, before] = await Promise.all([folder, packageRoot].map(digestsOf))
  expect(again?.length).toBeGreaterThan(1)
  expect(again).toEqual(before)
})

async function digestsOf(root: string): Promise<string[]> {
  const files = await providerFiles(root, version)
  return files.map(({ path, bytes }) => `${path} ${createHash('sha256').update(bytes).digest('hex')}`)
}
